import assert from "node:assert/strict";
import { join } from "node:path";
import { describeChange, startReloading, watchedPathsOf } from "../../../src/cli/service/reload.ts";
import { loadSetup, type Setup } from "../../../src/cli/service/setup.ts";
import { BUILT_IN_RULES } from "../../../src/engine/rule/folder.ts";
import { createTestContext } from "../../support/context.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const FLAGS = {};
const RULE = "rule: mine\npattern: '<<{tool}>>(?<body>…)<</>>'\nbody: json\n";

/** Reloads in a fresh folder; `until` waits until a text was printed. */
async function withReloading(
  run: (test: {
    write: (name: string, text: string) => Promise<void>;
    until: (text: string) => Promise<string>;
    used: Setup[];
  }) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  await Deno.mkdir(join(folder, "rules"));
  const context = createTestContext({ workingDirectory: folder });
  let printed = Promise.withResolvers<void>();
  const stdout = (text: string) => {
    context.stdout(text);
    printed.resolve();
  };
  const used: Setup[] = [];
  const setup = await loadSetup(FLAGS, context);
  const watch = startReloading({
    flags: FLAGS,
    context: { ...context, stdout },
    setup,
    url: "http://here",
    use: (next) => used.push(next),
  });
  const until = async (text: string) => {
    while (!context.printed.stdout.includes(text)) {
      await printed.promise;
      printed = Promise.withResolvers();
    }
    return context.printed.stdout + context.printed.stderr;
  };
  try {
    await run({ write: (name, text) => Deno.writeTextFile(join(folder, name), text), until, used });
  } finally {
    await watch.close();
  }
}

Deno.test("startReloading takes a new rule into use and says so in one line", () =>
  withReloading(async ({ write, until, used }) => {
    await write("dragoman.yaml", "rules: { disable: [hermes] }");
    await until("rule hermes changed");
    await write("rules/mine.yaml", RULE);
    const said = await until("rule mine added");
    assert.match(said, /^\d\d:\d\d:\d\d {2}Reloaded: rule mine added; \d+ rules on$/m);
    assert.ok(used.at(-1)?.rules.program.rules.some(({ name }) => name === "mine"));
  }));

Deno.test("startReloading shows the mistakes of a bad edit and takes nothing into use", () =>
  withReloading(async ({ write, until, used }) => {
    await write("dragoman.yaml", "listen: { prot: 1 }");
    const said = await until("Not reloaded (1 error, 0 warnings)");
    assert.ok(said.includes("dragoman.yaml:1:11"), said);
    assert.equal(used.length, 0);
    await write("dragoman.yaml", "listen: { port: 8787 }");
    await until("the errors are fixed");
    assert.equal(used.length, 1);
  }));

Deno.test("startReloading says that another address needs a restart", () =>
  withReloading(async ({ write, until }) => {
    await write("dragoman.yaml", "listen: { port: 1 }");
    await until("Restart to listen on another address. Still listening on http://here");
  }));

Deno.test("watchedPathsOf names the built-in folders, those of the configuration and its file", async () => {
  const context = createTestContext();
  const { workingDirectory } = context;
  const setup = await loadSetup({ rules: ["more"] }, context);
  const { folders, files } = watchedPathsOf(setup);
  assert.ok(folders.includes(BUILT_IN_RULES) && folders.includes(join(workingDirectory, "more")));
  assert.deepEqual(files, [join(workingDirectory, "dragoman.yaml")]);
});

Deno.test("reload says every mistake with its place and reason, and takes the next good save", async () => {
  const workingDirectory = await temporaryFolder();
  await Deno.mkdir(join(workingDirectory, "rules"));
  const context = createTestContext({ workingDirectory });
  const used: Setup[] = [];
  const watch = startReloading({
    flags: {},
    context,
    setup: await loadSetup({}, context),
    url: "http://here",
    use: (next) => used.push(next),
  });
  const write = (name: string, text: string) => Deno.writeTextFile(join(workingDirectory, name), text);
  try {
    const nested = `rule: deep\npattern: '${"(".repeat(2000)}<{tool}>(?<body>…)</>${
      ")".repeat(2000)
    }'\nbody: json\n`;
    const long = `rule: long\npattern: '<{tool}>${"x".repeat(300_000)}(?<body>…)</>'\nbody: json\n`;
    const plugin = "import 'npm:left-pad@1.3.0';\nexport default { name: 'p', onCall() {} };\n";
    const bad: [string, string, RegExp][] = [
      // First, because a good plugin that is being imported must not change under the import.
      ["mine.ts", plugin, /^dragoman\.yaml:1:11: .*mine\.ts: line 1 imports `npm:left-pad@1\.3\.0`/],
      ["rules/deep.yaml", nested, /^rules\/deep\.yaml:[12]:/],
      ["rules/long.yaml", long, /^rules\/long\.yaml:[12]:/],
    ];
    for (const [name, text, expected] of bad) {
      await write(name, text);
      await write("dragoman.yaml", "plugins: [./mine.ts]\n");
      const { isReloaded, errors, diagnostics } = await watch.reload();
      assert.deepEqual([isReloaded, errors > 0], [false, true], name);
      const lines = diagnostics.map(({ file, line, column, message }) =>
        `${file}:${line}:${column}: ${message}`
      );
      assert.ok(lines.some((line) => expected.test(line)), lines.join("\n").slice(0, 1000));
      await Deno.remove(join(workingDirectory, name));
      await write("mine.ts", "export default { name: 'p', onCall() {} };\n");
      const { diagnostics: left } = await watch.reload();
      assert.deepEqual(left, [], `after ${name}`);
    }
  } finally {
    await watch.close();
  }
});

Deno.test("reload survives whoever takes the setup into use, and says why nothing is in use", async () => {
  const context = createTestContext({ workingDirectory: await temporaryFolder() });
  const watch = startReloading({
    flags: {},
    context,
    setup: await loadSetup({}, context),
    url: "http://here",
    use: () => {
      throw new RangeError("Maximum call stack size exceeded");
    },
  });
  try {
    const first = await watch.reload();
    assert.deepEqual([first.isReloaded, first.errors], [false, 1]);
    assert.match(first.diagnostics[0]?.message ?? "", /nested too deeply/);
    assert.match(context.printed.stderr, /error\[load_failed\]/);
    assert.equal((await watch.reload()).errors, 1);
  } finally {
    await watch.close();
  }
});

const before = await loadSetup({}, createTestContext());
const [first, second, ...rest] = before.rules.rules;
const withRules = (rules: Setup["rules"]["rules"]): Setup => ({
  ...before,
  rules: { ...before.rules, rules },
});
const withConfig = (change: Partial<Setup["config"]["config"]>): Setup => ({
  ...before,
  config: { ...before.config, config: { ...before.config.config, ...change } },
});

Deno.test("describeChange of the same is empty", () => {
  assert.deepEqual(describeChange(before, { ...before }), []);
});

Deno.test("describeChange names rules that were added, changed and removed", () => {
  assert.ok(first && second);
  const after = withRules([{ ...second, confidence: 0.123 }, ...rest, { ...first, rule: "mine" }]);
  assert.deepEqual(describeChange(before, after), [
    "rule mine added",
    `rule ${second.rule} changed`,
    `rule ${first.rule} removed`,
  ]);
});

Deno.test("describeChange names clients and settings", () => {
  const clients = { ...before.clients, clients: before.clients.clients.slice(2) };
  const removed = before.clients.clients.slice(0, 2).map(({ client }) => client);
  assert.deepEqual(describeChange(before, { ...before, clients }), [
    `clients ${removed.join(" and ")} removed`,
  ]);
  const after = withConfig({
    listen: { ...before.config.config.listen, hostname: "::1", port: 1 },
    policy: { ...before.config.config.policy, minimum_confidence: 0.1 },
  });
  assert.deepEqual(describeChange(before, after), ["listen", "policy"]);
});

Deno.test("describeChange notices another key without saying it", () => {
  const after = { ...before, config: { ...before.config, keys: new Map([["local", "secret"]]) } };
  assert.deepEqual(describeChange(before, after), ["keys"]);
});

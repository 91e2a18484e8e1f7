import assert from "node:assert/strict";
import { join } from "node:path";
import { check } from "../../src/cli/check.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { runVerb } from "../support/run_verb.ts";

const good = `rule: good
pattern: '<<good {tool}>>(?<body>…)<</good>>'
body: json
examples:
  - { name: call, offered: [f], input: '<<good f>>{}<</good>>', calls: [{ tool: f }] }
untouched:
  - { name: prose, offered: [], input: 'Nothing here.' }
`;

function run(files: Readonly<Record<string, string>>, input: Partial<VerbInput>) {
  return runVerb(check, { ...input, files });
}

Deno.test("check of a right rule file prints a summary and ends with 0", async () => {
  const { code, stdout } = await run({ "good.yaml": good }, { positionals: ["good.yaml"] });
  assert.deepEqual([code, stdout], [0, "Checked 1 rule, 0 clients, 2 examples: 0 errors, 0 warnings\n"]);
});

Deno.test("check shows the mistakes of all files that are named and ends with 1", async () => {
  const files = {
    "good.yaml": good.replace("confidence", "").replace("body:", "boddy:"),
    "client.yaml": "client: client\nwrites: nothing\n",
    "other.yaml": "listen: { prot: 1 }\n",
  };
  const { code, stdout } = await run(files, { positionals: Object.keys(files) });
  assert.equal(code, 1);
  for (const place of ["good.yaml:3:1", "client.yaml:2:9", "other.yaml:1:11"]) {
    assert.ok(stdout.includes(place), stdout);
  }
  assert.ok(stdout.includes("\n3 errors, 0 warnings\n"), stdout);
});

Deno.test("check of a folder checks every rule in it", async () => {
  const files = { "good.yaml": good, "bad.yaml": "rule: bad\n" };
  const { code, stdout } = await run(files, { positionals: ["."] });
  assert.equal(code, 1);
  assert.ok(stdout.includes("bad.yaml:1:1") && stdout.includes("Checked 1 rule,"), stdout);
});

Deno.test("check --json prints one object", async () => {
  const { code, stdout } = await run({ "bad.yaml": "rule: [" }, {
    positionals: ["bad.yaml"],
    values: { json: true },
  });
  assert.equal(code, 1);
  const { errors, warnings, diagnostics } = JSON.parse(stdout);
  assert.deepEqual([errors, warnings, diagnostics[0].code, diagnostics[0].line], [1, 0, "yaml_syntax", 1]);
});

Deno.test("check of a path that does not exist says so", async () => {
  const { code, stdout } = await run({}, { positionals: ["none.yaml"] });
  assert.equal(code, 1);
  assert.ok(stdout.includes("Cannot read file none.yaml: it does not exist"), stdout);
});

/** It runs the examples of all shipped rules, as `deno task check` does. */
const SERVED = "check without a path checks what would be served, with the configuration";
Deno.test(SERVED, async () => {
  const { code, stdout } = await run({ "dragoman.yaml": "rules:\n  enable: [shel_block]\n" }, {});
  assert.equal(code, 1);
  assert.ok(stdout.includes("dragoman.yaml:2:12"), stdout);
  assert.ok(stdout.includes("did you mean `shell_block`?"), stdout);
});

Deno.test("check --watch checks again after an edit, also after one that comes during the first check", async () => {
  const workingDirectory = await temporaryFolder();
  const file = join(workingDirectory, "good.yaml");
  await Deno.writeTextFile(file, good);
  const stop = new AbortController();
  let printed = "";
  let look = () => {};
  const context = {
    ...createTestContext({ workingDirectory }),
    signal: stop.signal,
    stdout(text: string) {
      printed += text;
      look();
    },
  };
  const until = (expected: RegExp) =>
    new Promise<void>((resolve) => {
      look = () => void (expected.test(printed) && resolve());
      look();
    });
  const code = check.run({ values: { watch: true }, positionals: ["good.yaml"] }, context);
  await Deno.writeTextFile(file, good.replace("body:", "boddy:"));
  await until(/1 error, /);
  printed = "";
  await Deno.writeTextFile(file, good);
  await until(/\n\d\d:\d\d:\d\d\n[^]*0 errors, 0 warnings/);
  stop.abort();
  assert.equal(await code, 0);
});

const BAD_PLUGINS = "plugins: [./nope.ts, strict_validaton]\n";

for (
  const [how, input] of [
    ["by its path", { positionals: ["dragoman.yaml"] }],
    ["alone", { values: { "config-only": true } }],
    ["alone, by its path", { positionals: ["dragoman.yaml"], values: { "config-only": true } }],
  ] as const
) {
  Deno.test(`check of a configuration ${how} finds the plugins that serve refuses`, async () => {
    const { code, stdout } = await run({ "dragoman.yaml": BAD_PLUGINS }, input);
    assert.equal(code, 1);
    for (const part of ["plugin_invalid", "unknown_plugin", "dragoman.yaml:1:22", "2 errors, 0 warnings"]) {
      assert.ok(stdout.includes(part), stdout);
    }
  });
}

Deno.test("check refuses what chooses two things to check", async () => {
  for (
    const [named, input] of [
      [
        "--config-only and several paths",
        { positionals: ["good.yaml", "good.yaml"], values: { "config-only": true } },
      ],
      [
        "--config-only and a path and --config",
        { positionals: ["good.yaml"], values: { "config-only": true, config: "good.yaml" } },
      ],
      ["--config-only and --shipped", { values: { "config-only": true, shipped: true } }],
    ] as const
  ) {
    const { code, stdout, stderr } = await run({ "good.yaml": good }, input);
    assert.deepEqual([code, stdout], [2, ""], named);
    assert.ok(
      stderr.startsWith(`error[wrong_usage]: ${named} can't be combined\n  = help: leave out one`),
      stderr,
    );
  }
});

Deno.test("check runs the examples of own rules, and those of built-in rules only if someone changed them", async () => {
  const { code, stdout } = await run({
    "rules/good.yaml": good,
    "dragoman.yaml": "rules: { folders: [rules] }\n",
  }, {});
  assert.equal(code, 0, stdout);
  assert.match(
    stdout,
    /^Checked 1 rule, \d+ clients, 2 examples: 0 errors, 0 warnings; \d+ built-in rules as shipped/,
  );
});

Deno.test("check shows in a terminal which rule's examples run", async () => {
  const context = createTestContext({ workingDirectory: await temporaryFolder({ "good.yaml": good }) });
  await check.run({ values: {}, positionals: ["good.yaml"] }, { ...context, isTty: true });
  assert.equal(context.printed.stderr, "\r\x1b[K1 of 1: good\r\x1b[K");
});

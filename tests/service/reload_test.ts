import assert from "node:assert/strict";
import { join } from "node:path";
import { placesOf, startReloading } from "../../src/service/reload.ts";
import { loadSetup, type Setup } from "../../src/service/setup.ts";
import { BUILT_IN_RULES } from "../../src/rule/load.ts";
import { createTestWorld } from "../support/world.ts";

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
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(join(folder, "rules"));
  const world = createTestWorld({ workingDirectory: folder });
  let printed = Promise.withResolvers<void>();
  const stdout = (text: string) => {
    world.stdout(text);
    printed.resolve();
  };
  const used: Setup[] = [];
  const setup = await loadSetup(FLAGS, world);
  const watch = startReloading({
    flags: FLAGS,
    world: { ...world, stdout },
    setup,
    url: "http://here",
    use: (next) => used.push(next),
  });
  const until = async (text: string) => {
    while (!world.printed.stdout.includes(text)) {
      await printed.promise;
      printed = Promise.withResolvers();
    }
    return world.printed.stdout + world.printed.stderr;
  };
  try {
    await run({ write: (name, text) => Deno.writeTextFile(join(folder, name), text), until, used });
  } finally {
    watch.close();
    await Deno.remove(folder, { recursive: true });
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

Deno.test("placesOf names the built-in folders, those of the configuration and its file", async () => {
  const workingDirectory = Deno.cwd();
  const setup = await loadSetup({ rules: ["more"] }, createTestWorld());
  const { folders, files } = placesOf(setup);
  assert.ok(folders.includes(BUILT_IN_RULES) && folders.includes(join(workingDirectory, "more")));
  assert.deepEqual(files, [join(workingDirectory, "dragoman.yaml")]);
});

/**
 * Everything that must hold, in one command, with one closing line `N passed, N failed`:
 *
 *     deno task test
 *     deno task test --thorough     # with all cases of the property tests, a browser, and real agents and servers
 *     deno task test tests/engine/scan     # only these tests; what else follows goes to `deno test`
 *
 * The tests have a configuration and a lock file of their own, so that people who only run Dragoman download no package
 * that only tests need.
 *
 * Checks come first, two at a time; what the agents need is downloaded meanwhile. A step that isn't a test run counts as one;
 * a test run counts its tests.
 *
 * @module
 */

interface Step {
  readonly name: string;
  /** Arguments of the running Deno. */
  readonly args: readonly string[];
  /** Where it runs; the project's folder unless it is given. */
  readonly cwd?: string;
}

/** Modules that others build on: everything exported there is documented. */
const PUBLIC = [
  "src/engine/event/event.ts",
  "src/engine/event/reason.ts",
  "src/engine/event/reason_entry.ts",
  "src/engine/event/reasons.ts",
  "src/engine/diagnostic/codes.ts",
  "src/engine/diagnostic/diagnostic.ts",
  "src/engine/tool/offered.ts",
  "src/engine/tool/schema.ts",
  "src/engine/tool/value.ts",
  "src/engine/tool/shell.ts",
  "src/engine/json/handler.ts",
  "src/engine/json/reader.ts",
  "src/engine/json/writer.ts",
  "src/engine/pattern/node.ts",
  "src/engine/pattern/parse.ts",
  "src/engine/pattern/problem.ts",
  "src/engine/pattern/split.ts",
  "src/engine/pattern/nfa.ts",
  "src/engine/pattern/machine.ts",
  "src/engine/pattern/determinize.ts",
  "src/engine/pattern/automaton.ts",
  "src/engine/pattern/captures.ts",
  "src/engine/pattern/search.ts",
  "src/chat/message/chunk.ts",
  "src/chat/message/field_path.ts",
  "src/chat/message/history.ts",
  "src/chat/message/request.ts",
  "src/chat/message/request_changes.ts",
  "src/chat/message/stable_prefix.ts",
  "src/proxy/plugin/mod.ts",
  "src/proxy/store/expiring_values.ts",
  "src/proxy/store/store.ts",
];

/** Where the packages of the tests are named, besides those of the program. */
const CONFIG = "--config=tests/deno.json";

/** The step that bundles the program, and where it writes it. */
const PROGRAM = "program for the tests";
const BUILT_PROGRAM = new URL("../dist/test_program/src/cli/bundle/main.mjs", import.meta.url).pathname;

/** Checks that need one processor each; the two lists run at the same time. */
const CHECKS: readonly (readonly Step[])[] = [
  [
    { name: "documentation", args: ["doc", "--lint", ...PUBLIC] },
    // Examples import what they show and may leave the rest of a module unused, which the type check refuses.
    {
      name: "examples in comments",
      args: [
        "test",
        CONFIG,
        "--doc",
        "--no-check",
        "--allow-all",
        "--ignore=src/docs/reference/library.md",
        "src",
      ],
    },
    // Not in the project's folder, where a person's dragoman.yaml may be.
    {
      name: "rules, clients and their examples",
      args: [
        "run",
        "--config=../../deno.json",
        "--allow-read",
        "--allow-env",
        "../../main.ts",
        "check",
        "--shipped",
      ],
      cwd: "tests/support",
    },
  ],
  [
    // Tests that start the program start it sooner as one file.
    { name: PROGRAM, args: ["run", CONFIG, "--allow-all", "tests/support/build_program.ts"] },
    { name: "format", args: ["fmt", "--check"] },
    { name: "lint", args: ["lint"] },
    { name: "types", args: ["check", CONFIG, "main.ts", "src", "tests", "plugins"] },
  ],
];

const IS_THOROUGH = Deno.args.includes("--thorough");

/** What to test, or flags of `deno test`; empty: everything. */
const NAMED = Deno.args.filter((argument) => argument !== "--thorough");

/** Whether there are only flags. */
const NAMES_NO_PATH = NAMED[0]?.startsWith("-") ?? true;

/**
 * The folders of `tests` whose files share entries, the longest first, so that no long one begins last; and of how many files
 * an entry consists: each loads its modules and warms up for itself, and more of the end-to-end tests would wait for one another's
 * timers. A folder in them is one entry.
 */
const SHARED: readonly (readonly [room: string, size: number])[] = [
  ["newcomer", 1],
  // With all cases, a property takes minutes, and several in one entry would run alone at the end.
  ["property", IS_THOROUGH ? 6 : 12],
  ["end_to_end", IS_THOROUGH ? 6 : 12],
  ["cli", 16],
  ["plugins", 12],
  ["analysis", 20],
  ["engine", 45],
  ...["chat", "proxy", "admin", "library", "wires", "support"].map((room) => [room, 100] as const),
];

/** Rooms whose tests take less time than their modules: their folders share entries. */
const SMALL = ["engine", "chat", "proxy", "admin", "wires"];

/** What counts steps of the whole entry. Each takes longer than any other, so they come first. */
const ALONE = ["tests/property/hostile_text_test.ts", "tests/property/matcher_linear_test.ts"];

/** Where the entries of groups of test files are. */
const GROUPS = await Deno.makeTempDir({ prefix: "dragoman-tests-" });

const TESTS: Step = {
  name: "tests",
  args: [
    "test",
    CONFIG,
    "--no-check",
    "--allow-all",
    "--parallel",
    ...(NAMES_NO_PATH ? await groupTests() : []),
    ...NAMED,
  ],
};

/**
 * Two entries more at a time than there are cores: many wait for servers and timers, which leaves a quarter of two cores idle.
 * The thorough run, whose longer tests measure waiting, has one more.
 */
const JOBS = String(navigator.hardwareConcurrency + (IS_THOROUGH ? 1 : 2));

/** Real agents against the real proxy; where npm cannot reach its registry they are skipped, which is printed. */
const AGENTS: Step = { name: "agents", args: ["task", "--quiet", "test:agents"] };

/** Replicas with real balancers in front and a real store; where those are not installed they are skipped, which is printed. */
const TEAM: Step = { name: "team", args: ["task", "--quiet", "test:team"] };

/**
 * Real model servers; where Python is absent they are skipped, which is printed. Those that have to be compiled run only where
 * they are installed.
 */
const SERVERS: Step = {
  name: "servers",
  args: [
    ...["task", "--quiet", "test:servers", "--install=vllm,mlx-lm"],
    ...["--filter", "/^(?:vllm|llama\\.cpp|mlx-lm|transformers|llama-cpp-python):/"],
  ],
};

/** The field's own suite; where Python is absent it is skipped, which is printed. */
const SUITE: Step = { name: "field suite", args: ["task", "--quiet", "test:suite"] };

/** The library from its packed file, in other runtimes; where npm cannot reach its registry they are skipped, which is printed. */
const LIBRARY: Step = { name: "library", args: ["task", "--quiet", "test:library"] };

/** The pages in Chromium; where there is none they are skipped, which is printed. */
const BROWSER: Step = { name: "browser", args: ["task", "--quiet", "test:browser"] };

/** Downloads the agents. The agents' own step tries again, and prints what goes wrong. */
const INSTALL_AGENTS: Step = {
  name: "agents' packages",
  args: ["run", "--allow-all", "tests/agents/install.ts"],
};

let passed = 0;
let failed = 0;
let isBuilt = false;
const isWhole = NAMED.length === 0;
// The network is slow, and no test before the agents needs it much.
const installing = isWhole && IS_THOROUGH ? run(INSTALL_AGENTS, { isShownAtOnce: false }) : undefined;
if (isWhole) {
  await Promise.all(CHECKS.map((steps) => runAll(steps, { isShownAtOnce: false })));
}
await runAll([TESTS], { isShownAtOnce: true });
if (isWhole && IS_THOROUGH) {
  await installing;
  // Agents, servers and pages wait for timers and for one another: three lists keep two processors busy.
  await Promise.all([
    runAll([AGENTS], { isShownAtOnce: true }),
    runAll([SERVERS, SUITE], { isShownAtOnce: false }),
    runAll([BROWSER, TEAM, LIBRARY], { isShownAtOnce: false }),
  ]);
} else if (isWhole) {
  console.log(
    "\nSKIPPED browser, packed library, agents, servers, replicas and the field's suite: add --thorough, or run their tasks (tests/README.md)",
  );
}
await Deno.remove(GROUPS, { recursive: true });
console.log(`\n${passed} passed, ${failed} failed`);
Deno.exit(failed === 0 ? 0 : 1);

/**
 * All test files but those of the browser. Each file that `deno test` gets loads its modules for itself, which takes longer
 * than most tests, so files share an entry: those of a folder of unit tests, and a few of the others.
 *
 *     tests/engine/json/reader_test.ts, tests/engine/json/equal_test.ts, …   →   engine_json_0_test.ts
 */
async function groupTests(): Promise<string[]> {
  const all = (await testFiles("tests")).sort().filter((path) => !ALONE.includes(path));
  const rooms = Map.groupBy(all, (path) => path.split("/")[1]!);
  const entries: string[] = [];
  const add = async (name: string, paths: readonly string[]) => {
    const entry = `${GROUPS}/${name}_test.ts`;
    const imports = paths.map((path) =>
      `import ${JSON.stringify(new URL(`../${path}`, import.meta.url).href)};\n`
    );
    await Deno.writeTextFile(entry, imports.join(""));
    entries.push(entry);
  };
  // All entries are in one folder, or Deno 2.9.6 would run those of the other one last.
  for (const [index, path] of ALONE.entries()) await add(`alone_${index}`, [path]);
  for (const [room, size] of SHARED) {
    const folderOf = (path: string) => SMALL.includes(room) ? "" : path.split("/").slice(1, -1)[1] ?? "";
    const folders = Map.groupBy(rooms.get(room) ?? [], folderOf);
    rooms.delete(room);
    for (const [folder, paths] of folders) {
      const step = folder === "" ? size : paths.length;
      for (let at = 0; at < paths.length; at += step) {
        await add(`${room}_${folder}_${at}`, paths.slice(at, at + step));
      }
    }
  }
  await add("others", [...rooms.values()].flat());
  return entries;
}

async function testFiles(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory && path !== "tests/browser") found.push(...await testFiles(path));
    else if (name.endsWith("_test.ts")) found.push(path);
  }
  return found;
}

interface Showing {
  /** Whether to show what a step prints at once; otherwise at its end, so that two steps don't mix. */
  readonly isShownAtOnce: boolean;
}

/** Runs steps one after the other, and counts. */
async function runAll(steps: readonly Step[], showing: Showing): Promise<void> {
  for (const step of steps) {
    const began = performance.now();
    if (showing.isShownAtOnce) console.log(`\n== ${step.name}`);
    const { code, output, errors } = await run(step, showing);
    if (!showing.isShownAtOnce) {
      console.log(`\n== ${step.name}`);
      console.log((output + errors).trimEnd());
    }
    const counted = countTests(output);
    // A run that fails without a failing test (a module that does not load) fails.
    passed += counted?.passed ??
      (code === 0 && !output.includes("SKIPPED") ? 1 : 0);
    if (step.name === PROGRAM) isBuilt = code === 0;
    failed += Math.max(counted?.failed ?? 0, code === 0 ? 0 : 1);
    const took = Math.round(performance.now() - began);
    console.log(`== ${step.name}: ${code === 0 ? "ok" : "FAILED"} (${took} ms)`);
  }
}

interface Run {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** Runs a step. What it prints is kept: a test run's to be counted. */
async function run(step: Step, { isShownAtOnce }: Showing): Promise<Run> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...step.args],
    ...(step.cwd === undefined ? {} : { cwd: step.cwd }),
    env: {
      NO_COLOR: "1",
      DENO_JOBS: Deno.env.get("DENO_JOBS") ?? JOBS,
      ...(IS_THOROUGH ? { DRAGOMAN_THOROUGH: "1" } : {}),
      ...(isBuilt ? { DRAGOMAN_TEST_PROGRAM: BUILT_PROGRAM } : {}),
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [output, errors] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => read(stream, isShownAtOnce)),
  );
  return { code: (await child.status).code, output: output ?? "", errors: errors ?? "" };
}

async function read(stream: ReadableStream<Uint8Array<ArrayBuffer>>, isShown: boolean): Promise<string> {
  let text = "";
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (isShown) await Deno.stdout.write(new TextEncoder().encode(chunk));
  }
  return text;
}

/** The closing line of a test run: `ok | 12 passed (3 steps) | 0 failed`. */
function countTests(
  output: string,
): { passed: number; failed: number } | undefined {
  const found = [
    ...output.matchAll(/^(?:ok|FAILED) \| (\d+) passed.*?\| (\d+) failed/gm),
  ].at(-1);
  return found && { passed: Number(found[1]), failed: Number(found[2]) };
}

/**
 * The architecture as a test: who may import whom, which names there are not.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";

/** The project's folder. */
const ROOT = join(import.meta.dirname!, "..");

/**
 * Folder of `src` → the folders that it may import, for code and for types. `cli` may import everything. A folder
 * stands after every folder that it imports, so there is no cycle. `object` imports nothing, and every folder may
 * import it.
 */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  object: [],
  diagnostic: [],
  format: [],
  pattern: ["diagnostic"],
  json: ["pattern"],
  event: [],
  chat: ["event", "json"],
  document: ["diagnostic"],
  native: ["event", "json"],
  tool: ["json"],
  client: ["chat", "diagnostic", "document", "native", "tool"],
  config: ["diagnostic", "document"],
  render: ["chat", "client", "event", "json", "tool"],
  sse: [],
  pipeline: ["chat", "event", "json", "native", "render", "sse"],
  store: [],
  plugin: [
    "chat",
    "config",
    "diagnostic",
    "document",
    "event",
    "pattern",
    "store",
    "tool",
  ],
  rollout: ["chat", "event", "pipeline"],
  scan: ["event", "json", "pattern", "tool"],
  rule: ["diagnostic", "document", "event", "json", "pattern", "scan", "tool"],
  speak: ["chat", "diagnostic", "json", "pipeline", "rule", "scan", "tool"],
  derive: ["diagnostic", "document", "event", "json", "rule", "scan", "tool"],
  near_miss: ["event", "pipeline", "rule", "scan", "tool"],
  wire: ["chat", "sse"],
  http: [
    "chat",
    "client",
    "config",
    "event",
    "format",
    "native",
    "near_miss",
    "pattern",
    "pipeline",
    "plugin",
    "render",
    "rollout",
    "rule",
    "scan",
    "speak",
    "sse",
    "store",
    "tool",
    "wire",
  ],
  replay: [
    "chat",
    "client",
    "diagnostic",
    "event",
    "http",
    "pipeline",
    "plugin",
    "render",
    "scan",
    "sse",
    "tool",
  ],
  audit: ["chat", "event", "http", "replay", "rollout"],
  acceptance: ["audit", "chat", "event", "http"],
  tally: ["audit"],
  live: ["audit", "diagnostic", "event", "http"],
  admin: ["audit", "client", "config", "diagnostic", "document"],
  build: [],
  conformance: [
    "chat",
    "client",
    "diagnostic",
    "document",
    "event",
    "http",
    "json",
    "replay",
    "rule",
  ],
  metrics: ["audit", "diagnostic", "event", "http", "tally"],
  report: ["audit", "diagnostic", "event", "format", "tally"],
  sample: ["chat", "sse"],
  page: [
    "admin",
    "audit",
    "chat",
    "config",
    "derive",
    "diagnostic",
    "document",
    "event",
    "format",
    "live",
    "replay",
    "rule",
    "speak",
    "tally",
    "tool",
  ],
  service: [
    "acceptance",
    "admin",
    "audit",
    "client",
    "config",
    "derive",
    "diagnostic",
    "document",
    "event",
    "format",
    "http",
    "json",
    "live",
    "metrics",
    "plugin",
    "replay",
    "rollout",
    "rule",
    "speak",
    "store",
    "tally",
  ],
};

/** Folders that may touch the outside world. */
const OUTSIDE = [
  "build",
  "page",
  "plugin",
  "http",
  "cli",
  "config",
  "document",
  "rule",
  "client",
  "replay",
  "service",
];

const FORBIDDEN_NAMES = ["utils", "helpers", "common", "core"];

/** Names of models and dialects that no source file may branch on. */
const MODEL_NAMES = /\b(?:qwen|hermes|mistral|kimi|deepseek|glm|llama|granite|gemma)/i;

interface Source {
  /** From the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

async function sources(folder: string): Promise<Source[]> {
  const found: Source[] = [];
  for await (const entry of Deno.readDir(join(ROOT, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await sources(path));
    else if (entry.name.endsWith(".ts")) {
      found.push({ path, text: await Deno.readTextFile(join(ROOT, path)) });
    }
  }
  return found.sort((a, b) => a.path < b.path ? -1 : 1);
}

/** The target of every relative import of a file, code and types alike. */
function importsOf({ path, text }: Source): string[] {
  const found = text.matchAll(
    /^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm,
  );
  return [...found].map(([, statement, expression]) =>
    relative(ROOT, join(ROOT, dirname(path), statement ?? expression ?? ""))
      .replaceAll("\\", "/")
  );
}

function folderOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** The code without its comments, line by line. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

Deno.test("architecture: each folder imports only what the table allows", async () => {
  const wrong: string[] = [];
  for (const source of await sources("src")) {
    const from = folderOf(source.path);
    if (from === "cli") continue;
    const allowed = IMPORTS[from];
    assert(allowed, `src/${from} is missing in the import table`);
    for (const target of importsOf(source)) {
      const to = folderOf(target);
      // The list of built-in plugins is the one place that knows their files.
      const isBuiltIn = source.path === "src/proxy/plugin/built_in.ts" &&
        target.startsWith("plugins/");
      if (
        to !== from && !isBuiltIn && to !== "object" && !allowed.includes(to)
      ) {
        wrong.push(`${source.path} imports ${target}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: main.ts imports the command line and nothing else", async () => {
  const text = await Deno.readTextFile(join(ROOT, "main.ts"));
  for (const target of importsOf({ path: "main.ts", text })) {
    assert.match(target, /^src\/cli\//);
  }
});

Deno.test("architecture: a plugin imports the contract and nothing else", async () => {
  const plugins = await sources("plugins");
  const wrong = plugins.flatMap(({ path, text }) =>
    [...text.matchAll(/from\s+"([^"]+)"|import\("([^"]+)"\)/g)].map((found) => found[1] ?? found[2])
      .filter((target) => target !== "../src/plugin/mod.ts").map((target) => `${path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: the tests use the program's packages in the same versions, and add only their own", async () => {
  const [own, tested] = await Promise.all(
    ["deno.json", "tests/deno.json"].map(async (path) =>
      JSON.parse(await Deno.readTextFile(join(ROOT, path)))
    ),
  );
  const { imports, compilerOptions, unstable, lock, nodeModulesDir, test } = own;
  assert.deepEqual(tested, {
    imports: { ...tested.imports, ...imports },
    compilerOptions,
    unstable,
    lock,
    nodeModulesDir,
    fmt: { lineWidth: own.fmt.lineWidth },
    test,
  });
});

Deno.test("architecture: no cycle among the folders, type imports included", () => {
  const seen = new Set<string>();
  for (const [folder, allowed] of Object.entries(IMPORTS)) {
    const later = allowed.filter((name) => !seen.has(name));
    assert.deepEqual(
      later,
      [],
      `src/${folder} imports a folder that the table lists after it`,
    );
    seen.add(folder);
  }
});

Deno.test("architecture: only the outer folders touch the outside world", async () => {
  const wrong = (await sources("src")).filter(({ path, text }) =>
    !OUTSIDE.includes(folderOf(path)) &&
    /\b(?:Deno\.|fetch\(|Date\.now|Math\.random|crypto\.|setTimeout|process\.)/
      .test(withoutComments(text))
  );
  assert.deepEqual(wrong.map(({ path }) => path), []);
});

/** What a module loads when it runs: its imports without those of types. */
function loadedBy({ path, text }: Source): { readonly files: string[]; readonly packages: string[] } {
  const found = text.matchAll(
    /^(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  const targets = [...found].map(([, statement, expression]) => statement ?? expression ?? "");
  const files = targets.filter((target) => target.startsWith("."));
  return {
    files: files.map((target) => relative(ROOT, join(ROOT, dirname(path), target)).replaceAll("\\", "/")),
    packages: targets.filter((target) => !target.startsWith(".")),
  };
}

Deno.test("architecture: the page and its engine run in a browser", async () => {
  const all = new Map((await sources("src")).map((source) => [source.path, source]));
  const waiting = ["src/desk/page/main.ts", "src/desk/page/playground/worker.ts"];
  const seen = new Set<string>();
  const wrong: string[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const source = all.get(path);
    if (seen.has(path) || source === undefined) continue;
    seen.add(path);
    const { files, packages } = loadedBy(source);
    if (packages.some((name) => name.startsWith("node:"))) wrong.push(`${path} imports a module of Node`);
    if (/\bDeno\./.test(withoutComments(source.text))) wrong.push(`${path} uses Deno`);
    waiting.push(...files);
  }
  assert.ok(seen.has("src/engine/scan/matcher.ts"), "the engine is the one of the proxy");
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: no source file names a model in its code", async () => {
  const wrong = (await sources("src")).filter(({ text }) => MODEL_NAMES.test(withoutComments(text)));
  assert.deepEqual(wrong.map(({ path }) => path), []);
});

Deno.test("architecture: the matcher runs no regular expression of the engine on model text", async () => {
  const wrong: string[] = [];
  for (const folder of ["src/engine/scan", "src/engine/json"]) {
    for (const { path, text } of await sources(folder)) {
      const isRegExp = /new RegExp|\.match(?:All)?\(|\.replace\(\/|\.test\(|\.split\(\/|=\s*\/[^/*]/
        .test(
          withoutComments(text),
        );
      if (isRegExp) wrong.push(path);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: every file has the name of its concept", async () => {
  const files = [...await sources("src"), ...await sources("tests")];
  const badlyNamed = files.filter(({ path }) =>
    !/^[a-z0-9_/.]+$/.test(path) ||
    FORBIDDEN_NAMES.some((name) => path.split(/[/.]/).includes(name))
  ).map(({ path }) => path);
  assert.deepEqual(badlyNamed, []);
});

Deno.test("architecture: every source file opens with what it is for", async () => {
  const files = (await sources("src")).filter(({ text }) => !/^\/\*\*[\s\S]*?@module\s*\*\//.test(text));
  assert.deepEqual(files.map(({ path }) => path), []);
});

Deno.test("architecture: there is no `any`", async () => {
  const files = (await sources("src")).filter(({ text }) => /[:<(,|]\s*any\b/.test(withoutComments(text)));
  assert.deepEqual(files.map(({ path }) => path), []);
});

Deno.test("architecture: no type takes the name of a browser's own", async () => {
  const taken = /^(?:export )?(?:interface|type|class) (?:Event|ErrorEvent|MessageEvent|Element|Window)\b/m;
  const files = [...await sources("src"), ...await sources("plugins")].filter((
    { text },
  ) => taken.test(text));
  assert.deepEqual(files.map(({ path }) => path), []);
});

/**
 * The architecture as a test: who may import whom, how long a file may be, which names there are not.
 *
 * @module
 */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";

/** The project's folder. */
const ROOT = join(import.meta.dirname!, "..");

/**
 * Folder of `src` → the folders that it may import. A folder that is not named here may import nothing; `types`
 * lists what it may import as types only.
 */
const IMPORTS: Readonly<
  Record<string, { readonly code: readonly string[]; readonly types?: readonly string[] }>
> = {
  event: { code: [] },
  diagnostic: { code: ["event"] },
  sse: { code: [] },
  pattern: { code: [], types: ["diagnostic"] },
  json: { code: ["pattern"] },
  tool: { code: ["json"] },
  scan: { code: ["json", "pattern", "tool"], types: ["event"] },
  document: { code: ["diagnostic"] },
  rule: { code: ["diagnostic", "document", "json", "pattern", "scan", "tool"], types: ["event"] },
  chat: { code: ["json"] },
  config: { code: ["diagnostic", "document"] },
  client: {
    code: ["chat", "diagnostic", "document", "render", "tool"],
    types: ["config", "event", "native", "rule"],
  },
  render: { code: ["json"], types: ["chat", "client", "event"] },
  native: { code: ["json", "tool"], types: ["chat", "event"] },
  pipeline: { code: ["chat", "event", "json", "native", "render", "sse"], types: ["scan"] },
  build: { code: [] },
  sample: { code: ["chat", "sse"] },
  store: { code: [] },
  plugin: {
    code: ["diagnostic", "document", "store", "tool"],
    types: ["chat", "config", "event"],
  },
  rollout: { code: ["chat"], types: ["config", "event", "pipeline"] },
  audit: { code: [], types: ["chat", "event", "http", "rollout"] },
  metrics: { code: ["audit"], types: ["event", "http"] },
  admin: { code: [], types: ["audit"] },
  report: { code: [], types: ["audit", "event", "rollout"] },
  service: {
    code: [
      "admin",
      "audit",
      "client",
      "config",
      "diagnostic",
      "http",
      "json",
      "metrics",
      "plugin",
      "rule",
      "store",
    ],
  },
  replay: {
    code: ["chat", "client", "diagnostic", "http", "pipeline", "render", "scan", "sse", "tool"],
    types: ["audit", "event"],
  },
  conformance: {
    code: ["diagnostic", "http", "json", "replay", "rule"],
    types: ["client", "document", "event"],
  },
  http: {
    code: [
      "chat",
      "client",
      "config",
      "pipeline",
      "plugin",
      "render",
      "rollout",
      "rule",
      "sample",
      "scan",
      "sse",
      "store",
    ],
    types: ["event", "native", "tool"],
  },
};

/** Folders that may touch the outside world. */
const OUTSIDE = [
  "build",
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

/** The longest file of a folder: a source file is one concept, a test file may hold more cases of it. */
const LINES_MAXIMUM: Readonly<Record<string, number>> = { src: 350, tests: 450 };
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

/** Every relative import of a file: which file, and whether only its types. */
function importsOf({ path, text }: Source): { target: string; isType: boolean }[] {
  const found = text.matchAll(
    /^(?:import|export)\s+(type\s+)?[^;]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm,
  );
  return [...found].filter(([line]) => !line.startsWith(" *")).map((match) => ({
    target: relative(ROOT, join(ROOT, dirname(path), match[2] ?? match[3] ?? "")).replaceAll("\\", "/"),
    isType: match[1] !== undefined,
  }));
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
    assert(allowed, `src/${from} stands in no line of the import table`);
    for (const { target, isType } of importsOf(source)) {
      const to = folderOf(target);
      // The list of built-in plugins is the one place that knows their files.
      if (to === from || (source.path === "src/plugin/built_in.ts" && target.startsWith("plugins/"))) {
        continue;
      }
      const isAllowed = allowed.code.includes(to) || (isType && allowed.types?.includes(to));
      if (!isAllowed) wrong.push(`${source.path} imports ${target}${isType ? " (types)" : ""}`);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: main.ts imports the command line and nothing else", async () => {
  const text = await Deno.readTextFile(join(ROOT, "main.ts"));
  for (const { target } of importsOf({ path: "main.ts", text })) assert.match(target, /^src\/cli\//);
});

Deno.test("architecture: a plugin imports the contract and nothing else", async () => {
  const plugins = await sources("plugins");
  const wrong = plugins.flatMap(({ path, text }) =>
    [...text.matchAll(/from\s+"([^"]+)"|import\("([^"]+)"\)/g)].map((found) => found[1] ?? found[2])
      .filter((target) => target !== "../src/plugin/mod.ts").map((target) => `${path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: no cycle among the folders", () => {
  const visit = (folder: string, trail: readonly string[]): void => {
    assert(!trail.includes(folder), `a cycle: ${[...trail, folder].join(" → ")}`);
    for (const next of IMPORTS[folder]?.code ?? []) visit(next, [...trail, folder]);
  };
  for (const folder of Object.keys(IMPORTS)) visit(folder, []);
});

Deno.test("architecture: only the outer folders touch the outside world", async () => {
  const wrong = (await sources("src")).filter(({ path, text }) =>
    !OUTSIDE.includes(folderOf(path)) &&
    /\b(?:Deno\.|fetch\(|Date\.now|Math\.random|crypto\.|setTimeout|process\.)/.test(withoutComments(text))
  );
  assert.deepEqual(wrong.map(({ path }) => path), []);
});

Deno.test("architecture: no source file names a model in its code", async () => {
  const wrong = (await sources("src")).filter(({ text }) => MODEL_NAMES.test(withoutComments(text)));
  assert.deepEqual(wrong.map(({ path }) => path), []);
});

Deno.test("architecture: the matcher runs no regular expression of the engine on model text", async () => {
  const wrong: string[] = [];
  for (const folder of ["src/scan", "src/json"]) {
    for (const { path, text } of await sources(folder)) {
      const isRegExp = /new RegExp|\.match(?:All)?\(|\.replace\(\/|\.test\(|\.split\(\/|=\s*\/[^/*]/.test(
        withoutComments(text),
      );
      if (isRegExp) wrong.push(path);
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: every file is one concept", async () => {
  const files = [...await sources("src"), ...await sources("tests")];
  const long = files.filter(({ path, text }) => text.split("\n").length > LINES_MAXIMUM[path.split("/")[0]!]!)
    .map(({ path }) => path);
  const badlyNamed = files.filter(({ path }) =>
    !/^[a-z0-9_/.]+$/.test(path) || FORBIDDEN_NAMES.some((name) => path.split(/[/.]/).includes(name))
  ).map(({ path }) => path);
  assert.deepEqual({ long, badlyNamed }, { long: [], badlyNamed: [] });
});

Deno.test("architecture: every source file opens with what it is for", async () => {
  const files = (await sources("src")).filter(({ text }) => !/^\/\*\*[\s\S]*?@module\s*\*\//.test(text));
  assert.deepEqual(files.map(({ path }) => path), []);
});

Deno.test("architecture: there is no `any`", async () => {
  const files = (await sources("src")).filter(({ text }) => /[:<(,|]\s*any\b/.test(withoutComments(text)));
  assert.deepEqual(files.map(({ path }) => path), []);
});

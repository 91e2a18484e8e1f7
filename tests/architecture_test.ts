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
 * The rooms of `src`, in order: a room imports itself and the rooms before it, for code and for types. `docs` has no code.
 */
const ROOMS = ["engine", "chat", "wires", "library", "proxy", "analysis", "admin", "cli"] as const;

/** What touches the outside world: whole rooms, and folders of the others. */
const OUTSIDE = [
  "engine/document",
  "engine/rule",
  "chat/client",
  "library/connection",
  "proxy",
  "analysis/replay",
  "admin/page",
  "cli",
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
  const found = text.matchAll(/^(?:import|export)\s[^;]*?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/gm);
  return [...found].map(([, statement, expression]) =>
    relative(ROOT, join(ROOT, dirname(path), statement ?? expression ?? ""))
      .replaceAll("\\", "/")
  );
}

/** The room of a file of `src`. */
function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

/** The code without its comments, line by line. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");
}

Deno.test("architecture: each room imports only the rooms before it", async () => {
  const order: readonly string[] = ROOMS;
  const wrong: string[] = [];
  for (const source of await sources("src")) {
    const from = order.indexOf(roomOf(source.path));
    assert.ok(from >= 0, `${source.path} is in none of the rooms ${order.join(", ")}`);
    for (const target of importsOf(source)) {
      // The list of built-in plugins is the one place that knows their files.
      const isBuiltIn = source.path === "src/proxy/plugin/built_in.ts" && target.startsWith("plugins/");
      const to = order.indexOf(roomOf(target));
      // The shipped rules as data.
      const isRules = source.path.startsWith("src/library/") && /^rules\/[a-z]+\.json$/.test(target);
      if (!isBuiltIn && !isRules && target !== "deno.json" && (to < 0 || to > from)) {
        wrong.push(`${source.path} imports ${target}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: no circle of imports among files", async () => {
  const imports = new Map((await sources("src")).map((source) => [source.path, importsOf(source)]));
  const state = new Map<string, "open" | "done">();
  const circles: string[] = [];
  const visit = (path: string, from: readonly string[]): void => {
    if (state.get(path) === "open") circles.push([...from.slice(from.indexOf(path)), path].join(" → "));
    if (state.has(path)) return;
    state.set(path, "open");
    for (const target of imports.get(path) ?? []) visit(target, [...from, path]);
    state.set(path, "done");
  };
  for (const path of imports.keys()) visit(path, []);
  assert.deepEqual(circles, []);
});

Deno.test("architecture: each room has a page", async () => {
  for (const room of ROOMS) {
    const page = await Deno.readTextFile(join(ROOT, "src", room, "README.md"));
    assert.match(page, /^# .+\n\n[\s\S]*\n## Read in this order\n/, room);
    const lines = page.split("\n").length;
    assert.ok(lines <= 80, `src/${room}/README.md has ${lines} lines: it is one page`);
    const named = [...page.matchAll(/`([a-z_]+(?:\/[a-z_]+)*(?:\.ts|\/))`/g)].map(([, path = ""]) => path);
    for (const path of named) await Deno.stat(join(ROOT, "src", room, path));
  }
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
      .filter((target) => target !== "../src/proxy/plugin/mod.ts").map((target) =>
        `${path} imports ${target}`
      )
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
    // Scripts for other runtimes, which import packages that are only in the folders where they run.
    exclude: ["library/packed/scripts"],
    fmt: { lineWidth: own.fmt.lineWidth },
    test,
  });
});

Deno.test("architecture: only the outer folders touch the outside world", async () => {
  const wrong = (await sources("src")).filter(({ path, text }) =>
    !OUTSIDE.some((place) => path.startsWith(`src/${place}/`)) &&
    /\b(?:Deno\.|fetch\(|Date\.now|Math\.random|crypto\.|setTimeout|process\.)/
      .test(withoutComments(text))
  );
  assert.deepEqual(wrong.map(({ path }) => path), []);
});

/** What a module loads when it runs: its imports without those of types. */
function loadedBy({ path, text }: Source): { readonly files: string[]; readonly packages: string[] } {
  const found = text.matchAll(
    /^(?:import|export)\s+(?!type\b)(?:[^;"]*?from\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  const targets = [...found].map(([, statement, expression]) => statement ?? expression ?? "");
  const files = targets.filter((target) => target.startsWith("."));
  return {
    files: files.map((target) => relative(ROOT, join(ROOT, dirname(path), target)).replaceAll("\\", "/")),
    packages: targets.filter((target) => !target.startsWith(".")),
  };
}

interface Loaded extends Source {
  readonly packages: readonly string[];
}

/** What the entries load, file by file; without `hasDeferred`, only what they load at once. */
async function loadedFrom(
  entries: readonly string[],
  { hasDeferred = true }: { readonly hasDeferred?: boolean } = {},
): Promise<Loaded[]> {
  const all = new Map((await sources("src")).map((source) => [source.path, source]));
  const found = new Map<string, Loaded>();
  const visit = (path: string): void => {
    const source = all.get(path);
    if (found.has(path) || source === undefined) return;
    const text = hasDeferred ? source.text : source.text.replace(/\bimport\("[^"]+"\)/g, "");
    const { files, packages } = loadedBy({ path, text });
    found.set(path, { ...source, packages });
    files.forEach(visit);
  };
  entries.forEach(visit);
  assert.ok(found.has("src/engine/scan/matcher.ts"), "the engine is the one of the proxy");
  return [...found.values()];
}

Deno.test("architecture: the page and its engine run in a browser", async () => {
  const entries = ["main.ts", "site.ts", "playground/worker.ts"].map((entry) => `src/admin/page/${entry}`);
  const wrong = (await loadedFrom(entries)).flatMap(({ path, text, packages }) => [
    ...packages.filter((name) => name.startsWith("node:")).map((name) => `${path} imports ${name}`),
    .../\bDeno\./.test(withoutComments(text)) ? [`${path} uses Deno`] : [],
  ]);
  assert.deepEqual(wrong, []);
});

/** Packages that are only for reading what doesn't ship: they would take 9 MB of an idle server. */
const PARSERS = ["zod", "yaml", "unbash", "@eslint-community/regexpp"];

Deno.test("architecture: a server of what ships loads no parser of rules, not even a deferred one", async () => {
  const entries = ["cli.ts", "context.ts", "serve.ts", "serving.ts"].map((entry) => `src/cli/${entry}`);
  const files = await loadedFrom(entries, { hasDeferred: false });
  const wrong = files.flatMap(({ path, packages }) =>
    packages.filter((name) => PARSERS.includes(name)).map((name) => `${path} imports ${name}`)
  );
  assert.ok(files.some(({ path }) => path === "src/engine/rule/ready.ts"));
  assert.deepEqual(wrong, []);
});

/** What Node 20 doesn't have; the other runtimes have all of it. */
const TOO_NEW =
  /\b(?:(?:Map|Object)\.groupBy|Promise\.(?:withResolvers|try)|Array\.fromAsync|Iterator\.|RegExp\.escape)|\.(?:values|keys|entries)\(\)\.(?:map|filter|some|every|find|toArray|reduce|take|drop|flatMap)\(|\.toArray\(/;

/** The entries of the library that need no package, apart from `compile`, which has the parsers of rules in it. */
const LIBRARY_ENTRIES = [
  "mod.ts",
  "shipped.ts",
  "prompted.ts",
  "connection/fetch.ts",
  "connection/ai_sdk.ts",
];

Deno.test("architecture: the library needs no package, no Node and no Deno", async () => {
  const entries = ["src/engine/mod.ts", ...LIBRARY_ENTRIES.map((entry) => `src/library/${entry}`)];
  const files = await loadedFrom(entries);
  const wrong = files.flatMap(({ path, text, packages }) => [
    ...packages.map((name) => `${path} imports ${name}`),
    .../\b(?:Deno|process|Buffer|WeakRef|require)\b/.test(codeOf(text)) ? [`${path} names a runtime`] : [],
    ...TOO_NEW.test(codeOf(text)) ? [`${path} uses what Node 20 doesn't have`] : [],
  ]);
  assert.ok(files.some(({ path }) => path === "src/wires/responses/writer.ts"));
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: the library's public types are declared in its own room", async () => {
  const wrong: string[] = [];
  for (const { path, text } of await sources("src/library")) {
    // The package has no declarations of other rooms.
    const passedOn = importsOf({ path, text: text.replace(/^import\s[^;]*;/gm, "") });
    wrong.push(
      ...passedOn.filter((target) => roomOf(target) !== "library").map((target) =>
        `${path} exports ${target}`
      ),
    );
  }
  assert.deepEqual(wrong, []);
});

Deno.test("architecture: the other rooms read answers through the engine's one face", async () => {
  const wrong = (await sources("src")).filter(({ path }) => roomOf(path) !== "engine").flatMap((source) =>
    importsOf(source).filter((target) =>
      /^src\/engine\/(?:scan\/(?:matcher|echo_guard)|compiled\/)/.test(target)
    )
      .map((target) => `${source.path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});

/** Tools beside the proxy: only the command line, the page and one another use them. */
const GUESTS = ["src/analysis/derive/", "src/analysis/evaluate/", "src/admin/report/", "src/admin/page/"];

/** What guests see of the rooms before them: values, documents, rules and messages, calls as an agent gets them, but nothing of the matcher or of an exchange. */
const FACES = [
  /^src\/engine\/(?:mod\.ts|(?:object|diagnostic|document|event|json|pattern|rule|tool)\/)/,
  /^src\/chat\/(?:message|near_miss)\/|^src\/chat\/(?:sse\/decode|prompt\/proof|second_reader\/closed_again)\.ts/,
  /^src\/proxy\/(?:config\/|upstream\/profiles\/|upstream\/refused_tools\.ts|raw\/parser_error\.ts)/,
];

Deno.test("architecture: guests use faces, and only the command line and the page use guests", async () => {
  const isGuest = (path: string) => GUESTS.some((folder) => path.startsWith(folder));
  const wrong = (await sources("src")).flatMap((source) =>
    importsOf(source).filter((target) =>
      isGuest(source.path)
        ? /^src\/(?:engine|chat|wires|proxy)\//.test(target) && !FACES.some((face) => face.test(target))
        : isGuest(target) && roomOf(source.path) !== "cli"
    ).map((target) => `${source.path} imports ${target}`)
  );
  assert.deepEqual(wrong, []);
});

function codeOf(text: string): string {
  return withoutComments(text).replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
}

/** Modules for readers outside the project: what they export may have no importer here. */
const PUBLIC_MODULES = [
  "src/library/",
  ...(await Deno.readTextFile(join(ROOT, "tests/run.ts"))).matchAll(/"(src\/[^"]+\.ts)"/g)
    .map(([, path]) => path!),
];

Deno.test("architecture: each exported name is imported somewhere", async () => {
  const all = (await Promise.all(["src", "plugins", "tests"].map(sources))).flat();
  all.push({ path: "main.ts", text: await Deno.readTextFile(join(ROOT, "main.ts")) });
  const imported = new Set<string>();
  for (const { path, text } of all) {
    const at = (specifier: string) => join(dirname(path), specifier).replaceAll("\\", "/");
    for (const [, names = "", from = ""] of text.matchAll(/\{([^{}]*)\}\s*from\s+"(\.[^"]+)"/g)) {
      for (const name of names.split(",")) {
        imported.add(`${at(from)} ${name.trim().replace(/^type\s+/, "").split(" as ")[0]}`);
      }
    }
    for (
      const [, whole, deferred] of text.matchAll(/\*\s*(?:as \w+ )?from\s+"(\.[^"]+)"|import\("(\.[^"]+)"\)/g)
    ) {
      imported.add(at(whole ?? deferred ?? ""));
    }
  }
  const unused = all.filter(({ path }) =>
    path.startsWith("src/") && !imported.has(path) && !PUBLIC_MODULES.some((start) => path.startsWith(start))
  ).flatMap(({ path, text }) =>
    [...text.matchAll(/^export (?:async |abstract )?(?:function\*?|class|interface|type|const) (\w+)/gm)]
      .map(([, name]) => `${path} ${name}`)
  ).filter((exported) => !imported.has(exported));
  assert.deepEqual(unused, []);
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
        .test(withoutComments(text));
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

Deno.test("architecture: a program starts below the constants that it reads", async () => {
  const early = /^if \(import\.meta\.main\)[^]*^(?:export )?(?:const|let|class) /m;
  const files = [...await sources("src"), ...await sources("tests")].filter(({ text }) => early.test(text));
  assert.deepEqual(files.map(({ path }) => path), []);
});

Deno.test("architecture: there is no `any`", async () => {
  const files = (await sources("src")).filter(({ text }) => /[:<(,|]\s*any\b/.test(withoutComments(text)));
  assert.deepEqual(files.map(({ path }) => path), []);
});

Deno.test("architecture: no type takes the name of a browser's own", async () => {
  const taken = /^(?:export )?(?:interface|type|class) (?:Event|ErrorEvent|MessageEvent|Element|Window)\b/m;
  const files = [...await sources("src"), ...await sources("plugins")].filter(({ text }) => taken.test(text));
  assert.deepEqual(files.map(({ path }) => path), []);
});

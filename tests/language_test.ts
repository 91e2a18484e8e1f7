/**
 * Checks comments, messages and pages against the word list in `src/README.md`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";

/** The project's folder. */
const ROOT = join(import.meta.dirname!, "..");

/** The folders and files that contain prose. */
const PLACES = [
  "src",
  "plugins",
  "rules",
  "README.md",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "tests/README.md",
  "tests/support",
  "tests/bench",
  "tests/agents",
  "tests/newcomer",
  "tests/cli/build",
  "tests/team",
  "tests/browser",
  "tests/library",
  "tests/admin/page",
  "tests/run.ts",
];

/** What begins a row of the word list that is only about identifiers. */
const IDENTIFIERS = "in identifiers:";

interface Phrase {
  /** What not to write. */
  readonly text: string;
  readonly instead: string;
}

/** The phrases of the word list: those of the prose, or those of identifiers. */
async function phrases(of: "prose" | "identifiers"): Promise<Phrase[]> {
  const page = await Deno.readTextFile(join(ROOT, "src/README.md"));
  const [, list = ""] = page.split("\n## Words\n");
  return list.split("\n## ", 1)[0]!.split("\n").flatMap((row) => {
    const [, instead, not = ""] = /^\| (.+?) \| (.+?) \|$/.exec(row) ?? [];
    if (not.startsWith(IDENTIFIERS) !== (of === "identifiers")) return [];
    const found = [...not.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
    return found.map((text) => ({ text, instead: instead ?? "" }));
  });
}

async function files(path: string): Promise<string[]> {
  if (/\.\w+$/.test(path)) return /\.(?:ts|ya?ml|md)$/.test(path) ? [path] : [];
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(ROOT, path))) {
    if (isDirectory || name.includes(".")) found.push(...await files(`${path}/${name}`));
  }
  return found.sort();
}

/** The prose of a file, without code. */
function proseOf(path: string, text: string): string {
  if (path.endsWith(".md")) return text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "`");
  if (!path.endsWith(".ts")) {
    return text.split("\n").filter((line) => /^\s*(?:#|(?:- )?(?:name|description):)/.test(line)).join("\n");
  }
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm) ?? [];
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(?:^|\s)\/\/.*$/gm, "");
  const messages = (code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [])
    .filter((literal) => literal.includes(" "))
    .map((literal) => literal.replace(/\\`.*?\\`/g, "`").replace(/\$\{[^}]*\}/g, "$"));
  return [
    ...comments.map((comment) => comment.replace(/`[^`\n]*`/g, "`").replace(/\n\s*\*?\s*/g, " ")),
    ...messages,
  ]
    .join("\n");
}

/** Every use of a phrase in a prose, with what to write instead. */
function findingsIn(prose: string, list: readonly Phrase[]): string[] {
  return list.flatMap(({ text, instead }) => {
    const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s+");
    const pattern = new RegExp(
      `(?<![\\w-]|\\bthere\\s)${escaped}(?![\\w-]|\\s+(?:longer|more)\\b)`,
      /^[A-Z]/.test(text) ? "g" : "gi",
    );
    return (prose.match(pattern) ?? []).map((found) => `"${found}" → ${instead}`);
  });
}

Deno.test("language: the word list is in src/README.md", async () => {
  const list = await phrases("prose");
  assert.ok(list.length > 30 && list.some(({ text }) => text === "mend"));
  assert.ok((await phrases("identifiers")).length > 3);
});

Deno.test("language: findings are phrases of the list, in comments and messages only", () => {
  const list = [{ text: "is no", instead: "isn't a" }, { text: "mend", instead: "repair" }];
  const source = [
    "/** Mend it: this is",
    " * no `mend` call. It is no longer one, and there is no other. */",
    'const mend = "mend";',
    "const message = `Cannot mend \\`mend\\` ${mend}`;",
  ].join("\n");
  assert.deepEqual(
    findingsIn(proseOf("a.ts", source), list),
    ['"is no" → isn\'t a', '"Mend" → repair', '"mend" → repair'],
  );
});

Deno.test("language: identifiers use the words of the list", async () => {
  const list = await phrases("identifiers");
  const found: string[] = [];
  for (const path of await files("src")) {
    if (!path.endsWith(".ts")) continue;
    const text = await Deno.readTextFile(join(ROOT, path));
    const code = text.replace(
      /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/gm,
      " ",
    );
    const words = new Set(code.match(/[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()));
    found.push(
      ...list.filter(({ text }) => words.has(text)).map(({ text, instead }) =>
        `${path}: ${text} → ${instead}`
      ),
    );
  }
  assert.deepEqual(found, []);
});

Deno.test("language: comments, messages and pages use the words of the list", async () => {
  const list = await phrases("prose");
  const found: string[] = [];
  for (const place of PLACES) {
    for (const path of await files(place)) {
      const prose = proseOf(path, await Deno.readTextFile(join(ROOT, path)));
      found.push(...findingsIn(prose, list).map((finding) => `${path}: ${finding}`));
    }
  }
  assert.deepEqual(found, []);
});

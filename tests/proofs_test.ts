/**
 * Checks that each threat and each promise names a test that exists, and that the pages name files that do.
 *
 * @module
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NO_STATEMENTS, STATEMENTS } from "./support/statements.ts";

/** The project's folder. */
const ROOT = join(import.meta.dirname!, "..");

const read = (path: string) => Deno.readTextFileSync(join(ROOT, path));

/** The cells of each row of the page's tables, below their heads. */
function rowsOf(page: string): string[][] {
  const lines = page.split("\n").filter((line) => line.startsWith("| "));
  const rows = lines.map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
  return rows.filter(([first]) => first !== "what could happen" && first !== "sentence" && first !== "limit");
}

/** The sections of a page: heading → text. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^## /m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n"))]));
}

const testsIn = (text: string) => [...text.matchAll(/`(tests\/[^`]+)`/g)].map(([_, path]) => path!);

/** A page's words without its marks, so that a sentence can be found in another one. */
const wordsOf = (text: string) =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "").replace(/\s+/g, " ");

Deno.test("threats.md: each threat names a test, or the file above that has it", () => {
  for (const [name, text] of sectionsOf(read("src/docs/security/threats.md"))) {
    let hasFile = false;
    for (const cells of rowsOf(text)) {
      const proof = cells.at(-1)!;
      hasFile ||= testsIn(proof).length > 0;
      assert.ok(
        testsIn(proof).length > 0 || (hasFile && proof.startsWith("same file")),
        `${name}: ${cells[0]}`,
      );
    }
  }
});

Deno.test("threats.md: each promise of the README is there, and nothing else", () => {
  const promised = wordsOf(sectionsOf(read("README.md")).get("What you can rely on") ?? "");
  const proved = rowsOf(sectionsOf(read("src/docs/security/threats.md")).get("What you can rely on") ?? "")
    .map(([sentence = ""]) => wordsOf(sentence));
  let rest = promised;
  for (const sentence of proved) {
    assert.ok(rest.includes(sentence), `The README doesn't state: ${sentence}`);
    rest = rest.replace(sentence, "");
  }
  // What is left has no words of its own: bullets, and where the exceptions are.
  const left = rest.replace(/The exceptions and the values .*/, "").replace(
    "; with policy.unreadable_call: ask_again,",
    "",
  )
    .replace('(finish_reason: "length")', "").replace(/[-.;\s]+/g, "");
  assert.equal(left, "");
});

Deno.test("threats.md and limits.md name files that exist", () => {
  for (const page of ["src/docs/security/threats.md", "src/docs/reference/limits.md"]) {
    const named = [...read(page).matchAll(/`((?:src|tests)\/[\w./-]+)`/g)].map(([_, path]) => path!);
    assert.ok(named.length > 40);
    assert.deepEqual(named.filter((path) => !existsSync(join(ROOT, path))), [], page);
  }
});

Deno.test("limits.md: each limit names its setting, or the file that has it", () => {
  const page = sectionsOf(read("src/docs/reference/limits.md"));
  for (const name of ["Time limits", "Sizes of requests and answers", "Files", "Records"]) {
    const rows = rowsOf(page.get(name) ?? "");
    assert.ok(rows.length > 0, name);
    for (const cells of rows) {
      const isNone = cells[1] === "none";
      assert.ok(
        isNone || /`(?:src\/|\w+\.\w+)|node:http/.test(cells.slice(2).join(" ")),
        `${name}: ${cells[0]}`,
      );
    }
  }
});

/** The sentences of a page outside its tables. */
function sentencesOf(page: string): string[] {
  const text = page.split("\n").filter((line) => !/^[|#]/.test(line)).join("\n");
  return text.split(/\n\n+|\n(?=- )/).flatMap((part) =>
    part.replace(/^- /, "").replace(/\s+/g, " ").trim().split(
      /(?<=[A-Za-z0-9`)*]\.)(?<!\*\*[^*]*\.\*\*) (?=[A-Z`*[])/,
    )
  ).filter((sentence) => sentence !== "" && !sentence.endsWith(":"));
}

Deno.test("threats.md and limits.md: each sentence outside the tables has a test", () => {
  const sentences = ["src/docs/security/threats.md", "src/docs/reference/limits.md"].flatMap((page) =>
    sentencesOf(read(page))
  );
  const proofs = Object.entries(STATEMENTS).flatMap(([file, tests]) =>
    Object.entries(tests).flatMap(([name, beginnings]) =>
      beginnings.map((beginning) => ({ file, name, beginning }))
    )
  );
  const begins = (sentence: string) => (beginning: string) => sentence.startsWith(beginning);
  const known = [...proofs.map(({ beginning }) => beginning), ...NO_STATEMENTS];
  assert.deepEqual(
    sentences.filter((sentence) => !known.some(begins(sentence))),
    [],
    "sentences without a test",
  );
  const isUnused = (beginning: string) => !sentences.some((sentence) => sentence.startsWith(beginning));
  assert.deepEqual(known.filter(isUnused), [], "tests without a sentence");
  const missing = proofs.filter(({ file, name }) =>
    name === "" || !existsSync(join(ROOT, file)) || !read(file).includes(name)
  );
  assert.deepEqual(missing.map(({ file, name }) => `${file}: ${name}`), [], "tests that don't exist");
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { type Blocks, NO_BLOCKS } from "../../../src/engine/scan/blocks.ts";
import { cellsOf, readLine, readPlainLine } from "../../../src/engine/scan/markdown_line.ts";

/** The blocks of each line: `>` a quotation, the indentation of an item, and the leaf. */
function blocksOf(text: string): string[] {
  let blocks: Blocks = NO_BLOCKS;
  return text.split("\n").map((line) => {
    blocks = readLine(blocks, line);
    const containers = blocks.containers.map((container) =>
      container.kind === "quote" ? ">" : container.indent
    );
    return [...containers, blocks.leaf.kind].join(" ");
  });
}

const CASES: readonly [what: string, text: string, lines: string[]][] = [
  ["a paragraph goes on", "a\nb\n\nc", ["paragraph", "paragraph", "none", "paragraph"]],
  ["a fence ends at its own mark", "````a\n```\n~~~~\n`````  \nb", [
    "fence",
    "fence",
    "fence",
    "none",
    "paragraph",
  ]],
  ["a fence of backticks has none in its info", "``` `a`\n~~~ `a`", ["paragraph", "fence"]],
  ["a fence interrupts a paragraph", "a\n```\nb", ["paragraph", "fence", "fence"]],
  ["a fence ends with its container", "> ```\n> a\nb", ["> fence", "> fence", "paragraph"]],
  ["a fence in an item ends with the item", "- ```\n  a\n\n  b\nc", [
    "2 fence",
    "2 fence",
    "2 fence",
    "2 fence",
    "paragraph",
  ]],
  ["indented code follows a blank line", "a\n    b\n\n    c\n\n\td\ne", [
    "paragraph",
    "paragraph",
    "none",
    "indented_code",
    "indented_code",
    "indented_code",
    "paragraph",
  ]],
  ["the beginning of a text isn't code", "    a", ["paragraph"]],
  ["indented code in an item", "1. a\n\n       b\n   c", [
    "3 paragraph",
    "3 none",
    "3 indented_code",
    "3 paragraph",
  ]],
  ["an item that begins with code", "-     a", ["2 indented_code"]],
  ["a quotation goes on lazily", "> a\nb\n\nc", ["> paragraph", "> paragraph", "none", "paragraph"]],
  ["a quotation does not go on with a fence", "> a\n```", ["> paragraph", "fence"]],
  ["items in items", "- a\n  - b\n\n    c\n\n  d\n- e", [
    "2 paragraph",
    "2 2 paragraph",
    "2 2 none",
    "2 2 paragraph",
    "2 2 none",
    "2 paragraph",
    "2 paragraph",
  ]],
  ["only 1 interrupts a paragraph", "a\n2. b\n1. c\n2. d", [
    "paragraph",
    "paragraph",
    "3 paragraph",
    "3 paragraph",
  ]],
  ["a break and a heading end a paragraph", "a\n---\n    b\n# c\n    d", [
    "paragraph",
    "none",
    "indented_code",
    "none",
    "indented_code",
  ]],
  ["a table ends with a blank line", "a | b\n--|--\n1 | 2\nc\n\nd", [
    "paragraph",
    "table",
    "table",
    "table",
    "none",
    "paragraph",
  ]],
  ["a table's head and its delimiter row have as many cells", "| a | b |\n|---|\n\n| a |\n|---|---|", [
    "paragraph",
    "paragraph",
    "none",
    "paragraph",
    "paragraph",
  ]],
  ["an escaped bar separates no cells", "| a \\| b |\n|---|\n\na \\\\| b\n-|-", [
    "paragraph",
    "table",
    "none",
    "paragraph",
    "table",
  ]],
  ["a backslash before a space escapes no bar", "a \\ | b\n|---|", ["paragraph", "paragraph"]],
  ["a delimiter row isn't indented like code", "a | b\n    -|-\n\na | b\n   -|-", [
    "paragraph",
    "paragraph",
    "none",
    "paragraph",
    "table",
  ]],
  ["an item without text ends with a blank line", "-\n\n    a\n\n1.\n   b\n\n   c\n\n> -\n>\n>     d", [
    "2 empty_item",
    "none",
    "indented_code",
    "indented_code",
    "3 empty_item",
    "3 paragraph",
    "3 none",
    "3 paragraph",
    "3 none",
    "> 2 empty_item",
    "> none",
    "> indented_code",
  ]],
  ["a heading isn't in the quotation before it", "> a\n# b\n    c", ["> paragraph", "none", "indented_code"]],
  ["one dash makes a heading", "a\n-\n    b\n\nc\n--  \n    d", [
    "paragraph",
    "none",
    "indented_code",
    "indented_code",
    "paragraph",
    "none",
    "indented_code",
  ]],
  ["only a space or a tab can follow the end of a fence", "```\n```\u00a0\n```\u2003\n``` \t", [
    "fence",
    "fence",
    "fence",
    "none",
  ]],
  ["a head of one cell needs no bar", "a\n|---|\n\na\n:-:\n\na | b\n:-:", [
    "paragraph",
    "table",
    "none",
    "paragraph",
    "table",
    "none",
    "paragraph",
    "paragraph",
  ]],
  ["a tab is as wide as its columns", "-\ta\n\n\t\tb", ["4 paragraph", "4 none", "4 indented_code"]],
  ["text without a mark", "-a\n1.b\n+\n#d", ["paragraph", "paragraph", "paragraph", "paragraph"]],
];

for (const [what, text, lines] of CASES) {
  Deno.test(`readLine: ${what}`, () => assert.deepEqual(blocksOf(text), lines));
}

Deno.test("readLine limits nesting", () => {
  assert.equal(readLine(NO_BLOCKS, "> ".repeat(100) + "a").containers.length, 32);
});

Deno.test("readPlainLine reads a line like readLine, or not at all", () => {
  const piece = fc.constantFrom(...'a - + * # = _ ` ~ > | 0 1. : < { " \t ```'.split(" "), " ", "    ");
  const lines = fc.array(fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join("")), {
    maxLength: 8,
  });
  let read = 0;
  fc.assert(
    fc.property(lines, (all) => {
      let blocks: Blocks = NO_BLOCKS;
      for (const line of all) {
        const text = line.trimStart();
        const summary = {
          first: text === "" ? 0 : text.charCodeAt(0),
          isIndented: text !== line,
          cells: cellsOf(line),
        };
        const plain = line.includes("`") ? undefined : readPlainLine(blocks, summary);
        blocks = readLine(blocks, line);
        if (!plain) continue;
        read++;
        assert.deepEqual([plain, blocks.containers], [blocks.leaf, []], JSON.stringify(all));
      }
    }),
    { numRuns: 2000 },
  );
  assert.ok(read > 1000);
});

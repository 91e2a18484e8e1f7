import assert from "node:assert/strict";
import { Markdown, MARKDOWN_KINDS } from "../../../src/engine/scan/markdown.ts";
import { piecesOf } from "../../support/cuts.ts";

/** The position of a text's end, at every cut. */
function placeOf(text: string, kinds: readonly (typeof MARKDOWN_KINDS[number])[] = MARKDOWN_KINDS): string {
  const results = [[text], [...text], piecesOf(text, [3, 7])].map((pieces) => {
    const markdown = new Markdown(new Set(kinds));
    for (const piece of pieces) markdown.feed(piece);
    const { kind, isCertain } = markdown.context ?? {};
    if (kind) return isCertain ? kind : `${kind}, in doubt`;
    return (markdown.mayBeInSpan ? "code_span" : "text");
  });
  assert.deepEqual(results, results.map(() => results[0]), text);
  return results[0]!;
}

const CASES: readonly [text: string, place: string][] = [
  ["", "text"],
  ["a ", "text"],
  ["```xml\n", "fence"],
  ["```xml\na\n```\n", "text"],
  ["```xml\r\na\r\n```\r\n", "text"],
  ["``` ", "fence"],
  ["- ```\n  ", "fence"],
  ["- ```\n", "text"],
  ["> ", "block_quote"],
  ["> a\n", "block_quote, in doubt"],
  ["> a\nb\nc ", "block_quote, in doubt"],
  ["> - a\n", "block_quote, in doubt"],
  ["> a\n> ", "block_quote"],
  ["> > a\n> ", "block_quote"],
  ["> a\n# ", "text"],
  ["|a|\n|-|\n", "table, in doubt"],
  ["|a|\n|-|\nb ", "table, in doubt"],
  ["|a|\n|-|\nb | ", "table"],
  ["|a|b|\n|-|\n| ", "text"],
  ["a\n-\n    ", "indented_code"],
  ["```\n\ufffc```\n", "fence"],
  ["```\n```\ufffc\n", "fence"],
  ["> a\n\n", "text"],
  ["> ```\n> ", "fence"],
  ["a\n\n    ", "indented_code"],
  ["a\n    ", "text"],
  ["|a|\n|-|\n|", "table"],
  ["a `", "code_span"],
  ["`", "code_span"],
  ["a\n`", "code_span"],
  ["a `b` ", "text"],
  ["a `b\n", "code_span"],
  ["a `b\n\n", "text"],
  ["a `b\n# ", "text"],
  ["a `b\n- ", "text"],
  ["a: ```xml\n\n", "code_span"],
  ["a: ```xml\n\nb\n```\n", "text"],
  [`${"a".repeat(5000)} \``, "code_span"],
  [`${"a".repeat(5000)} \`b\` `, "text"],
  [`\`\`\`${"a".repeat(9000)}\n`, "fence"],
];

for (const [text, place] of CASES) {
  Deno.test(`Markdown: ${JSON.stringify(text.slice(0, 40))} ends in ${place}`, () => {
    assert.equal(placeOf(text), place);
    assert.equal(placeOf(text, []), "text");
  });
}

Deno.test("Markdown treats a call as a word of its line", () => {
  const markdown = new Markdown(new Set(MARKDOWN_KINDS));
  markdown.feed("a `b\n");
  markdown.skip();
  markdown.feed("\n");
  assert.ok(markdown.mayBeInSpan);
});

Deno.test("Markdown recognizes code at the beginning of the text that contains only calls", () => {
  const inCode = (text: string) => {
    const markdown = new Markdown(new Set(MARKDOWN_KINDS));
    for (const part of text.split("CALL")) {
      if (part !== text.split("CALL")[0]) markdown.skip();
      markdown.feed(part);
    }
    return [markdown.isFirstCode, markdown.isCodeBlank];
  };
  assert.deepEqual(inCode("\n```\n"), [true, true]);
  assert.deepEqual(inCode("```\nCALL\n"), [true, true]);
  assert.deepEqual(inCode("```\na\n"), [true, false]);
  assert.deepEqual(inCode("```\na "), [true, false]);
  assert.deepEqual(inCode("a\n```\n"), [false, true]);
});

Deno.test("Markdown returns to an earlier state", () => {
  const markdown = new Markdown(new Set(MARKDOWN_KINDS));
  markdown.feed("> a\n> `b");
  const { state } = markdown;
  markdown.feed("`\n\n```\n");
  assert.equal(markdown.context?.kind, "fence");
  markdown.restore(state);
  assert.deepEqual([markdown.context?.kind, markdown.last], ["block_quote", "b"]);
  markdown.feed("` c\n");
  assert.equal(markdown.context?.kind, "block_quote");
});

import assert from "node:assert/strict";
import { CodeSpans } from "../../../src/engine/scan/code_spans.ts";

/** The text with `<` where a span may be open after a character, `|` where it cannot. */
function openAfter(text: string): boolean {
  const results = [[text], [...text]].map((pieces) => {
    const spans = new CodeSpans();
    for (const piece of pieces) {
      const lines = piece.split("\n");
      lines.forEach((line, index) => {
        if (index > 0) spans.endLine();
        spans.feed(line);
      });
    }
    return spans.mayBeOpen;
  });
  assert.equal(results[0], results[1]);
  return results[0]!;
}

Deno.test("CodeSpans opens with a run of backticks and closes with one of the same length", () => {
  const cases: readonly [text: string, isOpen: boolean][] = [
    ["a", false],
    ["`a", true],
    ["`a`", false],
    ["``a` b", true],
    ["``a`` b", false],
    ["``a`b` c", true],
    ["`a``b` c", false],
    ["`a\nb", true],
    ["`a\nb` c", false],
    ["\\`a", false],
    ["\\\\`a", true],
    ["\\``a", true],
    ["`a\\` b", false],
  ];
  for (const [text, isOpen] of cases) assert.equal(openAfter(text), isOpen, text);
});

Deno.test("CodeSpans reports the first outcome of watched spans", () => {
  const spans = new CodeSpans();
  spans.feed("`a ");
  assert.ok(spans.mayBeOpen);
  const first = spans.watch();
  spans.feed("``b ");
  assert.ok(spans.mayBeOpen);
  const second = spans.watch();
  spans.feed("``");
  spans.endLine();
  assert.deepEqual([first.outcome, second.outcome], ["open", "closed"]);
  spans.endParagraph();
  spans.feed("`");
  spans.endLine();
  assert.deepEqual([first.outcome, second.outcome], ["literal", "closed"]);
});

Deno.test("CodeSpans reads three backticks with one word at the end of a line as a fence", () => {
  const begin = (line: string) => {
    const spans = new CodeSpans();
    spans.feed(line);
    spans.endParagraph();
    return spans;
  };
  for (const line of ["It is: ```xml", "It is: ````", "`a` ```py"]) assert.ok(begin(line).hasFence, line);
  for (const line of ["It is: ``xml", "```a b", "```a```"]) assert.ok(!begin(line).hasFence, line);
  const spans = begin("It is: ````xml");
  const watch = spans.watch();
  assert.ok(!spans.closesFence("```"));
  assert.ok(!spans.closesFence("````a"));
  assert.ok(!spans.closesFence("```` `"));
  assert.ok(spans.closesFence("  ````"));
  assert.deepEqual([spans.hasFence, watch.outcome], [false, "closed"]);
});

Deno.test("CodeSpans ends a fence after words with a run in its paragraph, or with one that begins a line", () => {
  for (const line of ["x``` there", "``` there.", "```, as it is"]) {
    const spans = new CodeSpans();
    spans.feed("Look: ```xml");
    spans.endLine();
    const watch = spans.watch();
    if (!spans.closesFence(line)) {
      spans.feed(line);
      spans.endLine();
    }
    assert.deepEqual([spans.hasFence, watch.outcome], [false, "closed"], line);
  }
  const spans = new CodeSpans();
  spans.feed("Look: ```xml");
  spans.endParagraph();
  spans.feed("a ```b");
  assert.ok(spans.hasFence, "in another paragraph, a run in the line is another span's");
});

Deno.test("CodeSpans returns to an earlier state", () => {
  const spans = new CodeSpans();
  spans.feed("`a");
  assert.ok(spans.mayBeOpen);
  const { state } = spans;
  spans.feed("` b");
  assert.ok(!spans.mayBeOpen);
  spans.restore(state);
  assert.ok(spans.mayBeOpen);
  spans.end();
  assert.ok(!spans.mayBeOpen);
});

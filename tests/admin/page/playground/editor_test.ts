import assert from "node:assert/strict";
import { findCompletion, moveChoice, takeChoice } from "../../../../src/admin/page/playground/completion.ts";
import {
  breakLine,
  indent,
  offsetOf,
  placeOf,
  type Selected,
} from "../../../../src/admin/page/playground/editor_commands.ts";
import { EditHistory } from "../../../../src/admin/page/playground/edit_history.ts";
import { editorLines } from "../../../../src/admin/page/playground/editor_lines.ts";

/** A text with `[` and `]` around what is selected. */
function shown({ text, start, end }: Selected): string {
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
}

Deno.test("a new line keeps the indentation, and replaces what is selected", () => {
  const text = "a:\n  b: c";
  assert.equal(shown(breakLine({ text, start: 9, end: 9 })), "a:\n  b: c\n  []");
  assert.equal(shown(breakLine({ text, start: 4, end: 9 })), "a:\n \n []");
  assert.equal(shown(breakLine({ text: "", start: 0, end: 0 })), "\n[]");
});

Deno.test("the selected lines move by a step, and a line without one stays", () => {
  const text = "a:\n  b: c\nd";
  assert.equal(shown(indent({ text, start: 5, end: 9 }, true)), "a:\n    [b: c]\nd");
  assert.equal(shown(indent({ text, start: 4, end: 9 }, false)), "a:\n[b: c]\nd");
  assert.equal(shown(indent({ text, start: 1, end: 1 }, false)), "a[]:\n  b: c\nd");
});

Deno.test("undo goes back by steps, redo forward, and a new change ends what can be redone", () => {
  const at = (text: string): Selected => ({ text, start: text.length, end: text.length });
  const history = new EditHistory(at(""));
  for (const [text, time] of [["a", 0], ["ab", 400], ["ab ", 1000]] as const) {
    history.add(at(text), { time, isTyped: true });
  }
  history.add(at("other"), { time: 1001, isTyped: false });
  history.add(at("others"), { time: 1002, isTyped: true });
  const texts = (next: () => Selected | undefined) => [next(), next(), next()].map((one) => one?.text);
  assert.deepEqual(texts(() => history.undo()), ["other", "ab ", "ab"]);
  assert.deepEqual(texts(() => history.redo()), ["ab ", "other", "others"]);
  history.undo();
  history.add(at("new"), { time: 2000, isTyped: true });
  assert.equal(history.redo(), undefined);
  for (let step = 0; step < 300; step++) history.add(at(`${step}`), { time: step, isTyped: false });
  let count = 0;
  while (history.undo() !== undefined) count++;
  assert.equal(count, 200);
});

Deno.test("places and offsets agree, and a place that isn't there is the nearest one", () => {
  const text = "ab\n\ncde";
  for (let offset = 0; offset <= text.length; offset++) {
    const { line, column } = placeOf(text, offset);
    assert.equal(offsetOf(text, line + 1, column + 1), offset);
  }
  assert.deepEqual([offsetOf(text, 1, 9), offsetOf(text, 9, 2), offsetOf("", 3, 3)], [2, 5, 0]);
});

Deno.test("errors mark their stretch and their line, the errors before the warnings", () => {
  const base = { code: "x", file: "rule.yaml" } as const;
  const [first, second] = editorLines("ody: 1\nb", [
    { ...base, severity: "warning", message: "old", line: 1, column: 1, length: 1 },
    {
      ...base,
      severity: "error",
      message: "Unknown",
      expected: "a field",
      help: "body?",
      line: 1,
      column: 1,
      length: 3,
    },
    { ...base, severity: "error", message: "nowhere" },
  ]);
  const message = "Unknown\nExpected a field\nbody?";
  assert.deepEqual(first?.marks.map((mark) => mark.message), [message, "old"]);
  assert.deepEqual(first?.parts.map(({ text, mark }) => [text, mark?.message]), [
    ["o", message],
    ["dy", message],
    [": ", undefined],
    ["1", undefined],
  ]);
  assert.deepEqual(second, { parts: [{ text: "b", color: "plain" }], marks: [] });
});

const choice = (label: string) => ({ label, detail: "", description: "" });

Deno.test("completion offers what fits the word, and writes it", async () => {
  const offered = (path: readonly (string | number)[], isValue: boolean) =>
    Promise.resolve([isValue ? "answer" : "envelope", ...path.map(String), "begins", "name"].map(choice));
  const at = (text: string, isAsked = false) =>
    findCompletion({ text, cursor: text.length, isAsked }, offered);
  const labels = async (text: string, isAsked?: boolean) =>
    (await at(text, isAsked))?.choices.map(({ label }) => label);
  // Those that begin with the word come first; between words, a person asks.
  assert.deepEqual(await labels("n"), ["name", "envelope", "begins"]);
  assert.deepEqual(await labels("begins: an"), ["answer"]);
  assert.equal(await labels("a: b\n"), undefined);
  assert.deepEqual(await labels("a: b\n", true), ["envelope", "begins", "name"]);
  assert.equal(await labels("zz"), undefined);
  const found = await at("x: 1\nen");
  assert.ok(found !== undefined);
  assert.equal(shown(takeChoice("x: 1\nen", found, found.choices[0]!)), "x: 1\nenvelope: []");
  const value = await at("begins: an");
  assert.equal(shown(takeChoice("begins: an", value!, value!.choices[0]!)), "begins: answer[]");
  // The list goes round.
  const three = (await at("n"))!;
  assert.deepEqual([moveChoice(three, -1).selected, moveChoice(moveChoice(three, -1), 1).selected], [2, 0]);
});

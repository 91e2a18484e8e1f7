import assert from "node:assert/strict";
import type { CallEvent } from "../../src/event/event.ts";
import { Emission } from "../../src/scan/emission.ts";
import { twoCuts } from "../support/cuts.ts";
import { merge, textOf } from "../support/matcher_events.ts";

const START: CallEvent = { kind: "call_start", call: 0, tool: "f", rule: "r", confidence: 1 };
const END: CallEvent = { kind: "call_end", call: 0 };
const NOTE: CallEvent = { kind: "note", reason: "malformed", rule: "r", start: 0, end: 1 };
const CALL = Symbol("a whole call");

/** What comes out of texts and calls, handed over after each. */
function emit(parts: readonly (string | typeof CALL)[]) {
  const emission = new Emission();
  const events = parts.flatMap((part) => {
    if (part === CALL) [START, END].forEach((event) => emission.push(event));
    else emission.text(part);
    return emission.take();
  });
  emission.finish();
  return merge([...events, ...emission.take()]);
}

const spaces: [parts: (string | typeof CALL)[], text: string, why: string][] = [
  [["A\n", CALL, "\nB"], "A\nB", "a newline on both sides is one"],
  [["A", CALL, "\nB"], "A\nB", "white space behind stays where none stood before"],
  [["A ", CALL, "B"], "A B", "white space before stays"],
  [["A", CALL, "B"], "AB", "no white space is invented"],
  [["A\n\n", CALL, "\n\n"], "A\n\n", "white space behind the last call leaves with it"],
  [["\n\n", CALL, "\nB"], "B", "white space at the start leaves with the call"],
  [["\n\nA", CALL], "\n\nA", "white space at the start stays before text"],
  [["A\n", CALL, "\n", CALL, "\nB"], "A\nB", "white space between calls leaves"],
  [["A", CALL, "\n", CALL, "\nB"], "A\nB", "a call between does not change what stood before"],
  [[" \n "], " \n ", "an answer of white space stays"],
  [[], "", "nothing stays nothing"],
];

for (const [parts, text, why] of spaces) {
  Deno.test(`Emission: ${why}, however the text was cut`, () => {
    assert.equal(textOf(emit(parts)), text);
    parts.forEach((part, index) => {
      if (part === CALL) return;
      for (const pieces of twoCuts(part as string)) {
        const cut = [...parts.slice(0, index), ...pieces, ...parts.slice(index + 1)];
        assert.equal(textOf(emit(cut)), text);
      }
    });
  });
}

Deno.test("Emission keeps no more than 512 characters of white space waiting, and the rest flows", () => {
  const emission = new Emission();
  emission.text(" ".repeat(512));
  assert.deepEqual(emission.take(), []);
  emission.text(" ");
  assert.equal(textOf(emission.take()).length, 513);
  const long = " ".repeat(2000);
  for (const pieces of [[long], [long.slice(0, 700), long.slice(700)], [...long]]) {
    assert.equal(textOf(emit(["A", CALL, ...pieces, "B"])).length, 2002);
    assert.equal(textOf(emit([...pieces, CALL, "B"])), `${long}B`);
  }
});

Deno.test("Emission ends no piece of text in half a surrogate pair", () => {
  const emission = new Emission();
  emission.text("a\ud83d");
  assert.deepEqual(emission.take(), [{ kind: "text", text: "a" }]);
  emission.text("\ude00b");
  assert.deepEqual(emission.take(), [{ kind: "text", text: "😀b" }]);
});

Deno.test("Emission gives a lone half away once no other half can come", () => {
  for (
    const last of [["\ud83d"], ["\ud83d", CALL], ["\ud83d", "\ud83d", "x"]] as (string | typeof CALL)[][]
  ) {
    const text = last.filter((part) => part !== CALL).join("");
    assert.equal(textOf(emit(["a", ...last])), `a${text}`);
  }
});

Deno.test("Emission merges the arguments of one call and leaves those of another alone", () => {
  const emission = new Emission();
  emission.push(START);
  emission.push({ kind: "arguments", call: 0, json: "{" });
  emission.push({ kind: "arguments", call: 0, json: "}" });
  emission.push({ kind: "arguments", call: 1, json: "{}" });
  assert.deepEqual(emission.take().slice(1), [
    { kind: "arguments", call: 0, json: "{}" },
    { kind: "arguments", call: 1, json: "{}" },
  ]);
});

Deno.test("Emission changes nothing that it has handed over", () => {
  const emission = new Emission();
  emission.push({ kind: "arguments", call: 0, json: "{" });
  const [handed] = emission.take();
  emission.push({ kind: "arguments", call: 0, json: "}" });
  assert.deepEqual(handed, { kind: "arguments", call: 0, json: "{" });
  assert.deepEqual(emission.take(), [{ kind: "arguments", call: 0, json: "}" }]);
});

Deno.test("Emission lets a note pass without touching the white space that waits", () => {
  const emission = new Emission();
  emission.text("\n");
  emission.push(NOTE);
  emission.text("a");
  assert.deepEqual(emission.take(), [NOTE, { kind: "text", text: "\na" }]);
});

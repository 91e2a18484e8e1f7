import assert from "node:assert/strict";
import type { CallEvent, ContentEvent, MatchEvent, TextEvent } from "../../../src/engine/event/event.ts";
import { isContent } from "../../../src/engine/event/stage.ts";
import { Emission } from "../../../src/engine/scan/emission.ts";
import { twoCuts } from "../../support/cuts.ts";
import { merge, textOf } from "../../support/matcher_events.ts";

const START: CallEvent = { kind: "call_start", call: 0, tool: "f", rule: "r", confidence: 1 };
const END: CallEvent = { kind: "call_end", call: 0 };
const NOTE: CallEvent = { kind: "note", reason: "malformed", rule: "r", start: 0, end: 1 };
const CALL = Symbol("a whole call");

/** An emission, and the events of each step. */
function open() {
  const emission = new Emission();
  const step = (work: () => void, came?: TextEvent): MatchEvent[] => {
    const events: MatchEvent[] = [];
    emission.begin({ push: (event) => void events.push(event) }, came);
    work();
    emission.end();
    return events;
  };
  const text = (piece: string) => step(() => emission.text(piece));
  return { emission, step, text };
}

/** The events of texts and calls, each in a step of its own. */
function emit(parts: readonly (string | typeof CALL)[]): ContentEvent[] {
  const { emission, step, text } = open();
  const events = parts.flatMap((part) =>
    part === CALL ? step(() => [START, END].forEach((event) => emission.push(event))) : text(part as string)
  );
  return merge([...events, ...step(() => emission.finish())].filter(isContent));
}

const spaces: [parts: (string | typeof CALL)[], text: string, why: string][] = [
  [["A\n", CALL, "\nB"], "A\nB", "a newline on both sides is one"],
  [["A", CALL, "\nB"], "A\nB", "whitespace after a call stays if there is none before it"],
  [["A ", CALL, "B"], "A B", "whitespace before stays"],
  [["A", CALL, "B"], "AB", "no whitespace is invented"],
  [["A\n\n", CALL, "\n\n"], "A\n\n", "whitespace after the last call is removed with it"],
  [["\n\n", CALL, "\nB"], "B", "whitespace at the start leaves with the call"],
  [["\n\nA", CALL], "\n\nA", "whitespace at the start stays before text"],
  [["A\n", CALL, "\n", CALL, "\nB"], "A\nB", "whitespace between calls leaves"],
  [["A", CALL, "\n", CALL, "\nB"], "A\nB", "a call in between does not change the text before it"],
  [[" \n "], " \n ", "an answer of whitespace stays"],
  [[], "", "nothing stays nothing"],
];

for (const [parts, text, why] of spaces) {
  Deno.test(`Emission: ${why}, at every cut`, () => {
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

Deno.test("Emission holds at most 512 characters of whitespace and sends the rest", () => {
  const { text } = open();
  assert.deepEqual(text(" ".repeat(512)), []);
  assert.equal(textOf(text(" ").filter(isContent)).length, 513);
  const long = " ".repeat(2000);
  for (const pieces of [[long], [long.slice(0, 700), long.slice(700)], [...long]]) {
    assert.equal(textOf(emit(["A", CALL, ...pieces, "B"])).length, 2002);
    assert.equal(textOf(emit([...pieces, CALL, "B"])), `${long}B`);
  }
});

Deno.test("Emission never ends a piece of text inside a surrogate pair", () => {
  const { text } = open();
  assert.deepEqual(text("a\ud83d"), [{ kind: "text", text: "a" }]);
  assert.deepEqual(text("\ude00b"), [{ kind: "text", text: "😀b" }]);
});

Deno.test("Emission sends a lone surrogate once its other half can't follow", () => {
  for (
    const last of [["\ud83d"], ["\ud83d", CALL], ["\ud83d", "\ud83d", "x"]] as (string | typeof CALL)[][]
  ) {
    const text = last.filter((part) => part !== CALL).join("");
    assert.equal(textOf(emit(["a", ...last])), `a${text}`);
  }
});

Deno.test("Emission merges only arguments of the same call", () => {
  const { emission, step } = open();
  const events = step(() => {
    emission.push(START);
    emission.push({ kind: "arguments", call: 0, json: "{" });
    emission.push({ kind: "arguments", call: 0, json: "}" });
    emission.push({ kind: "arguments", call: 1, json: "{}" });
  });
  assert.deepEqual(events.slice(1), [
    { kind: "arguments", call: 0, json: "{}" },
    { kind: "arguments", call: 1, json: "{}" },
  ]);
});

Deno.test("Emission doesn't change an event after sending it", () => {
  const { emission, step } = open();
  const [handed] = step(() => emission.push({ kind: "arguments", call: 0, json: "{" }));
  const next = step(() => emission.push({ kind: "arguments", call: 0, json: "}" }));
  assert.deepEqual(handed, { kind: "arguments", call: 0, json: "{" });
  assert.deepEqual(next, [{ kind: "arguments", call: 0, json: "}" }]);
});

Deno.test("Emission sends a note without changing the waiting whitespace", () => {
  const { emission, step } = open();
  const events = step(() => {
    emission.text("\n");
    emission.push(NOTE);
    emission.text("a");
  });
  assert.deepEqual(events, [NOTE, { kind: "text", text: "\na" }]);
});

Deno.test("Emission sends unchanged text as the same event", () => {
  const { emission, step } = open();
  const came = { kind: "text", text: "a b" } as const;
  assert.equal(step(() => emission.text("a b"), came)[0], came);
  const [other] = step(() => emission.text("a"), came);
  assert.deepEqual(other, { kind: "text", text: "a" });
  assert.equal(step(() => emission.pass(came), came)[0], came);
});

Deno.test("Emission holds text that it might discard, and releases it unchanged", () => {
  for (const isReleased of [true, false]) {
    const { emission, step, text } = open();
    const events = [...text("a "), ...step(() => emission.hold())];
    events.push(...step(() => [START, END, NOTE].forEach((event) => emission.push(event))), ...text(" b"));
    assert.equal(textOf(merge(events.filter(isContent))), "a ");
    events.push(...step(() => isReleased ? emission.release() : emission.discard()), ...text("c"));
    events.push(...step(() => emission.finish()));
    const content = merge(events.filter(isContent));
    assert.equal(textOf(content), isReleased ? "a  bc" : "a c");
    assert.equal(content.some(({ kind }) => kind === "call_start"), isReleased);
  }
});

Deno.test("Emission.reasoning merges pieces and keeps whole characters and the order", () => {
  const { emission, step, text } = open();
  assert.deepEqual(step(() => ["a", "", "b"].forEach((piece) => emission.reasoning(piece))), [
    { kind: "reasoning", text: "ab" },
  ]);
  assert.deepEqual(text("x"), [{ kind: "text", text: "x" }]);
  assert.deepEqual(step(() => emission.reasoning("\ud83d")), []);
  assert.deepEqual(step(() => emission.reasoning("\ude00!")), [{ kind: "reasoning", text: "😀!" }]);
  step(() => emission.hold());
  assert.deepEqual(step(() => emission.reasoning("c")), []);
  assert.deepEqual(step(() => emission.release()), [{ kind: "reasoning", text: "c" }]);
});

const remainders: [reach: number, isAfterCall: boolean, parts: (string | typeof CALL)[], text: string][] = [
  [0, false, [CALL], "A\n"],
  [0, false, [" \n", CALL, "B"], "A\nB"],
  [0, false, [" \n", "B", CALL], "A\n<x> \nB"],
  [0, false, [" "], "A\n<x> "],
  [0, true, [" \n"], "A\n"],
  [0, true, [" B"], "A\n<x> B"],
  [4, false, ["\nBC\n", CALL, "D"], "A\nBC\nD"],
  [4, false, ["\nBCDE\n", CALL], "A\n<x>\nBCDE\n"],
  [4, false, ["BC"], "A\n<x>BC"],
  [9, false, ["B{C", CALL], "A\n<x>B{C"],
];

for (const [reach, isAfterCall, parts, expected] of remainders) {
  Deno.test(`Emission: a remainder, then ${JSON.stringify(parts.map(String))}, is ${JSON.stringify(expected)}`, () => {
    for (const isHeld of [false, true]) {
      const { emission, step, text } = open();
      const events = text("A\n");
      if (isHeld) emission.hold();
      step(() => emission.remainder({ kind: "remainder", text: "<x>", until: 512, reach, isAfterCall }));
      for (const part of parts) {
        const isCall = part === CALL;
        if (isCall) events.push(...step(() => [START, END].forEach((event) => emission.push(event))));
        else for (const piece of part as string) events.push(...text(piece));
      }
      events.push(...step(() => isHeld && emission.release()), ...step(() => emission.finish()));
      assert.equal(textOf(merge(events.filter(isContent))), expected);
    }
  });
}

Deno.test("Emission: a remainder leaves at the end of the text if the upstream's own calls follow", () => {
  for (const isAnswered of [true, false]) {
    const { emission, step, text } = open();
    const events = text("A");
    step(() =>
      emission.remainder({ kind: "remainder", text: "<x>", until: 512, reach: 4, isAfterCall: false })
    );
    events.push(...text(" "), ...step(() => emission.finish({ isAnswered })));
    assert.equal(textOf(merge(events.filter(isContent))), isAnswered ? "A" : "A<x> ");
  }
});

Deno.test("Emission: a leak leaves with the upstream's own calls, and stays before a call of the text", () => {
  for (const end of ["own calls", "call", "nothing"] as const) {
    const { emission, step, text } = open();
    const events = text("A ");
    step(() =>
      emission.remainder({
        kind: "remainder",
        text: "<x>",
        until: 512,
        reach: 8,
        isAfterCall: false,
        isLeak: true,
      })
    );
    events.push(...text(" B {c}"));
    if (end === "call") events.push(...step(() => [START, END].forEach((event) => emission.push(event))));
    events.push(...step(() => emission.finish({ isAnswered: end === "own calls" })));
    assert.equal(textOf(merge(events.filter(isContent))), end === "own calls" ? "A  B {c}" : "A <x> B {c}");
  }
  const { emission, step, text } = open();
  step(() =>
    emission.remainder({
      kind: "remainder",
      text: "<x>",
      until: 512,
      reach: 2,
      isAfterCall: false,
      isLeak: true,
    })
  );
  assert.equal(textOf(merge(text("abc").filter(isContent))), "<x>abc");
});

import assert from "node:assert/strict";
import {
  Ambiguities,
  type Ambiguity,
  closingMark,
  ENDING_MAXIMUM,
  WAITING_MAXIMUM,
} from "../../../src/engine/scan/ambiguities.ts";
import type { Region } from "../../../src/engine/scan/region.ts";
import { SpanWatch } from "../../../src/engine/scan/span_watch.ts";

/** A call that was begun and closed under these ambiguities. */
function ambiguous(...ambiguities: Ambiguity[]): Ambiguities {
  const all = new Ambiguities();
  all.add(5, ambiguities);
  all.close({ offset: 5, end: 9 });
  return all;
}

/** Where calls are shown: `open`, `meant`, or their offsets. */
function told(ambiguities: Ambiguities): string {
  const { shown } = ambiguities;
  return shown === undefined ? "open" : shown.map(({ offset, end }) => `${offset}-${end}`).join() || "meant";
}

function span(outcome: "open" | "closed" | "literal"): Ambiguity {
  const watch = new SpanWatch();
  if (outcome !== "open") watch.settle(outcome);
  return { kind: "span", watch };
}

Deno.test("Ambiguities decides by the text after the call", () => {
  const region = {} as Region;
  const cases: readonly [ambiguities: Ambiguity[], text: string, expected: string][] = [
    [[{ kind: "label" }], " \n  fini", "open"],
    [[{ kind: "label" }], " \n  finish: stop", "5-9"],
    [[{ kind: "label" }], "\nfinish:\n", "5-9"],
    [[{ kind: "label" }], "\nfinish:", "open"],
    [[{ kind: "label" }], "\nDone: 1", "meant"],
    [[{ kind: "label" }], "\n\nit is a word", "meant"],
    [[{ kind: "label" }], " a\nfinish: 1", "meant"],
    [[{ kind: "label" }], "\nhttp://", "meant"],
    [[{ kind: "ending" }], " \n", "open"],
    [[{ kind: "ending" }], " \nSo", "open"],
    [[{ kind: "ending" }], "a".repeat(ENDING_MAXIMUM), "5-9"],
    [[{ kind: "ending" }], "a".repeat(ENDING_MAXIMUM - 1), "open"],
    [[{ kind: "ending" }, span("open")], "a".repeat(WAITING_MAXIMUM), "5-9"],
    [[{ kind: "code" }], "\n```\n", "open"],
    [[{ kind: "code" }], "\n```\nSo", "5-9"],
    [[{ kind: "mark", closer: '"' }], '" in', "5-9"],
    [[{ kind: "mark", closer: '"' }], ' "', "meant"],
    [[{ kind: "mark", closer: " »" }], "\u00a0» est", "5-9"],
    [[{ kind: "mark", closer: " »" }], "» est", "meant"],
    [[{ kind: "mark", closer: " »" }], " ", "open"],
    [[{ kind: "sentence", words: 2 }], " and then stops", "open"],
    [[{ kind: "sentence", words: 2 }], " and then stops ", "5-9"],
    [[{ kind: "sentence", words: 2 }], " and stops.", "5-9"],
    [[{ kind: "sentence", words: 2 }], ", which ends\n", "5-9"],
    [[{ kind: "sentence", words: 2 }], ".", "5-9"],
    [[{ kind: "sentence", words: 2 }], " — into it.", "5-9"],
    [[{ kind: "sentence", words: 2 }], " (or so)", "5-9"],
    [[{ kind: "sentence", words: 3 }], " and wait.", "open"],
    [[{ kind: "sentence", words: 3 }], " and wait.\n", "meant"],
    [[{ kind: "sentence", words: 3 }], " was left in.", "5-9"],
    [[{ kind: "quotation", closer: '"' }], '\\n" in', "5-9"],
    [[{ kind: "quotation", closer: '"' }], '\n"', "meant"],
    [[{ kind: "sentence", words: 2 }], " after\n", "meant"],
    [[{ kind: "sentence", words: 2 }], " more text ", "open"],
    [[{ kind: "sentence", words: 2 }], " Would you like to go on?", "meant"],
    [[{ kind: "sentence", words: 2 }], "\nand then it stops", "meant"],
    [[{ kind: "sentence", words: 2 }], "</x> and then it stops", "meant"],
    [[{ kind: "sentence", words: 2 }, span("open")], " Hm", "open"],
    [[span("closed")], "a", "5-9"],
    [[span("literal")], "a", "meant"],
    [[span("open")], "a", "open"],
    [[span("literal"), { kind: "ending" }], " ", "open"],
    [[span("literal"), { kind: "mark", closer: "»" }], "a", "meant"],
    [[{ kind: "region", region }], "a", "open"],
    [[span("open")], "a".repeat(WAITING_MAXIMUM), "5-9"],
    [[span("open")], "a".repeat(WAITING_MAXIMUM - 1), "open"],
  ];
  for (const [all, text, expected] of cases) {
    const ambiguities = ambiguous(...all);
    ambiguities.text(text);
    assert.equal(told(ambiguities), expected, `${all.map(({ kind }) => kind)} ${text.slice(0, 20)}`);
  }
});

Deno.test("Ambiguities treats a call in a sentence as meant if a call or the end follows", () => {
  const next = ambiguous({ kind: "sentence", words: 2 });
  next.text(" more text ");
  next.add(20, [{ kind: "sentence", words: 2 }]);
  next.close({ offset: 20, end: 25 });
  assert.equal(told(next), "open");
  next.text(" after");
  next.end(false);
  assert.equal(told(next), "meant");
});

Deno.test("Ambiguities treats a call as quoted only if its region is closed", () => {
  const region = {} as Region;
  const closed = ambiguous({ kind: "region", region });
  closed.closeRegion({} as Region);
  assert.equal(told(closed), "open");
  closed.closeRegion(region);
  assert.equal(told(closed), "5-9");
  const open = ambiguous({ kind: "region", region });
  open.end(false);
  assert.equal(told(open), "meant");
});

Deno.test("Ambiguities trusts the end of an answer only if it wasn't cut off", () => {
  for (const kind of ["ending", "code"] as const) {
    for (const isTruncated of [false, true]) {
      const ambiguities = ambiguous({ kind });
      ambiguities.end(isTruncated);
      assert.equal(told(ambiguities), isTruncated ? "5-9" : "meant");
    }
  }
});

Deno.test("Ambiguities doesn't decide about an unfinished call, and removes one that failed", () => {
  const ambiguities = new Ambiguities();
  ambiguities.add(5, [{ kind: "ending" }]);
  ambiguities.giveUp();
  assert.equal(told(ambiguities), "open");
  ambiguities.drop(5);
  assert.equal(told(ambiguities), "meant");
});

Deno.test("Ambiguities accepts a call without ambiguities after a fenced one", () => {
  const ambiguities = ambiguous({ kind: "ending" });
  ambiguities.close({ offset: 20, end: 30 });
  assert.equal(told(ambiguities), "meant");
});

Deno.test("Ambiguities accepts all calls of an answer that ends with one of them, whatever is between them", () => {
  const ENDINGS: readonly [text: string, isTruncated: boolean, expected: string][] = [
    ["\n", false, "meant"],
    ["\nThat is all.", false, "5-9,20-30"],
    ["", true, "5-9,20-30"],
  ];
  for (const [text, isTruncated, expected] of ENDINGS) {
    const ambiguities = ambiguous({ kind: "ending" });
    ambiguities.text("\nand then\n");
    ambiguities.add(20, [{ kind: "ending" }]);
    ambiguities.close({ offset: 20, end: 30 });
    ambiguities.text(text);
    assert.equal(told(ambiguities), "open");
    ambiguities.end(isTruncated);
    assert.equal(told(ambiguities), expected);
  }
});

Deno.test("Ambiguities treats a call as quoted if prose is between it and a call without ambiguities", () => {
  const ambiguities = ambiguous({ kind: "ending" });
  ambiguities.text("\nis what I send: ");
  ambiguities.close({ offset: 30, end: 40 });
  assert.equal(told(ambiguities), "5-9");
});

Deno.test("Ambiguities treats a call on a line without a mark as meant if only calls or the end follow", () => {
  const outcomeOf = (go: (ambiguities: Ambiguities) => void, ...ambiguities: Ambiguity[]) => {
    const all = ambiguous({ kind: "line" }, ...ambiguities);
    go(all);
    return told(all);
  };
  const another: Ambiguity = { kind: "ending" };
  assert.equal(outcomeOf((ambiguities) => ambiguities.text("\n"), another), "open");
  assert.equal(outcomeOf((ambiguities) => ambiguities.text("\nSo")), "5-9");
  assert.equal(outcomeOf((ambiguities) => ambiguities.end(false)), "meant");
  assert.equal(outcomeOf((ambiguities) => ambiguities.end(true)), "5-9");
  assert.equal(outcomeOf((ambiguities) => ambiguities.close({ offset: 10, end: 14 })), "meant");
  assert.equal(outcomeOf((ambiguities) => ambiguities.close({ offset: 10, end: 14 }), another), "meant");
  assert.equal(
    outcomeOf((ambiguities) => ambiguities.close({ offset: 10, end: 14 }), { kind: "code" }),
    "open",
  );
  const two = ambiguous({ kind: "line" });
  two.add(10, [{ kind: "line" }]);
  two.close({ offset: 10, end: 14 });
  two.text("\nis it.");
  assert.equal(told(two), "5-9,10-14");
});

Deno.test("closingMark finds the marks of several languages", () => {
  assert.deepEqual(['"', "“", "«", "「", "a", ""].map(closingMark), [
    '"',
    "”",
    "»",
    "」",
    undefined,
    undefined,
  ]);
});

import assert from "node:assert/strict";
import {
  doubtAgain,
  isCutShort,
  isMentioning,
  leadingSpace,
  type Suspicion,
  withoutLineBreak,
} from "../../../../src/engine/scan/body/hypothesis.ts";

function suspicion(kind: Suspicion["kind"]): Suspicion {
  return {
    kind,
    start: 0,
    resume: 0,
    atLineStart: true,
    isAmbiguous: false,
    endsInCloser: false,
    keys: new Set(),
    text: "",
    depth: 1,
  };
}

Deno.test("doubtAgain remembers the first position unless the second is a more certain closer", () => {
  const cases: [
    first: Suspicion["kind"],
    second: Suspicion["kind"],
    isSecond: boolean,
    isAmbiguous: boolean,
  ][] = [
    ["open", "closed", false, false],
    ["prose", "closed", true, false],
    ["prose", "prose", false, true],
    ["prose", "open", false, true],
    ["prose", "call", false, false],
  ];
  for (const [first, second, isSecond, isAmbiguous] of cases) {
    const before = suspicion(first);
    assert.equal(doubtAgain(before, second), isSecond, `${first} ${second}`);
    assert.equal(before.isAmbiguous, isAmbiguous, `${first} ${second}`);
  }
});

Deno.test("isMentioning recognizes a character before a mentioned tag", () => {
  assert.equal(isMentioning("`".charCodeAt(0)), true);
  assert.equal(isMentioning("a".charCodeAt(0)), false);
});

Deno.test("leadingSpace and withoutLineBreak find leading whitespace", () => {
  assert.equal(leadingSpace("a \n b", 1), " \n ");
  assert.equal(withoutLineBreak("\r\n\na"), "\na");
  assert.equal(withoutLineBreak("a"), "a");
});

Deno.test("isCutShort checks the text between the closer and an unfinished tag", () => {
  const held = { ...suspicion("prose"), start: 10, resume: 14, text: "</p>\nb\n</" };
  assert.equal(isCutShort(held, 17), true);
  assert.equal(isCutShort({ ...held, text: "</p>\n</" }, 15), false);
  assert.equal(isCutShort({ ...held, kind: "closed" }, 17), false);
  assert.equal(isCutShort(held, undefined), false);
});

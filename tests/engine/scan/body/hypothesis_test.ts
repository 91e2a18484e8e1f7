import assert from "node:assert/strict";
import {
  ambiguousAgain,
  type Hypothesis,
  isCutShort,
  isMentioning,
  leadingSpace,
  withoutLineBreak,
} from "../../../../src/engine/scan/body/hypothesis.ts";

function hypothesis(kind: Hypothesis["kind"]): Hypothesis {
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

Deno.test("ambiguousAgain remembers the first position unless the second is a more certain closer", () => {
  const cases: [
    first: Hypothesis["kind"],
    second: Hypothesis["kind"],
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
    const before = hypothesis(first);
    assert.equal(ambiguousAgain(before, second), isSecond, `${first} ${second}`);
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
  const held = { ...hypothesis("prose"), start: 10, resume: 14, text: "</p>\nb\n</" };
  assert.equal(isCutShort(held, 17), true);
  assert.equal(isCutShort({ ...held, text: "</p>\n</" }, 15), false);
  assert.equal(isCutShort({ ...held, kind: "closed" }, 17), false);
  assert.equal(isCutShort(held, undefined), false);
});

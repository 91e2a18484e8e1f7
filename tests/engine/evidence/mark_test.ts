import assert from "node:assert/strict";
import { findMarks, marksWithin } from "../../../src/engine/evidence/mark.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";

const PARTS = [
  ...["<a>", "</a>", '<b c="d > e">', "<p", "</p", "[TOOL]", "]<]x[>[<t>", "<|end|>", "<br/>"],
  ...["x", " ", "\n", "=", '"', "<", ">", "[", "{"],
];

Deno.test("marksWithin finds in a value what findMarks does, wherever the value begins and ends", () => {
  let state = 1;
  const next = (below: number) => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) % below;
  for (let count = 0; count < (IS_THOROUGH ? 300 : 60); count++) {
    const text = Array.from({ length: 12 }, () => PARTS[next(PARTS.length)]).join("");
    const marks = findMarks(text);
    const places = [0, text.length, ...marks.flatMap(({ start, end }) => [start, end, start + 1])].sort((
      a,
      b,
    ) => a - b);
    for (const start of places) {
      for (const end of places.filter((place) => place >= start)) {
        const found = marksWithin({ text, marks }, { start, end });
        const moved = found.marks.map((mark) => ({
          ...mark,
          start: mark.start + found.base - start,
          end: mark.end + found.base - start,
        }));
        assert.deepEqual(moved, findMarks(text.slice(start, end)), JSON.stringify([text, start, end]));
      }
    }
  }
});

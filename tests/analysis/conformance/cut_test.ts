import assert from "node:assert/strict";
import { readCut } from "../../../src/analysis/conformance/cut.ts";

Deno.test("readCut whole is no stream, chars is a piece a character", () => {
  assert.deepEqual(readCut("whole"), {});
  assert.deepEqual(readCut("chars")?.cut?.("abc"), ["a", "b", "c"]);
});

Deno.test("readCut pieces gives pieces of 1 to 8 characters that only the seed decides", () => {
  const text = "0123456789".repeat(100);
  const [first, again, other] = ["pieces:1", "pieces:1", "pieces:2"].map((name) =>
    readCut(name)?.cut?.(text)
  );
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, other);
  for (const pieces of [first, other]) {
    assert.equal(pieces?.join(""), text);
    assert.deepEqual(
      [...new Set(pieces?.slice(0, -1).map(({ length }) => length))].sort(),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  }
  assert.deepEqual(readCut("pieces:0")?.cut?.(""), []);
});

Deno.test("readCut knows no other name", () => {
  for (const name of ["", "words", "pieces", "pieces:", "pieces:x", "pieces:-1"]) {
    assert.equal(readCut(name), undefined, name);
  }
});

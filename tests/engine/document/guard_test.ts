import assert from "node:assert/strict";
import { readGuarded } from "../../../src/engine/document/guard.ts";

function nest(depth: number): number {
  return depth === 0 ? 0 : 1 + nest(depth - 1);
}

const read = (folders: readonly (readonly { file: string; text: string }[])[]) =>
  folders.flat().map(({ file, text }) => {
    if (text === "throws") throw new TypeError("a bad text");
    nest(text === "deep" ? 1e6 : 1);
    return file;
  });

Deno.test("readGuarded names every text that makes the reader throw and reads the others", () => {
  const folders = [[{ file: "a", text: "" }, { file: "b", text: "throws" }], [{ file: "c", text: "deep" }]];
  const { value, diagnostics } = readGuarded(folders, read);
  assert.deepEqual(value, ["a"]);
  assert.deepEqual(diagnostics.map(({ code, message, location }) => [code, message, location?.line]), [
    ["load_failed", "Cannot read b: TypeError: a bad text", 1],
    ["load_failed", "Cannot read c: it is nested too deeply", 1],
  ]);
});

Deno.test("readGuarded says what is wrong where only the texts together fail", () => {
  const folders = [[{ file: "a", text: "" }, { file: "b", text: "" }]];
  const together = (read: readonly (readonly { file: string }[])[]) => {
    if (read.flat().length > 1) throw new Error("too many");
    return read.flat().length;
  };
  const { value, diagnostics } = readGuarded(folders, together);
  assert.equal(value, 0);
  assert.deepEqual(diagnostics.map(({ message }) => message), [
    "Cannot read the configured files: Error: too many",
  ]);
});

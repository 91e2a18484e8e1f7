import assert from "node:assert/strict";
import { readPythonCall, writePythonCall } from "../../../src/analysis/derive/python_call.ts";

Deno.test("readPythonCall and writePythonCall agree on every kind of value", () => {
  const call = { tool: "f", arguments: { a: 'x "y"', b: [1, true, null], c: { d: false } } };
  assert.equal(writePythonCall(call), 'f(a="x \\"y\\"", b=[1, True, None], c={"d": False})');
  assert.deepEqual(readPythonCall(writePythonCall(call)), call);
});

Deno.test("readPythonCall refuses what is not one call", () => {
  for (const text of ["", "f", "f(a=1), g(b=2)", "f(g())"]) assert.equal(readPythonCall(text), undefined);
});

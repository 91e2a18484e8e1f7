import assert from "node:assert/strict";
import type { Diagnostic } from "../../../src/engine/diagnostic/diagnostic.ts";
import { inFileOrder } from "../../../src/engine/diagnostic/order.ts";

function at(message: string, file?: string, line = 1, column = 1): Diagnostic {
  const place = file === undefined ? {} : { location: { file, line, column, length: 1, text: "" } };
  return { code: "wrong_value", severity: "error", message, ...place };
}

Deno.test("inFileOrder puts what has no place first, then each file from top to bottom", () => {
  const found = [
    at("b2", "b", 2),
    at("a1", "a"),
    at("b1c2", "b", 1, 2),
    at("none"),
    at("b1", "b"),
    at("also b1", "b"),
  ];
  assert.deepEqual(inFileOrder(found).map(({ message }) => message), [
    "none",
    "b1",
    "also b1",
    "b1c2",
    "b2",
    "a1",
  ]);
});

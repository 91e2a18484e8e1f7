import assert from "node:assert/strict";
import { writeAnswer } from "../../../src/cli/sample/answer.ts";

Deno.test("writeAnswer says what it is and how to get a real model where no tool is offered", () => {
  const text = writeAnswer({ model: "sample", messages: [{ role: "user", content: "hi" }] });
  assert.match(text, /sample model.*--upstream/);
});

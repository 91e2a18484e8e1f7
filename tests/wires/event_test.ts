import assert from "node:assert/strict";
import { cutCallText } from "../../src/wires/event.ts";

Deno.test("cutCallText names the tool and shows the arguments so far", () => {
  assert.equal(
    cutCallText("write", '{"a": "'),
    '\n[The call to write is incomplete or can\'t be read, and wasn\'t made: {"a": "]\n',
  );
});

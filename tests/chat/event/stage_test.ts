import assert from "node:assert/strict";
import { connect } from "../../../src/chat/event/stage.ts";

Deno.test("connect without stages is the sink itself", () => {
  const sink = { push() {} };
  assert.equal(connect([], sink), sink);
});

import assert from "node:assert/strict";
import { promptBody } from "../../../src/proxy/upstream/prompted.ts";
import { SMALL_RULES, speakerOf } from "../../support/spoken.ts";

Deno.test("promptBody refuses a call by the names of its tool and its parameter", async () => {
  const call = { id: "1", function: { name: "f", arguments: '{"deep":{"a":1}}' } };
  const body = JSON.stringify({ messages: [{ role: "assistant", tool_calls: [call] }] });
  const refused = await promptBody(body, speakerOf("tags", SMALL_RULES.slice(0, 1)));
  assert("code" in refused);
  assert.deepEqual([refused.status, refused.code], [400, "unspeakable_call"]);
  assert.match(refused.message, /rule "tags" can't express the parameter "deep" of the tool "f"/);
  const otherwise = await promptBody(body, speakerOf("tags"));
  assert("isOtherwise" in otherwise && otherwise.isOtherwise);
});

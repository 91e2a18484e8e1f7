import assert from "node:assert/strict";
import { clientSchema } from "../../../src/chat/client/schema.ts";

Deno.test("clientSchema fills in every default", () => {
  const client = clientSchema.parse({
    client: "mine",
    writes: "text",
    tools: { look: { parameters: { path: {} } } },
  });
  const path = client.tools.look?.parameters.path;
  assert.equal(path?.type, "string");
  assert.equal(path?.escape, "none");
  assert.equal(path?.trimmed, true);
  assert.deepEqual(path?.each, {});
  assert.deepEqual(client.recognize.user_agent, []);
  assert.equal(client.calls_per_message, undefined);
});

Deno.test("clientSchema refuses what it does not know", () => {
  const base = { client: "mine", writes: "text" };
  const cases: unknown[] = [
    { ...base, client: "Mine" },
    { ...base, writes: "xml" },
    { ...base, tols: {} },
    { ...base, tools: { "a b": {} } },
    { ...base, tools: { look: { parameters: { path: { escape: "html" } } } } },
    { ...base, tools: { look: { parameters: { path: { each: { x: { y: 1 } } } } } } },
    { ...base, recognize: { tools_section: [{ heading: "# Tools", tool: "## name" }] } },
  ];
  for (const value of cases) {
    assert.equal(clientSchema.safeParse(value).success, false, JSON.stringify(value));
  }
});

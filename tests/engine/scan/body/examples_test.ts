import assert from "node:assert/strict";
import { Examples } from "../../../../src/engine/scan/body/examples.ts";
import { OF_EXAMPLE } from "../../../../src/engine/scan/tagged_patterns.ts";

Deno.test("Examples knows which open example has the call's own closer", () => {
  const examples = new Examples(["tool"], { tool: "t", key: "a" });
  assert.equal(examples.texts, undefined);
  examples.open({ tool: "u" });
  assert.equal(examples.hasOwn, false);
  examples.open({ tool: "t" });
  examples.open({ tool: "u" });
  assert.deepEqual(examples.texts, { tool: "t", key: "a", [`${OF_EXAMPLE}tool`]: "u" });
  examples.dropMentions();
  assert.deepEqual(examples.texts, { tool: "t", key: "a", [`${OF_EXAMPLE}tool`]: "t" });
  examples.close();
  assert.equal(examples.hasOwn, false);
  examples.dropMentions();
  assert.equal(examples.texts?.[`${OF_EXAMPLE}tool`], "u");
});

Deno.test("Examples without references has the closer of every call", () => {
  assert.equal(new Examples([], {}).isOwn({ tool: "u" }), true);
});

Deno.test("Examples opens at most 1,024 calls inside each other", () => {
  const examples = new Examples([], {});
  for (let count = 0; count < 1030; count++) examples.open({});
  for (let count = 0; count < 1024; count++) examples.close();
  assert.equal(examples.texts, undefined);
});

import assert from "node:assert/strict";
import { PrefixMemory } from "../../../src/proxy/exchange/prefix_memory.ts";

const ASKED = { owner: "o", client: "c", model: "m", upstream: "u", help: undefined };

/** What broke the prefix of the second of two requests. */
function broken(first: Record<string, unknown>, second: Record<string, unknown>): string | undefined {
  const memory = new PrefixMemory();
  const messages = [{ role: "user", content: "hi" }];
  assert.equal(memory.see({ messages, ...first }, ASKED), undefined);
  return memory.see({ messages, ...second }, ASKED)?.detail;
}

const tool = (name: string, description = "") => ({ type: "function", function: { name, description } });

Deno.test("PrefixMemory names the tool that changed, and keeps no name that is long", () => {
  assert.equal(
    broken({ tools: [tool("a")] }, { tools: [tool("a", "b")] }),
    "the tool a has a different description",
  );
  const long = "n".repeat(100_000);
  const what = broken({ tools: [tool(long)] }, { tools: [tool(long, "b")] })!;
  assert.match(what, /^the tool \S{12} has a different description$/);
});

Deno.test("PrefixMemory compares as much as it remembers", () => {
  const lines = (
    last: string,
  ) => [{ role: "system", content: "x\n".repeat(2000) + last }, { role: "user", content: "hi" }];
  assert.equal(broken({ messages: lines("a") }, { messages: lines("b") }), undefined);
  const changed = broken({ messages: lines("a") }, {
    messages: [{ role: "system", content: "y" }, lines("")[1]],
  });
  assert.match(changed ?? "", /^line 1 of the system prompt changed/);
});

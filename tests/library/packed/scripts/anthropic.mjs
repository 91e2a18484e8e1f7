import Anthropic from "@anthropic-ai/sdk";
import { dragomanFetch } from "dragoman-engine/fetch";
import { equal, runChecks } from "./harness.mjs";
import { PATHS, startServer } from "./server.mjs";

const tools = [{
  name: "read_file",
  description: "Reads",
  input_schema: { type: "object", properties: { path: { type: "string" } } },
}];

async function loop(isStreamed) {
  const { root, close, seen } = await startServer();
  try {
    const client = new Anthropic({ baseURL: root, apiKey: "secret", maxRetries: 0, fetch: dragomanFetch() });
    const messages = [{ role: "user", content: "Read all." }];
    const read = [];
    for (;;) {
      const request = { model: "local", max_tokens: 100, messages, tools };
      const { content, stop_reason } = isStreamed
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request);
      messages.push({ role: "assistant", content });
      const calls = content.filter(({ type }) => type === "tool_use");
      if (calls.length === 0) return { read, text: content[0].text, stop_reason, count: seen.length };
      equal(stop_reason, "tool_use");
      read.push(...calls.map(({ input }) => input.path));
      messages.push({
        role: "user",
        content: calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "text" })),
      });
    }
  } finally {
    close();
  }
}

const expected = { read: PATHS, text: "All is read.", stop_reason: "end_turn", count: 3 };
await runChecks({
  "a loop of messages": async () => equal(await loop(false), expected),
  "a loop of streams": async () => equal(await loop(true), expected),
});

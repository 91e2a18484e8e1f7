import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import type { Arrived } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED, WRITE_FILE_SCHEMA } from "../support/written_file.ts";

/** The name of a tool whose run always fails. */
const FAILING = "read_file";
const SYSTEM = "Be brief.";

/** What the model prints in its first turn: two calls, of which the second fails. */
const FIRST = `${
  PRINTED["Qwen XML"]
}\n<tool_call>\n{"name": "${FAILING}", "arguments": {"path": "absent"}}\n</tool_call>`;

/** A model with three turns: two calls, a call after the error, and an end. */
function play({ body }: Arrived) {
  const { messages } = JSON.parse(body) as { messages: readonly { readonly role: string }[] };
  const results = messages.filter(({ role }) => role === "tool").length;
  return { text: results === 0 ? FIRST : results === 2 ? PRINTED["Hermes"]! : "Done." };
}

/** What the SDK asked for and got: the kind of its thread, and the status. */
type Exchange = readonly [thread: string | undefined, status: number];

/** A client of the SDK that keeps its exchanges. */
function recordingClient(baseURL: string): { readonly client: Anthropic; readonly exchanges: Exchange[] } {
  const exchanges: Exchange[] = [];
  const client = new Anthropic({
    baseURL,
    apiKey: "mine",
    maxRetries: 0,
    async fetch(input, init) {
      const response = await fetch(input, init);
      const { thread } = JSON.parse(String(init?.body)) as { thread?: { type: string } };
      exchanges.push([thread?.type, response.status]);
      return response;
    },
  });
  return { client, exchanges };
}

for (const stream of [true, false]) {
  Deno.test(`toolRunner runs two calls, goes on after an error and sends the whole conversation; stream: ${stream}`, async () => {
    await using chat = await startWireProxy(play);
    const { client, exchanges } = recordingClient(chat.origin);
    const written: unknown[] = [];
    const tools = [
      betaTool({
        name: "write_file",
        description: "Writes a file",
        inputSchema: WRITE_FILE_SCHEMA,
        run: (input) => (written.push(input), "written"),
      }),
      betaTool({
        name: FAILING,
        description: "Reads a file",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        run: () => Promise.reject(new Error("no such file")),
      }),
    ];
    const messages = [{ role: "user" as const, content: "Write the file" }];
    const runner = client.beta.messages.toolRunner({
      model: "m",
      max_tokens: 1000,
      system: SYSTEM,
      messages,
      tools,
      stream,
    });
    const { content } = await runner.runUntilDone();
    assert.deepEqual(content, [{ ...content[0], type: "text", text: "Done." }]);
    const file = { path: FILE_PATH, content: FILE_CONTENT };
    assert.deepEqual(written, [file, file]);
    assert.deepEqual(exchanges, [
      ["create", 200],
      ["continue", 404],
      ["create", 200],
      ["continue", 404],
      // After two threads that the server doesn't know, the SDK sends the conversation without one.
      [undefined, 200],
    ]);
    const requests = chat.upstream.requests.map(({ body }) => JSON.parse(body));
    assert.deepEqual(requests.map((request) => request.tools.length), [2, 2, 2]);
    const last = requests[2].messages;
    assert.deepEqual(
      last.map(({ role }: { role: string }) => role),
      ["system", "user", "assistant", "tool", "tool", "assistant", "tool"],
    );
    const [system, user, turn, wrote, failed] = last;
    assert.deepEqual([system.content, user.content], [SYSTEM, "Write the file"]);
    assert.equal(turn.content.trim(), BEFORE.trim());
    assert.deepEqual(turn.tool_calls.map(({ id }: { id: string }) => id), [
      wrote.tool_call_id,
      failed.tool_call_id,
    ]);
    assert.deepEqual([wrote.content, failed.content], ["written", "Error: no such file"]);
  });
}

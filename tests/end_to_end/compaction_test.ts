/**
 * Compaction on the server, and the refusal of a WebSocket, as Codex asks for both. Real Codex does in
 * `tests/agents/compaction.ts`.
 */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { bodyOf, streamOf } from "../support/native_answers.ts";
import { readResponseStream } from "../support/responses_order.ts";
import { type Script, USAGE } from "../support/scripted_upstream.ts";
import { postRaw, startWireProxy } from "../support/wire_proxy.ts";

const SUMMARY = 'The user wants äpples.\nNext: write a.txt — "now".';
const LONG = "long ".repeat(250_000);
const TOOL = { type: "function", name: "look", parameters: { type: "object", properties: {} } };
const INPUT = [
  { type: "message", role: "user", content: [{ type: "input_text", text: "Buy apples" }] },
  { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
  { type: "function_call_output", call_id: "c1", output: "none left" },
];
const TRIGGER = { type: "compaction_trigger" };
const REQUEST = {
  model: "m",
  instructions: "Be brief.",
  tools: [TOOL],
  text: { format: { type: "json_object" } },
};

/** Form of the request → its path and body. */
const FORMS: Readonly<Record<string, { path: string; body: Record<string, unknown>; isStreamed?: boolean }>> =
  {
    "the route": { path: "/v1/responses/compact", body: { ...REQUEST, input: INPUT } },
    "the item, streamed": {
      path: "/v1/responses",
      body: { ...REQUEST, input: [...INPUT, TRIGGER], stream: true },
      isStreamed: true,
    },
    "the item, whole": { path: "/v1/responses", body: { ...REQUEST, input: [...INPUT, TRIGGER] } },
  };

/** What an answer came to: its items, and the code of its error. */
interface Compacted {
  readonly items: Record<string, unknown>[];
  readonly status?: unknown;
  readonly code?: unknown;
  readonly usage?: unknown;
}

async function compact(origin: string, form: string): Promise<Compacted> {
  const { path, body, isStreamed } = FORMS[form]!;
  const { text } = await postRaw(origin + path, body);
  if (!isStreamed) {
    const { output = [], status, error, usage } = JSON.parse(text);
    return { items: output, status, code: error?.code, usage };
  }
  const { items, response } = readResponseStream(text);
  const error = response?.["error"] as { code?: unknown } | null;
  return { items, status: response?.["status"], code: error?.code, usage: response?.["usage"] };
}

for (const form of Object.keys(FORMS)) {
  Deno.test(`compaction by ${form}: one item, which comes back as a message of the user`, async () => {
    await using proxy = await startWireProxy({ text: SUMMARY, reasoning: "hm" });
    const { items, usage } = await compact(proxy.origin, form);
    assert.deepEqual(items.map(({ type }) => type), ["compaction"]);
    assert.equal((usage as Record<string, unknown>)["input_tokens"], USAGE.prompt_tokens);
    const asked = JSON.parse(proxy.upstream.requests[0]!.body);
    assert.deepEqual(
      asked.messages.map(({ role }: { role: string }) => role),
      ["system", "user", "assistant", "tool", "user"],
    );
    assert.match(asked.messages.at(-1).content, /summary/);
    assert.equal(asked.tool_choice, "none");
    assert.equal(asked.tools.length, 1, "the prompt stays the one of the turns before");
    assert.equal(asked.response_format, undefined);
    const [item] = items;
    const input = [{ role: "user", content: "Buy pears" }, item, { role: "user", content: "Go on" }];
    await postRaw(`${proxy.origin}/v1/responses`, { model: "m", input });
    const { messages } = JSON.parse(proxy.upstream.requests[1]!.body);
    assert.deepEqual(messages.map(({ role }: { role: string }) => role), ["user", "user", "user"]);
    assert.ok(messages[1].content.endsWith(SUMMARY), messages[1].content);
  });

  const failures: Readonly<Record<string, { script: Script; status: unknown; code: unknown }>> = {
    "has no text": { script: { text: "", reasoning: "hm" }, status: "failed", code: "no_summary" },
    "is too long": {
      script: {
        raw: {
          stream: streamOf([{ content: LONG }], { finish: "stop" }),
          body: bodyOf({ content: LONG }, "stop"),
        },
      },
      status: "incomplete",
      code: "cut_summary",
    },
    "was cut off": { script: { text: SUMMARY, finish: "length" }, status: "incomplete", code: "cut_summary" },
  };
  for (const [what, { script, status, code }] of Object.entries(failures)) {
    Deno.test(`compaction by ${form}: no item for a summary that ${what}`, async () => {
      await using proxy = await startWireProxy(script);
      const compacted = await compact(proxy.origin, form);
      assert.deepEqual(compacted.items, []);
      if (FORMS[form]!.isStreamed) assert.equal(compacted.status, status);
      if (compacted.status !== "incomplete") assert.equal(compacted.code, code);
    });
  }
}

Deno.test("compaction: calls of a model that was asked for a summary stay its text", async () => {
  const text = 'Look again: <tool_call>\n{"name": "look", "arguments": {}}\n</tool_call>';
  await using proxy = await startWireProxy({ text });
  const { items } = await compact(proxy.origin, "the item, streamed");
  assert.deepEqual(items.map(({ type }) => type), ["compaction"]);
});

Deno.test("compaction: the model learns that a summary of another server is lost, and reads one that isn't encrypted", async () => {
  await using proxy = await startWireProxy({ text: "ok" });
  const summary = (encrypted_content: unknown) => ({ type: "compaction", encrypted_content });
  const input = [summary("gAAAAABn+opaque="), summary("A plain summary"), { role: "user", content: "Go on" }];
  await postRaw(`${proxy.origin}/v1/responses`, { model: "m", input });
  const { messages } = JSON.parse(proxy.upstream.requests[0]!.body);
  assert.match(messages[0].content, /is lost/);
  assert.match(messages[1].content, /A plain summary$/);
});

Deno.test("responses: a WebSocket is refused with 426, which never reaches the upstream", async () => {
  await using proxy = await startWireProxy({ text: "ok" });
  const { hostname, port } = new URL(proxy.origin);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(
        `GET /v1/responses HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
          "OpenAI-Beta: responses_websockets=2026-02-06\r\n\r\n",
      );
    });
    socket.on("data", (bytes) => text += bytes.toString());
    socket.on("close", () => resolve(text));
    socket.on("error", reject);
  });
  assert.match(answer, /^HTTP\/1\.1 426 /);
  // RFC 9110, sections 15.5.22 and 7.8.
  assert.match(answer, /^upgrade: HTTP\/1\.1\r$/im);
  assert.match(answer, /^connection: upgrade, close\r$/im);
  assert.match(answer, /"code":"no_websocket"/);
  assert.deepEqual(proxy.upstream.requests, []);
});

/**
 * Whether an agent accepted a call, on every wire: the answer has a call, and the next request has its result in the form
 * of the wire, with ids or without.
 *
 * @module
 */
import assert from "node:assert/strict";
import { watchCallResults } from "../../src/admin/call_results/watch.ts";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const GEMINI = "/v1beta/models/sample-qwen-xml:generateContent";

interface Turn {
  readonly path: string;
  /** The request, with the answer to the one before and the result of its call. */
  // deno-lint-ignore no-explicit-any
  request(answer?: any): unknown;
}

const model = "sample-qwen-xml";
const chatTools = [{ type: "function", function: { name: "read_file", parameters } }];
const user = { role: "user", content: "Read the README" };

const WIRES: Readonly<Record<string, Turn>> = {
  "chat completions": {
    path: "/v1/chat/completions",
    request(answer) {
      const message = answer?.choices[0].message;
      const result = message && { role: "tool", tool_call_id: message.tool_calls[0].id, content: "ok" };
      return { model, tools: chatTools, messages: answer ? [user, message, result] : [user] };
    },
  },
  Anthropic: {
    path: "/v1/messages",
    request(answer) {
      const use = answer?.content.find(({ type }: { type: string }) => type === "tool_use");
      const result = use && { type: "tool_result", tool_use_id: use.id, content: "ok" };
      const later = answer &&
        [{ role: "assistant", content: answer.content }, { role: "user", content: [result] }];
      const tools = [{ name: "read_file", input_schema: parameters }];
      return { model, max_tokens: 100, tools, messages: [user, ...later ?? []] };
    },
  },
  Responses: {
    path: "/v1/responses",
    request(answer) {
      const call = answer?.output.find(({ type }: { type: string }) => type === "function_call");
      const later = answer &&
        [...answer.output, { type: "function_call_output", call_id: call.call_id, output: "ok" }];
      return {
        model,
        tools: [{ type: "function", name: "read_file", parameters }],
        input: [user, ...later ?? []],
      };
    },
  },
  Ollama: {
    path: "/api/chat",
    request(answer) {
      const later = answer && [answer.message, { role: "tool", tool_name: "read_file", content: "ok" }];
      return { model, stream: false, tools: chatTools, messages: [user, ...later ?? []] };
    },
  },
  Gemini: {
    path: GEMINI,
    request(answer) {
      const response = { functionResponse: { name: "read_file", response: { output: "ok" } } };
      const later = answer && [answer.candidates[0].content, { role: "user", parts: [response] }];
      const first = { role: "user", parts: [{ text: "Read the README" }] };
      return {
        tools: [{ functionDeclarations: [{ name: "read_file", parameters }] }],
        contents: [first, ...later ?? []],
      };
    },
  },
};

Deno.test("the result of a call shows on every wire that the agent accepted it", async () => {
  const accepted: string[] = [];
  const service = await builtInService(testConfig());
  const watch = watchCallResults((lines) =>
    accepted.push(...lines.map(({ rule, tool, verdict }) => `${rule} ${tool} ${verdict}`))
  );
  await using proxy = await startProxy(service, { watches: [watch] });
  for (const [name, { path, request }] of Object.entries(WIRES)) {
    const post = async (body: unknown) => {
      const headers = { "content-type": "application/json" };
      const response = await fetch(proxy.origin + path, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      return await response.json();
    };
    await post(request(await post(request())));
    assert.deepEqual(accepted.splice(0), ["qwen_xml read_file accepted"], name);
  }
});

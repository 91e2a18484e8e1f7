/**
 * A real model server with real templates refuses conversations and schemas; through Dragoman it takes them, known or not.
 *
 * @module
 */
import assert from "node:assert/strict";
import { recognizeServer } from "../../src/proxy/upstream/recognize_server.ts";
import { builtInService } from "../support/built_in.ts";
import { assistant, readCall, readFile, result, system, user } from "../support/chat_messages.ts";
import { IS_SKIPPED, MISSING, startLlama } from "../support/llama_server.ts";
import { startProxy, testConfig } from "../support/proxy.ts";

if (MISSING !== undefined) console.log(MISSING);

const bad = (id: string) => ({ ...assistant(""), tool_calls: [readCall(id, '{"a": "b",}')] });
const tools = (a: unknown) => [readFile({ type: "object", properties: { a } })];

const ANY = [user("x")];
const EVERYWHERE: readonly Record<string, unknown>[] = [
  { messages: [user("x"), assistant("a"), assistant("b")] },
  { messages: [user("x"), bad("aaaaaaaaa"), result("aaaaaaaaa")] },
];
const IMAGE = { type: "image_url", image_url: { url: "data:image/png;base64,aaaa" } };

/** Template → requests that the server refuses with it. */
const REFUSED: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "Qwen3.5-4B.jinja": [
    { messages: [system("A"), user("x"), system("B"), user("y")] },
    { messages: [system("A"), system("B"), user("y")] },
    { messages: [system("A"), assistant("", "a"), result("a")] },
    { messages: [user([{ type: "text", text: "a" }, IMAGE])] },
    { messages: ANY, tools: tools({ type: "any" }) },
    { messages: ANY, tools: tools(true) },
    { messages: ANY, tools: tools({ $ref: "#" }) },
    { messages: ANY, tools: tools({ $ref: "Other" }) },
    { messages: ANY, tools: tools({ $ref: "#/$defs/None" }) },
    ...EVERYWHERE,
  ],
  "mistralai-Mistral-Nemo-Instruct-2407.jinja": [
    { messages: [system("A"), user("x"), assistant("z"), system("B"), user("y")] },
    { messages: [system("A"), system("B"), user("y")] },
    { messages: [user("x"), user("y")] },
    { messages: [user("x"), assistant("", "call_12345"), result("call_12345")] },
    { messages: [user("x"), assistant("", "aaaaaaaaa"), result("aaaaaaaaa"), user("y")] },
    { messages: [assistant("a"), user("x")] },
    ...EVERYWHERE,
  ],
  "google-gemma-2-2b-it.jinja": [
    { messages: [system("A"), system("B"), user("y")], tools: undefined },
    { messages: [user("x"), user("y")], tools: undefined },
  ],
  "openai-gpt-oss-120b.jinja": [{ messages: [result("gone"), user("x")] }],
  "meta-llama-Llama-3.1-8B-Instruct.jinja": [
    { messages: [user("x"), assistant("", "a", "b"), result("a"), result("b")] },
    ...EVERYWHERE,
  ],
};

/** The server refuses the request itself; it may fail at the answer, which repeats whatever it was sent. */
const REFUSES = /raise_exception|JSON schema|at the end of the list|arguments as JSON|image input/;

for (const [template, requests] of Object.entries(REFUSED)) {
  Deno.test({
    name: `what ${template} refuses is taken, whether the server is known or not`,
    ignore: IS_SKIPPED,
    async fn() {
      await using llama = await startLlama(template);
      const ask = async (url: string, request: Record<string, unknown>) => {
        const body = { model: "m", max_tokens: 4, tools: tools({ type: "string" }), ...request };
        const response = await fetch(`${url}/chat/completions`, {
          method: "POST",
          body: JSON.stringify(body),
        });
        return await response.text();
      };
      for (const server of ["auto", "none"] as const) {
        const noted: string[] = [];
        const upstream = { name: "local", url: llama.url, server };
        const service = await builtInService(testConfig(undefined, { upstreams: [upstream] }));
        const [configured] = service.config.upstreams;
        if (server === "auto" && configured !== undefined) {
          const models = await fetch(`${llama.url}/models`);
          const found = await recognizeServer(configured, {
            key: undefined,
            send: fetch,
            timeoutMs: 2000,
            models: { headers: models.headers, body: await models.text() },
          });
          assert.equal(found?.server, "llama.cpp");
          service.servers?.learn(found);
        }
        await using proxy = await startProxy(service, {
          observe: (event) => void (event.kind === "note" && noted.push(`${event.rule} ${event.reason}`)),
        });
        for (const request of requests) {
          const shown = `${server}: ${JSON.stringify(request)}`;
          if (server === "auto") assert.match(await ask(llama.url, request), REFUSES, shown);
          noted.length = 0;
          assert.doesNotMatch(await ask(`${proxy.origin}/v1`, request), REFUSES, shown);
          const by = server === "auto" ? "llama.cpp" : "refused";
          assert.ok(noted.some((note) => note.startsWith(`${by} healed_`)), `${shown}: ${noted.join()}`);
        }
      }
    },
  });
}

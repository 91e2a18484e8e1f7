/**
 * Agents write the nasty file with a real llama.cpp server and `tools: raw`: the template renders the agent's own tools, the
 * server's parser is off, and Dragoman reads the call that the model repeats. What the model repeats is put after the last
 * message before the server gets it, so that the agent and Dragoman don't see it. Run by `deno task test:agents`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { type LlamaServer, MISSING, startLlama } from "../support/llama_server.ts";
import type { Arrived, ScriptedUpstream } from "../support/scripted_upstream.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";
import type { Agent } from "./agent.ts";
import { CODEXES } from "./codex.ts";
import { CONTINUE } from "./continue.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { writeCall } from "./offered.ts";
import { OPENCODES } from "./opencode.ts";
import { PIS } from "./pi.ts";
import { QWEN_CODES } from "./qwen_code.ts";
import { DIALECTS, filePath, isPerson, makeParents, readRequest } from "./scenario.ts";
import { report, stage, titleOf } from "./stage.ts";

if (MISSING !== undefined) console.log(MISSING);

const AGENTS: readonly Agent[] = [QWEN_CODES[0]!, OPENCODES[0]!, PIS[0]!, CONTINUE, CODEXES[0]!, GEMINI_CLI];

/** What opens a turn of the model, and what ends it. */
const [TURN, END] = ["<|im_start|>assistant\n", "<|im_end|>"];

/** A server before the real one: it puts after the last message what the model is to repeat. */
function prompter(llama: LlamaServer, folder: string): ScriptedUpstream {
  makeParents([filePath(folder)]);
  const requests: Arrived[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    const { method, headers } = request;
    const left = new Promise<void>(() => {});
    requests.push({ method, path: pathname, headers, body, left, leave() {} });
    if (method !== "POST") return await fetch(llama.origin + pathname);
    const asked = readRequest(body);
    const messages = [...asked.messages ?? []];
    const last = messages.pop();
    const call = writeCall(asked.tools ?? [], { path: filePath(folder), content: FILE_CONTENT });
    const text = call !== undefined && isPerson(last) ? BEFORE + DIALECTS["Qwen XML"]!(call) : "ok";
    const block = ` ${TURN}${text}${END}`;
    const content = Array.isArray(last?.content)
      ? [...last.content, { type: "text", text: block }]
      : `${last?.content ?? ""}${block}`;
    const prompted = { ...asked, messages: [...messages, { ...last, content }] };
    return await fetch(llama.origin + pathname, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(prompted),
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    next: () => Promise.reject(new Error("not needed")),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

for (const agent of AGENTS) {
  Deno.test({
    name: `${titleOf(agent)}: writes the file with a real server that is read raw`,
    ignore: !isInstalled(agent.name) || MISSING !== undefined,
    async fn() {
      await using llama = await startLlama();
      const played = await stage({
        agent,
        isThroughProxy: true,
        upstream: { server: "llama.cpp", tools: "raw" },
        cast: (folder) => prompter(llama, folder),
      });
      assert.equal(played.files.get(FILE_PATH), FILE_CONTENT, report(played));
      assert.equal(played.code, 0, report(played));
      const chats = played.requests.filter(({ path }) => path === "/v1/chat/completions").map(({ body }) =>
        JSON.parse(body)
      );
      const withTools = chats.filter(({ tools }) => tools?.length > 0);
      assert.ok(withTools.length >= 2, report(played));
      assert.deepEqual(withTools.filter(({ tool_choice }) => tool_choice !== "none"), []);
    },
  });
}

import assert from "node:assert/strict";
import {
  applyTemplate,
  isTemplateServer,
  type TemplateServer,
} from "../../../src/proxy/upstream/applied_template.ts";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";
import { testConfig } from "../../support/proxy.ts";

const late = { status: 504, type: "timeout", code: "late", message: "late" };
const CHAT = { model: "m", stream: true, stream_options: {}, messages: [{ role: "user", content: "hi" }] };

/** A server with one answer, and what it was asked. */
function serverOf(answer: () => Response) {
  const asked: unknown[] = [];
  const deadline = new Deadline();
  const server: TemplateServer = {
    unparsed: () => undefined,
    send(body) {
      asked.push(JSON.parse(body));
      return Promise.resolve({ response: answer(), deadline });
    },
    upstream: testConfig("http://x/v1").upstreams[0]!,
    limits: { firstMs: 1000, silenceMs: 1000, slow: late, silent: late },
    bytesMax: 100,
  };
  return { asked, server };
}

Deno.test("applyTemplate refuses an answer without a prompt, one that breaks off, and a long one", async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
  for (
    const [answer, code] of [
      [Response.json({ prompt: 1 }), "template_failed"],
      [new Response("<html>"), "template_failed"],
      [new Response(null), "template_failed"],
      [new Response(broken), "upstream_broke_off"],
      [Response.json({ prompt: "x".repeat(101) }), "answer_too_large"],
    ] as const
  ) {
    const refused = await applyTemplate(CHAT, serverOf(() => answer).server);
    assert(typeof refused !== "string" && "code" in refused);
    assert.equal(refused.code, code);
  }
});

Deno.test("isTemplateServer distinguishes an address from a file", () => {
  assert(isTemplateServer("HTTP://127.0.0.1:8080/apply-template"));
  for (const file of [undefined, "/apply-template", "chat.jinja", "http.jinja"]) {
    assert(!isTemplateServer(file));
  }
});

/**
 * What keeps a turn alive, on a real llama.cpp: budgets of thoughts, questions that continue after thoughts, and its cache of
 * prompts, as it states what it read.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { AuditLine, DecisionLine, RequestLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import { builtInService } from "../support/built_in.ts";
import { IS_SKIPPED, MISSING, startLlama } from "../support/llama_server.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";
import { askRow, STREAMED_ROWS, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

if (MISSING !== undefined) console.log(MISSING);

/** A template that opens the reasoning. */
const TEMPLATE = "Qwen3.5-4B.jinja";

/** What the model answers. */
const answering = (thoughts: string) =>
  `Go. <|im_start|>assistant\n<think>\n${thoughts}\n</think>\n\nIt is 4.<|im_end|>`;

interface Asked {
  readonly body: Record<string, unknown>;
  answer: string;
}

/** The server behind a proxy, and what passes between them. */
async function startBoth() {
  const server = await startLlama(TEMPLATE, ["-np", "1", "-c", "8192"]);
  const asked: Asked[] = [];
  const between = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const body = await request.text();
    const headers = { "content-type": "application/json" };
    const method = request.method;
    const { signal } = request;
    const answered = await fetch(server.origin + pathname, { method, headers, signal, body: body || null });
    const one: Asked = { body: body === "" ? {} : JSON.parse(body), answer: "" };
    if (pathname.endsWith("/chat/completions")) asked.push(one);
    const decoder = new TextDecoder();
    const noted = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, out) {
        one.answer += decoder.decode(bytes, { stream: true });
        out.enqueue(bytes);
      },
    });
    return new Response(answered.body!.pipeThrough(noted), answered);
  });
  const lines: AuditLine[] = [];
  return {
    asked,
    lines,
    async start(settings: Record<string, unknown>) {
      const own = { name: "local", url: `http://127.0.0.1:${between.addr.port}/v1`, server: "llama.cpp" };
      const policy = { echo_guard: false };
      const config = testConfig(undefined, { upstreams: [{ ...own, ...settings }], policy });
      return await startProxy(await builtInService(config), {
        watches: [
          (facts) => recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
        ],
      });
    },
    async [Symbol.asyncDispose]() {
      await between.shutdown();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What the server read of a prompt, and what came from its cache. */
function timingsOf({ answer }: Asked): { read: number; cached: number } {
  const [, cached, read] = /"cache_n":(\d+),"prompt_n":(\d+)/.exec(answer) ?? [];
  return { read: Number(read), cached: Number(cached) };
}

Deno.test({
  name: "a real llama.cpp: budgets, thoughts without end and what its cache gave, on every wire",
  ignore: IS_SKIPPED,
  async fn(test) {
    await using both = await startBoth();
    const { asked, lines } = both;

    await test.step("the budget ends the thoughts, streamed and whole", async () => {
      await using proxy = await both.start({ reasoning_budget: { low: 40 } });
      const thoughts = Array.from({ length: 60 }, (_, at) => `step ${at}`).join(", ");
      for (const row of WIRE_TABLE.filter(({ wire }) => wire === "chat" || wire === "anthropic")) {
        const { path, body } = row.request({ task: answering(thoughts), tool: TOOL });
        const effort = row.wire === "chat"
          ? { reasoning_effort: "low" }
          : { output_config: { effort: "low" } };
        const response = await fetch(proxy.origin + path, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ ...body, ...effort }),
        });
        const got = row.read({ status: response.status, text: await response.text(), isBroken: false });
        assert.match(got.reasoning, /^step 0, step 1, .*\nI have thought enough. Now I act.\n?$/s, row.name);
        assert.ok(got.reasoning.length < thoughts.length / 2, `${row.name}: ${got.reasoning.length}`);
        assert.equal(asked.at(-1)!.body["thinking_budget_tokens"], 40);
      }
    });

    await test.step("a budget of no thoughts asks once", async () => {
      await using proxy = await both.start({ reasoning_budget: 0 });
      for (const row of STREAMED_ROWS.slice(0, 2)) {
        const from = asked.length;
        const got = await askRow(proxy.origin, { row, question: { task: answering("I add."), tool: TOOL } });
        assert.deepEqual([got.end, asked.length - from], ["whole", 1], got.reasoning);
      }
    });

    await test.step("thoughts that repeat themselves are continued from the cache", async () => {
      await using proxy = await both.start({});
      const sentence = "Wait, I have to read the file again before I can change it. ";
      for (const row of STREAMED_ROWS) {
        const from = asked.length;
        const question = { task: answering(sentence.repeat(40)), tool: TOOL };
        const got = await askRow(proxy.origin, { row, question });
        assert.equal(got.end, "whole", row.name);
        assert.ok(got.text !== "" && got.reasoning.length < 2000, row.name);
        const [first, second, ...more] = asked.slice(from);
        assert.deepEqual([first?.body["continue_final_message"], more.length], [undefined, 0], row.name);
        assert.equal(second?.body["continue_final_message"], "content");
        const { read, cached } = timingsOf(second!);
        assert.ok(read < 40 && cached > 1000, `${row.name}: ${cached} from the cache, ${read} read`);
      }
    });

    await test.step("the audit log has the server's own figures, and what broke the prefix", async () => {
      await using proxy = await both.start({});
      lines.length = 0;
      const system = (line: string) => ({
        role: "system",
        content: `${line}\n${"You are an agent. ".repeat(60)}`,
      });
      const messages = [{ role: "user", content: answering("I add.") }];
      const more = [{ role: "assistant", content: "It is 4." }, {
        role: "user",
        content: answering("I sub."),
      }];
      const tools = [{ type: "function", function: { name: "t", parameters: { type: "object" } } }];
      for (
        const body of [
          [system("now: 1"), ...messages],
          [system("now: 1"), ...messages, ...more],
          [system("now: 2"), ...messages, ...more],
        ]
      ) {
        await (await askChat(proxy.origin, { body: { stream: true, tools, messages: body } })).text();
      }
      const figures = lines.filter((line): line is RequestLine => line.kind === "request");
      const [first, second, third] = figures.map(({ promptTokens = 0, cachedTokens = 0 }) => ({
        all: promptTokens,
        read: promptTokens - cachedTokens,
      }));
      const shown = JSON.stringify(
        figures.map(({ promptTokens, cachedTokens }) => [promptTokens, cachedTokens]),
      );
      assert.ok(second!.all > first!.all && second!.read < first!.read, shown);
      assert.ok(third!.read > second!.read * 2, shown);
      const notes = lines.filter((line): line is DecisionLine => line.kind === "decision")
        .filter(({ reason }) => reason === "prefix_broken").map(({ detail }) => detail);
      assert.equal(notes.length, 1);
      assert.match(notes[0] ?? "", /^line 1 of the system prompt changed/);
    });
  },
});

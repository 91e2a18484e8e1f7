/**
 * Nothing that Dragoman changes moves the prefix of a conversation: on every wire, what the server reads for a request
 * begins with what it read for the request before, byte for byte as its template writes it, and with tools in the prompt
 * also with what the model wrote after that. A server with a cache then reads only what is new.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Template } from "@huggingface/jinja";
import { IS_SKIPPED, startLlama } from "../support/llama_server.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type Answered, askRow, onRows, WIRE_TABLE, type WireRow } from "../support/wire_table.ts";

const FOLDER = join(import.meta.dirname!, "../../../shared/llama/templates");

/** A template for checkouts without real ones. */
const CHATML = "{% if tools %}<|im_start|>system\n{{ tools | tojson }}<|im_end|>\n{% endif %}" +
  "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content or '' }}" +
  "{% for c in m.tool_calls or [] %}<tool_call>{{ c.function | tojson }}</tool_call>{% endfor %}<|im_end|>\n" +
  "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

const TEMPLATES: Readonly<Record<string, string>> = {
  ChatML: CHATML,
  ...Object.fromEntries(
    ["Qwen3-Coder", "GLM-4.6"].flatMap(
      (name) => {
        const path = join(FOLDER, `${name}.jinja`);
        return existsSync(path) ? [[name, Deno.readTextFileSync(path)]] : [];
      },
    ),
  ),
};

const tool = {
  name: "write_file",
  description: "Writes a file",
  schema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" }, line: { type: "number" } },
    required: ["path", "content"],
  },
};

interface Step {
  /** What the model writes before the call, with the whitespace after it. */
  readonly text: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const STEPS: readonly Step[] = [
  { text: "Step 1.\n\n", args: { path: "a.ts", content: "const a = 1;\n\n\treturn <b>&amp;</b>;\n" } },
  { text: "Step 2.\n", args: { path: "ü 😀.txt", content: "  é\n", line: 2 } },
  { text: "", args: { path: "c", content: "x" } },
  { text: "A line.\n\n- a list\n\n\n", args: { content: '{"a": "b"}', path: "d" } },
];

/** Dialect → the call as its model writes it, which is also how the template writes it. */
const DIALECTS: Readonly<Record<string, (args: Step["args"]) => string>> = {
  hermes: (args) => {
    const values = Object.entries(args).map(([key, value]) =>
      `${JSON.stringify(key)}: ${JSON.stringify(value)}`
    );
    return `<tool_call>\n{"name": "write_file", "arguments": {${values.join(", ")}}}\n</tool_call>`;
  },
  qwen_xml: (args) =>
    "<tool_call>\n<function=write_file>\n" +
    Object.entries(args).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`).join("") +
    "</function>\n</tool_call>",
};

type Body = { messages: Record<string, unknown>[]; tools?: unknown };

/** The prompt of a request, as a server writes it with a template. */
function render(template: string, { messages, tools }: Body): string {
  const parsed = messages.map((message) => ({
    ...message,
    ...Array.isArray(message["tool_calls"])
      ? {
        tool_calls: message["tool_calls"].map((call) => ({
          ...call,
          function: { ...call.function, arguments: JSON.parse(call.function.arguments) },
        })),
      }
      : {},
  }));
  const given = { messages: parsed, ...tools === undefined ? {} : { tools }, add_generation_prompt: true };
  return new Template(template).render({ ...given, bos_token: "<s>", eos_token: "</s>" });
}

interface Played {
  readonly bodies: readonly Body[];
  readonly wrote: readonly string[];
}

/** A whole conversation of a client, which sends back exactly what it got. */
async function play(
  row: WireRow,
  { origin, bodies, wrote }: { origin: string; bodies: Map<string, Body[]>; wrote: (at: number) => string },
): Promise<Played> {
  const past: Answered[] = [];
  const task = `Do it on ${row.name}.`;
  for (let at = 0; at < STEPS.length; at++) {
    const question = { system: "You are an agent.", task, tool, past };
    const { text, calls } = await askRow(origin, { row, question });
    assert.equal(calls.length, 1, `step ${at + 1}`);
    assert.deepEqual(calls[0], [tool.name, STEPS[at]!.args]);
    past.push({
      ...text === "" ? {} : { text },
      name: tool.name,
      args: calls[0]![1],
      result: `Written ${at}.`,
    });
  }
  return { bodies: bodies.get(task)!, wrote: STEPS.map((_, at) => wrote(at)) };
}

/** Upstream's question → its conversation and its step; kept by the task, because rows run at the same time. */
function remember(bodies: Map<string, Body[]>, body: string): number {
  const parsed: Body = JSON.parse(body);
  const task = String(parsed.messages.find(({ role }) => role === "user")?.["content"]);
  const known = bodies.get(task) ?? [];
  bodies.set(task, [...known, parsed]);
  return known.length;
}

function checkPrefixes(
  { bodies, wrote }: Played,
  { template, isExact }: { template: string; isExact: boolean },
): void {
  const prompts = bodies.map((body) => render(template, body));
  for (let at = 1; at < prompts.length; at++) {
    const before = prompts[at - 1]! + (isExact ? wrote[at - 1] : "");
    const now = prompts[at]!;
    if (now.startsWith(before)) continue;
    let same = 0;
    while (now[same] === before[same]) same++;
    const [was, is] = [before, now].map((text) =>
      JSON.stringify(text.slice(Math.max(0, same - 40), same + 40))
    );
    assert.fail(
      `request ${at + 1} leaves request ${at} after ${same} of ${before.length} characters:\n${was}\n${is}`,
    );
  }
}

for (const [dialect, call] of Object.entries(DIALECTS)) {
  for (const tools of ["prompted", "native"] as const) {
    Deno.test(`${tools}, calls printed in ${dialect}: each request begins with the one before, on every wire`, async () => {
      const bodies = new Map<string, Body[]>();
      const wrote = (at: number) => STEPS[at]!.text + call(STEPS[at]!.args);
      await using upstream = startUpstream(({ path, body }) => ({
        text: path.endsWith("/chat/completions") ? wrote(remember(bodies, body)) : "",
      }));
      const settings = { name: "local", url: upstream.url, server: "none", tools, dialect };
      const service = await builtInService(testConfig(undefined, { upstreams: [settings] }));
      await using proxy = await startProxy(service);
      await onRows(WIRE_TABLE, async (row) => {
        const played = await play(row, { origin: proxy.origin, bodies, wrote });
        for (const [name, template] of Object.entries(TEMPLATES)) {
          // With the tools in the prompt, the template only frames the messages.
          if (tools === "prompted" && name !== "ChatML") continue;
          checkPrefixes(played, { template, isExact: tools === "prompted" });
        }
      });
    });
  }
}

Deno.test({
  name: "a real llama.cpp reads only the new result of each request, with tools: prompted, on every wire",
  ignore: IS_SKIPPED,
  async fn() {
    const template = "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja";
    await using server = await startLlama(template, ["-c", "8192", "-np", "1"]);
    const applied = async (body: Body) => {
      const response = await fetch(`${server.origin}/apply-template`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      return (await response.json()).prompt as string;
    };
    const bodies = new Map<string, Body[]>();
    const wrote = (at: number) => STEPS[at]!.text + DIALECTS["hermes"]!(STEPS[at]!.args);
    await using upstream = startUpstream(({ path, body }) => ({
      text: path.endsWith("/chat/completions") ? wrote(remember(bodies, body)) : "",
    }));
    const settings = {
      name: "local",
      url: upstream.url,
      server: "none",
      tools: "prompted",
      dialect: "hermes",
    };
    const service = await builtInService(testConfig(undefined, { upstreams: [settings] }));
    await using proxy = await startProxy(service);
    await onRows(WIRE_TABLE, async (row) => {
      const played = await play(row, { origin: proxy.origin, bodies, wrote });
      const prompts = await Promise.all(played.bodies.map(applied));
      for (const [at, prompt] of prompts.slice(1).entries()) {
        assert.ok(prompt.startsWith(prompts[at]! + wrote(at)), `request ${at + 2}`);
      }
    });
    // The server's own cache agrees: what it read before isn't read again.
    const row = WIRE_TABLE[0]!;
    const cached: number[] = [];
    for (const body of bodies.get(`Do it on ${row.name}.`)!) {
      const response = await fetch(`${server.url}/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ ...body, stream: false, max_tokens: 1 }),
      });
      const { usage } = await response.json();
      cached.push(usage.prompt_tokens_details.cached_tokens);
    }
    assert.deepEqual(cached, cached.toSorted((a, b) => a - b));
    assert.ok(cached.at(-1)! > 0, `cached tokens: ${cached.join(", ")}`);
  },
});

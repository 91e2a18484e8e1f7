/**
 * What a client gets of the answers of a real model server, for every chat template: the model repeats a text that is made for
 * the template, and the template, the grammar and the parser of the server are the real ones.
 *
 * @module
 */
import { basename, join } from "node:path";
import { TemplateProbe } from "../../src/analysis/derive/probe.ts";
import { ChatTemplate } from "../../src/analysis/derive/template.ts";
import type { Config } from "../../src/proxy/config/schema.ts";
import { recognizeServer } from "../../src/proxy/upstream/recognize_server.ts";
import { builtInService } from "./built_in.ts";
import { type ChatAnswer, readChatAnswer } from "./chat_answer.ts";
import { type LlamaServer, startLlama } from "./llama_server.ts";
import { startProxy, testConfig } from "./proxy.ts";
import { startUpstream } from "./scripted_upstream.ts";

/** The ways in which tools reach the model; `completed`: with the server's `/apply-template`. */
export const WAYS = ["native", "auto", "raw", "prompted", "completed"] as const;
export type Way = typeof WAYS[number];

/** A call as an agent gets it. */
export interface MadeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the model writes, and what is in it. */
export interface TableAnswer {
  readonly name: string;
  readonly wrote: string;
  readonly text: string;
  readonly calls: readonly MadeCall[];
  /** Whether the model stops in the middle of a call: it arrives as text, or as a call that is cut off. */
  readonly isCut?: boolean;
}

/**
 * What arrives. `whole`: the text and the calls; `text`: every character as text, a call isn't made; `error`: an error;
 * `changed`: other text or other calls than the model wrote, without an error.
 */
export type Fate = "whole" | "text" | "error" | "changed";

export interface Cell {
  readonly template: string;
  readonly answer: string;
  readonly way: Way;
  readonly isStreamed: boolean;
  readonly fate: Fate;
  /** Whether the server hands out this text of the model at all, with its parser off: some tokens are dropped. */
  readonly isPrinted: boolean;
  readonly got?: unknown;
}

const string = { type: "string" };
export const TOOLS = [
  tool("read_file", { path: string }),
  tool("write_file", { path: string, content: string }),
];

function tool(name: string, properties: Record<string, unknown>) {
  const parameters = { type: "object", properties, required: Object.keys(properties) };
  return { type: "function", function: { name, description: `Does ${name}.`, parameters } };
}

const A: MadeCall = { tool: "read_file", arguments: { path: "a.txt" } };
const B: MadeCall = { tool: "read_file", arguments: { path: "b/c d.txt" } };
const CODE = 'if (a < b) { print("x"); }\n\n</div> & done\n';
const WRITE: MadeCall = { tool: "write_file", arguments: { path: "x.c", content: CODE } };
const SWAPPED: MadeCall = { tool: "write_file", arguments: { content: "first", path: "second.txt" } };
const UNKNOWN: MadeCall = { tool: "nope", arguments: { path: "a.txt" } };

/** How a template writes answers. */
interface Form {
  /** What opens the model's turn. */
  readonly opener: string;
  /** What ends the reasoning that the opener opened, with a thought before it; empty if it opened none. */
  readonly thought: string;
  /** What is around a text. */
  readonly frame: readonly [string, string];
  readonly write: (calls: readonly MadeCall[]) => string | undefined;
}

const PLAIN = "Zq7 plain answer";

/** Tokens after a call with which the server ends the answer. */
const TURN_END = /(?:\s*<(?:\|eom_id\||\|eot_id\||\|im_end\||\|tool_response|\|call\||\|end\||turn\|)>)+\s*$/;

const THINKS = /(?:<(\/?)((?:seed:)?think)>|\[(\/?)(THINK)\])\s*$/;

/** Learns how the template of a server writes; undefined if it can't write a plain conversation. */
export async function formOf({ origin }: LlamaServer, template: string): Promise<Form | undefined> {
  const render = async (messages: readonly unknown[], more: Record<string, unknown>) => {
    const response = await fetch(`${origin}/apply-template`, {
      method: "POST",
      body: JSON.stringify({ messages, ...more }),
    });
    return (await response.json()).prompt as string | undefined;
  };
  const user = { role: "user", content: "Hi." };
  const asked = await render([user], { tools: TOOLS, tool_choice: "none" });
  const told = await render([user], { tools: TOOLS, tool_choice: "none", add_generation_prompt: false });
  if (asked === undefined || told === undefined) return undefined;
  const opener = asked.startsWith(told) ? asked.slice(told.length) : "";
  const answered = await render([user, { role: "assistant", content: PLAIN }, user], {
    tools: TOOLS,
    tool_choice: "none",
  });
  const rest = answered?.startsWith(told) ? answered.slice(told.length) : "";
  const at = rest.indexOf(PLAIN);
  const head = at >= 0 && rest.startsWith(opener) ? rest.slice(opener.length, at) : "";
  const [, closes, tag, closesToo, bracket] = THINKS.exec(opener) ?? [];
  const isOpen = (tag !== undefined && closes === "") || (bracket !== undefined && closesToo === "");
  const closer = bracket === undefined ? `</${tag}>` : `[/${bracket}]`;
  const thought = isOpen ? `I think about it.\n${closer}\n\n` : "";
  const tail = /^<\|END_RESPONSE\|>/.exec(rest.slice(at + PLAIN.length))?.[0] ?? "";
  const hasFrame = !isOpen && /<\|(?:channel|content|START_RESPONSE)\|>/.test(head);
  let probe: TemplateProbe | undefined;
  try {
    probe = TemplateProbe.open(new ChatTemplate(template));
  } catch {
    probe = undefined;
  }
  const write = (calls: readonly MadeCall[]) => {
    const text = probe?.sample(calls)?.text.replace(TURN_END, "");
    return text?.startsWith(opener.trim()) ? text.slice(opener.trim().length) : text;
  };
  return { opener, thought, frame: hasFrame ? [head, tail] : ["", ""], write };
}

/** How a model writes calls whose template writes none. */
function writeHermes(calls: readonly MadeCall[]): string {
  return calls.map(({ tool: name, arguments: given }) =>
    `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`
  ).join("\n");
}

export function answersOf({ frame: [head, tail], write }: Form): TableAnswer[] {
  const written = (calls: readonly MadeCall[]) => write(calls) ?? writeHermes(calls);
  const say = (text: string) => head + text + tail;
  const plain = (name: string, text: string): TableAnswer => ({ name, wrote: say(text), text, calls: [] });
  const called = (name: string, calls: readonly MadeCall[]): TableAnswer => ({
    name,
    wrote: written(calls),
    text: "",
    calls,
  });
  const call = written([A]);
  const opener = call.slice(0, Math.max(1, call.indexOf("read_file")));
  const cut = call.slice(0, call.indexOf("a.txt") + 1);
  const around = (name: string, before: string, after: string): TableAnswer => ({
    name,
    wrote: (before === "" ? "" : say(before)) + call + (after === "" ? "" : say(after)),
    text: before + after,
    calls: [A],
  });
  return [
    plain("text", "I am done with it."),
    called("a call", [A]),
    called("two calls", [A, B]),
    called("a call with code", [WRITE]),
    called("swapped parameters", [SWAPPED]),
    around("text before a call", "I look.\n", ""),
    around("text after a call", "", "\nDone."),
    around("text around a call", "I look.\n", "\n\nI wait for the result."),
    plain("a fence of JSON", '```json\n{"a": 1}\n```'),
    plain("text and a fence of JSON", 'Here it is:\n```json\n{"a": 1}\n```'),
    plain("a fence, then text", 'Look:\n```json\n{"a": 1}\n```\nThat is all.'),
    plain("braces", "{x} is the set."),
    plain("an object, then text", '{"a": 1} is what I found.'),
    plain("a list, then text", '["a", "b"] are two.'),
    { ...called("an unknown tool", [UNKNOWN]), text: written([UNKNOWN]), calls: [] },
    plain("a mention of <tool_call>", "The call would be <tool_call> or so."),
    plain("a mention of <function=", "It writes <function= before a name."),
    plain("the opener in a code span", `The mark \`${opener.trim()}\` begins a call.`),
    plain("a call in a fence", `Like this:\n\`\`\`\n${call}\n\`\`\`\nThat is how.`),
    { ...plain("a cut call", ""), wrote: cut, text: cut, isCut: true },
  ];
}

/** What one client gets. */
interface Got extends ChatAnswer {
  readonly status: number;
}

const same = (one: string, other: string) => one.replace(/\s+/g, "") === other.replace(/\s+/g, "");

function sortedJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, inner) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
        : inner,
  );
}

export function fateOf(answer: TableAnswer, got: Got): Fate {
  if (got.error !== undefined || got.status !== 200) return "error";
  const made = got.calls.map(({ tool: name, json }) => {
    try {
      return sortedJson([name, JSON.parse(json)]);
    } catch {
      return json;
    }
  });
  const wanted = answer.calls.map((call) => sortedJson([call.tool, call.arguments]));
  const isText = same(got.content, answer.wrote) ||
    same(got.content, answer.text) && answer.calls.length === 0;
  if (made.length === 0 && isText) return answer.calls.length === 0 ? "whole" : "text";
  if (answer.isCut === true) {
    return got.calls.length === 1 && got.finish === "length" && got.content.trim() === ""
      ? "whole"
      : "changed";
  }
  const areCalls = JSON.stringify(made) === JSON.stringify(wanted);
  return areCalls && same(got.content, answer.text) ? "whole" : "changed";
}

/** The files of all templates next to the project. */
export function templateFiles(): string[] {
  return ["llama/templates", "templates"].flatMap((folder) => {
    const path = join(import.meta.dirname!, "../../../shared", folder);
    return [...Deno.readDirSync(path)].map(({ name }) => name).filter((name) => name.endsWith(".jinja"))
      .sort().map((name) => join(path, name));
  });
}

/** The prompts that a server makes of a request with `tools: native` and with `tools: raw`. */
export async function promptsOf(file: string): Promise<(string | undefined)[]> {
  await using llama = await startLlama(file);
  if (!llama.isReady) return [];
  const sent = await Promise.all(["native", "raw"].map(async (tools) => {
    await using upstream = startUpstream({ text: "Hi." });
    const own = { name: "local", url: upstream.url, tools, server: "llama.cpp" };
    await using proxy = await startProxy(await builtInService(testConfig(undefined, { upstreams: [own] })));
    await ask(`${proxy.origin}/v1`, {
      model: "m",
      messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "Hi." }],
      tools: TOOLS,
    });
    // What the proxy asks the server about its template comes before.
    return upstream.requests.find(({ body }) => body?.includes("Be brief."))?.body ?? "";
  }));
  return await Promise.all(sent.map(async (body) => {
    const response = await fetch(`${llama.origin}/apply-template`, { method: "POST", body });
    return (await response.json()).prompt;
  }));
}

/** The table of what arrives, as Markdown; answers that the server doesn't hand out are in a sentence after it. */
export function writeTable(cells: readonly Cell[]): string {
  const counted = cells.filter(({ isPrinted }) => isPrinted);
  const templates = new Set(cells.map(({ template }) => template));
  const fates: readonly Fate[] = ["whole", "text", "changed", "error"];
  const rows = WAYS.map((way) => {
    const own = counted.filter((cell) => cell.way === way);
    const counts = fates.map((fate) => own.filter((cell) => cell.fate === fate).length);
    return `| ${NAMES[way]} | ${[own.length, ...counts].join(" | ")} |`;
  });
  const others = cells.filter(({ isPrinted, way }) => !isPrinted && way === "completed");
  const arrived = others.filter(({ fate }) => fate === "whole" || fate === "text").length;
  const names = new Set(others.map(({ template }) => template));
  return [
    `| \`tools\` (${templates.size} templates) | answers | as the model wrote them | call left as text | changed without an error | error |`,
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    `Some answers for ${names.size} templates aren't counted: even with its parser off, the server doesn't return them as ` +
    "written (gpt-oss, DeepSeek R1 …), or the test's model doesn't repeat them. With `/apply-template`, " +
    `${arrived} of these ${others.length} answers arrive.`,
  ].join("\n");
}

const NAMES: Readonly<Record<Way, string>> = {
  native: "`native`",
  auto: "`auto`, the first answer",
  raw: "`raw`",
  prompted: "`prompted`",
  completed: "`chat_template: …/apply-template`",
};

/** Asks the server of a template for every answer, in every way; nothing if the server doesn't load the template. */
export async function* cellsOf(file: string): AsyncGenerator<Cell> {
  const template = basename(file).replace(/\.jinja$/, "");
  await using llama = await startLlama(file);
  if (!llama.isReady) return;
  const form = await formOf(llama, await Deno.readTextFile(file));
  if (form === undefined) return;
  // Where not even a plain text comes back, the model doesn't repeat what it should, but another part of the prompt.
  const unable = new Set<Way>();
  for (const answer of answersOf(form)) {
    const start = form.opener === "" ? "" : "Go. ";
    const body = {
      model: template.replace(/^.*__/, ""),
      messages: [{ role: "user", content: `${start}${form.opener}${form.thought}${answer.wrote}<|im_end|>` }],
      tools: TOOLS,
      max_tokens: 160,
    };
    const plain = await ask(llama.url, { ...body, tool_choice: "none" });
    const isWritten = plain.error === undefined && same(plain.content, answer.wrote);
    for (const way of WAYS) {
      for (const isStreamed of [true, false]) {
        const completed = way === "completed" ? { chat_template: `${llama.origin}/apply-template` } : {};
        const tools = way === "completed" ? "native" : way;
        // Each answer is the first one of its server, so that `auto` hasn't learned anything.
        const own = { name: "local", url: llama.url, tools, server: "llama.cpp", ...completed };
        const config = testConfig(undefined, { upstreams: [own], policy: { echo_guard: false } });
        const service = await builtInService(config);
        const known = way === "auto" ? await recognize(config) : undefined;
        if (known !== undefined) service.servers?.learn(known);
        await using proxy = await startProxy(service);
        const got = await ask(`${proxy.origin}/v1`, { ...body, stream: isStreamed });
        const fate = fateOf(answer, got);
        if (answer.name === "text" && isWritten && fate === "changed") unable.add(way);
        const isPrinted = isWritten && !unable.has(way);
        const details = fate === "whole" && isPrinted
          ? {}
          : { got: { ...got, wrote: answer.wrote, plain: plain.content } };
        yield { template, answer: answer.name, way, isStreamed, fate, isPrinted, ...details };
      }
    }
  }
}

/** What a proxy knows of its server soon after its start. */
async function recognize({ upstreams: [upstream] }: Config) {
  const response = await fetch(`${upstream!.url}/models`);
  const models = { headers: response.headers, body: await response.text() };
  return await recognizeServer(upstream!, { key: undefined, send: fetch, timeoutMs: 2000, models });
}

async function ask(url: string, body: Record<string, unknown>): Promise<Got> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { status } = response;
  return { status, ...readChatAnswer(await response.text(), body.stream === true && status === 200) };
}

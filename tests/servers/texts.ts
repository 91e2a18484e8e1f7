/**
 * Texts that the parrot repeats, what an agent should get for each, and whether it got that.
 *
 * @module
 */
import { isJsonEqual } from "../../src/engine/json/equal.ts";
import { functionTool } from "../support/chat_tools.ts";
import { readChatAnswer } from "../support/chat_answer.ts";

const READ = functionTool("read_file", { path: "string", limit: "integer" });
const WRITE = functionTool("write_file", { path: "string", content: "string" });
export const TOOLS = [READ, WRITE].map((tool) => ({
  ...tool,
  // Hermes 2 Pro's template demands a description.
  function: { ...tool.function, description: "d", parameters: { ...tool.function.parameters, required: [] } },
}));

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

export interface Text {
  readonly name: string;
  readonly wrote: string;
  /** The text that the agent gets; absent: it isn't judged. */
  readonly text?: string;
  readonly calls: readonly Call[];
}

const CALL =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";
const A: Call = ["read_file", { path: "a.txt" }];
const B: Call = ["read_file", { path: "b.txt" }];
const write = (...items: readonly string[]) =>
  `<tool_call>\n<function=write_file>\n${items.join("\n")}\n</function>\n</tool_call>`;
const item = (key: string, value: string) => `<parameter=${key}>\n${value}\n</parameter>`;
const plain = (name: string, wrote: string): Text => ({ name, wrote, text: wrote, calls: [] });

export const TEXTS: readonly Text[] = [
  { name: "a call", wrote: CALL, text: "", calls: [A] },
  { name: "a text and a call", wrote: `I look.\n${CALL}`, text: "I look.", calls: [A] },
  { name: "two calls", wrote: `${CALL}\n${CALL.replace("a.txt", "b.txt")}`, text: "", calls: [A, B] },
  {
    name: "a number",
    wrote: CALL.replace("</parameter>\n</f", `</parameter>\n${item("limit", "5")}\n</f`),
    text: "",
    calls: [["read_file", { path: "a.txt", limit: 5 }]],
  },
  plain("a mention", "Qwen writes <tool_call> before a call."),
  plain("a fence", `Like this:\n\`\`\`xml\n${CALL}\n\`\`\`\nDone.`),
  { name: "text after a call", wrote: `${CALL}\nDone now.`, calls: [A] },
  {
    name: "a lost opener",
    wrote: `I look.\n${CALL.replace("<tool_call>\n", "")}`,
    text: "I look.",
    calls: [A],
  },
  {
    name: "markup in a value",
    wrote: write(item("path", "a.md"), item("content", "End with </parameter> and </function>.")),
    text: "",
    calls: [["write_file", { path: "a.md", content: "End with </parameter> and </function>." }]],
  },
  {
    name: "reversed parameters",
    wrote: write(item("content", "x"), item("path", "a.txt")),
    text: "",
    calls: [["write_file", { path: "a.txt", content: "x" }]],
  },
  {
    name: "Hermes",
    wrote: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
    text: "",
    calls: [A],
  },
  {
    name: "GLM",
    wrote: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
    text: "",
    calls: [A],
  },
  { name: "Llama", wrote: '{"name": "read_file", "parameters": {"path": "a.txt"}}', text: "", calls: [A] },
  {
    name: "Roo",
    wrote: "I look.\n<read_file>\n<path>a.txt</path>\n</read_file>",
    text: "I look.",
    calls: [A],
  },
  {
    name: "invoke",
    wrote:
      '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</function_calls>',
    text: "",
    calls: [A],
  },
  { name: "thoughts and a call", wrote: `<think>\nThe file.\n</think>\n\n${CALL}`, calls: [A] },
  { name: "a call in thoughts", wrote: `<think>\nI could ${CALL} but no.\n</think>\n\nDone.`, calls: [] },
  plain("plain text", "2 < 3 and {x} is a set."),
  { name: "an unknown tool", wrote: CALL.replace("read_file", "launch"), calls: [] },
  {
    name: "a missing argument",
    wrote: write(item("path", "a.txt")),
    calls: [["write_file", { path: "a.txt" }]],
  },
];

/** Asks for one text; undefined if the agent gets what it should, else what it gets. */
export async function wrongAnswer(
  url: string,
  { model, text, isStreamed, more }: {
    readonly model: string;
    readonly text: Text;
    readonly isStreamed: boolean;
    /** Other fields of the request. */
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<string | undefined> {
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: text.wrote }],
      tools: TOOLS,
      stream: isStreamed,
      max_tokens: 300,
      temperature: 0,
      ...more,
    }),
    signal: AbortSignal.timeout(90_000),
  });
  const body = await response.text();
  if (!response.ok) return `${response.status} ${body.slice(0, 200)}`;
  const { content, calls, error } = readChatAnswer(body, isStreamed);
  const made = calls.map(({ tool, json }) => [tool, parsed(json)]);
  const isText = text.text === undefined || content.trim() === text.text.trim();
  const isRight = error === undefined && isText && isJsonEqual(made as never, text.calls as never);
  return isRight ? undefined : JSON.stringify({ error, content, made }).slice(0, 300);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/**
 * The requests of an agent of every wire: a task with one tool, and the same with the model's call and its result. Answers
 * are streamed.
 *
 * @module
 */
import { READERS } from "./wire_readers.ts";
import { postRaw } from "./wire_proxy.ts";

/** What an agent gets. */
export interface WireAnswer {
  readonly text: string;
  readonly calls: readonly (readonly [name: string, args: unknown])[];
}

/** One tool as every wire describes it. */
export interface WireTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A call that the model made, and its result. */
export interface Answered {
  readonly name: string;
  readonly args: unknown;
  readonly result: string;
}

const TASK = "Write the file.";

/** The task, as chat completions and Ollama take it. */
const OPENING = [
  { role: "system", content: "You are an agent." },
  { role: "user", content: TASK },
];

/** A tool, as chat completions and Ollama take it. */
const chatTool = ({ name, description, schema }: WireTool) => ({
  type: "function",
  function: { name, description, parameters: schema },
});

/** Wire → the path and the body of its request. */
const REQUESTS: Readonly<
  Record<string, (tool: WireTool, past?: Answered) => { readonly path: string; readonly body: unknown }>
> = {
  chat: (tool, past) => ({
    path: "/v1/chat/completions",
    body: {
      model: "m",
      stream: true,
      tool_choice: "auto",
      tools: [chatTool(tool)],
      messages: [
        ...OPENING,
        ...past === undefined ? [] : [
          {
            role: "assistant",
            content: null,
            tool_calls: [{
              id: "c1",
              type: "function",
              function: { name: past.name, arguments: JSON.stringify(past.args) },
            }],
          },
          { role: "tool", tool_call_id: "c1", content: past.result },
        ],
      ],
    },
  }),
  anthropic: ({ name, description, schema }, past) => ({
    path: "/v1/messages",
    body: {
      model: "m",
      max_tokens: 1000,
      stream: true,
      system: "You are an agent.",
      tools: [{ name, description, input_schema: schema }],
      messages: [
        { role: "user", content: TASK },
        ...past === undefined ? [] : [
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: past.name, input: past.args }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: past.result }] },
        ],
      ],
    },
  }),
  responses: ({ name, description, schema }, past) => ({
    path: "/v1/responses",
    body: {
      model: "m",
      stream: true,
      instructions: "You are an agent.",
      tools: [{ type: "function", name, description, parameters: schema, strict: false }],
      input: [
        { role: "user", content: TASK },
        ...past === undefined ? [] : [
          { type: "function_call", call_id: "c1", name: past.name, arguments: JSON.stringify(past.args) },
          { type: "function_call_output", call_id: "c1", output: past.result },
        ],
      ],
    },
  }),
  ollama: (tool, past) => ({
    path: "/api/chat",
    body: {
      model: "m",
      stream: true,
      tools: [chatTool(tool)],
      messages: [
        ...OPENING,
        ...past === undefined ? [] : [
          {
            role: "assistant",
            content: "",
            tool_calls: [{ function: { name: past.name, arguments: past.args } }],
          },
          { role: "tool", tool_name: past.name, content: past.result },
        ],
      ],
    },
  }),
  gemini: ({ name, description, schema }, past) => ({
    path: "/v1beta/models/m:streamGenerateContent?alt=sse",
    body: {
      systemInstruction: { parts: [{ text: "You are an agent." }] },
      tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: schema }] }],
      contents: [
        { role: "user", parts: [{ text: TASK }] },
        ...past === undefined ? [] : [
          { role: "model", parts: [{ functionCall: { name: past.name, args: past.args } }] },
          {
            role: "user",
            parts: [{ functionResponse: { name: past.name, response: { result: past.result } } }],
          },
        ],
      ],
    },
  }),
};

/** The wires. */
export const WIRES = Object.keys(REQUESTS);

/** A request of an agent. */
export interface WireQuestion {
  readonly origin: string;
  readonly tool: WireTool;
  readonly past?: Answered;
}

/** The path and the body of a wire's request. */
export function wireRequest(wire: string, tool: WireTool, past?: Answered) {
  return REQUESTS[wire]!(tool, past);
}

/** Sends the request of a wire; gives the raw answer. */
export async function sendWire(wire: string, { origin, tool, past }: WireQuestion): Promise<string> {
  const { path, body } = REQUESTS[wire]!(tool, past);
  return (await postRaw(origin + path, body)).text;
}

/** Sends the request of a wire; gives what its client reads. */
export async function askWire(wire: string, question: WireQuestion): Promise<WireAnswer> {
  const text = await sendWire(wire, question);
  // The strict readers expect the identity of their own tests.
  return wire === "chat"
    ? readChat(text)
    : READERS[wire]!(text.replace(/"responseId":"\w+"/g, '"responseId":"1"'));
}

/** A stream of chat messages. */
function readChat(stream: string): WireAnswer {
  const deltas = stream.split("\n\n").filter((message) => message.startsWith("data: {"))
    .map((message) => JSON.parse(message.slice("data: ".length)).choices?.[0]?.delta ?? {});
  const calls: { name: string; json: string }[] = [];
  for (const { index, function: made } of deltas.flatMap(({ tool_calls: made = [] }) => made)) {
    const call = calls[index] ??= { name: "", json: "" };
    call.name += made.name ?? "";
    call.json += made.arguments ?? "";
  }
  return {
    text: deltas.map(({ content }) => content ?? "").join(""),
    calls: calls.map(({ name, json }) => [name, JSON.parse(json)]),
  };
}

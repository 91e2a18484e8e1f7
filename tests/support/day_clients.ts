/**
 * Every kind of client that a day of requests has: how each asks on its wire, and how it sends back what became of a call.
 *
 * @module
 */
import { CLINE_PROMPT, SMALL_ROO_PROMPT } from "./prompts.ts";

export interface DayRequest {
  readonly model: string;
  readonly isStreamed: boolean;
  readonly system: string;
  readonly user: string;
  /** The result of the call that the answer before it had. */
  readonly result?: DayResult;
}

export interface DayResult {
  /** The call's id, on wires that have one. */
  readonly id: string;
  readonly content: string;
  readonly isError: boolean;
}

export interface DayClient {
  readonly name: string;
  /** What recognizes it besides the wire. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly system: string;
  readonly isXml?: boolean;
  /** What the client answers a call that it cannot use; missing: no phrase of it is known. */
  readonly rejection?: string;
  readonly wire: DayWire;
}

interface DayWire {
  path(request: DayRequest): string;
  body(request: DayRequest): unknown;
  /** Finds the id of a call in an answer; missing: the wire has none. */
  readonly id?: RegExp;
}

const TOOL = "read_file";
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const args = { path: "a.txt" };
const chatTools = [{ type: "function", function: { name: TOOL, parameters } }];

/** What both kinds of chat clients send before a result. */
const opening = ({ system, user }: DayRequest) => [
  { role: "system", content: system },
  { role: "user", content: user },
];

const CHAT: DayWire = {
  path: () => "/v1/chat/completions",
  id: /"id":"(call_[^"]+)"/,
  body(request) {
    const { model, isStreamed: stream, result } = request;
    const later = result === undefined ? [] : [
      { role: "assistant", content: "" },
      { role: "tool", tool_call_id: result.id, content: result.content },
    ];
    return { model, stream, tools: chatTools, messages: [...opening(request), ...later] };
  },
};

/** A chat whose tools are in the system prompt. */
const text = (client: string): DayWire => ({
  path: () => `/${client}/v1/chat/completions`,
  body(request) {
    const { model, isStreamed: stream, result } = request;
    const later = result === undefined ? [] : [
      { role: "assistant", content: "" },
      { role: "user", content: `[${TOOL} for 'a.txt'] Result:\n${result.content}` },
    ];
    return { model, stream, messages: [...opening(request), ...later] };
  },
});

const ANTHROPIC: DayWire = {
  path: () => "/v1/messages",
  id: /"id":"((?:toolu|call)_[^"]+)"/,
  body({ model, isStreamed: stream, system, user, result }) {
    const later = result === undefined ? [] : [
      { role: "assistant", content: [{ type: "tool_use", id: result.id, name: TOOL, input: args }] },
      {
        role: "user",
        content: [{
          type: "tool_result",
          tool_use_id: result.id,
          content: result.content,
          is_error: result.isError,
        }],
      },
    ];
    const messages = [{ role: "user", content: user }, ...later];
    return {
      model,
      stream,
      system,
      max_tokens: 100,
      messages,
      tools: [{ name: TOOL, input_schema: parameters }],
    };
  },
};

const RESPONSES: DayWire = {
  path: () => "/v1/responses",
  id: /"call_id":"([^"]+)"/,
  body({ model, isStreamed: stream, system: instructions, user, result }) {
    const later = result === undefined ? [] : [
      { type: "function_call", call_id: result.id, name: TOOL, arguments: JSON.stringify(args) },
      { type: "function_call_output", call_id: result.id, output: result.content },
    ];
    const tools = [{ type: "function", name: TOOL, parameters }];
    return { model, stream, instructions, input: [{ role: "user", content: user }, ...later], tools };
  },
};

const OLLAMA: DayWire = {
  path: () => "/api/chat",
  body(request) {
    const { model, isStreamed: stream, result } = request;
    const later = result === undefined ? [] : [
      { role: "assistant", content: "", tool_calls: [{ function: { name: TOOL, arguments: args } }] },
      { role: "tool", tool_name: TOOL, content: result.content },
    ];
    return { model, stream, tools: chatTools, messages: [...opening(request), ...later] };
  },
};

const GEMINI: DayWire = {
  path: ({ model, isStreamed }) =>
    `/v1beta/models/${model}:${isStreamed ? "streamGenerateContent?alt=sse" : "generateContent"}`,
  body({ system, user, result }) {
    const later = result === undefined ? [] : [
      { role: "model", parts: [{ functionCall: { name: TOOL, args } }] },
      {
        role: "user",
        parts: [{
          functionResponse: {
            name: TOOL,
            response: { [result.isError ? "error" : "output"]: result.content },
          },
        }],
      },
    ];
    return {
      systemInstruction: { parts: [{ text: system }] },
      tools: [{ functionDeclarations: [{ name: TOOL, parameters }] }],
      contents: [{ role: "user", parts: [{ text: user }] }, ...later],
    };
  },
};

const system = "You help.";
const MISSING = "Missing value for required parameter 'path'";

export const DAY_CLIENTS: readonly DayClient[] = [
  { name: "openai", system, rejection: MISSING, wire: CHAT },
  { name: "openai", system, rejection: MISSING, wire: RESPONSES },
  { name: "openai", system, rejection: MISSING, wire: OLLAMA },
  { name: "roo", system: SMALL_ROO_PROMPT, isXml: true, rejection: MISSING, wire: text("roo") },
  { name: "cline", system: CLINE_PROMPT, isXml: true, rejection: MISSING, wire: text("cline") },
  {
    name: "claude_code",
    headers: { "user-agent": "claude-cli/2.1.330 (external, cli)" },
    system,
    rejection:
      "<tool_use_error>InputValidationError: Read failed due to the following issue:</tool_use_error>",
    wire: ANTHROPIC,
  },
  {
    name: "codex",
    headers: { "user-agent": "codex_exec/0.169.0 (Debian 12; x86_64)" },
    system,
    rejection: "failed to parse function arguments: missing field `path` at line 1 column 2",
    wire: RESPONSES,
  },
  {
    name: "gemini_cli",
    headers: { "user-agent": "GeminiCLI/0.61.0/m (linux; x64)" },
    system,
    rejection: "params must have required property 'path'",
    wire: GEMINI,
  },
  { name: "copilot_cli", headers: { "x-initiator": "user" }, system, wire: CHAT },
];

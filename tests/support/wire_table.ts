/**
 * The table of wires: every API that clients speak, streamed and whole, with how to ask, and how an answer, its end, an
 * error and a broken connection look. A guarantee is a test that runs on all rows.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IS_THOROUGH } from "./fuzz.ts";
import type { ReadAnswer } from "./read_answer.ts";
import { READERS, WHOLE_READERS } from "./wire_readers.ts";

/** One tool as every wire describes it. */
export interface WireTool {
  readonly name: string;
  readonly description?: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A call that the model made, and its result. */
export interface Answered {
  /** What the model wrote before it. */
  readonly text?: string;
  readonly name: string;
  readonly args: unknown;
  readonly result: string;
}

/** What a client asks. */
export interface WireQuestion {
  readonly task: string;
  readonly system?: string;
  readonly tool?: WireTool | undefined;
  readonly past?: Answered | readonly Answered[] | undefined;
  readonly model?: string;
  /** The tool that has to be called; Ollama's wire has no field for it. */
  readonly named?: string;
}

/** An HTTP request of a wire: its path and its JSON. */
export interface WireRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether the connection broke before the answer's own end. */
  readonly isBroken: boolean;
}

/** What a client makes of an answer. */
export interface WireOutcome extends Omit<ReadAnswer, "isWhole" | "isCut"> {
  readonly status: number;
  /** `cut`: at the token limit; `broken`: the connection broke; `open`: nothing follows, and the client cannot know why. */
  readonly end: "whole" | "cut" | "error" | "broken" | "open";
}

export interface WireRow {
  readonly name: string;
  readonly wire: string;
  readonly isStreamed: boolean;
  request(question: WireQuestion): WireRequest;
  /** Reads an answer as a strict client does; throws where it breaks a rule of the API. */
  read(answer: RawAnswer): WireOutcome;
}

/** A tool for questions that only need one. */
export const TOOL: WireTool = { name: "t", schema: { type: "object" } };

/** A tool, as chat completions and Ollama take it. */
const chatTools = (tool?: WireTool) =>
  tool && [{
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: tool.schema },
  }];

/** The question, as chat completions and Ollama take it. */
const opening = ({ system, task }: WireQuestion) => [
  ...system === undefined ? [] : [{ role: "system", content: system }],
  { role: "user", content: task },
];

/** Wire → its request. Fields that are undefined are not sent. */
const REQUESTS: Readonly<Record<string, (question: WireQuestion, stream: boolean) => WireRequest>> = {
  chat: (question, stream) => ({
    path: "/v1/chat/completions",
    body: {
      model: question.model ?? "m",
      stream,
      tool_choice: question.named === undefined
        ? question.tool && "auto"
        : { type: "function", function: { name: question.named } },
      tools: chatTools(question.tool),
      messages: [
        ...opening(question),
        ...asTurns(question.past, ({ text, name, args, result }, id) => [
          {
            role: "assistant",
            content: text ?? null,
            tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
          },
          { role: "tool", tool_call_id: id, content: result },
        ]),
      ],
    },
  }),
  anthropic: ({ task, system, tool, past, named, model = "m" }, stream) => ({
    path: "/v1/messages",
    body: {
      model,
      max_tokens: 1000,
      stream,
      system,
      tools: tool && [{ name: tool.name, description: tool.description, input_schema: tool.schema }],
      tool_choice: named && { type: "tool", name: named },
      messages: [
        { role: "user", content: task },
        ...asTurns(past, ({ text, name, args, result }, id) => [
          {
            role: "assistant",
            content: [
              ...text === undefined ? [] : [{ type: "text", text }],
              { type: "tool_use", id, name, input: args },
            ],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: result }] },
        ]),
      ],
    },
  }),
  responses: ({ task, system, tool, past, named, model = "m" }, stream) => ({
    path: "/v1/responses",
    body: {
      model,
      stream,
      instructions: system,
      tool_choice: named && { type: "function", name: named },
      tools: tool && [{
        type: "function",
        name: tool.name,
        description: tool.description,
        parameters: tool.schema,
        strict: false,
      }],
      input: [
        { role: "user", content: task },
        ...asTurns(past, ({ text, name, args, result }, id) => [
          ...text === undefined ? [] : [{
            type: "message",
            role: "assistant",
            content: [{ type: "output_text", text, annotations: [] }],
          }],
          { type: "function_call", call_id: id, name, arguments: JSON.stringify(args) },
          { type: "function_call_output", call_id: id, output: result },
        ]),
      ],
    },
  }),
  ollama: (question, stream) => ({
    path: "/api/chat",
    body: {
      model: question.model ?? "m",
      stream,
      tools: chatTools(question.tool),
      messages: [
        ...opening(question),
        ...asTurns(question.past, ({ text = "", name, args, result }) => [
          { role: "assistant", content: text, tool_calls: [{ function: { name, arguments: args } }] },
          { role: "tool", tool_name: name, content: result },
        ]),
      ],
    },
  }),
  gemini: ({ task, system, tool, past, named, model = "m" }, stream) => ({
    path: `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: {
      systemInstruction: system && { parts: [{ text: system }] },
      toolConfig: named && { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [named] } },
      tools: tool && [{
        functionDeclarations: [{
          name: tool.name,
          description: tool.description,
          parametersJsonSchema: tool.schema,
        }],
      }],
      contents: [
        { role: "user", parts: [{ text: task }] },
        ...asTurns(past, ({ text, name, args, result }) => [
          {
            role: "model",
            parts: [...text === undefined ? [] : [{ text }], { functionCall: { name, args } }],
          },
          { role: "user", parts: [{ functionResponse: { name, response: { result } } }] },
        ]),
      ],
    },
  }),
};

function asTurns<T>(past: WireQuestion["past"], write: (past: Answered, id: string) => T[]): T[] {
  const all: readonly Answered[] = past === undefined ? [] : "name" in past ? [past] : past;
  return all.flatMap((answered, at) => write(answered, `c${at + 1}`));
}

/** Wire → the message of an error that comes instead of an answer; throws where its form isn't the wire's own. */
const ERRORS: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
  // An error of the upstream passes as it is.
  chat: ({ error }) => Object(error).message,
  responses({ error, ...others }) {
    const { message, type, code, param, ...more } = Object(error);
    assert.deepEqual([typeof type, typeof code, others, more], ["string", "string", {}, {}]);
    assert.ok(param === null || typeof param === "string", `param is ${param}`);
    return message;
  },
  anthropic({ type, error, ...others }) {
    const { type: kind, message, details: _, ...more } = Object(error);
    assert.deepEqual([type, typeof kind, others, more], ["error", "string", {}, {}]);
    return message;
  },
  ollama({ error, ...others }) {
    assert.deepEqual(others, {});
    return error;
  },
  gemini({ error, ...others }) {
    const { code, message, status, ...more } = Object(error);
    assert.deepEqual([typeof code, typeof status, others, more], ["number", "string", {}, {}]);
    return message;
  },
};

export const WIRES = Object.keys(REQUESTS);

export const WIRE_TABLE: readonly WireRow[] = WIRES.flatMap((wire) =>
  [true, false].map((isStreamed) => ({
    name: `${wire}, ${isStreamed ? "streamed" : "whole"}`,
    wire,
    isStreamed,
    request: (question: WireQuestion) => REQUESTS[wire]!(question, isStreamed),
    read: (answer: RawAnswer) => readAnswer(answer, { wire, isStreamed }),
  }))
);

let turn = 0;

/**
 * The rows for one of many cases: all with all cases; in a short run some of them, as many streamed as whole, which differ from
 * case to case.
 */
export function rowsInTurn(count = 2): readonly WireRow[] {
  if (IS_THOROUGH) return WIRE_TABLE;
  const at = turn++ * 3;
  return Array.from({ length: count }, (_, index) => WIRE_TABLE[(at + 7 * index) % WIRE_TABLE.length]!);
}

export const STREAMED_ROWS = WIRE_TABLE.filter(({ isStreamed }) => isStreamed);

function readAnswer(
  { status, text, isBroken }: RawAnswer,
  { wire, isStreamed }: { readonly wire: string; readonly isStreamed: boolean },
): WireOutcome {
  if (status !== 200) {
    const error = ERRORS[wire]!(JSON.parse(text));
    assert.ok(typeof error === "string" && error !== "", text);
    return { status, end: "error", error, text: "", reasoning: "", calls: [] };
  }
  if (isBroken && !isStreamed) return { status, end: "broken", text: "", reasoning: "", calls: [] };
  // On the chat route, an error as JSON passes although a stream was asked for.
  const readers = isStreamed && !(wire === "chat" && text.startsWith("{")) ? READERS : WHOLE_READERS;
  const { isWhole, isCut, ...answer } = readers[wire]!(text);
  if (answer.error !== undefined) return { ...answer, status, end: "error" };
  if (isWhole) return { ...answer, status, end: isCut ? "cut" : "whole" };
  return { ...answer, status, end: isBroken ? "broken" : "open" };
}

/** Posts the request of a row; gives what its client makes of the answer. */
export async function askRow(
  origin: string,
  { row, question, headers = {} }: {
    readonly row: WireRow;
    readonly question: WireQuestion;
    readonly headers?: Readonly<Record<string, string>>;
  },
): Promise<WireOutcome> {
  const { path, body } = row.request(question);
  const response = await fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return row.read({ status: response.status, ...await readRaw(response) });
}

/** The body of a response, as far as it comes. */
export async function readRaw({ body }: Response): Promise<{ text: string; isBroken: boolean }> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text = "";
  try {
    for await (const bytes of body!) text += decoder.decode(bytes, { stream: true });
  } catch (cause) {
    assert.ok(!(cause instanceof TypeError && cause.message.includes("decod")), "the bytes are UTF-8");
    return { text, isBroken: true };
  }
  return { text: text + decoder.decode(), isBroken: false };
}

/** Runs a check on rows at the same time; names those on which it fails. */
export async function onRows(
  rows: readonly WireRow[],
  check: (row: WireRow) => Promise<void>,
): Promise<void> {
  const results = await Promise.allSettled(rows.map((row) => check(row)));
  const failures = results.flatMap((result, at) =>
    result.status === "rejected" ? [`${rows[at]!.name}: ${result.reason?.message ?? result.reason}`] : []
  );
  assert.ok(failures.length === 0, failures.join("\n\n"));
}

/** A request with the id of its only call, also of Gemini's and Ollama's clients, which needn't send it. */
export function withCallId(body: unknown, id: string): Record<string, unknown> {
  const json = JSON.stringify(body).replaceAll(/"c\d+"/g, JSON.stringify(id));
  const own = `"id":${JSON.stringify(id)},`;
  return JSON.parse(
    json.replaceAll('{"name":"t","args"', `{${own}"name":"t","args"`)
      .replaceAll('{"name":"t","response"', `{${own}"name":"t","response"`)
      .replaceAll('{"function":{"name":"t","arguments"', `{${own}"function":{"name":"t","arguments"`)
      .replaceAll('"tool_name":"t"', `"tool_name":"t","tool_call_id":${JSON.stringify(id)}`),
  );
}

/**
 * Answers with tool calls of the upstream's own, as real servers send them and as odd ones do.
 *
 * @module
 */
import type { ChoiceDelta } from "../../src/chat/message/chunk.ts";
import { FILE_CONTENT, FILE_PATH } from "./written_file.ts";

/** The arguments of the call that writes the nasty file. */
export const FILE_ARGUMENTS = JSON.stringify({ path: FILE_PATH, content: FILE_CONTENT });

export interface NativeAnswer {
  readonly stream: string;
  readonly body: string;
}

const IDENTITY = { id: "chatcmpl-native", created: 1700000000, model: "m" };
const DONE = "data: [DONE]\n\n";

/** A text in pieces of 3 to 8 UTF-16 units; `isTorn`: also inside a character. */
export function inPieces(text: string, isTorn = false): string[] {
  const pieces: string[] = [];
  for (let at = 0, count = 0; at < text.length; count++) {
    let end = Math.min(text.length, at + 3 + (count * 5) % 6);
    if (!isTorn && !text.slice(at, end).isWellFormed()) end++;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

export function chunkOf(
  delta: unknown,
  finish: string | null = null,
  more: Record<string, unknown> = {},
): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return `data: ${JSON.stringify({ ...IDENTITY, object: "chat.completion.chunk", choices, ...more })}\n\n`;
}

export function streamOf(
  deltas: readonly unknown[],
  { finish = "tool_calls", after = DONE, ...more }: {
    finish?: string | null;
    after?: string;
    usage?: unknown;
  } = {},
): string {
  const end = finish === null ? "" : chunkOf({}, finish, more);
  return deltas.map((delta) => chunkOf(delta)).join("") + end + after;
}

/** A whole answer. */
export function bodyOf(message: Record<string, unknown>, finish: string | null = "tool_calls"): string {
  const choices = [{
    index: 0,
    message: { role: "assistant", ...message },
    logprobs: null,
    finish_reason: finish,
  }];
  return JSON.stringify({ ...IDENTITY, object: "chat.completion", choices, usage: { total_tokens: 3 } });
}

export function head(more: Record<string, unknown> = {}, called: Record<string, unknown> = {}): unknown {
  const own = { name: "write_file", arguments: "", ...called };
  return { tool_calls: [{ index: 0, id: "call_a", type: "function", function: own, ...more }] };
}

export function fragment(json: unknown, more: Record<string, unknown> = {}): unknown {
  return { tool_calls: [{ index: 0, function: { arguments: json }, ...more }] };
}

const ROLE = { role: "assistant", content: null };
const PIECES = inPieces(FILE_ARGUMENTS);
const FRAGMENTS = PIECES.map((json) => fragment(json));

function whole(
  more: Record<string, unknown> = {},
  called: Record<string, unknown> = {},
): Record<string, unknown> {
  const own = { name: "write_file", arguments: FILE_ARGUMENTS, ...called };
  const call = { id: "call_a", type: "function", function: own, ...more };
  return {
    content: null,
    tool_calls: [Object.fromEntries(Object.entries(call).filter(([, v]) => v !== undefined))],
  };
}

/** Server → its clean answer: the nasty file is written. */
export const CLEAN: Readonly<Record<string, NativeAnswer>> = {
  "OpenAI": {
    stream: chunkOf({ ...ROLE, refusal: null }) + chunkOf(head()) +
      FRAGMENTS.map((each) => chunkOf(each)).join("") +
      chunkOf({}, "tool_calls") + chunkOf({}, null, { choices: [], usage: { total_tokens: 3 } }) + DONE,
    body: bodyOf({ ...whole(), refusal: null }),
  },
  "vLLM": {
    stream: streamOf([
      { role: "assistant", content: "" },
      { content: "I'll write it." },
      { reasoning_content: "hm" },
      head({}, { arguments: undefined }),
      ...PIECES.map((json) => fragment(json, { id: null, type: null })),
      fragment(""),
    ]),
    body: bodyOf({ ...whole(), reasoning_content: null }),
  },
  "Ollama": {
    stream: streamOf([{
      role: "assistant",
      content: "",
      ...head({}, { arguments: FILE_ARGUMENTS }) as object,
    }]),
    body: bodyOf({ ...whole({ index: 0 }), content: "" }),
  },
  "DeepSeek": {
    stream: ": keep-alive\n\n" +
      streamOf([{ role: "assistant", content: "" }, head(), ...FRAGMENTS], {
        finish: null,
        after: chunkOf({ content: "" }, "tool_calls", { usage: { total_tokens: 3 } }) + DONE,
      }),
    body: bodyOf(whole()),
  },
  "spaced JSON, token by token": {
    stream: streamOf([
      ROLE,
      head(),
      ...Array.from(
        JSON.stringify(
          { path: FILE_PATH, content: FILE_CONTENT, n: [1, -2.5e3, true, null], o: {} },
          null,
          2,
        ),
        (json) => fragment(json),
      ),
    ]),
    body: bodyOf(whole({}, { arguments: `${JSON.stringify(JSON.parse(FILE_ARGUMENTS), null, 2)}\n` })),
  },
};

const nearly = `{'path': ${JSON.stringify(FILE_PATH)}, content: ${JSON.stringify(FILE_CONTENT)},}`;
const torn = inPieces(FILE_ARGUMENTS, true).map((json) => fragment(json));
const legacyPieces = PIECES.map((json) => ({ function_call: { arguments: json } }));

function pair(
  deltas: readonly unknown[],
  message: Record<string, unknown>,
  finish = "tool_calls",
): NativeAnswer {
  return { stream: streamOf(deltas, { finish }), body: bodyOf(message, finish) };
}

/** What odd servers do → an answer that writes the nasty file even so. */
export const QUIRKS: Readonly<Record<string, NativeAnswer>> = {
  "finish stop": pair([ROLE, head(), ...FRAGMENTS], whole(), "stop"),
  "id missing": pair([ROLE, head({ id: undefined }), ...FRAGMENTS], whole({ id: undefined })),
  "id empty": pair(
    [ROLE, head({ id: "" }), ...PIECES.map((j) => fragment(j, { id: "" }))],
    whole({ id: "" }),
  ),
  "id only in the last fragment": pair(
    [ROLE, head({ id: undefined }), ...FRAGMENTS, fragment("", { id: "call_late" })],
    whole(),
  ),
  "id another in each fragment": pair(
    [ROLE, head(), ...PIECES.map((json, count) => fragment(json, { id: `call_${count}` }))],
    whole(),
  ),
  "index missing": pair([
    ROLE,
    head({ index: undefined }),
    ...PIECES.map((j) => fragment(j, { index: undefined })),
  ], { ...whole() }),
  "index from 1": pair([ROLE, head({ index: 1 }), ...PIECES.map((j) => fragment(j, { index: 1 }))], whole()),
  "type missing": pair([ROLE, head({ type: undefined }), ...FRAGMENTS], whole({ type: undefined })),
  "role missing": pair([head(), ...FRAGMENTS], { ...whole(), role: undefined }),
  "role in every delta": pair(
    [head(), ...FRAGMENTS].map((d) => ({ ...d as object, role: "assistant" })),
    whole(),
  ),
  "name in every fragment": pair(
    [ROLE, ...PIECES.map((json) => head({}, { arguments: json }))],
    whole(),
  ),
  "fragments torn inside characters": pair([ROLE, head(), ...torn], whole()),
  "arguments an object": pair(
    [ROLE, head({}, { arguments: JSON.parse(FILE_ARGUMENTS) })],
    whole({}, { arguments: JSON.parse(FILE_ARGUMENTS) }),
  ),
  "arguments encoded twice": pair(
    [ROLE, head(), ...inPieces(JSON.stringify(FILE_ARGUMENTS)).map((json) => fragment(json))],
    whole({}, { arguments: JSON.stringify(FILE_ARGUMENTS) }),
  ),
  "arguments nearly JSON": pair(
    [ROLE, head(), ...inPieces(nearly).map((json) => fragment(json))],
    whole({}, { arguments: nearly }),
  ),
  "trailing comma, token by token": pair(
    [ROLE, head(), ...Array.from(`${FILE_ARGUMENTS.slice(0, -1)}, }`, (json) => fragment(json))],
    whole({}, { arguments: `${FILE_ARGUMENTS.slice(0, -1)}, }` }),
  ),
  "last brace missing": pair(
    [ROLE, head(), ...inPieces(FILE_ARGUMENTS.slice(0, -1)).map((json) => fragment(json))],
    whole({}, { arguments: FILE_ARGUMENTS.slice(0, -1) }),
  ),
  "empty list of calls": pair(
    [{ ...ROLE, tool_calls: [] }, head(), ...FRAGMENTS, { content: "", tool_calls: [] }],
    whole(),
  ),
  "function_call": pair(
    [ROLE, { function_call: { name: "write_file", arguments: "" } }, ...legacyPieces],
    { content: null, function_call: { name: "write_file", arguments: FILE_ARGUMENTS } },
    "function_call",
  ),
  "finish twice": {
    stream: streamOf([ROLE, head(), ...FRAGMENTS], { after: chunkOf({}, "stop") + DONE }),
    body: bodyOf(whole()),
  },
  "no [DONE]": { stream: streamOf([ROLE, head(), ...FRAGMENTS], { after: "" }), body: bodyOf(whole()) },
  "usage unasked": {
    stream: streamOf([ROLE, head(), ...FRAGMENTS], {
      after: chunkOf({}, null, { choices: [], usage: { total_tokens: 3 } }) + DONE,
    }),
    body: bodyOf(whole()),
  },
  "heartbeats and content after the call": {
    stream: ": ping\n\n" + streamOf([ROLE, head(), ...FRAGMENTS, { content: "Written." }]),
    body: bodyOf({ ...whole(), content: "Written." }),
  },
  "the call leaks as text too": pair(
    [
      ROLE,
      ...inPieces(`<tool_call>\n{"name": "write_file", "arguments": ${FILE_ARGUMENTS}}\n</tool_call>`)
        .map((content) => ({ content })),
      head(),
      ...FRAGMENTS,
    ],
    {
      ...whole(),
      content: `<tool_call>\n{"name": "write_file", "arguments": ${FILE_ARGUMENTS}}\n</tool_call>`,
    },
  ),
};

/** The head or the fragments of the second call. */
function second(index: number | undefined, id: string | undefined): unknown[] {
  const json = JSON.stringify({ path: "b", content: "b" });
  return [head({ index, id }), ...inPieces(json).map((piece) => fragment(piece, { index }))];
}

function two(index: readonly (number | undefined)[], id: readonly (string | undefined)[]): NativeAnswer {
  const called = (json: string) => ({ name: "write_file", arguments: json });
  const contents = [FILE_ARGUMENTS, JSON.stringify({ path: "b", content: "b" })];
  return pair([
    ROLE,
    head({ index: index[0], id: id[0] }),
    ...PIECES.map((piece) => fragment(piece, { index: index[0] })),
    ...second(index[1], id[1]),
  ], {
    content: null,
    tool_calls: contents.map((json, count) => ({ id: id[count], type: "function", function: called(json) })),
  });
}

/** How odd servers tell two calls apart → an answer that writes the nasty file and a second one. */
export const TWO_CALLS: Readonly<Record<string, NativeAnswer>> = {
  "clean": two([0, 1], ["a", "b"]),
  "one id for both": two([0, 1], ["a", "a"]),
  "every index 0": two([0, 0], ["a", "b"]),
  "every index 0 and no id": two([0, 0], [undefined, undefined]),
  "no index": two([undefined, undefined], ["a", "b"]),
  "no index and empty ids": two([undefined, undefined], ["", ""]),
  "index from 1": two([1, 2], ["a", "b"]),
};

export interface WrittenCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** The deltas of calls that a server makes at once: their fragments take turns. */
export function parallelDeltas(calls: readonly WrittenCall[]): ChoiceDelta[] {
  const pieces = calls.map((call) => inPieces(JSON.stringify(call.arguments)));
  const heads = calls.map(({ name }, index) => head({ index, id: `call_parallel_${index}` }, { name }));
  const rounds = Array.from(
    { length: Math.max(...pieces.map((list) => list.length)) },
    (_, at) => pieces.flatMap((list, index) => list[at] === undefined ? [] : [fragment(list[at], { index })]),
  );
  return [...heads, ...rounds.flat()] as ChoiceDelta[];
}

/** The deltas of calls that a server makes at once and tells apart by their ids alone, under one index or none. */
export function parallelDeltasById(calls: readonly WrittenCall[], index: number | undefined): ChoiceDelta[] {
  return parallelDeltas(calls).map((delta) => ({
    tool_calls: delta.tool_calls?.map((call) => ({ ...call, id: `call_parallel_${call.index}`, index })),
  })) as ChoiceDelta[];
}

/** An answer with calls that a server makes at once. */
export function parallelCalls(
  calls: readonly WrittenCall[],
  content: string | null = null,
  deltas: readonly ChoiceDelta[] = parallelDeltas(calls),
): NativeAnswer {
  const tool_calls = calls.map((call, index) => ({
    id: `call_parallel_${index}`,
    type: "function",
    function: { ...call, arguments: JSON.stringify(call.arguments) },
  }));
  return {
    stream: streamOf([{ role: "assistant", content }, ...deltas]),
    body: bodyOf({ content, tool_calls }),
  };
}

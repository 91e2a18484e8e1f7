/** Formats an answer for the demo, streamed or not. @module */
import { contentText, readChunk, readCompletion } from "../chat/message/read.ts";
import type { ToolCall } from "../chat/message/chunk.ts";
import { parseJson } from "../engine/object/parse.ts";
import { isRecord } from "../engine/object/record.ts";
import { SseDecoder } from "../chat/sse/decode.ts";
import { readStream } from "../analysis/replay/recorded.ts";

export interface DemoAnswer {
  readonly text: string;
  /** The calls: name and raw arguments. */
  readonly calls: readonly string[];
  readonly finishReason: string | null;
  /** The raw deltas of a stream that contain calls. */
  readonly deltas: readonly string[];
}

export function readAnswer(body: string, { isStream }: { readonly isStream: boolean }): DemoAnswer {
  if (isStream) {
    const { content, calls, finishReason } = readStream(body);
    const called = calls.map((call) => `${call.name} ${call.arguments}`);
    return { text: content ?? "", calls: called, finishReason, deltas: callDeltas(body) };
  }
  const { message, finish_reason: finishReason = null } = readCompletion(body)?.choices[0] ?? {};
  const calls = (message?.tool_calls ?? []).map(({ function: called }: ToolCall) =>
    `${called?.name} ${called?.arguments}`
  );
  return { text: contentText(message?.content) ?? "", calls, finishReason, deltas: [] };
}

/** The keys under which the wires' whole answers have a call's name and its arguments. */
const WIRE_CALLS: readonly (readonly [name: string, input: string])[] = [
  ["name", "input"],
  ["name", "arguments"],
  ["name", "args"],
];

/** Where the wires' whole answers have the reason of their end. */
const WIRE_ENDS: readonly string[] = ["stop_reason", "done_reason", "finishReason", "status"];

/** Reads the body of a whole answer on another wire than chat completions: its texts, its calls, and why it ended. */
export function readWireAnswer(body: string): DemoAnswer {
  const parts = recordsOf(parseJson(body));
  const calls = parts.flatMap((part) =>
    WIRE_CALLS.flatMap(([name, input]) =>
      typeof part[name] === "string" && part[input] !== undefined
        ? [`${part[name]} ${typeof part[input] === "string" ? part[input] : JSON.stringify(part[input])}`]
        : []
    )
  );
  const texts = parts.flatMap(({ text, content }) =>
    [text, content].filter((one) => typeof one === "string" && one !== "")
  );
  const ends = WIRE_ENDS.flatMap((key) =>
    parts.map((part) => part[key]).filter((one) => typeof one === "string")
  );
  return { text: texts.join(""), calls, finishReason: ends[0] ?? null, deltas: [] };
}

/** A value's mappings, from the outside in, except for what tools take. */
function recordsOf(value: unknown): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(recordsOf);
  if (!isRecord(value)) return [];
  const inner = Object.entries(value).filter(([key]) =>
    !["input", "arguments", "args", "tools"].includes(key)
  );
  return [value, ...inner.flatMap(([, one]) => recordsOf(one))];
}

export function printAnswer({ title, model, before, after }: {
  readonly title: string;
  readonly model: string;
  readonly before: DemoAnswer;
  readonly after: DemoAnswer;
}, { isTerminal }: { readonly isTerminal: boolean }): string {
  const strong = (text: string) => isTerminal ? `\x1b[1m${text}\x1b[0m` : text;
  return [
    "",
    strong(title),
    `  the model ${model} printed`,
    ...framed(before.text),
    "  the client gets",
    ...framed(after.text),
    ...after.calls.map((call) => `    ├ call ${call}`),
    ...(after.deltas.length === 0 ? [] : ["    ├ in these deltas:"]),
    ...shortened(after.deltas).map((delta) => `    │   ${delta}`),
    `    └ finish_reason ${after.finishReason}`,
    "",
  ].join("\n");
}

function framed(text: string): string[] {
  return text === "" ? [] : text.trimEnd().split("\n").map((line) => `    │ ${line}`.trimEnd());
}

const DELTAS_SHOWN = 5;

function shortened(deltas: readonly string[]): string[] {
  if (deltas.length <= DELTAS_SHOWN) return [...deltas];
  const left = deltas.length - DELTAS_SHOWN + 1;
  return [...deltas.slice(0, DELTAS_SHOWN - 2), `… ${left} more …`, ...deltas.slice(-1)];
}

/** The deltas of a stream that contain calls, shortened: all of them have the same index. */
function callDeltas(body: string): string[] {
  return new SseDecoder().push(new TextEncoder().encode(body)).flatMap(({ data }) => {
    const calls = data === undefined ? undefined : readChunk(data)?.choices[0]?.delta?.tool_calls;
    return calls?.length ? [JSON.stringify({ tool_calls: calls })] : [];
  });
}

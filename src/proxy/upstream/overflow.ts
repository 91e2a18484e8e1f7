/**
 * Recognizes the error of a server for a prompt that is longer than its context, and words it so that agents compact the
 * conversation instead of giving up. Each server has its own words, and no agent knows those of all servers.
 *
 *     "request (9120 tokens) exceeds the available context size (8192 tokens), try increasing it"
 *         ─▶ 400 context_length_exceeded "prompt is too long: 9120 tokens > 8192 maximum. …"
 *
 * @module
 */
import { type ApiError, errorOf } from "../../chat/message/error.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { OVERFLOW_CODE, overflowMessage } from "../../wires/overflow.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { drop, errorAnswer, readError } from "./error_text.ts";
import overflows from "./profiles/overflows.json" with { type: "json" };
import type { UpstreamAnswer } from "./upstream.ts";

/** How many tokens the prompt has, and how many the context, as far as they are known. */
interface Overflow {
  readonly tokens?: number | undefined;
  readonly context?: number | undefined;
}

interface OverflowText {
  /** Words of the error, with `{tokens}` and `{context}` for the numbers, and `…` for any text. */
  readonly text: string;
  /** The only server that means it so. */
  readonly server?: string;
  readonly source: string;
}

export const OVERFLOW_TEXTS: readonly OverflowText[] = overflows;

/** What an error's message states of a prompt that is too long; undefined if it is about something else. */
function overflowIn(message: string, server?: string): Overflow | undefined {
  for (const known of OVERFLOW_TEXTS) {
    if (known.server !== undefined && known.server !== server) continue;
    const found = readWords(message, known.text);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function overflowError(overflow: Overflow): ApiError {
  return {
    message: overflowMessage(overflow),
    type: "invalid_request_error",
    param: "messages",
    code: OVERFLOW_CODE,
  };
}

interface OverflowWording {
  /** The name of the server's profile. */
  readonly server: string | undefined;
  readonly context: number | undefined;
  readonly note: (note: NoteEvent) => void;
  /** Takes the size that the error states. */
  readonly learn: (context: number) => void;
}

/** The error for agents in the place of a server's; undefined if it is about something else. */
export function rewordOverflow(
  { message, code }: Pick<ApiError, "message"> & Partial<ApiError>,
  { server, context, note, learn }: OverflowWording,
): ApiError | undefined {
  const found = overflowIn(message, server) ?? (code === OVERFLOW_CODE ? {} : undefined);
  if (found === undefined) return undefined;
  if (found.context !== undefined) learn(found.context);
  const detail = message.slice(0, DETAIL_LENGTH_MAX);
  note({ kind: "note", reason: "prompt_too_long", rule: "overflow", start: 0, end: 0, detail });
  return overflowError({ ...found, context: found.context ?? context });
}

const DETAIL_LENGTH_MAX = 300;

/** The same answer, or another error in the place of its own. */
export async function rewordAnswer(answered: UpstreamAnswer, { limits, reword }: {
  readonly limits: ReadLimits;
  readonly reword: (error: Pick<ApiError, "message"> & Partial<ApiError>) => ApiError | undefined;
}): Promise<UpstreamAnswer> {
  if (answered.response.status < 400) return answered;
  const { text, message, same } = await readError(answered, limits);
  const error = reword({ ...errorOf(text), message });
  if (error === undefined) return same;
  await drop(same);
  return { ...same, response: errorAnswer(400, error) };
}

const NUMBERS: Readonly<Record<string, keyof Overflow>> = { "{tokens}": "tokens", "{context}": "context" };

/** The numbers in a message that has all words of a text in their order; undefined if it hasn't. */
function readWords(message: string, text: string): Overflow | undefined {
  const [first = "", ...rest] = text.split(/(\{tokens\}|\{context\}|…)/);
  for (let start = message.indexOf(first); start >= 0; start = message.indexOf(first, start + 1)) {
    const found = readRest(message.slice(start + first.length), rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

function readRest(message: string, parts: readonly string[]): Overflow | undefined {
  const found: { tokens?: number; context?: number } = {};
  let left = message;
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [hole = "", words = ""] = [parts[at], parts[at + 1]];
    const end = words === "" ? left.length : left.indexOf(words);
    if (end < 0) return undefined;
    const number = NUMBERS[hole];
    if (number !== undefined) {
      const digits = /^[\d,]{1,15}/.exec(left)?.[0] ?? "";
      if (digits === "" || (words !== "" && digits.length !== end)) return undefined;
      found[number] = Number(digits.replaceAll(",", ""));
    }
    left = left.slice(end + words.length);
  }
  return found;
}

/**
 * Writes an answer of Gemini's generateContent. Calls are sent whole. A call that broke off becomes text, because Gemini
 * CLI shows no message after `MAX_TOKENS`, and asks again after `MALFORMED_FUNCTION_CALL`.
 *
 * @see https://ai.google.dev/api/generate-content#generatecontentresponse
 * @module
 */
import {
  cutCallText,
  type FinishReason,
  type TokenCounts,
  type WholeAnswer,
  type WireCall,
  type WireEvent,
} from "../event.ts";
import type { ApiError } from "../../chat/message/error.ts";
import { googleWords } from "../overflow.ts";
import type { AnswerIdentity, JsonObject, WireWriter } from "../wire.ts";

/** The finish reason in Gemini's words. An answer with calls ends like any other. */
const REASONS: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

interface GeminiAnswer {
  readonly model: string;
  readonly identity: AnswerIdentity;
}

export class GeminiWriter implements WireWriter {
  readonly #answer: GeminiAnswer;
  #isCut = false;

  constructor(answer: GeminiAnswer) {
    this.#answer = answer;
  }

  begin(): string {
    return "";
  }

  /** A blank line, because clients skip those, but not comments. */
  beat(): string {
    return "\n";
  }

  push(event: WireEvent): string {
    switch (event.kind) {
      case "text":
        return this.#parts([{ text: event.text }]);
      case "reasoning":
        return this.#parts([{ text: event.text, thought: true }]);
      case "call_end":
        return this.#parts([callPart(event)]);
      case "call_abort":
        this.#isCut = true;
        return this.#parts([{ text: cutCallText(event.tool, event.json) }]);
      case "finish":
        return encode(chunkOf(this.#answer, { parts: [], isCut: this.#isCut, ...event }));
      case "error":
        return encode(failureOf(event.error));
      default:
        return "";
    }
  }

  #parts(parts: readonly JsonObject[]): string {
    return encode(chunkOf(this.#answer, { parts }));
  }
}

export function writeGeminiAnswer({ parts, reason, usage }: WholeAnswer, answer: GeminiAnswer): JsonObject {
  const written = parts.flatMap((part): JsonObject[] => {
    if (part.kind === "text") return [{ text: part.text }];
    if (part.kind === "reasoning") return [{ text: part.text, thought: true }];
    return [part.isWhole ? callPart(part) : { text: cutCallText(part.tool, part.json) }];
  });
  const isCut = parts.some((part) => part.kind === "call" && !part.isWhole);
  return chunkOf(answer, { parts: written, isCut, reason, usage });
}

export function errorOf(code: number, message: string): JsonObject {
  return { error: { code, message, status: STATUSES[code] ?? "INTERNAL" } };
}

function failureOf(error: ApiError): JsonObject {
  const overflow = googleWords(error);
  return overflow === undefined ? errorOf(502, error.message) : errorOf(400, overflow);
}

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function callPart({ id, tool, json }: Omit<WireCall, "call">): JsonObject {
  return { functionCall: { id, name: tool, args: JSON.parse(json) } };
}

/** Google's SDK drops a turn from its history if a chunk of it has no part, so the last chunk has an empty text. */
const NOTHING: readonly JsonObject[] = [{ text: "" }];

interface Chunk {
  readonly parts: readonly JsonObject[];
  readonly isCut?: boolean;
  readonly reason?: FinishReason;
  readonly usage?: TokenCounts | undefined;
}

function chunkOf(
  { model, identity }: GeminiAnswer,
  { parts, isCut = false, reason, usage }: Chunk,
): JsonObject {
  const finishReason = reason !== undefined && isCut && reason !== "length"
    ? "MALFORMED_FUNCTION_CALL"
    : reason && REASONS[reason];
  const candidate = {
    index: 0,
    content: { role: "model", parts: parts.length === 0 ? NOTHING : parts },
    ...(finishReason ? { finishReason } : {}),
  };
  const counts = usage === undefined ? {} : { usageMetadata: countsOf(usage) };
  return { candidates: [candidate], ...counts, modelVersion: model, responseId: identity.id };
}

function countsOf({ prompt, completion, cached, reasoning }: TokenCounts): JsonObject {
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: completion - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cached,
    totalTokenCount: prompt + completion,
  };
}

function encode(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

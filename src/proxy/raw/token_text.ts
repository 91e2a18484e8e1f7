/**
 * Reads the model's own text from the tokens that a whole answer shows next to it, for servers whose parser takes text out of
 * every answer:
 *
 *     {"content": "I look", "logprobs": [{"token": "I"}, {"token": "Ġlook"}, {"token": "<tool_call>"}, …]}
 *       ─▶ "I look<tool_call>…" ─▶ read as always
 *
 * @module
 */
import { contentText, readCompletion, reasoningText } from "../../chat/message/read.ts";
import type { CompletionChoice } from "../../chat/message/chunk.ts";
import { singleChunk } from "../../chat/message/single_chunk.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";
import { isRecord } from "../../engine/object/record.ts";
import { type ReadLimits, timedReads } from "../exchange/deadline.ts";
import { readWhole } from "../transport/body.ts";
import { convertBody } from "../upstream/converted.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";

interface TokenReading {
  readonly isStreamed: boolean;
  readonly stops: readonly string[];
  readonly limits: ReadLimits;
  readonly bytesMax: number;
}

/** An answer with the text of its tokens; one that isn't an answer, or whose tokens can't be read, stays. */
export function fromTokens(answered: UpstreamAnswer, reading: TokenReading): UpstreamAnswer {
  const { isStreamed, limits, bytesMax } = reading;
  const whole = (body: ReadableStream<Uint8Array>) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const bytes = await readWhole(body, { bytesMax, ...timedReads(answered.deadline, limits) });
        const text = readTokens(new TextDecoder().decode(bytes), reading);
        const chunk = isStreamed ? singleChunk(text) : undefined;
        controller.enqueue(
          new TextEncoder().encode(chunk === undefined ? text : encodeMessage(chunk) + DONE),
        );
        controller.close();
      },
    }, { highWaterMark: 0 });
  return convertBody(answered, whole, isStreamed ? "text/event-stream" : "application/json");
}

/** The JSON of an answer with the text of its tokens. */
export function readTokens(body: string, { stops }: Pick<TokenReading, "stops">): string {
  const completion = readCompletion(body);
  if (completion === undefined) return body;
  const choices = completion.choices.map((choice) => withOwnText(choice, stops));
  return choices.includes(undefined) ? body : JSON.stringify({ ...completion, choices });
}

/** A choice with what its model wrote, and without calls; undefined if its tokens don't tell. */
function withOwnText(choice: CompletionChoice, stops: readonly string[]): CompletionChoice | undefined {
  const { logprobs, finish_reason: finish, message, ...rest } = choice;
  const tokens = tokensOf(logprobs);
  if (tokens === undefined) return undefined;
  const isCut = finish === "length";
  const text = untilStop(textOfTokens(tokens), stops) ?? textOfTokens(isCut ? tokens : tokens.slice(0, -1));
  const shown = contentText(message?.content) ?? "";
  // What the server shows is the same text with parts left out.
  if (!isPartOf(shown, text)) return undefined;
  const reasoning = reasoningText(message ?? {}) ?? "";
  return {
    ...rest,
    message: { role: "assistant", ...splitAt(text, reasoning) },
    finish_reason: isCut ? finish : "stop",
  };
}

function tokensOf(logprobs: unknown): readonly string[] | undefined {
  const content = isRecord(logprobs) ? logprobs.content : undefined;
  if (!Array.isArray(content)) return undefined;
  const tokens = content.map((entry) => isRecord(entry) ? entry.token : undefined);
  return tokens.every((token) => typeof token === "string") ? tokens : undefined;
}

function untilStop(text: string, stops: readonly string[]): string | undefined {
  const found = stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return found.length === 0 ? undefined : text.slice(0, Math.min(...found));
}

/** Whether all characters of one text are in another one, in the same order. */
function isPartOf(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** How marks begin that end reasoning, and their last characters. */
const CLOSERS: readonly (readonly [start: string, end: string])[] = [["</", ">"], ["[/", "]"]];

/** The text after the reasoning that the server shows apart; the whole text if that doesn't end with its mark. */
function splitAt(text: string, reasoning: string): { content: string; reasoning_content?: string } {
  const from = reasoning === "" ? -1 : text.indexOf(reasoning);
  if (from < 0) return { content: text };
  const rest = text.slice(from + reasoning.length).trimStart();
  const [_, end] = CLOSERS.find(([start]) => rest.startsWith(start)) ?? [];
  if (end === undefined || !rest.includes(end)) return { content: text };
  return { content: rest.slice(rest.indexOf(end) + 1), reasoning_content: reasoning };
}

/** Vocabularies of pieces of sentences write a space as this character, and other bytes as `<0x0A>`. */
const SPACE = "▁";

const BYTE = /^<0x([\dA-F]{2})>$/;

/** The text of tokens as vocabularies spell them: of bytes (`Ġlook`), or of pieces of sentences (`▁look`). */
export function textOfTokens(tokens: readonly string[]): string {
  const isOfSentences = tokens.some((token) => token.startsWith(SPACE) || BYTE.test(token));
  const bytes = tokens.flatMap((token) => [...isOfSentences ? pieceBytes(token) : spelledBytes(token)]);
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
  return isOfSentences && text.startsWith(" ") ? text.slice(1) : text;
}

const ENCODER = new TextEncoder();

function pieceBytes(token: string): Iterable<number> {
  const [_, code] = BYTE.exec(token) ?? [];
  if (code !== undefined) return [parseInt(code, 16)];
  // A token of its own, such as a mark, is spelled as it is.
  return ENCODER.encode(token.startsWith("<") ? token : token.replaceAll(SPACE, " "));
}

/** A token of bytes; one with another character is a mark, which is spelled as it is. */
function spelledBytes(token: string): Iterable<number> {
  const bytes = [...token].map((character) => BYTE_OF.get(character));
  return bytes.includes(undefined) ? ENCODER.encode(token) : bytes as number[];
}

/** Character → byte, as GPT-2's vocabulary spells bytes: printable ones as they are, the others from U+0100 on. */
const BYTE_OF: ReadonlyMap<string, number> = byteAlphabet();

function byteAlphabet(): ReadonlyMap<string, number> {
  const isPrintable = (byte: number) =>
    (byte > 0x20 && byte < 0x7F) || (byte > 0xA0 && byte !== 0xAD && byte <= 0xFF);
  let others = 0;
  return new Map(
    Array.from({ length: 256 }, (_, byte) => [
      String.fromCharCode(isPrintable(byte) ? byte : 0x100 + others++),
      byte,
    ]),
  );
}

/**
 * Holds the bytes of an event until it is whole, so that an answer that breaks inside one ends before it:
 *
 *     upstream   data: {"a":1}⏎⏎data: {"a"      broken
 *     client     data: {"a":1}⏎⏎                an error event
 *
 * The bytes stay the same, also those that aren't UTF-8. An event over the decoder's limit passes in pieces.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { parseJson } from "../../engine/object/parse.ts";
import { SseDecoder, type SseMessage } from "./decode.ts";

/** How one event ends, as Latin-1. */
const BLANK_LINE = /(?:\n\n|\r\n\r\n)$/;

/** What an event that may have an error is replaced by; undefined: it stays. */
type ReplaceError = (data: string, event: string | undefined) => string | undefined;

/** What every error has: its field, or its event's name. */
const ERROR = /"error"|event: ?error/;

export class WholeEvents {
  readonly #decoder: SseDecoder;
  readonly #replaceError: ReplaceError | undefined;

  /** @param options `messageLengthMax` in bytes; a longer event passes in pieces */
  constructor({ replaceError, ...options }: {
    readonly messageLengthMax?: number;
    readonly replaceError?: ReplaceError | undefined;
  } = {}) {
    this.#decoder = new SseDecoder(options);
    this.#replaceError = replaceError;
  }

  /** Takes the next bytes and gives those that can be sent; the caller can reuse what it gave. */
  push(bytes: Uint8Array): Uint8Array {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    // Mostly, a piece is one event or several.
    const isKept = this.#replaceError === undefined || !ERROR.test(text);
    if (isKept && this.#decoder.isBetween && BLANK_LINE.test(text.slice(-4))) return bytes.slice();
    return this.#joined(this.#decoder.read(text));
  }

  /** What is left when the stream is over; undefined if it ended inside an event. */
  end(): Uint8Array | undefined {
    const messages = this.#decoder.end();
    return isHalf(messages.at(-1)) ? undefined : this.#joined(messages);
  }

  /** What is to be sent when the stream breaks: the open event is dropped, unless a part of it has been sent. */
  breakOff(): Uint8Array {
    return this.#joined(this.#decoder.breakOff());
  }

  #joined(messages: readonly SseMessage[]): Uint8Array {
    return Buffer.from(messages.map((message) => this.#replaced(message) ?? message.raw).join(""), "latin1");
  }

  #replaced({ raw, data, event }: SseMessage): string | undefined {
    if (this.#replaceError === undefined || data === undefined || !ERROR.test(raw)) return undefined;
    const replaced = this.#replaceError(Buffer.from(data, "latin1").toString(), event);
    return replaced && Buffer.from(replaced).toString("latin1");
  }
}

/** Whether the last event of a stream, which has no blank line after it, is cut: it is JSON that isn't over. */
function isHalf(last: SseMessage | undefined): boolean {
  const data = last?.data?.trim() ?? "";
  return /^[[{]/.test(data) && data !== "[DONE]" && parseJson(data) === undefined;
}

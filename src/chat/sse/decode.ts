/**
 * Decodes the bytes of a server-sent event stream, cut anywhere, into messages. Every message keeps its raw text, so that
 * it can be sent unchanged: the `raw` texts of all messages concatenate to the whole stream. The data isn't read here.
 *
 * Bytes that aren't UTF-8 become U+FFFD, as in every client of such a stream.
 *
 * @module
 */
import { present } from "../../engine/object/present.ts";

/** One block of the stream: everything up to a blank line, or a comment. */
export interface SseMessage {
  /** The raw block, with its line ends and its blank line. */
  readonly raw: string;
  /** The values of its `data` fields, joined by newlines; absent if it has none. */
  readonly data?: string;
  /** The value of its last `event` field; absent if it has none. */
  readonly event?: string;
  /** True for every piece of a message that is over the limit; it's passed on without being read. */
  readonly overLimit?: true;
}

/** Decodes bytes that end with a whole character. This is several times faster than a decoder with a state. */
const WHOLE_TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

/** The default limit of a message, in UTF-16 units. */
const MESSAGE_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * Decodes one stream.
 *
 * A line end is LF, CR or CRLF. A CR at the end of a piece is held until the next byte arrives, because it can be half of
 * a CRLF; so the cut of the bytes never changes the messages. A comment between two messages is a heartbeat: it's a
 * message of its own and is sent at once.
 *
 * @example
 * ```ts
 * import { SseDecoder } from "./decode.ts";
 * const messages = new SseDecoder().push(new TextEncoder().encode(": ping\n\ndata: a\ndata: b\n\n"));
 * console.assert(messages.at(-1)?.data === "a\nb");
 * ```
 */
export class SseDecoder {
  readonly #text = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Whether the decoder may hold the first bytes of a character. */
  #isInCharacter = false;
  readonly #lengthMax: number;
  /** A CR whose LF may follow. */
  #carriageReturn = "";
  #isFirstLine = true;
  #isOverLimit = false;
  /** The part of the open message that is in earlier pieces. */
  #raw = "";
  /** The part of its open line. */
  #line = "";
  #data: string | undefined;
  #event: string | undefined;
  #hasFields = false;

  /** Passes a message that is longer than `messageLengthMax`, in UTF-16 units, on in pieces, without reading it. */
  constructor(options: { readonly messageLengthMax?: number } = {}) {
    this.#lengthMax = options.messageLengthMax ?? MESSAGE_LENGTH_MAX;
  }

  /** Reads the next bytes and returns the messages that are now whole. The caller can reuse the bytes. */
  push(bytes: Uint8Array): SseMessage[] {
    return this.read(this.decode(bytes));
  }

  /** The text of the next bytes. */
  decode(bytes: Uint8Array): string {
    const wasInCharacter = this.#isInCharacter;
    // A byte below 0x80 ends every character, so the decoder keeps nothing after it.
    this.#isInCharacter = (bytes.at(-1) ?? 0) >= 0x80 || (wasInCharacter && bytes.length === 0);
    const isWhole = !wasInCharacter && !this.#isInCharacter;
    return isWhole ? WHOLE_TEXT.decode(bytes) : this.#text.decode(bytes, { stream: true });
  }

  /** Reads the next text and returns the messages that are now whole. */
  read(text: string): SseMessage[] {
    return this.#read(text, false);
  }

  /** Whether the next text begins a message. */
  get isBetween(): boolean {
    return this.#raw === "" && this.#line === "" && this.#carriageReturn === "" && !this.#isOverLimit;
  }

  /** Ends the stream and returns the rest, as if a blank line followed. */
  end(): SseMessage[] {
    const messages = this.#read(this.#text.decode(), true);
    if (this.#line !== "") this.#readLine(this.#line);
    if (this.#raw !== "") messages.push(this.#take(this.#raw));
    return messages;
  }

  /** Ends a broken stream: returns the whole messages and drops the open one. */
  breakOff(): SseMessage[] {
    const messages = this.#read("", true);
    // Pieces of a message over the limit have been sent. End it, so that it doesn't run into the next message.
    if (this.#isOverLimit) messages.push({ raw: "\n\n", overLimit: true });
    this.#take("");
    return messages;
  }

  #read(decoded: string, isLast: boolean): SseMessage[] {
    const messages: SseMessage[] = [];
    let piece = this.#carriageReturn + decoded;
    this.#carriageReturn = "";
    if (!isLast && piece.endsWith("\r")) {
      this.#carriageReturn = "\r";
      piece = piece.slice(0, -1);
    }
    const ends = new LineEnds(piece);
    let messageStart = 0;
    let lineStart = 0;
    for (let end = ends.next(0); end; end = ends.next(lineStart)) {
      const line = this.#line + piece.slice(lineStart, end.start);
      this.#line = "";
      lineStart = end.end;
      if (this.#readLine(line)) {
        messages.push(this.#take(this.#raw + piece.slice(messageStart, lineStart)));
        messageStart = lineStart;
      }
    }
    this.#line += piece.slice(lineStart);
    this.#raw += piece.slice(messageStart);
    if (this.#raw.length > this.#lengthMax || this.#isOverLimit) this.#release(messages);
    return messages;
  }

  /** Reads one line; true: it ends the message. */
  #readLine(source: string): boolean {
    const line = this.#isFirstLine && source.startsWith("\uFEFF") ? source.slice(1) : source;
    this.#isFirstLine = false;
    if (line === "") return true;
    if (this.#isOverLimit) return false;
    if (line.startsWith(":")) return !this.#hasFields;
    this.#hasFields = true;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
    if (field === "event") this.#event = value;
    return false;
  }

  #take(raw: string): SseMessage {
    const message: SseMessage = {
      raw,
      ...present({
        data: this.#data,
        event: this.#event,
        overLimit: this.#isOverLimit ? true as const : undefined,
      }),
    };
    this.#raw = "";
    this.#line = "";
    this.#data = undefined;
    this.#event = undefined;
    this.#hasFields = false;
    this.#isOverLimit = false;
    return message;
  }

  /** Passes on an open message that is over the limit. Of its open line, only whether it's empty is kept. */
  #release(messages: SseMessage[]): void {
    if (this.#raw !== "") messages.push({ raw: this.#raw, overLimit: true });
    this.#raw = "";
    this.#line = this.#line.slice(0, 1);
    this.#data = undefined;
    this.#event = undefined;
    this.#hasFields = true;
    this.#isOverLimit = true;
  }
}

/** Finds the line ends of one piece; it reads each character once. */
class LineEnds {
  readonly #piece: string;
  #lineFeed: number;
  #carriageReturn: number;

  constructor(piece: string) {
    this.#piece = piece;
    this.#lineFeed = piece.indexOf("\n");
    this.#carriageReturn = piece.indexOf("\r");
  }

  /** The first line end at or after an offset: the offsets of its start and end. */
  next(from: number): { start: number; end: number } | undefined {
    if (this.#lineFeed >= 0 && this.#lineFeed < from) this.#lineFeed = this.#piece.indexOf("\n", from);
    if (this.#carriageReturn >= 0 && this.#carriageReturn < from) {
      this.#carriageReturn = this.#piece.indexOf("\r", from);
    }
    const lineFeed = this.#lineFeed;
    const carriageReturn = this.#carriageReturn;
    if (carriageReturn >= 0 && (lineFeed < 0 || carriageReturn < lineFeed)) {
      return { start: carriageReturn, end: carriageReturn + (lineFeed === carriageReturn + 1 ? 2 : 1) };
    }
    return lineFeed < 0 ? undefined : { start: lineFeed, end: lineFeed + 1 };
  }
}

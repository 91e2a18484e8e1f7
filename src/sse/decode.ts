/**
 * Bytes of a server-sent event stream, in any cuts, become messages. Every message keeps the text that it was
 * read from, so that a message nobody changes can leave exactly as it came: the `raw` texts of all messages
 * concatenate to the whole stream. Knows nothing about what the data means.
 *
 * Bytes that are no UTF-8 become U+FFFD, which is what every client of such a stream would read.
 *
 * @module
 */

/** One block of the stream: what stands up to a blank line, or a comment. */
export interface SseMessage {
  /** The block as it came, with its line ends and its blank line. */
  readonly raw: string;
  /** The values of its `data` fields, joined by newlines; absent where it has none. */
  readonly data?: string;
  /** The value of its last `event` field; absent where it has none. */
  readonly event?: string;
  /** True for every piece of a message that is longer than the limit: it passes unread. */
  readonly overLimit?: true;
}

/** Decodes bytes that end with a whole character; several times faster than a decoder that keeps a state. */
const WHOLE_TEXT = new TextDecoder("utf-8", { ignoreBOM: true });

/** The longest message that is read unless said otherwise, in UTF-16 units. */
export const MESSAGE_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * Reads one stream.
 *
 * Line ends may be LF, CR or CRLF. A CR that is the last thing so far waits for the next byte, since it may be
 * half of a CRLF; so the cut of the bytes never changes the messages. A comment between two messages is a
 * message of its own and leaves at once: it is a heartbeat.
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
  /** Whether bytes of a character that is not whole may be kept. */
  #isInCharacter = false;
  readonly #lengthMax: number;
  /** A CR whose LF may still come. */
  #carriageReturn = "";
  #isFirstLine = true;
  #isOverLimit = false;
  /** The open message: everything of it that came in earlier pieces. */
  #raw = "";
  /** The open line of it. */
  #line = "";
  #data: string | undefined;
  #event: string | undefined;
  #hasFields = false;

  /**
   * A decoder for one stream.
   *
   * @param options `messageLengthMax` in UTF-16 units; a longer message passes in pieces, unread
   */
  constructor(options: { readonly messageLengthMax?: number } = {}) {
    this.#lengthMax = options.messageLengthMax ?? MESSAGE_LENGTH_MAX;
  }

  /** Takes the next bytes and gives the messages that are whole now. The bytes may be reused afterwards. */
  push(bytes: Uint8Array): SseMessage[] {
    return this.read(this.decode(bytes).text);
  }

  /** The text of the next bytes. `isExact`: it is the text of these bytes and of no others. */
  decode(bytes: Uint8Array): { readonly text: string; readonly isExact: boolean } {
    const wasInCharacter = this.#isInCharacter;
    // A byte below 0x80 ends every character, so the decoder keeps nothing after it.
    this.#isInCharacter = (bytes.at(-1) ?? 0) >= 0x80 || (wasInCharacter && bytes.length === 0);
    const isWhole = !wasInCharacter && !this.#isInCharacter;
    const text = isWhole ? WHOLE_TEXT.decode(bytes) : this.#text.decode(bytes, { stream: true });
    return { text, isExact: isWhole && !text.includes("\uFFFD") };
  }

  /** Takes the next text and gives the messages that are whole now. */
  read(text: string): SseMessage[] {
    return this.#read(text, false);
  }

  /** Whether the next text begins a message. */
  get isBetween(): boolean {
    return this.#raw === "" && this.#line === "" && this.#carriageReturn === "" && !this.#isOverLimit;
  }

  /** The stream is over: gives what is left, read as if its blank line had come. */
  end(): SseMessage[] {
    const messages = this.#read(this.#text.decode(), true);
    if (this.#line !== "") this.#readLine(this.#line);
    if (this.#raw !== "") messages.push(this.#take(this.#raw));
    return messages;
  }

  /** The connection broke: gives the messages that are whole and drops the open one. */
  breakOff(): SseMessage[] {
    const messages = this.#read("", true);
    // Pieces of a message over the limit have left already. End it, so that nothing runs into what follows.
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

  /** Reads one line; true: the message ends with it. */
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
      ...(this.#data === undefined ? {} : { data: this.#data }),
      ...(this.#event === undefined ? {} : { event: this.#event }),
      ...(this.#isOverLimit ? { overLimit: true as const } : {}),
    };
    this.#raw = "";
    this.#line = "";
    this.#data = undefined;
    this.#event = undefined;
    this.#hasFields = false;
    this.#isOverLimit = false;
    return message;
  }

  /** Lets go of an open message that is too long. Its open line is kept only as "not empty". */
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

/** Finds the line ends of one piece, each character looked at once. */
class LineEnds {
  readonly #piece: string;
  #lineFeed: number;
  #carriageReturn: number;

  constructor(piece: string) {
    this.#piece = piece;
    this.#lineFeed = piece.indexOf("\n");
    this.#carriageReturn = piece.indexOf("\r");
  }

  /** The first line end at or after an offset: where its characters start and end. */
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

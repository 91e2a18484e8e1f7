/**
 * The shape of a server's messages, learned from one of them. A server writes one message like the other: all but the
 * text in it stays the same, so the next message can be read without parsing its JSON.
 *
 *     data: {"id":"c1","choices":[{"index":0,"delta":{"content":"Hel"}}]}⏎⏎
 *     ╰────────────────────── prefix ──────────────────────────╯   ╰ suffix ╯
 *
 * No field order is assumed. A shape counts only if a probe in the place of the text is read as the text and nothing
 * else changes; JSON guarantees the same for every other text.
 *
 * @module
 */
import type { ReasoningEvent, TextEvent } from "../event/event.ts";
import type { ChatChunk } from "./chunk.ts";
import { contentText, readChunk, reasoningText } from "./read.ts";

/** What stands in the place of the text to prove a shape. */
const PROBE = "\u{1F50E} probe";

/** A message that a shape may be learned from. */
export interface ShapeSource {
  /** The message as it came. */
  readonly raw: string;
  /** Its data. */
  readonly data: string;
  /** Its data, read: one choice, which holds nothing but the text. */
  readonly chunk: ChatChunk;
  /** The text in it. */
  readonly spoken: TextEvent | ReasoningEvent;
}

/** Messages that are equal but for their text. */
export class MessageShape {
  /** The message that it was learned from; all fields but the text are those of every message of the shape. */
  readonly chunk: ChatChunk;
  readonly #kind: "text" | "reasoning";
  readonly #prefix: string;
  readonly #suffix: string;
  /** What ends a message: a line end and a blank line. */
  readonly messageEnd: string;
  /** Where the message that was read last ends. */
  end = 0;

  private constructor(source: ShapeSource, { prefix, suffix }: { prefix: string; suffix: string }) {
    this.chunk = source.chunk;
    this.#kind = source.spoken.kind;
    this.#prefix = prefix;
    this.#suffix = suffix;
    this.messageEnd = suffix.endsWith("\r\n") ? "\r\n\r\n" : "\n\n";
  }

  /** The shape of a message; undefined when the place of its text cannot be proved. */
  static learn(source: ShapeSource): MessageShape | undefined {
    const { raw, data, chunk, spoken } = source;
    const literal = JSON.stringify(spoken.text);
    const at = data.indexOf(literal);
    const dataAt = raw.indexOf(data);
    if (!raw.endsWith("\n") || at < 0 || dataAt < 0 || data.indexOf(literal, at + 1) >= 0) return undefined;
    const probed = readChunk(data.slice(0, at) + JSON.stringify(PROBE) + data.slice(at + literal.length));
    const delta = probed?.choices[0]?.delta;
    const read = spoken.kind === "text" ? contentText(delta?.content) : reasoningText(delta);
    const expected = JSON.stringify(chunk).replace(literal, () => JSON.stringify(PROBE));
    if (read !== PROBE || JSON.stringify(probed) !== expected) return undefined;
    const start = dataAt + at + 1;
    return new MessageShape(source, {
      prefix: raw.slice(0, start),
      suffix: raw.slice(start + literal.length - 2),
    });
  }

  /** The text of a message of this shape that begins at an offset; undefined when there is none. */
  read(text: string, at: number): TextEvent | ReasoningEvent | undefined {
    const start = at + this.#prefix.length;
    // Comparing slices is several times faster than `startsWith`.
    if (text.slice(at, start) !== this.#prefix) return undefined;
    let end = start;
    let hasEscape = false;
    for (;;) {
      const unit = text.charCodeAt(end);
      if (unit === 0x22) break;
      // Control characters are not JSON, and a line end would end the message; also true at the end of the text.
      if (!(unit >= 0x20)) return undefined;
      if (unit === 0x5c) {
        hasEscape = true;
        end++;
      }
      end++;
    }
    if (end === start) return undefined;
    this.end = end + this.#suffix.length;
    if (text.slice(end, this.end) !== this.#suffix) return undefined;
    const spoken = hasEscape ? unescaped(text.slice(start - 1, end + 1)) : text.slice(start, end);
    return spoken === undefined ? undefined : { kind: this.#kind, text: spoken };
  }
}

function unescaped(literal: string): string | undefined {
  try {
    return JSON.parse(literal);
  } catch {
    return undefined;
  }
}

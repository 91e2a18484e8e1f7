/**
 * The shape of a server's messages, learned from one of them. Most messages of an answer differ only in their text, so
 * the next message can be read without parsing its JSON.
 *
 *     data: {"id":"c1","choices":[{"index":0,"delta":{"content":"Hel"}}]}⏎⏎
 *     ╰────────────────────── prefix ──────────────────────────╯   ╰ suffix ╯
 *
 * The order of the fields doesn't matter. A shape is accepted only if a probe that replaces the text is read as the text
 * and nothing else changes; JSON then guarantees the same for every other text.
 *
 * @module
 */
import type { ReasoningEvent, TextEvent } from "../../engine/event/event.ts";
import type { ChatChunk } from "./chunk.ts";
import { contentText, readChunk, reasoningText } from "./read.ts";
import { parseJson } from "../../engine/object/parse.ts";

/** Replaces the text to prove a shape. */
const PROBE = "\u{1F50E} probe";

/** The only event of a message that contains nothing but text or reasoning. */
export type ProseEvent = TextEvent | ReasoningEvent;

interface ShapeSource {
  readonly raw: string;
  readonly data: string;
  /** The parsed data: one choice that contains nothing but text or reasoning. */
  readonly chunk: ChatChunk;
  readonly prose: ProseEvent;
}

/** The shape of messages that differ only in their text. */
export class MessageShape {
  readonly #kind: ProseEvent["kind"];
  readonly #prefix: string;
  readonly #suffix: string;
  readonly messageEnd: string;
  /** The offset after the last message that was read. */
  end = 0;

  private constructor(source: ShapeSource, { prefix, suffix }: { prefix: string; suffix: string }) {
    this.#kind = source.prose.kind;
    this.#prefix = prefix;
    this.#suffix = suffix;
    this.messageEnd = suffix.endsWith("\r\n") ? "\r\n\r\n" : "\n\n";
  }

  /** Learns the shape of a message; undefined if the position of its text can't be proved. */
  static learn(source: ShapeSource): MessageShape | undefined {
    const { raw, data, chunk, prose } = source;
    const literal = JSON.stringify(prose.text);
    const at = data.indexOf(literal);
    const dataAt = raw.indexOf(data);
    if (!raw.endsWith("\n") || at < 0 || dataAt < 0 || data.indexOf(literal, at + 1) >= 0) return undefined;
    const probed = readChunk(data.slice(0, at) + JSON.stringify(PROBE) + data.slice(at + literal.length));
    const delta = probed?.choices[0]?.delta;
    const read = prose.kind === "text" ? contentText(delta?.content) : reasoningText(delta);
    const expected = JSON.stringify(chunk).replace(literal, () => JSON.stringify(PROBE));
    if (read !== PROBE || JSON.stringify(probed) !== expected) return undefined;
    const start = dataAt + at + 1;
    return new MessageShape(source, {
      prefix: raw.slice(0, start),
      suffix: raw.slice(start + literal.length - 2),
    });
  }

  /** Reads the message at an offset; undefined if it doesn't have this shape or isn't whole. */
  read(text: string, at: number): ProseEvent | undefined {
    const start = at + this.#prefix.length;
    // Comparing slices is several times faster than `startsWith`.
    if (text.slice(at, start) !== this.#prefix) return undefined;
    let end = start;
    let hasEscape = false;
    for (;;) {
      const unit = text.charCodeAt(end);
      if (unit === 0x22) break;
      // JSON has no raw control characters, and a line end would end the message. Also true at the end of the text.
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
    const prose = hasEscape ? parseJson(text.slice(start - 1, end + 1)) : text.slice(start, end);
    return typeof prose === "string" ? { kind: this.#kind, text: prose } : undefined;
  }
}

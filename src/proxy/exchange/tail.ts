/**
 * The end of a body that passes unread. There, the upstream states the tokens of its answer, or its error.
 *
 *     …,"finish_reason":"stop"}],"usage":{"prompt_tokens":11,"total_tokens":18}}
 *                                ╰── the last object of this name
 *
 *     data: {"error":{"message":"out of memory"}}
 *
 * @module
 */
import { type ApiError, errorOf } from "../../chat/message/error.ts";
import { statedUsage } from "../../chat/message/usage.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";

/** How much of the end is kept, in bytes. */
const TAIL_BYTES = 2048;

export class Tail {
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** Takes the next bytes. They must not change later. */
  push(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#length += bytes.length;
    for (let first = this.#pieces[0]; first !== undefined; first = this.#pieces[0]) {
      if (this.#length - first.length < TAIL_BYTES) return;
      this.#length -= first.length;
      this.#pieces.shift();
    }
  }

  /** The tokens that the body states; undefined if it states none. */
  usage(): unknown {
    const text = this.text;
    const [usage, timings] = ["usage", "timings"].map((name) => lastObject(text, `"${name}"`));
    return statedUsage({ usage, timings });
  }

  /** Whether a stream has its end: a finish reason, `[DONE]`, or an error. */
  hasEnd(): boolean {
    return /"finish_reason": *"|\[DONE\]/.test(this.text) || this.error() !== undefined;
  }

  /** The error that the body is, or that one of its last messages has; undefined without one. */
  error(): ApiError | undefined {
    const text = this.text;
    const whole = errorOf(text);
    if (whole !== undefined) return whole;
    const last = new SseDecoder();
    const messages = [...last.push(new TextEncoder().encode(text)), ...last.end()];
    return messages.map(({ data = "", event }) => errorOf(data, event)).find((error) => error !== undefined);
  }

  get text(): string {
    const decoder = new TextDecoder();
    return this.#pieces.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
  }
}

/** The last object of a name. */
function lastObject(text: string, name: string): unknown {
  for (let at = text.lastIndexOf(name); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(name, at - 1)) {
    const object = objectAfter(text.slice(at + name.length));
    if (object !== undefined) return object;
  }
  return undefined;
}

/** The object after a colon. Token counts are numbers and objects, so no text in it contains braces. */
function objectAfter(text: string): unknown {
  const rest = text.trimStart();
  if (!rest.startsWith(":")) return undefined;
  const value = rest.slice(1).trimStart();
  if (!value.startsWith("{")) return undefined;
  let depth = 0;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === "{") depth++;
    if (value[at] === "}" && --depth === 0) return parseJson(value.slice(0, at + 1));
  }
  return undefined;
}

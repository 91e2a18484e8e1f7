/** Handles JSON in the place of a promised stream: it becomes the stream's only event, as the response has begun. @module */
import { errorBody } from "../../chat/message/error.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { singleChunk } from "../../chat/message/single_chunk.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";
import type { HttpError } from "../transport/respond.ts";
import { kindOf, LOOK_BYTES_MAX } from "../transport/body_kind.ts";

/** How long such JSON may be, and what the client gets for longer JSON. */
export interface JsonLimit {
  readonly bytesMax: number;
  readonly tooLarge: HttpError;
}

/**
 *     start ──▶ events           the bytes pass
 *       ╰─────▶ json ──▶ over    they wait until the end
 */
type State = "start" | "events" | "json" | "over";

export class JsonAsEvents {
  readonly #limit: JsonLimit;
  #state: State = "start";
  #held: Uint8Array[] = [];
  #length = 0;

  constructor(limit: JsonLimit) {
    this.#limit = limit;
  }

  /** Why there are no events; undefined unless the JSON is too long. */
  error: HttpError | undefined;

  get isOver(): boolean {
    return this.#state === "over";
  }

  /** Takes the next bytes; returns bytes of events, or undefined if more has to arrive first. */
  push(bytes: Uint8Array): Uint8Array | undefined {
    if (this.#state === "events") return bytes;
    if (this.#state === "over") return undefined;
    this.#held.push(new Uint8Array(bytes));
    this.#length += bytes.length;
    return this.#state === "start" ? this.#decide() : this.#checkLength();
  }

  /** The body is over; returns the last bytes of events, or undefined. */
  end(): Uint8Array | undefined {
    const state = this.#state;
    this.#state = "over";
    if (state === "start" && this.#length > 0) return this.#take();
    return state === "json" ? eventsOf(this.#take()) : undefined;
  }

  #decide(): Uint8Array | undefined {
    const first = this.#take();
    const kind = kindOf(new TextDecoder("latin1").decode(first.subarray(0, LOOK_BYTES_MAX)));
    const isUndecided = kind === "unsure" && first.length <= LOOK_BYTES_MAX;
    if (!isUndecided) this.#state = kind === "json" ? "json" : "events";
    if (this.#state === "events") return first;
    this.#held = [first];
    return isUndecided ? undefined : this.#checkLength();
  }

  #checkLength(): Uint8Array | undefined {
    const { bytesMax, tooLarge } = this.#limit;
    if (this.#length <= bytesMax) return undefined;
    this.#state = "over";
    this.#held = [];
    this.error = tooLarge;
    return encode(encodeMessage(errorBody(tooLarge)));
  }

  #take(): Uint8Array {
    const [only, ...others] = this.#held;
    this.#held = [];
    if (only !== undefined && others.length === 0) return only;
    const whole = new Uint8Array(this.#length);
    let at = 0;
    for (const bytes of only === undefined ? [] : [only, ...others]) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    return whole;
  }
}

/** The events of JSON; undefined if it is cut off. */
function eventsOf(json: Uint8Array): Uint8Array | undefined {
  const text = new TextDecoder().decode(json);
  const chunk = singleChunk(text);
  if (chunk !== undefined) return encode(encodeMessage(chunk) + DONE);
  // Anything but an answer is an error, which the client gets unchanged.
  return parseJson(text) === undefined ? undefined : encode(encodeMessage(text.trim()));
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

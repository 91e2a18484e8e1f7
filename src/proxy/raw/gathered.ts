/** Gathers a stream into one answer: where only streams have the raw text, or thoughts are watched. @module */
import { addUsage } from "../../chat/message/usage.ts";
import { errorOf } from "../../chat/message/error.ts";
import { DONE_DATA, readChunk } from "../../chat/message/read.ts";
import { SseDecoder, type SseMessage } from "../../chat/sse/decode.ts";
import { isRecord } from "../../engine/object/record.ts";
import { type ReadLimits, timedReads } from "../exchange/deadline.ts";
import { readWhole } from "../transport/body.ts";
import { convertBody } from "../upstream/converted.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";

interface Gathering {
  readonly limits: ReadLimits;
  /** The longest answer, in bytes of the stream. */
  readonly bytesMax: number;
}

export const GATHERED_FIELDS = { stream: true, stream_options: { include_usage: true } } as const;

/** Whether an answer is a stream of events. */
export function isStreamAnswer({ response }: UpstreamAnswer): boolean {
  return response.ok && response.headers.get("content-type")?.includes("text/event-stream") === true;
}

/** Gathers a stream into one answer; any other answer stays. */
export function gather(answered: UpstreamAnswer, { limits, bytesMax }: Gathering): UpstreamAnswer {
  const { deadline } = answered;
  if (!isStreamAnswer(answered)) return answered;
  const whole = (body: ReadableStream<Uint8Array>) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const bytes = await readWhole(body, { bytesMax, ...timedReads(deadline, limits) });
        const gathered = new Gathered();
        if (bytes !== undefined) gathered.push(bytes);
        controller.enqueue(new TextEncoder().encode(gathered.end() ?? BROKEN_OFF));
        controller.close();
      },
    }, { highWaterMark: 0 });
  return convertBody(answered, whole, "application/json");
}

type Fields = Record<string, unknown>;

/** The messages of a stream as one answer. */
export class Gathered {
  readonly #decoder = new SseDecoder();
  readonly #choices = new Map<number, Fields>();
  #identity: Fields = {};
  #usage: unknown;
  #error: string | undefined;

  push(bytes: Uint8Array): void {
    for (const message of this.#decoder.push(bytes)) this.#take(message);
  }

  /** The text of the answer, or of its error; undefined if it broke off. */
  end(): string | undefined {
    for (const message of this.#decoder.end()) this.#take(message);
    const choices = [...this.#choices.values()];
    const isWhole = choices.length > 0 && choices.every(({ finish_reason: finish }) => finish != null);
    return this.#error ?? (isWhole ? this.#completion(choices) : undefined);
  }

  /** The text of the answer as far as it is here, as one that was cut off. */
  cut(): string {
    return this.#completion(
      [...this.#choices.values()].map((choice) => ({ ...choice, finish_reason: "length" })),
    );
  }

  #take({ data, event }: SseMessage): void {
    if (data === undefined || data === DONE_DATA || this.#error !== undefined) return;
    if (errorOf(data, event) !== undefined) return void (this.#error = data);
    const chunk = readChunk(data);
    if (chunk === undefined) return;
    const { choices, object: _, usage, ...rest } = chunk as typeof chunk & Fields;
    merge(this.#identity, rest, { grows: false });
    if (usage != null) this.#usage = addUsage(undefined, usage);
    for (const { index = 0, delta, ...others } of choices) {
      const choice = this.#choices.get(index) ?? { index, message: { role: "assistant", content: "" } };
      this.#choices.set(index, choice);
      merge(choice, others, { grows: false });
      merge(choice["message"] as Fields, delta ?? {}, { grows: true });
    }
  }

  #completion(choices: readonly Fields[]): string {
    const usage = this.#usage === undefined ? {} : { usage: this.#usage };
    return JSON.stringify({ ...this.#identity, object: "chat.completion", choices, ...usage });
  }
}

/** Fields whose texts are whole in each message. */
const WHOLE_FIELDS: readonly string[] = ["role", "id", "type", "name", "format", "signature"];

/** Adds a message's fields to those before it. `grows`: texts follow those before them, otherwise they replace them. */
function merge(into: Fields, added: Readonly<Fields>, { grows }: { readonly grows: boolean }): void {
  for (const [field, value] of Object.entries(added)) {
    const before = into[field];
    if (value == null) into[field] ??= value;
    else if (Array.isArray(value)) {
      const list = typeof before === "string" && before !== "" ? [{ type: "text", text: before }] : before;
      into[field] = mergeList(Array.isArray(list) ? list : [], value, grows);
    } else if (isRecord(value) && isRecord(before)) merge(before, value, { grows });
    else if (grows && WHOLE_FIELDS.includes(field)) into[field] = before || value;
    else if (grows && typeof value === "string") {
      into[field] = typeof before === "string" ? before + value : value;
    } else into[field] = value;
  }
}

/** The pieces of a list, such as calls: those with the same index are one. */
function mergeList(list: unknown[], pieces: readonly unknown[], grows: boolean): unknown[] {
  for (const piece of pieces) {
    const index = isRecord(piece) ? piece["index"] : undefined;
    const known = index === undefined
      ? undefined
      : list.find((one) => isRecord(one) && one["index"] === index);
    if (isRecord(known) && isRecord(piece)) merge(known, piece, { grows });
    else list.push(piece);
  }
  return list;
}

const BROKEN_OFF = JSON.stringify({
  error: {
    type: "upstream_error",
    code: "upstream_broke_off",
    message: "The upstream's answer was cut off before its end. Send the request again",
  },
});

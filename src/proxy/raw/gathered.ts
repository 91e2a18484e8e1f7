/** Gathers a stream into one answer, for servers that send the model's raw text only in streams. @module */
import { addUsage } from "../../chat/message/usage.ts";
import { errorOf } from "../../chat/message/error.ts";
import { DONE_DATA, readChunk } from "../../chat/message/read.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";
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

/** Gathers a stream of text into one answer; any other answer stays. */
export function gather(answered: UpstreamAnswer, { limits, bytesMax }: Gathering): UpstreamAnswer {
  const { response, deadline } = answered;
  if (response.headers.get("content-type")?.includes("text/event-stream") !== true) return answered;
  const whole = (body: ReadableStream<Uint8Array>) =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const bytes = await readWhole(body, { bytesMax, ...timedReads(deadline, limits) });
        controller.enqueue(new TextEncoder().encode(completionOf(new TextDecoder().decode(bytes))));
        controller.close();
      },
    }, { highWaterMark: 0 });
  return convertBody(answered, whole, "application/json");
}

/** The whole answer of a stream; the error, if the stream has one or breaks off. */
function completionOf(stream: string): string {
  const decoder = new SseDecoder();
  const choices = new Map<number, { content: string; reasoning: string; finish: string | null }>();
  let identity: Record<string, unknown> = {};
  let usage: unknown;
  for (const { data, event } of [...decoder.read(stream), ...decoder.end()]) {
    if (data === undefined || data === DONE_DATA) continue;
    if (errorOf(data, event) !== undefined) return data;
    const chunk = readChunk(data);
    if (chunk === undefined) continue;
    const { choices: given, object: _, usage: stated, ...rest } = chunk as
      & typeof chunk
      & Record<string, unknown>;
    identity = { ...rest, ...identity };
    if (stated != null) usage = addUsage(undefined, stated);
    for (const { index = 0, delta, finish_reason: finish } of given) {
      const choice = choices.get(index) ?? { content: "", reasoning: "", finish: null };
      choices.set(index, choice);
      if (typeof delta?.content === "string") choice.content += delta.content;
      const { reasoning_content: thought, reasoning = thought } = (delta ?? {}) as Record<string, unknown>;
      if (typeof reasoning === "string") choice.reasoning += reasoning;
      choice.finish = finish || choice.finish;
    }
  }
  const isWhole = choices.size > 0 && [...choices.values()].every(({ finish }) => finish !== null);
  if (!isWhole) return BROKEN_OFF;
  return JSON.stringify({
    ...identity,
    object: "chat.completion",
    choices: [...choices].map(([index, { content, reasoning, finish }]) => ({
      index,
      message: {
        role: "assistant",
        content,
        ...reasoning === "" ? {} : { reasoning_content: reasoning },
      },
      finish_reason: finish,
    })),
    ...usage === undefined ? {} : { usage },
  });
}

const BROKEN_OFF = JSON.stringify({
  error: {
    type: "upstream_error",
    code: "upstream_broke_off",
    message: "The upstream's answer broke off before its end. Send the request again",
  },
});

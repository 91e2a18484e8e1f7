/** Watches the thoughts of a whole answer: it is asked for as a stream, gathered, and stopped where they are ended. @module */
import type { HttpError } from "../transport/respond.ts";
import { codingsOf, decode } from "../transport/encoding.ts";
import { fieldsOf, type RequestBody } from "../upstream/request_body.ts";
import { Gathered, GATHERED_FIELDS, isStreamAnswer } from "../raw/gathered.ts";
import { brokenUpstream, tooLargeAnswer, type UpstreamAnswer } from "../upstream/upstream.ts";
import { answerOptions, type AskedChat, turnsOf } from "./asked_chat.ts";
import { openReading } from "./body_reader.ts";
import { watchReads } from "./deadline.ts";
import { readLimits } from "./pass_on.ts";
import { present } from "../../engine/object/present.ts";
import { ToolCallRenderer } from "../../chat/render/tool_calls.ts";
import { type ThoughtWatch, watched } from "./thought_watch.ts";

export function asStream(body: RequestBody): RequestBody {
  const request = fieldsOf(body);
  return request === undefined ? body : JSON.stringify({ ...request, ...GATHERED_FIELDS });
}

/** Gathers a stream up to its end, or to where its thoughts are ended; any other answer stays. */
export async function gatherWatched(
  answered: UpstreamAnswer,
  asked: AskedChat,
  watch: ThoughtWatch,
): Promise<UpstreamAnswer | HttpError> {
  const { response: { body, status, headers }, deadline } = answered;
  if (!isStreamAnswer(answered) || body === null) return answered;
  const bytesMax = asked.service.config.limits.answer_bytes_max;
  const turns = turnsOf(asked.exchange);
  const { createMatcher, isPauseDue, native } = answerOptions(asked, { turns, isStreamed: true });
  const createRenderer = () => new ToolCallRenderer(asked.newId);
  const answer = watched({ createMatcher, createRenderer, ...present({ isPauseDue, native }) }, watch);
  const reading = openReading({ kind: "stream", answer, turns, bytesMax });
  const gathered = new Gathered();
  const beforeRead = watchReads(deadline, readLimits(asked));
  let length = 0;
  const reader = decode(body, codingsOf(headers)).getReader();
  const stop = () => void reader.cancel().catch(() => {});
  deadline.signal.addEventListener("abort", stop, { once: true });
  try {
    while (watch.stopped === undefined) {
      beforeRead();
      const { value } = await reader.read();
      deadline.pause();
      if (deadline.error !== undefined) return deadline.error;
      if (value === undefined) break;
      length += value.length;
      if (length > bytesMax) return tooLargeAnswer(asked.upstream, bytesMax);
      gathered.push(value);
      if (reading.isOver !== true) await reading.push(value);
    }
  } catch {
    if (deadline.error !== undefined) return deadline.error;
  } finally {
    deadline.stop();
    stop();
  }
  const { thoughts, stopped: why } = watch;
  const ended = why === undefined ? undefined : { thoughts, usage: undefined, why };
  const text = ended === undefined ? gathered.end() : gathered.cut();
  if (text === undefined) return brokenUpstream(asked.upstream);
  const head = { status, headers: { "content-type": "application/json" } };
  return { response: new Response(text, head), deadline, ended };
}

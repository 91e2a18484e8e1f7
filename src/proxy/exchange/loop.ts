/**
 * What is done about a model that makes the same call with the same result again and again (`policy.loop`).
 *
 *     4 equal results ─▶ a sentence after the fourth one, in this request and in all later ones
 *     6 equal results ─▶ with `stop`: the turn ends with a plain answer, and no model is asked
 *
 * @module
 */
import { findLoops, WARNED_AT, withSentence } from "../../chat/message/loops.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { Config } from "../config/schema.ts";
import data from "./remedies.json" with { type: "json" };

/** With this many equal results, `stop` ends the turn. */
const STOPPED_AT = 6;

export interface LoopSettings {
  readonly policy: Config["policy"]["loop"];
  /** Lines of the client's results that differ each time. */
  readonly volatile: readonly string[] | undefined;
}

interface TreatedLoop {
  readonly note?: NoteEvent | undefined;
  readonly changed?: ChatRequest;
  /** The answer in the place of the model's. */
  readonly text?: string;
}

/** What is done about the loops of a conversation; undefined if it has none, or nothing is done. */
export function treatLoop(request: ChatRequest, { policy, volatile }: LoopSettings): TreatedLoop | undefined {
  const { messages } = request;
  if (policy === "pass" || !Array.isArray(messages)) return undefined;
  const { warned, count } = findLoops(messages, volatile);
  if (warned.length === 0) return undefined;
  const times = (text: string, number: number) => text.replace("{count}", String(number));
  if (policy === "stop" && count >= STOPPED_AT) {
    return { note: note("loop_stopped", count), text: times(data.loop.stopped, count) };
  }
  const sentence = times(data.loop.warned, WARNED_AT);
  const changed = { ...request, messages: withSentence(messages, { warned, sentence }) } as ChatRequest;
  return { changed, note: count === WARNED_AT ? note("loop_warned", count) : undefined };
}

function note(reason: Reason, count: number): NoteEvent {
  const detail = `the same calls with the same results ${count} times in a row`;
  return { kind: "note", reason, rule: "loop", start: 0, end: 0, detail };
}

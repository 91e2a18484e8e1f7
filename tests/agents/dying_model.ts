/**
 * A model that reads files with an agent's own tool, and then ends as models do whose turn dies.
 *
 *     silence         its server is silent, and then it answers
 *     empty           an answer that has nothing, until it is asked with a sentence
 *     thoughts only   the same with thoughts
 *     loop            the same call again and again, until it is warned
 *     overflow        the server's error for a prompt that is too long, until the conversation is compacted
 *     growth          the same, while the agent's settings state the size, so that it can compact before
 *
 * @module
 */
import { join } from "node:path";
import { parallelCalls, parallelDeltas, streamOf } from "../support/native_answers.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { readCall } from "./offered.ts";
import { isPerson, type Message, readRequest } from "./scenario.ts";
import type { Player } from "./stage.ts";

/** What the agent shows in the end. */
export const DONE = "The work of 7c1d is finished";

/** The files that the model reads; some agents compact only a conversation that is long. */
const FILES = ["one.md", "two.md", "three.md"];
const CONTENT = "Nothing is left to do here but to report that all of it was read.\n".repeat(600);

/** A summary, by which a model knows that the conversation was compacted. */
const SUMMARY = "The notes were read, and nothing is left to do but to report";

/** How often a model makes its call again. */
export const CALLS_MAX = 12;

/** How long a server is silent; the agents that are tried with it wait for a part of that. */
const SILENCE_MS = 4000;

/** The size of the model's context. */
export const CONTEXT_TOKENS = 32_768;

const OVERFLOW = JSON.stringify({
  error: {
    code: 400,
    message:
      `request (40123 tokens) exceeds the available context size (${CONTEXT_TOKENS} tokens), try increasing it`,
    type: "exceed_context_size_error",
    n_prompt_tokens: 40_123,
    n_ctx: CONTEXT_TOKENS,
  },
});

const ASKED_AGAIN = /call a tool, or answer the user/;
const WARNED = /You have made this call/;

/** Kind → what the model answers after a result; undefined: it makes another call. */
const ENDINGS = {
  silence: () => ({ text: DONE, delayMs: SILENCE_MS }),
  empty: (last) => ({ text: ASKED_AGAIN.test(last) ? DONE : "" }),
  "thoughts only": (last) => ASKED_AGAIN.test(last) ? { text: DONE } : { text: "", reasoning: "Now I know." },
  loop: (last, calls) => WARNED.test(last) || calls >= CALLS_MAX ? { text: DONE } : undefined,
  overflow: (_, calls) => calls < FILES.length ? undefined : { error: { status: 400, body: OVERFLOW } },
  growth: (_, calls) => calls < FILES.length ? undefined : { error: { status: 400, body: OVERFLOW } },
} satisfies Record<string, (last: string, calls: number) => Script | undefined>;

export type Kind = keyof typeof ENDINGS;

export interface DyingModel extends Player {
  /** How often it made its call. */
  readonly calls: number;
  /** How often it was asked after a result. */
  readonly asked: number;
}

export function playDying(folder: string, kind: Kind): DyingModel {
  for (const file of FILES) Deno.writeTextFileSync(join(folder, file), CONTENT);
  // Without the tokens of its answers, agents take a summary for longer than what it sums up.
  const isLong = kind === "overflow" || kind === "growth";
  const ending: (last: string, calls: number) => Script | undefined = ENDINGS[kind];
  let calls = 0;
  let asked = 0;
  return {
    get calls() {
      return calls;
    },
    get asked() {
      return asked;
    },
    script({ body }) {
      const { messages = [], tools = [] } = readRequest(body);
      const last = textOf(messages.at(-1));
      if (messages.some((message) => textOf(message).includes(SUMMARY))) return { text: DONE };
      if (messages.at(-1)?.role === "user" && ASKS_SUMMARY.test(last)) {
        return { text: SUMMARY, ...isLong && { usage: tokensAfter(calls) } };
      }
      // Agents know a file that they have read; the error for an absent one is the same each time.
      const path = (kind === "loop" ? undefined : FILES[calls]) ?? "absent.md";
      const call = readCall(tools, join(folder, path));
      if (call === undefined || !messages.some(isPerson)) return { text: "ok" };
      const isAnswered = messages.some(({ role }) => role === "tool");
      if (isAnswered) asked++;
      const end = isAnswered ? ending(last, calls) : undefined;
      if (end !== undefined) return end;
      calls++;
      const whole = parallelCalls([call]).body;
      const stated = isLong ? { usage: tokensAfter(calls) } : {};
      return {
        raw: {
          stream: streamOf([{ role: "assistant", content: "" }, ...parallelDeltas([call])], stated),
          body: whole,
        },
      };
    },
  };
}

/** What an answer states: the last one before the error nearly fills the context. */
function tokensAfter(calls: number) {
  const tokens = Math.floor(CONTEXT_TOKENS * 0.97 * calls / FILES.length);
  return { prompt_tokens: tokens, completion_tokens: 20, total_tokens: tokens + 20 };
}

/** How agents ask for a summary. */
const ASKS_SUMMARY = /summar|compact|snapshot/i;

function textOf(message: Message | undefined): string {
  const { content = "" } = message ?? {};
  return typeof content === "string" ? content : JSON.stringify(content);
}

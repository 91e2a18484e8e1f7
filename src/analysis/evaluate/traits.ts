/** What a finding's wrong answers have in common: the kind of request, the prompt's length, the token that is left. @module */
import type { ChatRequest } from "../../chat/message/request.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { readBody } from "./answer.ts";
import { endTokenOf } from "./check.ts";
import type { FindingName } from "./findings.ts";
import type { Sample } from "./sample.ts";

export interface Traits {
  readonly errors: number;
  /** What all requests of the answers have, and how many answered requests have it, too. */
  readonly kind?: { readonly name: string; readonly failing: number; readonly answered: number } | undefined;
  /** The longest prompt, in tokens: estimated by other prompts, and as the server counted it. */
  readonly prompt?: {
    readonly tokens: number;
    readonly counted: number | undefined;
    readonly answer: number;
  } | undefined;
  /** The token of the template that most texts end with. */
  readonly token?: string | undefined;
}

/** The kinds of requests that servers fail on, the most particular first. */
const KINDS: readonly (readonly [name: string, has: (request: Partial<ChatRequest>) => boolean])[] = [
  ["have `tool_choice: required`", ({ tool_choice }) => tool_choice === "required"],
  ["name a tool in `tool_choice`", ({ tool_choice }) => isRecord(tool_choice)],
  ["have `tool_choice: none`", ({ tool_choice }) => tool_choice === "none"],
  ["contain a tool's result", ({ messages = [] }) => results(messages) > 0],
  [
    "have calls in a message without text (`content: null`)",
    ({ messages = [] }) => messages.some((one) => "tool_calls" in one && one.content === null),
  ],
  ["contain several tools' results", ({ messages = [] }) => results(messages) > 1],
  ["ask for a stream", ({ stream }) => stream === true],
  ["contain tools", ({ tools = [] }) => tools !== null && tools.length > 0],
];

function results(messages: NonNullable<ChatRequest["messages"]>): number {
  return messages.filter(({ role }) => role === "tool").length;
}

/** The traits of a finding's own answers, compared with all others of the same columns. */
export function traitsOf(id: FindingName, own: readonly Sample[], samples: readonly Sample[]): Traits {
  return {
    errors: own.filter(({ status }) => status !== 200).length,
    kind: id === "request_fails" ? kindOf(own, samples) : undefined,
    prompt: id === "context_cut" ? promptOf(own, samples) : undefined,
    token: id === "tokens_left" ? tokenOf(own) : undefined,
  };
}

function kindOf(own: readonly Sample[], samples: readonly Sample[]): Traits["kind"] {
  const column = own[0]?.column;
  const failing = own.filter((one) => one.column === column).map(requestOf);
  const answered = samples.filter((one) => one.column === column && one.status === 200 && !own.includes(one))
    .map(requestOf);
  const found = KINDS.filter(([_, has]) => failing.every(has)).map(([name, has]) => ({
    name,
    failing: failing.length,
    answered: answered.filter(has).length,
  }));
  return found.sort((a, b) => a.answered - b.answered)[0];
}

/** How many characters a token has, if no answer tells. */
const TOKEN = 4;

/** To how many tokens an estimate is rounded. */
const ROUND = 1000;

function promptOf(own: readonly Sample[], samples: readonly Sample[]): Traits["prompt"] {
  const prompts = (list: readonly Sample[]) =>
    list.map((sample) => {
      const request = requestOf(sample);
      return {
        length: JSON.stringify([request.messages, request.tools]).length,
        counted: readBody(sample.exchange.raw).promptTokens,
        answer: typeof request.max_tokens === "number" ? request.max_tokens : 0,
      };
    });
  const longest = prompts(own).sort((a, b) => b.length - a.length)[0];
  if (longest === undefined) return undefined;
  const known = prompts(samples.filter(({ isRight, task }) => isRight && task !== "chain"))
    .flatMap(({ length, counted }) => counted !== undefined && counted > 0 ? [length / counted] : [])
    .sort((a, b) => a - b);
  const size = known[Math.floor(known.length / 2)] ?? TOKEN;
  return {
    tokens: Math.ceil(longest.length / size / ROUND) * ROUND,
    counted: longest.counted,
    answer: longest.answer,
  };
}

function requestOf({ exchange }: Sample): Partial<ChatRequest> {
  const request = parseJson(exchange.request);
  return isRecord(request) ? request as Partial<ChatRequest> : {};
}

/** The token that most texts end with. */
function tokenOf(own: readonly Sample[]): string | undefined {
  const list = own.flatMap(({ exchange: { got } }) => endTokenOf(readBody(got).text) ?? []);
  const times = (one: string) => list.filter((other) => other === one).length;
  return [...new Set(list)].sort((a, b) => times(b) - times(a))[0];
}

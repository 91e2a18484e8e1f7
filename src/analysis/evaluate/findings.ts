/** Names the one cause of a wrong answer: the first that explains it, root causes first (`findings.json`). @module */
import { parserErrorOf } from "../../proxy/raw/parser_error.ts";
import { PROFILES } from "../../proxy/upstream/profiles/profiles.ts";
import { refusesTools } from "../../proxy/upstream/refused_tools.ts";
import type { Answer } from "./answer.ts";
import { type Asked, type Problem, type Reading, spokenText } from "./check.ts";
import findings from "./findings.json" with { type: "json" };

export type FindingName = keyof typeof findings;

/** One way to repair a finding: a text, a setting that is measured in its own column, or both. */
export interface Advice {
  readonly text?: string;
  readonly column?: string;
  /** The column whose setting the server can't have, so that this is advised. */
  readonly instead_of?: string;
  /** Fields of every request, which Dragoman adds. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Whether the flag of a recognized server does that. */
  readonly flag?: boolean;
  /** Where the fault is, if the advice is for that place alone. */
  readonly layer?: string;
  /** Whether a recognized server without a flag can't do that. */
  readonly needs_flag?: boolean;
}

interface FindingFacts {
  /** Where the fault is: the server, its template, its parser, its stream, the model, or Dragoman. */
  readonly layer: string;
  /** Where it is if the answers are as wrong without the server's parser. */
  readonly layer_without_parser?: string;
  readonly means: string;
  /** Each of them is enough. */
  readonly advice: readonly Advice[];
  /** What else it states if a task is the only one that has it: task → sentence. */
  readonly only?: Readonly<Record<string, string>>;
  /** The settings that can help, so they are measured. */
  readonly columns: readonly string[];
  /** What the same answer looks like through Dragoman, if it can't repair it. */
  readonly seen_as?: readonly string[];
}

export const FINDINGS: Readonly<Record<FindingName, FindingFacts>> = findings;

interface WrongAnswer {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly reading: Reading;
  readonly problems: ReadonlySet<Problem>;
  /** Whether tools reach the prompt; undefined if the server doesn't tell. */
  readonly isVisible: boolean | undefined;
}

export function findCause(wrong: WrongAnswer): FindingName {
  const { answer, problems } = wrong;
  if (problems.has("refused") || problems.has("error")) return errorCause(answer);
  if (problems.has("swallowed")) return "error_swallowed";
  if (problems.has("broken_off")) return "stream_cut";
  if (problems.has("cut")) return "answer_cut";
  return placeCause(wrong) ?? formCause(problems) ??
    (isPromptCut(wrong) ? "context_cut" : contentCause(wrong));
}

/** The words of an error that is about the length of the prompt. */
const CONTEXT =
  /context[_ ](?:length|size|window)|maximum context|context_length_exceeded|prompt is too long|too many tokens/i;

/** Whether the prompt has far fewer tokens than a text of its length. */
function isPromptCut({ asked: { request }, answer: { promptTokens } }: WrongAnswer): boolean {
  const { length } = JSON.stringify([request.messages, request.tools]);
  return length > LONG && promptTokens !== undefined && promptTokens > 0 && length / promptTokens > TOKEN_MAX;
}

/** Characters of a prompt from which its tokens tell, and the most characters that a token of a long one has on average. */
const LONG = 20_000;
const TOKEN_MAX = 6;

/** The code of Dragoman's own error for a stream that ends early. */
const BROKE_OFF = "upstream_broke_off";

function errorCause({ status, error = "", code }: Answer): FindingName {
  if (code === BROKE_OFF) return "stream_cut";
  if (CONTEXT.test(`${code} ${error}`)) return "context_cut";
  if (status !== 200 && refusesTools(status, error)) return "tools_refused";
  if (isParserError(error)) return "parser_failed";
  const profiles = Object.values(PROFILES);
  if (profiles.some(({ refusals = [] }) => refusals.some((text) => error.includes(text)))) {
    return "schema_refused";
  }
  if (status === 200) return "error_as_answer";
  return /schema|grammar/i.test(error) ? "schema_refused" : "request_refused";
}

function isParserError(error: string): boolean {
  return Object.values(PROFILES).some((profile) => parserErrorOf(profile, error) !== undefined);
}

/** The call is somewhere else than where an agent looks for it. */
function placeCause({ asked, problems, reading, isVisible, answer }: WrongAnswer): FindingName | undefined {
  const lacksCall = problems.has("no_call") || problems.has("call_lost") || problems.has("empty");
  const isForbidden = asked.request.tool_choice === "none";
  if (lacksCall && reading.isInReasoning) return "call_in_reasoning";
  if (problems.has("reasoning_mark")) return "begins_in_reasoning";
  if (problems.has("call_in_text")) return isForbidden ? "ignores_tool_choice" : "calls_printed_as_text";
  if (reading.isNearMiss) return "unread_dialect";
  if (reading.isUnknownTool) return "wrong_tool";
  if (problems.has("call_lost")) return "call_lost";
  const isSpoken = spokenText(answer.text) !== "";
  if (problems.has("no_call") && isVisible === false && isSpoken) return "tools_not_in_prompt";
  return undefined;
}

const FORMS: readonly (readonly [Problem, FindingName])[] = [
  ["index", "call_index_repeats"],
  ["not_json", "invalid_arguments"],
  ["ids", "ids_missing"],
  ["encoding", "arguments_encoded_twice"],
  ["finish", "finish_reason_wrong"],
  ["changed_name", "names_changed"],
];

function formCause(problems: ReadonlySet<Problem>): FindingName | undefined {
  return FORMS.find(([problem]) => problems.has(problem))?.[1];
}

const CONTENTS: readonly (readonly [Problem, FindingName])[] = [
  ["repeated_call", "repeats_call"],
  ["same_call", "call_twice"],
  ["missing", "missing_required"],
  ["too_few", "no_parallel_calls"],
  ["unknown_tool", "wrong_tool"],
  ["wrong_tool", "wrong_tool"],
  ["types", "wrong_types"],
  ["values", "arguments_differ"],
  ["text", "result_ignored"],
  ["special_token", "tokens_left"],
];

const SCHEMA_AFTER: readonly Problem[] = [
  "repeated_call",
  "missing",
  "too_few",
  "unknown_tool",
  "wrong_tool",
  "types",
];

function contentCause({ asked, problems, answer }: WrongAnswer): FindingName {
  const choice = asked.request.tool_choice ?? "auto";
  const isMissing = problems.has("no_call") || problems.has("empty");
  if (isMissing && spokenText(answer.text) === "") {
    return answer.reasoning === "" ? "empty_answer" : "only_reasoning";
  }
  if (problems.has("no_call")) return choice === "auto" ? "answers_in_words" : "ignores_tool_choice";
  const isNamed = typeof choice === "object";
  if (problems.has("wrong_tool") && isNamed) return "ignores_tool_choice";
  // What breaks the schema says more than what the values are.
  if (problems.has("schema") && !SCHEMA_AFTER.some((one) => problems.has(one))) return "schema_violated";
  const found = CONTENTS.find(([problem]) => problems.has(problem))?.[1];
  if (found !== undefined) return found;
  return choice === "none" ? "ignores_tool_choice" : "calls_without_need";
}

/** Whether an answer shows nothing about the model: the server is busy, away, or wants a key. */
export function isUnmeasured({ status, error = "" }: Answer): boolean {
  if (status >= 500) {
    return !isParserError(error) && errorCause({ status, error } as Answer) === "request_refused";
  }
  return [0, 401, 403, 408, 425, 429].includes(status);
}

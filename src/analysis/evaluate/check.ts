/** Compares an answer with what its task expects. Programs alone judge. @module */
import type { ChatRequest } from "../../chat/message/request.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { akinNames } from "../../engine/tool/akin_names.ts";
import { checkArguments } from "../../engine/tool/validate.ts";
import { offeredTool } from "../replay/tool_list.ts";
import { type Answer, type AnswerCall, beginsInReasoning } from "./answer.ts";
import type { Expected, ExpectedCall } from "./battery.ts";
import battery from "./battery.json" with { type: "json" };

export interface Reading {
  readonly rules: readonly string[];
  /** Whether the text looks like a call that no rule reads. */
  readonly isNearMiss: boolean;
  /** Whether the text has a call of a tool that isn't offered. */
  readonly isUnknownTool: boolean;
  /** Whether the reasoning has the call, and nothing follows it. */
  readonly isInReasoning: boolean;
}

export type Problem =
  | "refused"
  | "error"
  | "swallowed"
  | "broken_off"
  | "cut"
  | "call_in_text"
  | "index"
  | "ids"
  | "encoding"
  | "finish"
  | "call_lost"
  | "not_json"
  | "unknown_tool"
  | "changed_name"
  | "missing"
  | "schema"
  | "no_call"
  | "unwanted_call"
  | "repeated_call"
  | "same_call"
  | "too_few"
  | "wrong_tool"
  | "types"
  | "values"
  | "empty"
  | "text"
  | "reasoning_mark"
  | "special_token";

export interface Asked {
  readonly request: ChatRequest;
  readonly expect: Expected;
}

export function checkAnswer({ request, expect }: Asked, answer: Answer, reading: Reading): Set<Problem> {
  const { status, error, oddities, finish, calls } = answer;
  if (status !== 200) return new Set(["refused"]);
  if (error !== undefined) return new Set(["error"]);
  if (oddities.has("swallowed")) return new Set(["swallowed"]);
  if (oddities.has("broken_off")) return new Set(["broken_off"]);
  const found = new Set<Problem>();
  if (finish === "length") found.add("cut");
  if (reading.rules.length > 0 && expect.shows !== true) found.add("call_in_text");
  for (
    const problem of [
      ...formProblems(request, answer),
      // A recorded suite states the calls themselves, whatever the schema.
      ...expect.isExact === true ? [] : schemaProblems(request, calls),
      ...expect.shows === true ? [] : textProblems(answer),
    ]
  ) found.add(problem);
  for (const problem of contentProblems(expect, answer)) found.add(problem);
  if (expect.calls === "any" && calls.length === 0 && reading.isNearMiss) found.add("no_call");
  return found;
}

function* formProblems({ tool_choice: choice }: ChatRequest, answer: Answer): Generator<Problem> {
  const { calls, finish, oddities } = answer;
  if (oddities.has("index_repeats")) yield "index";
  if (calls.some(({ id }) => id === "") || new Set(calls.map(({ id }) => id)).size < calls.length) {
    yield "ids";
  }
  if (calls.some((call) => typeof call.arguments !== "string" || isEncodedTwice(call.arguments))) {
    yield "encoding";
  }
  if (calls.some((call) => !isRecord(argumentsOf(call)))) yield "not_json";
  if (finish === "length") return;
  if (calls.length === 0 && finish === "tool_calls") yield "call_lost";
  else if (finish === null) yield "finish";
  // A demanded call ends with `stop` in OpenAI's own API.
  else if (calls.length > 0 && finish !== "tool_calls" && (choice ?? "auto") === "auto") yield "finish";
}

/** Whether calls are offered tools with a JSON object that fits. */
export function fitTools(request: ChatRequest, calls: readonly AnswerCall[]): boolean {
  return calls.every((call) => isRecord(argumentsOf(call))) &&
    schemaProblems(request, calls).next().done === true;
}

function* schemaProblems(request: ChatRequest, calls: readonly AnswerCall[]): Generator<Problem> {
  for (const call of calls) {
    const tool = request.tools?.find(({ function: one }) => one?.name === call.name);
    const value = argumentsOf(call);
    if (tool === undefined) yield isChangedName(call.name, request) ? "changed_name" : "unknown_tool";
    else if (isRecord(value)) {
      const { missing, wrong } = checkArguments(offeredTool(tool).schema, value);
      if (missing.length > 0) yield "missing";
      if (wrong.length > 0) yield "schema";
    }
  }
}

/** Whether a name is empty, or that of an offered tool in another spelling: `functions.read_file`, `readFile`. */
function isChangedName(name: string, { tools }: ChatRequest): boolean {
  const offered = (tools ?? []).map(({ function: one }) => typeof one?.name === "string" ? one.name : "");
  return name === "" || akinNames(name, offered).length > 0 || offered.some((known) => {
    const at = known === "" ? -1 : name.toLowerCase().replaceAll("-", "_").indexOf(known);
    return at >= 0 && !/[a-z\d]$/i.test(name.slice(0, at)) &&
      !/^[a-z\d]/i.test(name.slice(at + known.length));
  });
}

/** The marks of a template that a server leaves in the text. */
function* textProblems({ text }: Answer): Generator<Problem> {
  if (beginsInReasoning(text)) yield "reasoning_mark";
  if (SPECIAL_TOKEN.test(text)) yield "special_token";
}

/** The text without the tokens that end a turn. */
export function spokenText(text: string): string {
  return text.replaceAll(new RegExp(SPECIAL_TOKEN, "giu"), "").trim();
}

/** The last of the tokens that end a turn; undefined if the text has none. */
export function endTokenOf(text: string): string | undefined {
  return text.match(new RegExp(SPECIAL_TOKEN, "giu"))?.at(-1);
}

/** A token that ends a turn: no task asks for one. */
const SPECIAL_TOKEN = /<[|｜][a-z_▁ ]{2,32}[|｜]>|<\/s>|<(?:start|end)_of_turn>/iu;

function* contentProblems(expect: Expected, { calls, text }: Answer): Generator<Problem> {
  const { calls: wanted, not, tool } = expect;
  if (calls.some((call) => not !== undefined && isSame(call, not))) yield "repeated_call";
  if (calls.some(({ name }) => name === expect.never)) yield "unwanted_call";
  if (wanted === "any" && calls.length === 0 && text.trim() === "") yield "empty";
  if (wanted === "any" || wanted === undefined) return;
  if (wanted === "none") {
    if (calls.length > 0) yield "unwanted_call";
    else if (text.trim() === "" && expect.isExact !== true) yield "empty";
    else if (expect.text !== undefined && !text.includes(expect.text)) yield "text";
    return;
  }
  if (calls.length === 0) return yield "no_call";
  if (expect.isExact !== true && isSameTwice(calls)) yield "same_call";
  if (wanted === "some") {
    if (tool !== undefined && calls.some(({ name }) => name !== tool)) yield "wrong_tool";
    return;
  }
  yield* callProblems(wanted, calls, expect.isExact === true ? isExact : isSame);
}

function* callProblems(
  wanted: readonly ExpectedCall[],
  calls: readonly AnswerCall[],
  isSame: (call: AnswerCall, one: ExpectedCall) => boolean,
): Generator<Problem> {
  const left = [...calls];
  const missing = wanted.filter((one) => {
    const at = left.findIndex((call) => isSame(call, one));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (missing.length === 0) return left.length > 0 ? yield "unwanted_call" : undefined;
  if (left.length === 0) return yield "too_few";
  for (const one of missing) {
    const near = left.filter(({ name }) => name === one.tool);
    if (near.length === 0) yield "wrong_tool";
    else yield near.some((call) => isAlike(argumentsOf(call), one.arguments)) ? "types" : "values";
  }
}

function isSameTwice(calls: readonly AnswerCall[]): boolean {
  return calls.some((call, at) =>
    calls.slice(0, at).some((other) =>
      other.name === call.name && isJsonEqual(argumentsOf(other), argumentsOf(call))
    )
  );
}

function isExact(call: AnswerCall, { tool, arguments: wanted }: ExpectedCall): boolean {
  return call.name === tool && isJsonEqual(argumentsOf(call), wanted);
}

function isSame(call: AnswerCall, { tool, arguments: wanted }: ExpectedCall): boolean {
  const given = argumentsOf(call);
  return call.name === tool && isRecord(given) && isSameMeaning(given, wanted);
}

/** Whether values are equal apart from their JSON types. */
function isAlike(given: unknown, wanted: unknown): boolean {
  if (isRecord(wanted) && isRecord(given)) {
    return Object.entries(wanted).every(([key, value]) => isAlike(given[key], value));
  }
  if (isJsonEqual(given, wanted)) return true;
  if (typeof wanted === "string") return typeof given !== "string" && String(given) === wanted;
  if (typeof wanted === "boolean" && given === Number(wanted)) return true;
  if (typeof given !== "string") return false;
  if (Array.isArray(wanted) && given.split(/[\s,;]+/).join() === wanted.join()) return true;
  const parsed = parseJson(given);
  return parsed !== undefined && parsed !== given && isAlike(parsed, wanted) ||
    given.toLowerCase() === String(wanted).toLowerCase();
}

/** The arguments as a value, also if they are encoded twice; undefined if they aren't JSON. */
export function argumentsOf({ arguments: given }: AnswerCall): unknown {
  if (typeof given !== "string") return given;
  const value = parseJson(given);
  return typeof value === "string" ? parseJson(value) : value;
}

function isEncodedTwice(text: string): boolean {
  return typeof parseJson(text) === "string";
}

type Values = Readonly<Record<string, unknown>>;

/** What a parameter of the battery's tools means: its name → how it is compared. */
const MEANINGS: Readonly<Record<string, string>> = battery.meanings;

/** Whether the values have everything that is wanted. What else they have, the schema judges. */
function isSameMeaning(given: Values, wanted: Values): boolean {
  const keys = Object.keys(wanted);
  // A call with nothing is only the same as another one with nothing.
  if (keys.length === 0) return Object.values(given).every((value) => value === null);
  return keys.every((key) => isJsonEqual(plain(key, given[key]), plain(key, wanted[key])));
}

/** A value in the form that all of its spellings share. */
function plain(key: string, value: unknown): unknown {
  switch (MEANINGS[key]) {
    case "path":
      return plainPath(value);
    case "paths":
      return Array.isArray(value) ? value.map(plainPath).sort() : value;
    case "text":
      return typeof value === "string" ? value.replace(/\n$/, "") : value;
    default:
      return value;
  }
}

/** `./src//x.ts`, `src/x.ts` and `src/./x.ts` are one file; `src/` and `src` are one folder. */
function plainPath(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parts = value.replaceAll("\\", "/").split("/");
  const kept = parts.filter((part, at) => part !== "." && (part !== "" || at === 0));
  return kept.join("/") || (value.startsWith("/") ? "/" : ".");
}

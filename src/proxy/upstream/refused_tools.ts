/**
 * Recognizes errors of servers that refuse a request because of its tools. They are worded in many ways:
 *
 *     gemma does not support tools
 *     "auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set
 *     tools param requires --jinja flag
 *     Unrecognized request argument supplied: tools
 *     No endpoints found that support tool use
 *
 * @module
 */
import { chosenTools } from "../../chat/message/conversation.ts";
import { errorOf } from "../../chat/message/error.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { offeredOf } from "../../chat/prompt/request.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { readError } from "./error_text.ts";
import { refusesForm } from "./ladder.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** The statuses of an error about the request itself, and of servers that fail at what they don't know. */
const STATUSES: readonly number[] = [400, 404, 405, 415, 422, 500, 501];

const ERROR_BYTES_MAX = 64 * 1024;

const ABOUT_TOOLS = [
  "tools",
  "tool use",
  "tool call",
  "tool_call",
  "function call",
  '"tool"',
  "'tool'",
];

/** How a server states that it doesn't know or doesn't allow something. */
const REFUSING = [
  "support",
  "enable",
  "requires",
  "unrecognized",
  "unknown",
  "unexpected role",
  "unexpected keyword",
  "unexpected argument",
  "not permitted",
  "not allowed",
  "not implemented",
  "not available",
  "not configured",
  "extra field",
  "extra input",
];

/**
 * A field that servers without tools mention instead. Servers with tools refuse some of its values, and then the error is
 * about that request, unless it names the flag that tools need.
 */
const CHOICE = ["tool_choice", "tool choice"];

/** How a server names such a flag. */
const NEEDS_FLAG = "requires --";

/** An error about something else: a wrong schema, an unreadable conversation, a field that excludes tools. */
const ABOUT_OTHERS = [
  "must be a response",
  "must be followed",
  "schema",
  "tool_call_id",
  "failed to parse",
  "logprobs",
  "response_format",
  "mime type",
  "grammar",
];

/** A path to a part of one tool; a server that names it knows tools. */
const PART_OF_TOOL = /tools(?:\[|\.|['"],\s?)\d/;

const LONELY_FIELD = "parallel_tool_calls";

export function refusesTools(status: number, body: string): boolean {
  if (!STATUSES.includes(status)) return false;
  const text = (errorOf(body)?.message ?? body).toLowerCase().replaceAll(LONELY_FIELD, "");
  const has = (words: readonly string[]) => words.some((word) => text.includes(word));
  const needsFlag = has(CHOICE) && text.includes(NEEDS_FLAG);
  const isRefused = needsFlag || has(ABOUT_TOOLS) && has(REFUSING);
  return isRefused && !has(ABOUT_OTHERS) && !PART_OF_TOOL.test(text);
}

interface CheckedAnswer {
  /** `tools`: its words are about tools; `form`: it refuses the request for a reason that isn't known. */
  readonly refuses: "tools" | "form" | undefined;
  readonly message: string;
  /** The same answer, to be read again. */
  readonly same: UpstreamAnswer;
}

/** Reads an error to find out whether the request would be taken without its tools. Every answer can still be read. */
export async function checkRefusal(
  answered: UpstreamAnswer,
  { limits, chat }: { readonly limits: ReadLimits; readonly chat: ChatRequest },
): Promise<CheckedAnswer> {
  const { response: { status } } = answered;
  if (!STATUSES.includes(status)) return { refuses: undefined, message: "", same: answered };
  const { text, message, same } = await readError(answered, limits, ERROR_BYTES_MAX);
  if (refusesTools(status, text)) return { refuses: "tools", message, same };
  const knowsChoice = CHOICE.some((word) => message.toLowerCase().includes(word));
  const isForm = refusesForm(status, message) && !knowsChoice && choosesOffered(chat);
  return { refuses: isForm ? "form" : undefined, message, same };
}

/** Whether the tools that a request chooses are offered. */
function choosesOffered(chat: ChatRequest): boolean {
  const offered = offeredOf(chat).map(({ name }) => name);
  return [...chosenTools(chat) ?? []].every((name) => offered.includes(name));
}

/**
 * Reads in an agent's request what became of the calls of the answer before it: the agent ran a call and sends its result,
 * or it could not use the call and sends an error.
 *
 *     { role: "tool", tool_call_id: "call_1", content: "..." }              the call with this id was accepted
 *     { role: "tool", ..., content: "The arguments ... are invalid" }       it was rejected
 *     { role: "user", content: "[read_file for 'a.txt'] Result:\n..." }     accepted, by a client that reads text
 *     { role: "user", content: "[ERROR] You did not use a tool ..." }       rejected: the client found no call
 *
 * @module
 */
import { contentText } from "../../chat/message/read.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { isRecord } from "../../engine/object/record.ts";

/** How a client writes results; from its file. */
export interface ResultForm {
  /** How the result of a call begins in a user's message, with `{tool}` for the tool's name. */
  readonly label?: string | undefined;
  readonly label_end?: string | undefined;
  /** Phrases of a result that show that the client could not use the call; `…` is any text. */
  readonly rejected: readonly string[];
  /** Phrases of a user's message that show that the client found no call in the answer; `…` is any text. */
  readonly no_call: readonly string[];
}

export interface PendingCall {
  readonly answer: string;
  /** The upstream that gave the answer; what is asked next may be another one. */
  readonly upstream?: string | undefined;
  readonly rule: string;
  readonly tool: string;
  /** The id that its result refers to; undefined if the client reads calls in text. */
  readonly id: string | undefined;
}

type Verdict = "accepted" | "rejected";

type Message = NonNullable<ChatRequest["messages"]>[number];

/** The phrases are looked for in this many characters: what follows may be the contents of a file. */
const HEAD_LENGTH = 200;

/** What became of each pending call; calls without a result are left out. */
export function readResults(
  request: ChatRequest,
  pending: readonly PendingCall[],
  form: ResultForm,
): Map<PendingCall, Verdict> {
  const messages = latest(request);
  const unnamed = resultsOfOtherIds(request, { messages, pending });
  const found = new Map<PendingCall, Verdict>();
  for (const call of pending) {
    const result = resultOf(call, messages, form) ?? resultByTool(call, unnamed, form);
    if (result !== undefined) found.set(call, result);
  }
  return found;
}

/** A result whose id isn't ours, and its tool. */
interface OtherResult {
  readonly tool: string | undefined;
  readonly content: Message["content"];
}

/** The results of a client whose API has no ids: they got new ones, and only the tool's name tells the call. */
function resultsOfOtherIds(
  { messages: all }: ChatRequest,
  { messages, pending }: { readonly messages: readonly Message[]; readonly pending: readonly PendingCall[] },
): OtherResult[] {
  const ours = new Set(pending.map(({ id }) => id));
  const tools = new Map<unknown, string>();
  for (const message of Array.isArray(all) ? all : []) {
    const calls: unknown = isRecord(message) ? message["tool_calls"] : undefined;
    for (const call of Array.isArray(calls) ? calls : []) {
      const called = isRecord(call) && isRecord(call["function"]) ? call["function"]["name"] : undefined;
      if (typeof called === "string") tools.set(call.id, called);
    }
  }
  return messages.filter(({ role, tool_call_id: id }) => role === "tool" && !ours.has(id as string))
    .map(({ tool_call_id: id, content }) => ({ tool: tools.get(id), content }));
}

function resultByTool(call: PendingCall, others: OtherResult[], form: ResultForm): Verdict | undefined {
  const at = call.id === undefined ? -1 : others.findIndex(({ tool }) => tool === call.tool);
  const [result] = at < 0 ? [] : others.splice(at, 1);
  return result && verdictOn(contentText(result.content) ?? "", form);
}

/** The messages after the latest answer. */
function latest({ messages }: ChatRequest): readonly Message[] {
  const all = Array.isArray(messages) ? messages.filter((message) => isRecord(message)) : [];
  return all.slice(all.findLastIndex(({ role }) => role === "assistant") + 1);
}

function resultOf(call: PendingCall, messages: readonly Message[], form: ResultForm): Verdict | undefined {
  for (const { role, content, tool_call_id: id, name } of messages) {
    const isOwn = call.id === undefined ? role === "function" && name === call.tool : id === call.id;
    if (isOwn) return verdictOn(contentText(content) ?? "", form);
    if (role !== "user" || call.id !== undefined) continue;
    const parts = partsOf(content);
    const at = form.label === undefined
      ? -1
      : parts.findIndex((part) => isLabeled(part, call.tool, form.label!));
    if (at >= 0) return verdictOn(bodyAfter(parts.slice(at).join("\n"), form), form);
    if (parts.some((part) => hasPhrase(part, form.no_call))) return "rejected";
  }
  return undefined;
}

function verdictOn(text: string, { rejected }: ResultForm): Verdict {
  return hasPhrase(text, rejected) ? "rejected" : "accepted";
}

function hasPhrase(text: string, phrases: readonly string[]): boolean {
  const head = text.slice(0, HEAD_LENGTH);
  return phrases.some((phrase) => {
    let at = 0;
    return phrase.split("…").every((piece) => {
      const found = head.indexOf(piece, at);
      at = found + piece.length;
      return found >= 0;
    });
  });
}

function partsOf(content: Message["content"]): string[] {
  if (!Array.isArray(content)) return [contentText(content) ?? ""];
  return content.map((part) => isRecord(part) && typeof part["text"] === "string" ? part["text"] : "");
}

/** Whether a text begins with the label of a tool, and not with that of a tool whose name only begins alike. */
function isLabeled(text: string, tool: string, label: string): boolean {
  const start = text.trimStart();
  const opener = label.replace("{tool}", tool);
  return start.startsWith(opener) && !/[\w-]/.test(start.charAt(opener.length));
}

/** What follows the label, which may contain a command of several lines. */
function bodyAfter(text: string, { label_end: end = "" }: ResultForm): string {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(at + end.length);
}

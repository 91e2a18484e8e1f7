/**
 * A conversation for a server that knows nothing of tools: calls become text of the model, results a message of the user.
 *
 *     system: "You are …"              system: "You are …", the announcement
 *     assistant: "Look.", call a  ─▶   assistant: "Look.", call a as text
 *     tool: result of a                user: the result as text, "And now?"
 *     user: "And now?"
 *
 * Messages of the user or the assistant that follow each other become one, because many chat templates want the two to
 * alternate.
 *
 * @module
 */
import { argumentsText } from "../message/history.ts";
import { withCallIds } from "../message/missing_ids.ts";
import { parseExact } from "../message/number_spelling.ts";
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import type { Work } from "../pipeline/work.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import type { Speaker } from "./speaker.ts";
import type { SpokenCall, SpokenResult, Unspeakable } from "./spoken.ts";
import type { Arguments } from "./value.ts";

type Message = Readonly<Record<string, unknown>>;

export interface ConversationOptions {
  readonly speaker: Speaker;
  readonly tools: readonly OfferedTool[];
  /** Whether the work should pause, because it has taken long. */
  readonly isPauseDue?: (() => boolean) | undefined;
}

export function* speakConversation(
  messages: readonly unknown[],
  { speaker, tools, isPauseDue = () => false }: ConversationOptions,
): Work<{ readonly messages: readonly Message[]; readonly isOtherwise: boolean } | Unspeakable> {
  const spoken: Message[] = [];
  const known = new Map<string, SpokenCall>();
  let count = 0;
  let isOtherwise = false;
  for (const turn of turnsOf(withCallIds(messages.filter(isRecord)))) {
    const [first, ...others] = turn;
    if (first === undefined) continue;
    if (turn.length === 1 && !isAboutCalls(first)) {
      spoken.push(first);
      continue;
    }
    if (isPauseDue()) yield;
    const calls: SpokenCall[] = [];
    for (const message of turn) {
      for (const { id, ...call } of callsOf(message)) {
        const numbered = { ...call, index: count++ };
        calls.push(numbered);
        known.set(id, numbered);
      }
    }
    if (roleOf(first) === "user") {
      spoken.push(writeResults(turn, { speaker, known }));
      continue;
    }
    const written = calls.length === 0 ? undefined : speaker.writeCalls(calls, tools);
    if (written !== undefined && "tool" in written) return written;
    isOtherwise ||= written?.isOtherwise === true;
    const { tool_calls: _, function_call: __, ...rest } = first;
    const contents = [first, ...others].map(({ content }) => content);
    spoken.push({ ...rest, content: joined([...contents, written?.text ?? ""], "\n") });
  }
  return { messages: spoken, isOtherwise };
}

/** Adds a text to the first system message, or puts it before the conversation. */
export function withSystemText(messages: readonly Message[], text: string): Message[] {
  const at = messages.findIndex(({ role }) => role === "system" || role === "developer");
  if (at < 0) return [{ role: "system", content: text }, ...messages];
  return messages.map((message, index) =>
    index === at ? { ...message, content: joined([message.content, text], "\n\n") } : message
  );
}

/** Messages whose roles come to the same one for the upstream, in a row. */
function turnsOf(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const role = roleOf(message);
    if (last !== undefined && roleOf(last[0]!) === role && (role === "user" || role === "assistant")) {
      last.push(message);
    } else turns.push([message]);
  }
  return turns;
}

function roleOf({ role }: Message): unknown {
  return role === "tool" || role === "function" ? "user" : role;
}

function isAboutCalls(message: Message): boolean {
  const { role, tool_calls: calls, function_call: call } = message;
  return role === "tool" || role === "function" || Array.isArray(calls) || isRecord(call);
}

function callsOf({ tool_calls: listed, function_call: legacy }: Message): (Omit<SpokenCall, "index"> & {
  readonly id: string;
})[] {
  const calls = Array.isArray(listed) ? listed : isRecord(legacy) ? [{ function: legacy }] : [];
  return calls.flatMap((call: unknown) => {
    const made = isRecord(call) && isRecord(call.function) ? call.function : undefined;
    if (made === undefined || typeof made.name !== "string") return [];
    // A legacy result has no id and names the tool instead.
    const id = isRecord(call) && typeof call.id === "string" && call.id !== "" ? call.id : made.name;
    return [{ id, tool: made.name, arguments: parseExact(argumentsText(made.arguments)) as Arguments }];
  });
}

/** Results and what the user writes after them, in their order. */
function writeResults(
  turn: readonly Message[],
  { speaker, known }: { readonly speaker: Speaker; readonly known: ReadonlyMap<string, SpokenCall> },
): Message {
  const contents: unknown[] = [];
  let results: SpokenResult[] = [];
  const flush = () => {
    if (results.length > 0) contents.push(speaker.writeResults(results));
    results = [];
  };
  for (const message of turn) {
    if (message.role === "user") {
      flush();
      contents.push(message.content);
      continue;
    }
    const { text, others } = partsOf(message.content);
    const call = known.get(asText(message.tool_call_id ?? message.name ?? ""));
    const tool = call?.tool ?? (typeof message.name === "string" ? message.name : "");
    results.push({ tool, content: text, index: call?.index ?? 0 });
    if (others.length > 0) {
      flush();
      contents.push(others);
    }
  }
  flush();
  return { role: "user", content: joined(contents, "\n\n") };
}

function partsOf(content: unknown): { readonly text: string; readonly others: readonly unknown[] } {
  if (typeof content === "string") return { text: content, others: [] };
  if (!Array.isArray(content)) return { text: content == null ? "" : JSON.stringify(content), others: [] };
  const isText = (part: unknown) => isRecord(part) && part.type === "text" && typeof part.text === "string";
  return {
    text: content.filter(isText).map((part) => part.text).join("\n"),
    others: content.filter((part) => !isText(part)),
  };
}

/** Contents as one: a text if all are texts, else a list of parts. */
function joined(contents: readonly unknown[], between: string): unknown {
  const given = contents.filter((content) => content != null && content !== "");
  const separators = given.map((_, index) => separatorAfter(given[index - 1], between));
  if (given.every((content) => typeof content === "string")) {
    return given.map((content, index) => separators[index] + content).join("");
  }
  return given.flatMap((content, index) => {
    const separator = separators[index];
    if (typeof content === "string") return [{ type: "text", text: separator + content }];
    return Array.isArray(content) ? content : [];
  });
}

/**
 * What has to follow a content: nothing after whitespace in a turn of the model, whose text goes on as the model wrote it. One
 * character more, and the server reads everything from there on again.
 */
function separatorAfter(content: unknown, between: string): string {
  if (content === undefined) return "";
  const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
  const text = typeof content === "string" ? content : isRecord(last) ? last.text : undefined;
  return between === "\n" && typeof text === "string" && /\s$/.test(text) ? "" : between;
}

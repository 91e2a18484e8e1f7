/**
 * Brings the messages of a request into the form that a server or its model's template demands. Each change depends on the
 * messages before it only, so a server can reuse what it computed for the beginning of the prompt.
 *
 *     user, user, assistant: call, tool, user  ─▶  user, assistant: call, tool, assistant: "Done.", user
 *
 * @module
 */
import { argumentsText } from "../message/history.ts";
import { withCallIds } from "../message/missing_ids.ts";
import { isSystemRole } from "../message/read.ts";
import { own } from "../../engine/object/own.ts";
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import { MESSAGE_RULES, type MessageRule } from "./refused_forms.ts";

export type Message = Readonly<Record<string, unknown>>;

/** The user's message where a template demands one. */
const CONTINUE: Message = { role: "user", content: "Continue." };

/** The model's answer between a result and the user's next message, where a template demands one. */
const DONE: Message = { role: "assistant", content: "Done." };

const UNSEEN = "(an image, which this model can't see)";
const UNHEARD = "(a recording, which this model can't hear)";

/**
 * Rule → type of a part → the text in its place. A server that takes no files may take images, so each kind has a rule of its
 * own; an image in another form than OpenAI's is a file.
 */
const MEDIA = {
  no_images: { image_url: UNSEEN },
  no_recordings: { input_audio: UNHEARD },
  no_links: { audio_url: UNHEARD, video_url: "(a video, which this model can't see)" },
  no_files: { file: "(a file, which this model can't read)", image: UNSEEN },
} as const satisfies Partial<Record<MessageRule, Readonly<Record<string, string>>>>;

/** Type of a part of another API → the field with its text; without one, the model doesn't get it back. */
const OTHER_TEXTS: ReadonlyMap<unknown, string | undefined> = new Map([
  ["input_text", "text"],
  ["output_text", "text"],
  ["refusal", "refusal"],
  ["thinking", undefined],
  ["redacted_thinking", undefined],
]);

/** The fields in which clients send the model's reasoning back. */
const REASONING: readonly string[] = ["reasoning_content", "reasoning", "thinking"];

/**
 * Changes the messages by each of the rules.
 *
 * @example
 * ```ts
 * import { changeMessages } from "./messages.ts";
 * const { messages } = changeMessages([{ role: "developer", content: "a" }], ["no_developer"]);
 * console.assert(JSON.stringify(messages) === '[{"role":"system","content":"a"}]');
 * ```
 */
export function changeMessages(
  messages: readonly unknown[],
  rules: readonly MessageRule[],
): { readonly messages: readonly unknown[]; readonly changed: readonly MessageRule[] } {
  const changed: MessageRule[] = [];
  if (!messages.every(isRecord)) return { messages, changed };
  let list: readonly Message[] = messages;
  for (const rule of Object.keys(MESSAGE_RULES) as MessageRule[]) {
    const change = CHANGES[rule];
    if (!rules.includes(rule) || change === undefined) continue;
    const next = change(list);
    if (next.length === list.length && next.every((message, index) => message === list[index])) continue;
    changed.push(rule);
    list = next;
  }
  return { messages: list, changed };
}

/** Rule → its change; `continue_last` is a field of the request. */
const CHANGES: Readonly<
  Partial<Record<MessageRule, (messages: readonly Message[]) => readonly Message[]>>
> = {
  call_ids: withCallIds,
  arguments: (messages) => messages.map(withJsonArguments),
  no_developer: (messages) =>
    messages.map((message) => message.role === "developer" ? { ...message, role: "system" } : message),
  plain_parts: (messages) => messages.map(withPlainParts),
  text_parts: (messages) => messages.map(withOneText),
  content_text: (messages) =>
    messages.map((message) => message.content == null ? { ...message, content: "" } : message),
  ...Object.fromEntries(
    Object.entries(MEDIA).map(([rule, texts]) => [
      rule,
      (messages: readonly Message[]) => messages.map((message) => withoutMedia(message, texts)),
    ]),
  ),
  system_first: systemFirst,
  no_system: withoutSystem,
  orphan_results: withoutOrphans,
  single_calls: singleCalls,
  text_or_reasoning: (messages) => messages.map(withoutReasoning),
  alternate,
  user_required: withUser,
  join_last: joinLast,
};

/** Whether the answer has to continue a message of the assistant. */
export function endsInAssistant(messages: readonly unknown[]): boolean {
  const last = messages.at(-1);
  return isRecord(last) && last.role === "assistant" && callsOf(last).length === 0;
}

function withJsonArguments(message: Message): Message {
  const calls = callsOf(message);
  const repaired = calls.map((call) => {
    if (!isRecord(call) || !isRecord(call.function)) return call;
    const { type = "function" } = call;
    const text = argumentsText(call.function.arguments);
    return text === call.function.arguments && type === call.type
      ? call
      : { ...call, type, function: { ...call.function, arguments: text } };
  });
  return repaired.every((call, index) => call === calls[index])
    ? message
    : { ...message, tool_calls: repaired };
}

function withOneText(message: Message): Message {
  const { content } = message;
  const isText = Array.isArray(content) &&
    content.every((part) => isRecord(part) && part.type === "text" && typeof part.text === "string");
  return isText ? { ...message, content: content.map(({ text }) => text).join("\n") } : message;
}

function withoutMedia(message: Message, texts: Readonly<Record<string, string>>): Message {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const named = content.map((part) => {
    const text = isRecord(part) && typeof part.type === "string" ? own(texts, part.type) : undefined;
    return text === undefined ? part : { type: "text", text };
  });
  return named.every((part, at) => part === content[at])
    ? message
    : withOneText({ ...message, content: named });
}

function withPlainParts(message: Message): Message {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const isOther = (part: unknown): part is Message => isRecord(part) && OTHER_TEXTS.has(part.type);
  if (!content.some(isOther)) return message;
  const plain = content.flatMap((part: unknown) => {
    if (!isOther(part)) return [part];
    const text = part[OTHER_TEXTS.get(part.type) ?? ""];
    return typeof text === "string" ? [{ type: "text", text }] : [];
  });
  return { ...message, content: plain.length === 0 ? "" : plain };
}

/** The messages of the system at the beginning become one, later ones text of the user. */
function systemFirst(messages: readonly Message[]): readonly Message[] {
  const leading = messages.findIndex(({ role }) => !isSystemRole(role));
  const count = leading < 0 ? messages.length : leading;
  const first = count > 1 ? [messages.slice(0, count).reduce(joined)] : messages.slice(0, count);
  const later = messages.slice(count).map((message) =>
    isSystemRole(message.role) ? asUser(message, "system") : message
  );
  return [...first, ...later];
}

function withoutSystem(messages: readonly Message[]): readonly Message[] {
  const [system, ...rest] = systemFirst(messages);
  if (system === undefined || !isSystemRole(system.role)) return messages;
  const [next] = rest;
  if (next?.role !== "user") return [{ ...system, role: "user" }, ...rest];
  return [joined({ ...system, role: "user" }, next), ...rest.slice(1)];
}

/** Results whose call isn't in the conversation. */
function withoutOrphans(messages: readonly Message[]): readonly Message[] {
  const called = new Set<unknown>();
  let hasCalls = false;
  return messages.map((message) => {
    for (const call of callsOf(message)) {
      hasCalls = true;
      if (isRecord(call)) called.add(call.id);
    }
    if (message.role !== "tool") return message;
    // A result without an id may belong to the calls before it.
    const { tool_call_id: id } = message;
    const isKnown = typeof id === "string" && id !== "" ? called.has(id) : hasCalls;
    return isKnown ? message : asUser(message, "tool_result");
  });
}

/** A message as the user's, marked, so that the model doesn't take it for the user's own words. */
function asUser({ content }: Message, tag: string): Message {
  const [begin, end] = [`<${tag}>\n`, `\n</${tag}>`];
  if (!Array.isArray(content)) return { role: "user", content: begin + asText(content ?? "") + end };
  return {
    role: "user",
    content: [{ type: "text", text: begin }, ...content, { type: "text", text: end }],
  };
}

/** One message for each call, with its results after it. */
function singleCalls(messages: readonly Message[]): readonly Message[] {
  const single: Message[] = [];
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at]!;
    const calls = callsOf(message);
    if (calls.length < 2) {
      single.push(message);
      continue;
    }
    const end = messages.findIndex(({ role }, index) => index > at && role !== "tool");
    const results = messages.slice(at + 1, end < 0 ? messages.length : end);
    const { content: _, ...fields } = withoutReasoningFields(message);
    calls.forEach((call, index) => {
      const first = index === 0 ? message : { ...fields, content: "" };
      single.push({ ...first, tool_calls: [call] });
      single.push(...results.filter(({ tool_call_id: id }) => isRecord(call) && id === call.id));
    });
    const ids = calls.map((call) => isRecord(call) ? call.id : undefined);
    single.push(...results.filter(({ tool_call_id: id }) => !ids.includes(id)));
    at += results.length;
  }
  return single;
}

function withoutReasoning(message: Message): Message {
  const { content } = message;
  const hasText = Array.isArray(content) ? content.length > 0 : content != null && content !== "";
  const hasReasoning = REASONING.some((field) => message[field] != null && message[field] !== "");
  return hasText && hasReasoning && callsOf(message).length > 0 ? withoutReasoningFields(message) : message;
}

function withoutReasoningFields(message: Message): Message {
  return Object.fromEntries(Object.entries(message).filter(([field]) => !REASONING.includes(field)));
}

/** User and assistant in turns: messages of one are joined, and what is missing between two is added. */
function alternate(messages: readonly Message[]): readonly Message[] {
  const turns: Message[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    const { role } = message;
    const isText = last !== undefined && callsOf(last).length === 0;
    if (last !== undefined && role === last.role && (role === "user" || (role === "assistant" && isText))) {
      turns[turns.length - 1] = joined(last, message);
      continue;
    }
    const isFirst = turns.every((turn) => isSystemRole(turn.role));
    if (role === "assistant" && isFirst) turns.push(CONTINUE);
    if (role === "user" && last?.role === "tool") turns.push(DONE);
    turns.push(message);
  }
  return turns;
}

/** A conversation after a compaction can be without a message of the user. */
function withUser(messages: readonly Message[]): readonly Message[] {
  if (messages.some(({ role }) => role === "user")) return messages;
  const at = messages.findIndex(({ role }) => !isSystemRole(role));
  const count = at < 0 ? messages.length : at;
  return [...messages.slice(0, count), CONTINUE, ...messages.slice(count)];
}

function joinLast(messages: readonly Message[]): readonly Message[] {
  let count = 0;
  while (endsInAssistant(messages.slice(0, messages.length - count))) count++;
  return count < 2 ? messages : [...messages.slice(0, -count), messages.slice(-count).reduce(joined)];
}

/** Two messages of one role as one; a text and a text become one text. */
function joined(one: Message, other: Message): Message {
  return { ...one, ...other, content: joinedContent(one.content, other.content) };
}

function joinedContent(one: unknown, other: unknown): unknown {
  if (one == null || one === "") return other;
  if (other == null || other === "") return one;
  if (typeof one === "string" && typeof other === "string") return `${one}\n\n${other}`;
  const parts = (content: unknown) =>
    Array.isArray(content) ? content : [{ type: "text", text: asText(content) }];
  return [...parts(one), ...parts(other)];
}

function callsOf({ tool_calls: calls }: Message): readonly unknown[] {
  return Array.isArray(calls) ? calls : [];
}

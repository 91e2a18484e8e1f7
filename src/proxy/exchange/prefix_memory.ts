/**
 * Finds what broke the prefix of a conversation: the first part of a request that isn't what the request before had there.
 * From it on, a server with a cache reads the prompt again. Only hashes are kept.
 *
 *     request 1   tools a, b   system   user   assistant   tool
 *     request 2   tools b, a   system   user   assistant   tool   assistant   tool
 *                 ─────┬────
 *                      ╰─ "the tools are in a different order"
 *
 * @module
 */
import { createHash } from "node:crypto";
import { nameOf } from "../../chat/message/stable_prefix.ts";
import { contentText, isSystemRole } from "../../chat/message/read.ts";
import type { Content } from "../../chat/message/chunk.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { putLast } from "../../engine/object/drop_oldest.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { NoteEvent } from "../../engine/event/event.ts";

/** The most conversations, and the most tools, lines and messages of one, that are remembered: at most some 50 MB. */
const CONVERSATIONS_MAX = 200;
const PARTS_MAX = 2000;

/** A longer name of a tool or a role is remembered as its hash. */
const NAME_MAX = 64;

interface Prefix {
  readonly tools: readonly (readonly [name: string, hash: string])[];
  /** The lines of the system prompt. */
  readonly lines: readonly string[];
  readonly messages: readonly (readonly [role: string, hash: string])[];
}

interface Asked {
  readonly owner: string;
  readonly client: string;
  readonly model: string | undefined;
  readonly upstream: string;
  /** What to set in the client if its prompts change. */
  readonly help: string | undefined;
}

export class PrefixMemory {
  readonly #known = new Map<string, Prefix>();

  /** Takes a request; a note if it doesn't begin as the one before of the same conversation. */
  see(chat: ChatRequest, { help, ...asked }: Asked): NoteEvent | undefined {
    const prefix = prefixOf(chat);
    const [first] = prefix.messages;
    if (first === undefined) return undefined;
    // A title that is asked for has no tools, and belongs to no conversation.
    const key = hashOf([asked, first, prefix.tools.length > 0]);
    const before = this.#known.get(key);
    putLast(this.#known, key, prefix, CONVERSATIONS_MAX);
    const what = before && difference(before, prefix);
    if (what === undefined) return undefined;
    const detail = help === undefined ? what : `${what}: ${help}`;
    return { kind: "note", reason: "prefix_broken", rule: "cache", start: 0, end: 0, detail };
  }
}

function prefixOf({ tools, messages }: ChatRequest): Prefix {
  const system: string[] = [];
  const others: [role: string, hash: string][] = [];
  for (const message of partsOf(messages)) {
    const { role, content } = isRecord(message) ? message : {};
    if (isSystemRole(role)) system.push(contentText(content as Content) ?? "");
    else others.push([typeof role === "string" ? shortName(role) : "", hashOf(message)]);
  }
  return {
    tools: partsOf(tools).map((tool) => [shortName(nameOf(tool)), hashOf(tool)]),
    lines: system.join("\n").split("\n").slice(0, PARTS_MAX).map(hashOf),
    messages: others,
  };
}

function shortName(name: string): string {
  return name.length <= NAME_MAX ? name : hashOf(name);
}

function partsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.slice(0, PARTS_MAX) : [];
}

/** What differs first; undefined if the request only goes on. */
function difference(before: Prefix, now: Prefix): string | undefined {
  return toolDifference(before.tools, now.tools) ?? lineDifference(before.lines, now.lines) ??
    messageDifference(before.messages, now.messages);
}

function toolDifference(before: Prefix["tools"], now: Prefix["tools"]): string | undefined {
  const at = before.findIndex(([name, hash], at) => now[at]?.[0] !== name || now[at]?.[1] !== hash);
  if (at < 0) return before.length === now.length ? undefined : "there are more tools";
  const names = (tools: Prefix["tools"]) => tools.map(([name]) => name).toSorted().join("\n");
  const name = before[at]?.[0];
  if (names(before) !== names(now)) return `the list of tools changed at ${name}`;
  return now[at]?.[0] === name
    ? `the tool ${name} has a different description`
    : "the tools are in a different order (set `cache.stable_tools` to sort them)";
}

function lineDifference(before: Prefix["lines"], now: Prefix["lines"]): string | undefined {
  const at = before.findIndex((line, at) => now[at] !== line);
  if (at < 0) return before.length === now.length ? undefined : "the system prompt is longer";
  return `line ${at + 1} of the system prompt changed (\`cache.volatile_lines\` removes such lines)`;
}

function messageDifference(before: Prefix["messages"], now: Prefix["messages"]): string | undefined {
  const at = before.findIndex(([, hash], at) => now[at]?.[1] !== hash);
  if (at < 0) return undefined;
  const of = `message ${at + 1} of ${before.length}, not counting system messages`;
  return now[at] === undefined ? `the conversation ends before ${of}` : `${of}, changed: ${before[at]?.[0]}`;
}

/** 72 bits. A slice of 13 characters or more keeps the whole text that it is of. */
const HASH_DIGITS = 12;

function hashOf(value: unknown): string {
  return createHash("sha1").update(JSON.stringify(value) ?? "").digest("base64").slice(0, HASH_DIGITS);
}

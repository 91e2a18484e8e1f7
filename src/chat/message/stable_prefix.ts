/** Keeps the beginning of requests the same where an agent changes it: from there on, no server's cache helps. @module */
import { matchesGlob } from "../../engine/pattern/glob.ts";
import { isRecord } from "../../engine/object/record.ts";
import { isSystemRole } from "./read.ts";
import type { ChatRequest } from "./request.ts";

/** What is kept the same at the beginning of requests. */
export interface PrefixSettings {
  /** Whether tools are sent in the order of their names. */
  readonly stableTools: boolean;
  /** Lines of system prompts that are left out, with `*` for any text. */
  readonly volatileLines: readonly string[];
}

/** The fields of a request that change; empty if none does. */
export function stablePrefix(
  { tools, messages }: ChatRequest,
  { stableTools, volatileLines }: PrefixSettings,
): Pick<ChatRequest, "tools" | "messages"> {
  const sorted = stableTools && Array.isArray(tools) ? inOrder(tools) : undefined;
  const kept = volatileLines.length > 0 && Array.isArray(messages)
    ? withoutLines(messages, volatileLines)
    : undefined;
  return {
    ...sorted === undefined ? {} : { tools: sorted },
    ...kept === undefined ? {} : { messages: kept },
  } as Pick<ChatRequest, "tools" | "messages">;
}

function inOrder(tools: readonly unknown[]): unknown[] | undefined {
  // The order of their code units is the same on every machine.
  const sorted = tools.toSorted((one, other) =>
    nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0
  );
  return sorted.every((tool, at) => tool === tools[at]) ? undefined : sorted;
}

/** The name of a tool; empty if it has none. */
export function nameOf(tool: unknown): string {
  const described = isRecord(tool) && isRecord(tool.function) ? tool.function : tool;
  return isRecord(described) && typeof described.name === "string" ? described.name : "";
}

function withoutLines(messages: readonly unknown[], globs: readonly string[]): unknown[] | undefined {
  let isChanged = false;
  const clean = (text: string) => {
    const lines = text.split("\n");
    const kept = lines.filter((line) => !globs.some((glob) => matchesGlob(glob, line)));
    isChanged ||= kept.length < lines.length;
    return kept.length < lines.length ? kept.join("\n") : text;
  };
  const cleaned = messages.map((message) => {
    if (!isRecord(message) || !isSystemRole(message.role)) return message;
    const { content } = message;
    if (typeof content === "string") return { ...message, content: clean(content) };
    if (!Array.isArray(content)) return message;
    const parts = content.map((part) =>
      isRecord(part) && typeof part.text === "string" ? { ...part, text: clean(part.text) } : part
    );
    return { ...message, content: parts };
  });
  return isChanged ? cleaned : undefined;
}

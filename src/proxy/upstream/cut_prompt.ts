/** Notices a prompt that a server cut without an error: it states far fewer tokens than the text can have. @module */
import type { ChatRequest } from "../../chat/message/request.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";

/** More characters for a token than any ordinary text has: English has about 4, code and JSON about 3. */
const CHARACTERS_PER_TOKEN = 8;

/** A shorter prompt fits every server. */
const CHARACTERS_MIN = 8000;

interface SentPrompt {
  readonly chat: ChatRequest;
  /** What the upstream states. */
  readonly usage: unknown;
  /** The setting of the server that has to be changed. */
  readonly setting: string;
}

export function cutPromptNote({ chat, usage, setting }: SentPrompt): NoteEvent | undefined {
  const tokens = isRecord(usage) ? usage["prompt_tokens"] : undefined;
  if (typeof tokens !== "number" || tokens <= 0) return undefined;
  const characters = lengthOf(chat.messages) + lengthOf(chat.tools);
  if (characters < CHARACTERS_MIN || tokens * CHARACTERS_PER_TOKEN >= characters) return undefined;
  const detail =
    `the server processed ${tokens} tokens of a prompt with ${characters} characters: raise ${setting}`;
  return { kind: "note", reason: "prompt_cut", rule: "context", start: 0, end: 0, detail };
}

/** The characters of all texts in a value, without files. */
function lengthOf(value: unknown): number {
  let length = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string" && !next.startsWith("data:")) length += next.length;
    if (Array.isArray(next)) { for (const inner of next) waiting.push(inner); }
    else if (isRecord(next) && !("input_audio" in next)) waiting.push(...Object.values(next));
  }
  return length;
}

/**
 * Identifies a conversation by a hash of what stays the same in it: whose it is, the client, the system prompt and the
 * first user message. Two persons who begin alike share nothing. The model is not part of it, so a conversation that
 * changes its model keeps its side. The hash does not reveal the contents.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { contentText, isSystemRole } from "../message/read.ts";
import type { ChatRequest } from "../message/request.ts";

const DIGITS = 16;

interface ConversationParty {
  readonly client: string;
  /** What tells the person or program that asks from others, in any form; a secret. */
  readonly owner: string;
}

/** The hash of a request's conversation with a client: 16 hex digits. */
export function conversationHash(request: ChatRequest, { client, owner }: ConversationParty): string {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  const system = messages.find((message) => isSystemRole(message?.role));
  const user = messages.find((message) => message?.role === "user");
  const parts = [owner, client, contentText(system?.content) ?? "", contentText(user?.content) ?? ""];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, DIGITS);
}

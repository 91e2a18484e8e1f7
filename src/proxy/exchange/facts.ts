/**
 * What is known about a chat request once its upstream has been chosen: for the watches, and to choose the mode.
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { conversationHash } from "../../chat/rollout/conversation.ts";
import { chooseMode } from "../../chat/rollout/mode.ts";
import type { Service, Translator } from "./service.ts";
import type { RequestFacts } from "./watch.ts";

const SECRET_HEADERS = [
  "authorization",
  "proxy-authorization",
  "api-key",
  "x-api-key",
  "x-goog-api-key",
  "cookie",
];

export interface FactsInput {
  readonly chat: ChatRequest | undefined;
  /** What translates the answer; undefined if the client is unknown. */
  readonly translator: Pick<Translator, "name" | "offered" | "resultForm"> | undefined;
  readonly wire: string;
  readonly headers: Headers;
  readonly upstream: UpstreamConfig;
  readonly service: Service;
  readonly key?: string | undefined;
}

export function readFacts(
  { chat, translator, wire, headers, upstream, service, key }: FactsInput,
): RequestFacts {
  const client = translator?.name;
  const isKnown = chat !== undefined && client !== undefined;
  const conversation = isKnown ? conversationHash(chat, client) : "";
  const { policy } = service.config;
  const tools = chat?.tools ?? chat?.functions;
  return {
    id: crypto.randomUUID(),
    beganAt: Date.now(),
    client,
    wire,
    key,
    model: typeof chat?.model === "string" ? chat.model : undefined,
    upstream: upstream.name,
    mode: isKnown ? chooseMode({ policy, upstream, conversation }) : "live",
    conversation,
    isStreamed: chat?.stream === true,
    toolCount: Math.max(Array.isArray(tools) ? tools.length : 0, translator?.offered?.names.length ?? 0),
    resultForm: translator?.resultForm,
    chat,
    secrets: [
      ...service.keys.values(),
      ...service.clientKeys ?? [],
      ...SECRET_HEADERS.flatMap((name) => secretsOf(headers.get(name))),
    ],
  };
}

/** A header's value and its parts, so that a key is recognized without the word before it. */
function secretsOf(value: string | null): string[] {
  if (value === null) return [];
  return [...new Set([value, ...value.split(/[\s;=,]+/)])].filter((part) => part.length >= 8);
}

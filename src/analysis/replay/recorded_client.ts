/** Finds the client of a recorded answer from what the command line gives: its name, the tools, the system prompt. @module */
import type { ChatRequest, RequestTool } from "../../chat/message/request.ts";
import type { Client } from "../../chat/client/schema.ts";
import { didYouMeanOneOf } from "../../engine/diagnostic/suggest.ts";
import type { Translator } from "../../proxy/exchange/service.ts";
import { createTranslators, type TranslatorParts } from "../../chat/translator/translator.ts";
import { present } from "../../engine/object/present.ts";
import { anyTool, type OfferedTools } from "../../engine/tool/offered.ts";

export interface KnownRequest {
  /** The client's name; without it, the request itself shows the client. */
  readonly client?: string | undefined;
  readonly tools?: readonly RequestTool[] | undefined;
  /** Whether names that the request does not offer count as offered, too. */
  readonly offersEveryName?: boolean | undefined;
  readonly system?: string | undefined;
  readonly model?: string | undefined;
}

export type FoundClient =
  | {
    readonly translator: Translator;
    readonly writesText: boolean;
    /** What is assumed about the unknown request, for the user. */
    readonly assumption?: string;
  }
  | { readonly message: string; readonly help: string };

export interface RecordedParts extends TranslatorParts {
  /** The plugins of a service; without them, none run. */
  readonly plugins?: RecordedPlugins | undefined;
}

interface RecordedPlugins {
  readonly recognize: (
    request: ChatRequest,
    headers: Headers,
    known: { readonly forced: string | undefined },
  ) => Translator | undefined;
  readonly wholeCalls: boolean;
}

export function findClient(parts: RecordedParts, known: KnownRequest): FoundClient {
  const names = parts.clients.map(({ client }) => client);
  const { system, offersEveryName = false } = known;
  const tools = offersEveryName && known.tools?.length === 0 ? undefined : known.tools;
  const isUnknown = tools === undefined && system === undefined;
  const client = known.client === undefined
    ? (isUnknown ? parts.clients.find(({ writes }) => writes === "tool_calls") : undefined)
    : parts.clients.find(({ client }) => client === known.client);
  if (client === undefined && known.client !== undefined) {
    const help = didYouMeanOneOf(known.client, names);
    return { message: `Unknown client \`${known.client}\``, help };
  }
  if (client?.writes === "tool_calls" && isUnknown) return anyToolClient(client, parts);
  const isListed = client?.writes === "text" && system === undefined;
  const prompt = isListed ? promptOf(client, namesOf(tools)) : system;
  const body = {
    ...present({ model: known.model }),
    ...(isListed ? {} : { tools: tools ?? [] }),
    messages: prompt === undefined ? [] : [{ role: "system", content: prompt }],
  };
  const request = { body, forced: client?.client };
  const translator = recognizeIn(parts, request);
  if (translator === undefined) return unrecognized({ client, known, names });
  const assumption = `No --system: every tool of the client ${translator.name} counts as offered`;
  const writesText = parts.clients.some((one) => one.client === translator.name && one.writes === "text");
  return {
    translator: offersEveryName && !writesText ? withEveryName(translator, parts, request) : translator,
    writesText,
    ...(isListed && tools === undefined ? { assumption } : {}),
  };
}

/** The same request; a name that it does not offer, with a qualifier or without, counts as a tool without a schema. */
function withEveryName(translator: Translator, parts: RecordedParts, request: RecordedRequest): Translator {
  const { offered } = translator;
  if (offered === undefined) return translator;
  const isQualified = (name: string) => offered.resolve(name.slice(name.lastIndexOf(".") + 1)) !== undefined;
  const resolve = (name: string) => offered.resolve(name) ?? (isQualified(name) ? undefined : { name });
  return offering({ names: offered.names, resolve }, translator, { parts, request });
}

function recognizeIn(parts: RecordedParts, { body, forced }: RecordedRequest): Translator | undefined {
  if (parts.plugins !== undefined) return parts.plugins.recognize(body, new Headers(), { forced });
  const translators = createTranslators(parts);
  const recognized = translators.recognize(body, new Headers(), { forced });
  return recognized && translators.translatorOf(recognized);
}

interface RecordedRequest {
  readonly body: ChatRequest;
  /** The client that it is known to be of. */
  readonly forced: string | undefined;
}

/** The translator of a request that offers other tools. */
function offering(
  offered: OfferedTools,
  known: Translator | undefined,
  { parts, request: { body, forced } }: { readonly parts: RecordedParts; readonly request: RecordedRequest },
): Translator {
  // What any name can call leaves the second reader no evidence.
  const policy = { ...parts.config.policy, second_reader: "off" } as const;
  const translators = createTranslators({ ...parts, config: { ...parts.config, policy } });
  const recognized = translators.recognize(body, new Headers(), { forced });
  if (recognized === undefined) throw new Error("The request of a known client isn't recognized");
  const demands = { wholeCalls: parts.plugins?.wholeCalls ?? false, decidesLater: false };
  return {
    ...translators.translatorOf({ ...recognized, offered }, demands),
    createPlugins: (newId) => known?.createPlugins?.(newId, offered),
  };
}

function anyToolClient({ client }: Client, parts: RecordedParts): FoundClient {
  const body = { messages: [], tools: [{ type: "function", function: { name: "any" } }] };
  const request = { body, forced: client };
  const known = parts.plugins && recognizeIn(parts, request);
  const assumption = "Without --tools, every name counts as an offered tool, and values remain text";
  return { translator: offering(anyTool, known, { parts, request }), writesText: false, assumption };
}

/** A prompt that lists tools as the client's own prompt does: all of them, or only the named ones. */
function promptOf(client: Client, names: readonly string[] | undefined): string {
  const section = client.recognize.tools_section[0];
  if (section === undefined) return "";
  const known = Object.entries(client.tools)
    .filter(([name, { aliases }]) =>
      names?.some((wanted) => wanted === name || aliases.includes(wanted)) ?? true
    );
  return [section.heading, ...known.map(([name]) => (section.tool[0] ?? "").replace("{tool}", name))].join(
    "\n",
  );
}

function namesOf(tools: readonly RequestTool[] | undefined): string[] | undefined {
  return tools?.flatMap((tool) => tool.function?.name ?? []);
}

function unrecognized(
  { client, known, names }: { client: Client | undefined; known: KnownRequest; names: readonly string[] },
): FoundClient {
  if (client === undefined) {
    return {
      message: "No client matches this request",
      help: `specify one with --client ${names.join("|")}`,
    };
  }
  const place = client.writes === "text" && known.system !== undefined ? "system prompt" : "list of tools";
  return {
    message: `The client ${client.client} has none of the tools in this ${place}`,
    help: "only offered tools are called; check the file, or leave it out",
  };
}

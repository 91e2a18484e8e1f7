/** Finds the client of a request and its offered tools. Only what the request offers counts, never markup in it. @module */
import { own } from "../../engine/object/own.ts";
import { callIds, isLegacyRequest, takesOneCall } from "../message/conversation.ts";
import type { ChatRequest } from "../message/request.ts";
import { requestTools } from "../message/request_tools.ts";
import type { NativeOptions } from "../native/reader.ts";
import { offer, type OfferedTool, type OfferedTools } from "../../engine/tool/offered.ts";
import { chooseForm } from "./form.ts";
import { documentedSchema, toolJsonSchema } from "./json_schema.ts";
import { type DocumentedTools, listedTools, systemText } from "./prompt.ts";
import type { Client } from "./schema.ts";

export interface RecognizedRequest {
  readonly client: Client;
  /** The tools of the request, with the client's aliases. */
  readonly offered: OfferedTools;
  readonly wholeCalls: boolean;
  /** Whether the prompt lists no tools, so that all the client's tools count as offered. */
  readonly isAssumed?: boolean;
  /** What there is to know of the request for calls that the upstream sends itself. */
  readonly native: NativeOptions;
  /** The tools that the system prompt documents; empty for a request with a list `tools`. */
  readonly documented: DocumentedTools;
  /** The model that the request names, or an empty text. */
  readonly model: string;
  /** Whether the request uses the legacy `functions`. */
  readonly isLegacy: boolean;
  readonly takenIds: ReadonlySet<string>;
  readonly isOneCall: boolean;
}

/**
 * The client of a request.
 *
 * A list of `tools` decides; else the list of tools in the system prompt, together with a sign of the client:
 * first its headers, then its own tools, then its phrases.
 *
 * @param request the body
 * @param headers its headers
 * @param clients the known clients, in order of precedence
 * @param forced a client's name, instead of the signs; the tools are read from the request even so
 * @returns nothing where the request offers no tool or forbids calls
 *
 * @example
 * ```ts
 * import { recognize } from "./recognize.ts";
 * import { clientSchema } from "./schema.ts";
 * const openai = clientSchema.parse({ client: "openai", writes: "tool_calls", recognize: { has_tools: true } });
 * const request = { tools: [{ type: "function", function: { name: "read_file" } }] };
 * console.assert(recognize(request, new Headers(), [openai])?.offered.names[0] === "read_file");
 * ```
 */
export function recognize(
  request: ChatRequest,
  headers: Headers,
  clients: readonly Client[],
  forced?: string,
): RecognizedRequest | undefined {
  if (request.tool_choice === "none" || request.function_call === "none") return undefined;
  const candidates = forced === undefined ? clients : clients.filter(({ client }) => client === forced);
  if (isFilled(request.tools) || isFilled(request.functions)) {
    const tools = requestTools(request);
    const natives = candidates.filter((client) => client.recognize.has_tools);
    const native = natives.find((client) => hasHeader(client, headers)) ??
      natives.find((client) => forced !== undefined || !namesAgents(client));
    if (native !== undefined && tools.length > 0) return nativeClient(native, { tools, request });
    if (forced === undefined) return undefined;
  }
  const readers = candidates.filter((client) => client.recognize.tools_section.length > 0);
  const found = listingClient(request, { headers, readers, forced });
  if (found !== undefined) return promptClient(found.client, { listed: found.listed, request });
  const assumed = forced !== undefined
    ? readers[0]
    : hasSystemText(request)
    ? readers.find((client) => hasHeader(client, headers) && !isNative(client, headers))
    : undefined;
  if (assumed === undefined) return undefined;
  const all = new Map(Object.keys(assumed.tools).map((tool) => [tool, new Set<string>()]));
  return { ...promptClient(assumed, { listed: all, request }), isAssumed: true };
}

export function recognizingHeaders(clients: readonly Client[]): string[] {
  return ["user-agent", "x-title", ...clients.flatMap(({ recognize }) => recognize.headers)];
}

/** The client that a path or the headers of a request without tools name, if any. */
export function namedClient(
  headers: Headers,
  clients: readonly Client[],
  forced?: string,
): Client | undefined {
  return clients.find((client) =>
    forced === undefined ? hasHeader(client, headers) && !isNative(client, headers) : client.client === forced
  );
}

/** The client whose tools the system prompt lists, with this list. */
function listingClient(request: ChatRequest, { headers, readers, forced }: {
  readonly headers: Headers;
  readonly readers: readonly Client[];
  readonly forced: string | undefined;
}): { readonly client: Client; readonly listed: DocumentedTools } | undefined {
  const prompt = systemText(request);
  const listing = readers.map((client) => ({ client, listed: listedTools(prompt, client) }))
    .filter(({ listed }) => listed.size > 0);
  if (forced !== undefined) return listing[0];
  return listing.find(({ client }) => hasHeader(client, headers)) ??
    listing.find(({ client, listed }) => client.recognize.any_tool.some((name) => listed.has(name))) ??
    // A user's own instructions may hold any phrase, so the phrases come last.
    listing.find(({ client }) => client.recognize.prompt.some((phrase) => prompt.includes(phrase)));
}

function nativeClient(
  client: Client,
  { tools, request }: { tools: readonly OfferedTool[]; request: ChatRequest },
): RecognizedRequest {
  return recognized(client, { offered: offer(tools, aliasesOf(client, tools)), request, listed: new Map() });
}

function promptClient(
  client: Client,
  { listed, request }: { listed: DocumentedTools; request: ChatRequest },
): RecognizedRequest {
  const tools = [...listed].flatMap(([name, documented]): OfferedTool[] => {
    const tool = own(client.tools, name);
    if (tool === undefined) return [];
    const form = chooseForm(tool, { client, documented, listed });
    return [{ name, schema: toolJsonSchema(form), documented: documentedSchema(form, documented) }];
  });
  return recognized(client, { offered: offer(tools, aliasesOf(client, tools)), request, listed });
}

function recognized(
  client: Client,
  { offered, request, listed }: { offered: OfferedTools; request: ChatRequest; listed: DocumentedTools },
): RecognizedRequest {
  const wholeCalls = client.writes === "text";
  const isLegacy = isLegacyRequest(request);
  const takenIds = callIds(request);
  return {
    client,
    offered,
    wholeCalls,
    native: wholeCalls ? { wholeCalls, offered } : { wholeCalls, offered, takenIds, isLegacy },
    documented: listed,
    model: typeof request.model === "string" ? request.model : "",
    isLegacy,
    takenIds,
    isOneCall: takesOneCall(request),
  };
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

/** Alias → name, for the tools that the request offers. It looks up the client's few tools, not the request's many. */
function aliasesOf(client: Client, tools: readonly OfferedTool[]): Record<string, string> {
  const offered = new Set(tools.map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(client.tools).flatMap(([name, { aliases }]) =>
      offered.has(name) ? aliases.map((alias) => [alias, name]) : []
    ),
  );
}

function hasSystemText({ messages }: ChatRequest): boolean {
  const first = Array.isArray(messages) ? messages[0] : undefined;
  return first?.role === "system" || first?.role === "developer";
}

/** Whether only requests with certain headers are this client's. */
function namesAgents({ recognize: { user_agent: agents, titles, headers } }: Client): boolean {
  return agents.length > 0 || titles.length > 0 || headers.length > 0;
}

function hasHeader({ recognize }: Client, headers: Headers): boolean {
  const agent = headers.get("user-agent") ?? "";
  return recognize.user_agent.some((beginning) => agent.startsWith(beginning)) ||
    recognize.titles.includes(headers.get("x-title") ?? "") ||
    recognize.headers.some((name) => headers.has(name));
}

/** Whether this version of the client executes `tool_calls` only: `RooCode/3.43.0`, where that began with 3.42. */
function isNative({ recognize }: Client, headers: Headers): boolean {
  const agent = headers.get("user-agent") ?? "";
  return Object.entries(recognize.native_from).some(([beginning, version]) =>
    agent.startsWith(beginning) && !isBefore(agent.slice(beginning.length), version)
  );
}

function isBefore(version: string, other: string): boolean {
  const parts = (text: string) => text.split(".", 3).map((part) => Number.parseInt(part, 10) || 0);
  const [mine, theirs] = [parts(version), parts(other)];
  for (const [index, part] of theirs.entries()) {
    if ((mine[index] ?? 0) !== part) return (mine[index] ?? 0) < part;
  }
  return false;
}

/**
 * Asks a server for the prompt that it makes of a chat, and for the text at its end. The model doesn't run.
 *
 *     {"messages": […], "tools": […]}  ─▶  POST /tokenize   ─▶  {"tokens": [151644, 8948 …], "max_model_len": 16384}
 *     {"tokens": [… 151644, 77091, 198]}  ─▶  POST /detokenize  ─▶  {"prompt": "<|im_start|>assistant\n"}
 *
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { fieldAt } from "../../engine/object/field_at.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import type { Fields } from "./completions.ts";
import { drop, readAnswerText } from "./error_text.ts";
import type { RenderRoute } from "./profiles/profiles.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** Which routes of a server are closed: learned from its answers, and forgotten when the server changes. */
export interface RouteMemory {
  isOpen(path: string): boolean;
  close(path: string): void;
}

export interface PromptAsking {
  readonly sendTo: (path: string, body: string) => Promise<UpstreamAnswer | HttpError>;
  readonly routes: RouteMemory;
  readonly limits: ReadLimits;
  readonly bytesMax: number;
  /** Takes how long the answer waited for the prompt, in milliseconds. */
  readonly waited?: ((durationMs: number) => void) | undefined;
}

interface ShownPrompt {
  /** Its text or its tokens. */
  readonly prompt: string | readonly number[];
  /** How many tokens the completion may have; undefined if the server doesn't state it. */
  readonly tokensMax: number | undefined;
}

/** Statuses of servers that don't have a route, or don't let anyone use it. */
const CLOSED: readonly number[] = [403, 404, 405, 501];

/** How many of the prompt's last tokens are converted to text. */
const LAST_TOKENS = 24;

/** The prompt of a chat; the server's error; or undefined if the route is closed or shows none. */
export async function showPrompt(
  chat: Fields,
  { route, ...asking }: PromptAsking & { readonly route: RenderRoute },
): Promise<ShownPrompt | UpstreamAnswer | HttpError | undefined> {
  const answered = await sendOpen(route.path, JSON.stringify(routeFields(chat, route)), asking);
  if (answered === undefined || isError(answered) || !answered.response.ok) return answered;
  const shown = parseJson(await readAnswerText(answered, asking));
  const prompt = route.prompt.map((path) => fieldAt(shown, path)).find(isPrompt);
  if (prompt === undefined) {
    asking.routes.close(route.path);
    return undefined;
  }
  const stated = route.tokens_max === undefined ? undefined : fieldAt(shown, route.tokens_max);
  const context = route.context === undefined ? undefined : fieldAt(shown, route.context);
  const left = typeof context === "number" && context > prompt.length ? context - prompt.length : undefined;
  return { prompt, tokensMax: typeof stated === "number" ? stated : left };
}

/** The text at the end of a prompt; empty if the server doesn't show it. */
export async function endOfPrompt(
  { prompt }: Pick<ShownPrompt, "prompt">,
  { route: { detokenize }, ...asking }: PromptAsking & { readonly route: RenderRoute },
): Promise<string> {
  if (typeof prompt === "string") return prompt;
  if (detokenize === undefined) return "";
  const tokens = prompt.slice(-LAST_TOKENS);
  const answered = await sendOpen(detokenize.path, JSON.stringify({ tokens }), asking);
  if (answered === undefined || isError(answered)) return "";
  const text = fieldAt(parseJson(await readAnswerText(answered, asking)), detokenize.text);
  return typeof text === "string" ? text : "";
}

/** Sends to a route; undefined if it is closed, which is remembered. */
export async function sendOpen(
  path: string,
  body: string,
  { sendTo, routes }: Pick<PromptAsking, "sendTo" | "routes">,
): Promise<UpstreamAnswer | HttpError | undefined> {
  if (!routes.isOpen(path)) return undefined;
  const answered = await sendTo(path, body);
  if (isError(answered) || !CLOSED.includes(answered.response.status)) return answered;
  routes.close(path);
  await drop(answered);
  return undefined;
}

function routeFields(
  { stream: _, stream_options: __, ...chat }: Fields,
  { fields, only, template_fields: handed = [] }: RenderRoute,
): Fields {
  const kept = only === undefined
    ? chat
    : Object.fromEntries(Object.entries(chat).filter(([field]) => only.includes(field)));
  const given = handed.filter((field) => chat[field] != null).map((field) => [field, chat[field]]);
  const terms = isRecord(chat.chat_template_kwargs) ? chat.chat_template_kwargs : {};
  const template = given.length === 0
    ? {}
    : { chat_template_kwargs: { ...Object.fromEntries(given), ...terms } };
  return only === undefined ? { ...kept, ...fields } : { ...fields, ...kept, ...template };
}

function isPrompt(value: unknown): value is string | readonly number[] {
  return typeof value === "string" ||
    (Array.isArray(value) && value.length > 0 && value.every(Number.isInteger));
}

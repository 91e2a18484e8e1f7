/** Recognizes a model server by its list of models, then by the paths of the profiles, one after the other. @module */
import { stopAfter } from "../transport/wait.ts";
import { fieldAt } from "../../engine/object/field_at.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { present } from "../../engine/object/present.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import { readWhole } from "../transport/body.ts";
import { refusalsIn } from "./profiles/heals.ts";
import {
  type ContextPlace,
  EVERY_CONTEXT,
  PROFILES,
  type RenderRoute,
  type ServerSign,
} from "./profiles/profiles.ts";

export interface RecognizedServer {
  readonly upstream: string;
  /** The upstream's address: another one can be another server. */
  readonly url: string;
  /** The name of the server's profile, or `unknown` if only its models' sizes are known. */
  readonly server: string;
  /** The server's version, if it states one. */
  readonly version?: string | undefined;
  /** The texts of refusals that are in the model's template, if the server shows it. */
  readonly refusals?: readonly string[] | undefined;
  /** The marks of calls and thoughts that are in the model's template, if the server shows it and has one model. */
  readonly marks?: readonly string[] | undefined;
  /** The only model that the server lists. */
  readonly model?: string | undefined;
  /** How many tokens a prompt and its answer may have together, for each model. */
  readonly contexts?: ContextSizes | undefined;
  /** The routes that show prompts and are open; undefined if the server has none, or wasn't asked. */
  readonly open?: readonly string[] | undefined;
}

export interface ServerAnswer {
  readonly headers: Headers;
  readonly body: string;
  /** Whether a question that was posted was refused because of its form. */
  readonly isRefusal?: boolean;
}

interface RecognizeOptions {
  readonly key: string | undefined;
  readonly send: (request: Request) => Promise<Response>;
  /** How long all questions together may take, in milliseconds. */
  readonly timeoutMs: number;
  /** The list of models, if it was asked for already. */
  readonly models: ServerAnswer | undefined;
  readonly signal?: AbortSignal | undefined;
}

const UNKNOWN_SERVER = "unknown";

/** The path that means the list of models. */
const MODELS = "models";

const BYTES_MAX = 1024 * 1024;

/**
 * Where a server's paths besides OpenAI's begin. It isn't the root of the host: another path of a gateway can be another
 * service, which must not get the key.
 */
export function serverRoot(url: string): string {
  return url.replace(/\/+$/, "").replace(/\/v1$/, "");
}

export function serverOfHeaders(headers: Headers): string | undefined {
  return serverOf(MODELS, { headers, body: "" });
}

/** Recognizes an upstream's server; a named one is only asked for version and template. Undefined: no sign. Never rejects. */
export async function recognizeServer(
  upstream: UpstreamConfig,
  { key, send, timeoutMs, models, signal }: RecognizeOptions,
): Promise<RecognizedServer | undefined> {
  const stop = stopAfter(timeoutMs, signal);
  const root = serverRoot(upstream.url);
  const answers = new Map<string, Promise<ServerAnswer | undefined>>();
  const ask = (path: string): Promise<ServerAnswer | undefined> => {
    const asked = answers.get(path) ?? askOne(root + path, { key, send, signal: stop });
    answers.set(path, asked);
    return asked;
  };
  const isNamed = upstream.server !== "auto";
  let server = isNamed ? upstream.server : models && serverOf(MODELS, models);
  const paths = new Set(Object.values(PROFILES).flatMap(({ signs }) => signs.map(({ path }) => path)));
  paths.delete(MODELS);
  // What lists no models may be anything: it is left alone.
  if (models === undefined || !Array.isArray(fieldAt(parseJson(models.body), "data"))) paths.clear();
  for (const path of paths) {
    if (server !== undefined || stop.aborted) break;
    const answer = await ask(path);
    server = answer && serverOf(path, answer);
  }
  const profile = server === undefined ? undefined : PROFILES[server];
  const readSizes = (places: readonly ContextPlace[]) =>
    readContextSizes(places, {
      models: models?.body,
      get: async (path) => (await ask(path))?.body,
      post: async (path, body) => (await askOne(root + path, { key, send, signal: stop, body }))?.body,
    });
  if (server === undefined || profile === undefined) {
    const contexts = await readSizes(EVERY_CONTEXT);
    return contexts && { upstream: upstream.name, url: upstream.url, server: UNKNOWN_SERVER, contexts };
  }
  const read = async (place: { readonly path: string; readonly field: string } | undefined) => {
    const answer = place && await ask(place.path);
    const value = answer && place && fieldAt(parseJson(answer.body), place.field);
    return typeof value === "string" ? value : undefined;
  };
  const version = (await read(profile.version))?.slice(0, VERSION_LENGTH_MAX);
  const template = await read(profile.template);
  const refusals = template === undefined ? undefined : refusalsIn(template).map(({ text }) => text);
  const isOnlyModel = models !== undefined && fieldAt(parseJson(models.body), "data.1") === undefined;
  const marks = template === undefined || !isOnlyModel
    ? undefined
    : Object.keys({ ...profile.prefers_raw?.marks, ...profile.raw?.marked_fields })
      .filter((mark) => template.includes(mark));
  const listed = models && fieldAt(parseJson(models.body), "data.0.id");
  const model = typeof listed === "string" && isOnlyModel ? listed : undefined;
  const tried = profile.raw?.renders?.filter(({ is_tried: isTried }) => isTried === true) ?? [];
  const opened = tried.length === 0 ? undefined : await openRoutes(tried, {
    model: listed,
    post: (path, body) => askOne(root + path, { key, send, signal: stop, body }),
  });
  // A server that is too slow to answer hasn't closed anything.
  const open = opened?.length === 0 && stop.aborted ? undefined : opened;
  const contexts = await readSizes([...profile.context ?? [], ...EVERY_CONTEXT]);
  const found = present({ refusals, marks, model, open, contexts });
  return { upstream: upstream.name, url: upstream.url, server, version, ...found };
}

const VERSION_LENGTH_MAX = 80;

/** The paths at which the server shows the prompt of a short chat, or a template refuses this chat: some demand tools. */
async function openRoutes(routes: readonly RenderRoute[], { model, post }: {
  readonly model: unknown;
  readonly post: (path: string, body: string) => Promise<ServerAnswer | undefined>;
}): Promise<readonly string[]> {
  const chat = { messages: [{ role: "user", content: "a" }], ...typeof model === "string" ? { model } : {} };
  const asked = await Promise.all(routes.map(async ({ path, fields, prompt }) => {
    const answer = await post(path, JSON.stringify({ ...chat, ...fields }));
    if (answer?.isRefusal === true) return [path];
    const shown = answer && parseJson(answer.body);
    return prompt.some((at) => fieldAt(shown, at) !== undefined) ? [path] : [];
  }));
  return asked.flat();
}

/** The statuses of an error about the form of a request, so that there is a route. */
const FORM_STATUSES: readonly number[] = [400, 422];

async function askOne(url: string, { key, send, signal, body }: Pick<RecognizeOptions, "key" | "send"> & {
  readonly signal: AbortSignal;
  readonly body?: string;
}): Promise<ServerAnswer | undefined> {
  try {
    const headers = new Headers({ accept: "application/json" });
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    const posted = body === undefined ? {} : { method: "POST", body };
    const response = await send(new Request(url, { headers, signal, redirect: "manual", ...posted }));
    if (!response.ok) {
      await response.body?.cancel();
      const isRefusal = body !== undefined && FORM_STATUSES.includes(response.status);
      return isRefusal ? { headers: response.headers, body: "", isRefusal } : undefined;
    }
    const bytes = await readWhole(response.body, { bytesMax: BYTES_MAX });
    return bytes && { headers: response.headers, body: new TextDecoder().decode(bytes) };
  } catch {
    return undefined;
  }
}

/** The first server of which an answer shows a sign. */
function serverOf(path: string, answer: ServerAnswer): string | undefined {
  const value = answer.body === "" ? undefined : parseJson(answer.body);
  return Object.entries(PROFILES).find(([_, { signs }]) =>
    signs.some((sign) => sign.path === path && shows(answer, { sign, value }))
  )?.[0];
}

/** Whether an answer shows all that a sign states. */
function shows(
  { headers, body }: ServerAnswer,
  { sign, value }: { readonly sign: ServerSign; readonly value: unknown },
): boolean {
  const { header, begins = "", text, field, is } = sign;
  if (header !== undefined && headers.get(header)?.startsWith(begins) !== true) return false;
  if (text !== undefined && !body.includes(text)) return false;
  if (field === undefined) return true;
  const found = fieldAt(value, field);
  return is === undefined ? found !== undefined : found === is;
}

/** Model → tokens; the empty name is every model. */
type ContextSizes = Readonly<Record<string, number>>;

/** The most models whose size is kept, and the most that are asked about one by one. */
const MODELS_MAX = 1000;
const ASKED_MAX = 8;

interface ContextQuestions {
  /** The list of models, as the server answered. */
  readonly models: string | undefined;
  readonly get: (path: string) => Promise<string | undefined>;
  readonly post: (path: string, body: string) => Promise<string | undefined>;
}

/** The sizes of the first place that has one; undefined if none has. */
export async function readContextSizes(
  places: readonly ContextPlace[],
  { models, get, post }: ContextQuestions,
): Promise<ContextSizes | undefined> {
  for (const place of places) {
    const sizes = place.asks_model === true
      ? await askEach(place, namesIn(models), post)
      : sizesIn(place, place.path === "models" ? models : await get(place.path));
    if (Object.keys(sizes).length > 0) return sizes;
  }
  return undefined;
}

async function askEach(
  place: ContextPlace,
  names: readonly string[],
  post: ContextQuestions["post"],
): Promise<ContextSizes> {
  const found = await Promise.all(
    names.slice(0, ASKED_MAX).map(async (model) => {
      const size = sizesIn(place, await post(place.path, JSON.stringify({ model })))[""];
      return size === undefined ? [] : [[model, size] as const];
    }),
  );
  return Object.fromEntries(found.flat());
}

function namesIn(models: string | undefined): string[] {
  const list = fieldAt(parseJson(models ?? ""), "data");
  const names = (Array.isArray(list) ? list : []).map((entry) => fieldAt(entry, "id"));
  return names.filter((name) => typeof name === "string");
}

function sizesIn({ list, name = "", field, word }: ContextPlace, body: string | undefined): ContextSizes {
  const answer = parseJson(body ?? "");
  if (list === undefined) {
    const size = sizeOf(fieldAt(answer, field), word);
    return size === undefined ? {} : { "": size };
  }
  const entries = fieldAt(answer, list);
  return Object.fromEntries(
    (Array.isArray(entries) ? entries : []).slice(0, MODELS_MAX).flatMap((entry) => {
      const [model, size] = [fieldAt(entry, name), sizeOf(fieldAt(entry, field), word)];
      return typeof model === "string" && size !== undefined ? [[model, size] as const] : [];
    }),
  );
}

function sizeOf(value: unknown, word: string | undefined): number | undefined {
  const stated = word === undefined ? value : Number(lineOf(value, word));
  return typeof stated === "number" && Number.isSafeInteger(stated) && stated > 0 ? stated : undefined;
}

/** What follows a word at the beginning of a line. */
function lineOf(text: unknown, word: string): string | undefined {
  const lines = typeof text === "string" ? text.split("\n") : [];
  return lines.map((line) => line.trim().split(/\s+/)).find(([first]) => first === word)?.[1];
}

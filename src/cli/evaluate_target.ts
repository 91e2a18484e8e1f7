/** Finds what is evaluated: the upstream of a flag, the configuration or a running server, its model and server. @module */
import { createHash } from "node:crypto";
import { isRecord } from "../engine/object/record.ts";
import { parseJson } from "../engine/object/parse.ts";
import defaults from "../proxy/config/defaults.json" with { type: "json" };
import type { UpstreamConfig } from "../proxy/config/schema.ts";
import { readUpstreamUrl } from "../proxy/config/upstream_url.ts";
import type { ServiceParts } from "../proxy/exchange/service.ts";
import { probeUpstream } from "../proxy/upstream/probe.ts";
import { recognizeServer, type ServerAnswer } from "../proxy/upstream/recognize_server.ts";
import { Servers } from "../proxy/upstream/servers.ts";
import { complain, complainOf, complainOfUsage } from "./complain.ts";
import { findServers, type Server } from "./model_servers.ts";
import { choose } from "./question.ts";
import type { CliContext } from "./service/context.ts";
import { textValue, type VerbInput } from "./verb.ts";

export interface Target {
  readonly upstream: UpstreamConfig;
  /** The parts of a service, with the upstream's key. */
  readonly parts: ServiceParts;
  readonly model: string;
  /** Knows the server, if it was recognized. */
  readonly servers: Servers;
  /** The SHA-256 hash of the chat template, if the server shows it. */
  readonly template?: string | undefined;
}

interface TargetOptions {
  readonly parts: ServiceParts;
  readonly context: CliContext;
  readonly send: (request: Request) => Promise<Response>;
  readonly known: Readonly<Record<string, Server>>;
}

/** How long a server has to state what it is, in milliseconds. */
const RECOGNIZE_MS = 5000;

/** Finds the target; an exit code after printing why there is none. */
export async function findTarget(
  input: VerbInput,
  { parts, context, send, known }: TargetOptions,
): Promise<Target | { readonly exitCode: number }> {
  const found = await findUpstream(input, { parts, context, send, known });
  if (found === undefined) {
    const exitCode = complainOfUsage({
      message: "No model server is specified, and none is running on this machine",
      help: "name one with `--upstream http://127.0.0.1:8080/v1`",
    }, context);
    return { exitCode };
  }
  const { url, problem } = readUpstreamUrl(found.url);
  if (problem !== undefined) complain([problem], context);
  if (problem?.severity === "error") return { exitCode: 2 };
  const upstream = { ...found, url };
  const variable = textValue(input, "key-env") ?? upstream.key_env;
  const key = variable === undefined ? undefined : context.readEnvironment(variable)?.trim();
  const keys = new Map(parts.keys);
  if (key !== undefined && key !== "") keys.set(upstream.name, key);
  const servers = new Servers();
  let models: ServerAnswer | undefined;
  const asking = { key: keys.get(upstream.name), send, timeoutMs: RECOGNIZE_MS, signal: context.signal };
  const probe = await probeUpstream(upstream, { ...asking, answered: (answer) => void (models = answer) });
  if (probe.kind === "silent" || probe.kind === "refuses_key" || probe.kind === "web_page") {
    const what = {
      silent: "doesn't answer",
      refuses_key: "refuses the key",
      web_page: "answers with a web page",
    };
    complainOf({
      code: "upstream_url",
      message: `The model server at ${upstream.url} ${what[probe.kind]}`,
      expected: "a running server with an OpenAI-compatible API at this address",
      help: "start it, check the address, and specify the variable that contains its key with --key-env",
    }, context);
    return { exitCode: 2 };
  }
  const recognized = await recognizeServer(upstream, { ...asking, models });
  if (recognized !== undefined) servers.learn(recognized);
  const model = textValue(input, "model") ?? chooseModel(models, context);
  const template = await hashTemplate({ upstream, servers }, asking);
  if (model !== undefined) return { upstream, parts: { ...parts, keys }, model, servers, template };
  const help = "specify the model with --model";
  return { exitCode: complainOfUsage({ message: "The server lists no models", help }, context) };
}

/** The hash of the template that the server applies; undefined if it doesn't show it. */
async function hashTemplate(
  { upstream, servers }: Pick<Target, "upstream" | "servers">,
  { key, send }: { readonly key: string | undefined; readonly send: TargetOptions["send"] },
): Promise<string | undefined> {
  const { template } = servers.of(upstream)?.profile ?? {};
  if (template === undefined) return undefined;
  const url = upstream.url.replace(/\/+$/, "").replace(/\/v1$/, "") + template.path;
  const headers: HeadersInit = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(RECOGNIZE_MS);
  const body = await send(new Request(url, { headers, redirect: "manual", signal }))
    .then((response) => response.text()).catch(() => "");
  const value = parseJson(body);
  const text = isRecord(value) ? value[template.field] : undefined;
  return typeof text === "string" ? createHash("sha256").update(text).digest("hex") : undefined;
}

/** The upstream of the flag, with its settings if the configuration has it; else the first one there is. */
async function findUpstream(
  input: VerbInput,
  { parts: { config }, context, known }: TargetOptions,
): Promise<UpstreamConfig | undefined> {
  const named = textValue(input, "upstream");
  const bare = (url: string) => readUpstreamUrl(url).url;
  const make = (url: string) =>
    ({ ...defaults.upstream, name: "evaluated", url }) as unknown as UpstreamConfig;
  if (named !== undefined) {
    return config.upstreams.find(({ name, url }) => name === named || bare(url) === bare(named)) ??
      make(named);
  }
  if (config.upstreams[0] !== undefined) return config.upstreams[0];
  const running = await findServers(known);
  if (running.length === 0) return undefined;
  const chosen = choose({
    text: "Which model server do you want to evaluate?",
    choices: running.map(({ server }) => server),
  }, context);
  const server = known[chosen];
  return server && make(server.url);
}

function chooseModel(models: ServerAnswer | undefined, context: CliContext): string | undefined {
  const value = models && parseJson(models.body);
  const list = isRecord(value) && Array.isArray(value["data"]) ? value["data"] : [];
  const ids = list.flatMap((one) => isRecord(one) && typeof one["id"] === "string" ? one["id"] : []);
  return ids.length < 2
    ? ids[0]
    : choose({ text: "Which model do you want to evaluate?", choices: ids.slice(0, MODELS_MAX) }, context);
}

const MODELS_MAX = 200;

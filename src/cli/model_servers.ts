/** Finds the model servers that run on this machine, by asking the usual ports for their lists of models. @module */
import { isLoopback } from "../proxy/config/address.ts";
import { UPSTREAM_DEFAULTS } from "../proxy/config/resolve.ts";
import { probeUpstream, readModels } from "../proxy/upstream/probe.ts";
import { recognizeServer, type ServerAnswer } from "../proxy/upstream/recognize_server.ts";
import { Servers } from "../proxy/upstream/servers.ts";
import { isRecord } from "../engine/object/record.ts";

export interface Server {
  readonly name: string;
  readonly url: string;
  /** The variable of its key, if it needs one. */
  readonly key_env?: string;
}

interface FoundServer {
  readonly server: string;
  /** Its models; empty if it doesn't tell. */
  readonly models: readonly string[];
}

/** How long a server has to answer. One on this machine takes milliseconds. */
const PROBE_MS = 1500;

const MODELS_MAXIMUM = 200;

/** A model's name that can be put into settings and on a command line without quotation marks. */
const NAME = /^[\w./:@+-]{1,200}$/;

/** Asks all servers on this machine at once, and never one on the network. */
export async function findServers(servers: Readonly<Record<string, Server>>): Promise<FoundServer[]> {
  const local = Object.entries(servers).filter(([, { url }]) => isLoopback(new URL(url).hostname));
  const found = await Promise.all(local.map(async ([server, { url }]) => {
    const models = await listModels(url).catch(() => undefined);
    return models === undefined ? [] : [{ server, models }];
  }));
  return found.flat();
}

/** The models of a server; undefined if something else answers. */
async function listModels(url: string): Promise<string[] | undefined> {
  const options = { redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) } as const;
  const response = await fetch(`${url}/models`, options);
  // A server that wants a key doesn't show its models.
  const wantsKey = response.status === 401 || response.status === 403;
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  if (!isJson || !response.ok) {
    await response.body?.cancel();
    return isJson && wantsKey ? [] : undefined;
  }
  const ids = (await readModels(response.body))?.map((one) => isRecord(one) ? one["id"] : undefined);
  return ids?.filter((id) => typeof id === "string").filter((id) => NAME.test(id)).slice(0, MODELS_MAXIMUM);
}

/** How many tokens the context of a model has; undefined if its server isn't on this machine, or doesn't state it. */
export async function findContext(url: string, model: string): Promise<number | undefined> {
  if (!isLoopback(new URL(url).hostname)) return undefined;
  const upstream = { ...UPSTREAM_DEFAULTS, name: "asked", url };
  const asking = { key: undefined, send: fetch, timeoutMs: PROBE_MS };
  let models: ServerAnswer | undefined;
  await probeUpstream(upstream, { ...asking, answered: (answer) => void (models = answer) });
  if (models === undefined) return undefined;
  const found = await recognizeServer(upstream, { ...asking, models });
  const servers = new Servers();
  if (found !== undefined) servers.learn(found);
  return servers.contextOf(upstream, model);
}

/** A Valkey or Redis server as the shared store, over one connection; its library is loaded only if configured. @module */
import { isIP } from "node:net";
import type { Redis } from "iovalkey";
import type { StoreServer } from "../../proxy/config/store_server.ts";
import { present } from "../../engine/object/present.ts";
import type { Backend, StoredValue } from "../../proxy/store/backend.ts";
import type { Quotas } from "../../proxy/store/quota.ts";
import {
  ADMIT,
  admitArguments,
  quotaNames,
  refusalIn,
  RELEASE,
  releaseArguments,
  RENEW,
} from "../../proxy/store/quota_scripts.ts";
import { APPLY, changeArguments, doneName, READ, textName, valuesName } from "../../proxy/store/scripts.ts";
import { TEXT_TTL_MS, type Texts } from "../../proxy/store/text.ts";

export interface ServerBackend extends Backend {
  readonly quotas: Quotas;
  readonly texts: Texts;
  close(): void;
}

/** How long the server knows a batch again, in milliseconds: longer than a batch waits to be sent again. */
const DONE_MS = 60 * 60_000;

/** The most values of a scope, as in memory. */
const VALUES_MAX = 1000;

/** How many steps a look through all keys takes at most; each looks at about this many keys. */
const SCAN = { steps: 50, count: 200 };

/** The pauses before the connection is tried again, in milliseconds. */
const RECONNECT = { first: 50, longest: 1000 };

const CONNECT_MS = 1000;

/** How long the server may be silent after a call, in milliseconds; then the connection is made again. */
const SILENCE_MS = 2000;

/** Opens the connection; it is tried again until it succeeds, and calls fail meanwhile. */
export async function openValkey(server: StoreServer): Promise<ServerBackend> {
  const { client, inWords } = await connect(server);
  const { prefix } = server;
  const read = defineScript(client, "readValues", { keyCount: 1, lua: READ });
  const apply = defineScript(client, "applyBatch", { keyCount: 2, lua: APPLY });
  const admit = defineScript(client, "admitRequest", { keyCount: 2, lua: ADMIT });
  const renew = defineScript(client, "renewLease", { keyCount: 2, lua: RENEW });
  const release = defineScript(client, "releaseLease", { keyCount: 2, lua: RELEASE });
  return {
    read: async (scope) => toValues(await inWords(read(valuesName(prefix, scope)))),
    async apply(batch) {
      const names = [valuesName(prefix, batch.scope), doneName(prefix, batch)];
      const settings = [batch.id, `${DONE_MS}`, `${VALUES_MAX}`];
      return await inWords(apply(...names, ...settings, ...changeArguments(batch))) === 1;
    },
    async list(countMax) {
      const values: StoredValue[] = [];
      let cursor = "0";
      for (let step = 0; step < SCAN.steps && values.length < countMax; step++) {
        const scanned = client.scan(cursor, "MATCH", `${prefix}:{*}:values`, "COUNT", SCAN.count);
        const [next, names] = await inWords(scanned);
        for (const found of await inWords(Promise.all(names.map((name) => read(name))))) {
          values.push(...toValues(found));
        }
        if (next === "0") break;
        cursor = next;
      }
      return values.slice(0, countMax);
    },
    quotas: {
      async admit(request) {
        return refusalIn(await inWords(admit(...quotaNames(prefix, request), ...admitArguments(request))));
      },
      async renew(request) {
        await inWords(renew(...quotaNames(prefix, request), request.lease));
      },
      async release(use) {
        await inWords(release(...quotaNames(prefix, use), ...releaseArguments(use)));
      },
    },
    texts: {
      async recall(names) {
        const keys = names.map((name) => textName(prefix, name));
        const found = await inWords(Promise.all(keys.map((key) => client.get(key))));
        const used = keys.filter((_, at) => found[at] !== null);
        await inWords(Promise.all(used.map((key) => client.pexpire(key, TEXT_TTL_MS))));
        return found.map((text) => text ?? undefined);
      },
      keep: async (name, text) =>
        void await inWords(client.set(textName(prefix, name), text, "PX", TEXT_TTL_MS)),
    },
    ping: async () => void await inWords(client.ping()),
    close: () => client.disconnect(),
  };
}

interface Connection {
  readonly client: Redis;
  /** The same promise; if it fails without a connection, the error states why there is none. */
  inWords<T>(calling: Promise<T>): Promise<T>;
}

async function connect(server: StoreServer): Promise<Connection> {
  const { host, port, database, isSecure, user, password, caFile } = server;
  const { Redis } = await import("iovalkey");
  const ca = caFile === undefined ? undefined : await Deno.readTextFile(caFile);
  const client = new Redis({
    host,
    port,
    db: database,
    ...present({ username: user, password }),
    // A certificate is checked against an address as well, but an address isn't sent as a name.
    ...(isSecure ? { tls: present({ servername: isIP(host) === 0 ? host : undefined, ca }) } : {}),
    connectionName: "dragoman",
    lazyConnect: true,
    // While the server is away, calls fail at once: what they would do is kept and sent later by the link.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    retryStrategy: (times) => Math.min(RECONNECT.longest, RECONNECT.first * 2 ** Math.min(times, 10)),
    reconnectOnError: () => false,
  });
  let broken: Error | undefined;
  client.on("error", (cause: Error) => {
    broken = cause;
    // A reply that no call waited for: the next ones may be those of other calls.
    if (client.status === "ready") client.disconnect(true);
  });
  client.on("ready", () => broken = undefined);
  await client.connect().catch(() => {});
  return {
    client,
    inWords: (calling) =>
      calling.catch((cause) => {
        throw broken ?? cause;
      }),
  };
}

/** A script as a function of its keys and arguments. The server gets its text once, and its hash after that. */
function defineScript(
  client: Redis,
  name: string,
  { keyCount, lua }: { readonly keyCount: number; readonly lua: string },
): (...args: string[]) => Promise<unknown> {
  client.defineCommand(name, { numberOfKeys: keyCount, lua });
  const command: unknown = Reflect.get(client, name);
  if (typeof command !== "function") throw new Error(`The client has no command ${name}`);
  return (...args) => Promise.resolve(Reflect.apply(command, client, args));
}

function toValues(found: unknown): StoredValue[] {
  const texts = Array.isArray(found) ? found.map(String) : [];
  const values: StoredValue[] = [];
  for (let at = 0; at + 3 < texts.length; at += 4) {
    const [key = "", version = "", json = "", left = ""] = texts.slice(at, at + 4);
    values.push({ key, version, json, leftMs: Number(left) });
  }
  return values;
}

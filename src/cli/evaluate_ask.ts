/** Sends a recorded answer through the whole proxy in this process; what Dragoman asks besides goes to the server. @module */
import { createHash } from "node:crypto";
import { NATIVE_RULE } from "../chat/native/call.ts";
import type { ContentEvent } from "../engine/event/event.ts";
import { beginsInReasoning, readAnswer, type RecordedAnswer } from "../analysis/evaluate/answer.ts";
import type { Reading } from "../analysis/evaluate/check.ts";
import { loadRules } from "../engine/rule/load.ts";
import { noSettings } from "../engine/rule/read.ts";
import defaults from "../proxy/config/defaults.json" with { type: "json" };
import type { Config, UpstreamConfig } from "../proxy/config/schema.ts";
import { ItemMemory } from "../proxy/exchange/item_memory.ts";
import { proxyChat } from "../proxy/exchange/proxy.ts";
import { createService, type Service, type ServiceParts } from "../proxy/exchange/service.ts";
import { MemoryTexts } from "../proxy/store/text.ts";
import type { Servers } from "../proxy/upstream/servers.ts";
import type { Recorder } from "./evaluate_recorder.ts";

export interface Received {
  readonly answer: RecordedAnswer;
  /** What the server sent, all answers one after the other. */
  readonly raw: string;
}

export type Ask = (body: string) => Promise<Received>;

export interface Change {
  readonly upstream?: Partial<UpstreamConfig>;
  readonly reasoning?: "recover";
  readonly strict?: "add";
}

export interface ColumnParts {
  readonly parts: ServiceParts;
  readonly upstream: UpstreamConfig;
  readonly servers: Servers;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

export function askAlone({ recorder, upstream, parts }: ColumnParts): Ask {
  const headers = new Headers({ "content-type": "application/json" });
  const key = parts.keys.get(upstream.name);
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
  return async (body) => {
    const answer = await recorder.ask(new Request(`${upstream.url}/chat/completions`, { headers }), body);
    return { answer, raw: answer.body };
  };
}

export function askThrough(columns: ColumnParts, change: Change = {}): Ask {
  const service = serviceOf(columns, change);
  const { recorder } = columns;
  return async (body) => {
    const raw: string[] = [];
    let failed: RecordedAnswer | undefined;
    const answer = await proxied(body, {
      ...columns,
      service,
      observe() {},
      async fetch(request) {
        const recorded = await recorder.ask(request, await request.text());
        if (recorded.status !== 0) raw.push(recorded.body);
        else failed = recorded;
        return responseOf(recorded);
      },
    });
    return { answer: failed ?? answer, raw: raw.join("\n") };
  };
}

/** The rules that ship, compiled once. */
let shippedRules: ReturnType<typeof loadRules> | undefined;

/** What the shipped rules read in an answer, whatever the configuration does with it. */
export async function createReader(
  columns: ColumnParts,
): Promise<(body: string, answer: RecordedAnswer) => Promise<Reading>> {
  const { parts, upstream } = columns;
  const { rules, program } = await (shippedRules ??= loadRules({
    folders: [],
    settings: noSettings,
    workingDirectory: "",
  }));
  const config = { ...parts.config, policy: defaults.config.policy as Config["policy"], models: {} };
  const plain = {
    ...defaults.upstream,
    name: upstream.name,
    url: upstream.url,
    heal: false,
  } as unknown as UpstreamConfig;
  const [closed, open] = [false, true].map((begins_in_reasoning) =>
    serviceOf({
      ...columns,
      parts: { ...parts, rules, program, config, plugins: [] },
      upstream: { ...plain, begins_in_reasoning },
    }, {})
  );
  const known = new Map<string, Promise<Reading>>();
  return (body, recorded) => {
    const key = JSON.stringify([body, recorded.body]);
    const read = async (): Promise<Reading> => {
      const rules: string[] = [];
      let [isNearMiss, isInReasoning, isUnknownTool] = [false, false, false];
      await proxied(body, {
        ...columns,
        service: (beginsInReasoning(readAnswer(recorded).text) ? open : closed)!,
        fetch: () => Promise.resolve(responseOf(recorded)),
        observe(event) {
          if (event.kind === "call_start" && event.rule !== NATIVE_RULE) rules.push(event.rule);
          if (event.kind !== "note") return;
          if (event.reason === "near_miss") isNearMiss = true;
          if (event.reason === "unknown_tool") isUnknownTool = true;
          if (event.reason === "recovered" || event.reason === "call_in_reasoning") isInReasoning = true;
        },
      });
      return { rules: isInReasoning ? [] : rules, isNearMiss, isInReasoning, isUnknownTool };
    };
    const found = known.get(key) ?? read();
    known.set(key, found);
    return found;
  };
}

function responseOf({ status, type, body }: RecordedAnswer): Response {
  if (status === 0) throw new TypeError(body);
  return new Response(body, { status, headers: { "content-type": type } });
}

interface Proxied extends ColumnParts {
  readonly service: Service;
  readonly observe: (event: ContentEvent) => void;
  readonly fetch: (request: Request) => Promise<Response>;
}

async function proxied(body: string, { service, observe, fetch, signal }: Proxied): Promise<RecordedAnswer> {
  const url = "http://127.0.0.1/v1/chat/completions";
  const headers = { "content-type": "application/json" };
  let calls = 0;
  const response = await proxyChat(new Request(url, { method: "POST", headers, body }), {
    service,
    route: { kind: "chat", rest: "/chat/completions" },
    signal,
    // The same answer gets the same ids, so that what follows it is the same request.
    newId: () => createHash("sha256").update(`${body}${calls++}`).digest("hex").slice(0, 9),
    owner: "",
    items: new ItemMemory(new MemoryTexts(() => performance.now()), ""),
    sample: fetch,
    fetch,
    watches: [() => ({ observe, end() {} })],
  });
  const type = response.headers.get("content-type") ?? "";
  try {
    return { status: response.status, type, body: await response.text() };
  } catch (cause) {
    return { status: 0, type: "", body: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** A service with one upstream. A column starts with a memory of its own: `tools: auto` learns in it. */
function serviceOf({ parts, upstream, servers }: ColumnParts, change: Change): Service {
  const { config } = parts;
  const { tools } = change.upstream ?? {};
  // A setting of the model would hide the one that is tried.
  const models = tools === undefined ? config.models : Object.fromEntries(
    Object.entries(config.models).map(([name, { rules }]) => [name, rules ? { rules } : {}]),
  );
  const policy = {
    ...config.policy,
    ...change.reasoning === undefined ? {} : { reasoning: change.reasoning },
  };
  const constrained = { ...config.tools, ...change.strict === undefined ? {} : { strict: change.strict } };
  const only = { ...upstream, ...change.upstream, models: [] };
  return createService({
    ...parts,
    servers,
    config: { ...config, tools: constrained, models, policy, upstreams: [only] },
  });
}

/**
 * A model server that prints what a test asks for, a real proxy with the shipped rules before it, and what a client of any
 * wire reads from it.
 *
 * @module
 */
import type { ServerOptions } from "../../src/proxy/server/server.ts";
import type { Service } from "../../src/proxy/exchange/service.ts";
import type { LoadedPlugin } from "../../src/proxy/plugin/hooks.ts";
import { builtInService } from "./built_in.ts";
import { startProxy, testConfig } from "./proxy.ts";
import { type Arrived, type Script, type ScriptedUpstream, startUpstream } from "./scripted_upstream.ts";

/** A running pair. */
export interface WireProxy {
  readonly upstream: ScriptedUpstream;
  /** Where the proxy listens, without a path. */
  readonly origin: string;
  /** What is in force in it. */
  readonly service: Service;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a proxy has besides the shipped rules. */
export interface WireProxyOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly plugins?: readonly LoadedPlugin[];
  /** Who watches the server. */
  readonly server?: Partial<ServerOptions>;
}

/** Starts both; they stop at the end of the block that uses them. */
export async function startWireProxy(
  script: Script | ((request: Arrived) => Script),
  { settings, config: more, plugins, server }: WireProxyOptions = {},
): Promise<WireProxy> {
  const upstream = startUpstream(script);
  const own = { name: "local", url: upstream.url, ...settings };
  const service = await builtInService(testConfig(undefined, { upstreams: [own], ...more }), plugins);
  const proxy = await startProxy(service, server);
  return {
    upstream,
    service,
    origin: proxy.origin,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

/** Posts JSON; gives the raw body of the answer, and whether its connection broke. */
export async function postRaw(url: string, body: unknown): Promise<{ text: string; isBroken: boolean }> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true });
  } catch {
    return { text, isBroken: true };
  }
  return { text, isBroken: false };
}

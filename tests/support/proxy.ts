/**
 * A running proxy for tests.
 *
 * @module
 */
import { type Config, configSchema } from "../../src/proxy/config/schema.ts";
import { createServer, type Server, type ServerOptions } from "../../src/proxy/server/server.ts";
import type { Service } from "../../src/proxy/exchange/service.ts";
import { ToolCallRenderer } from "../../src/chat/render/tool_calls.ts";
import { createSample } from "../../src/cli/sample/sample.ts";
import { BracketSource } from "./bracket_source.ts";

/** A configuration for tests: any free port, one upstream. */
export function testConfig(url?: string, more: Record<string, unknown> = {}): Config {
  return configSchema.parse({
    listen: { port: 0 },
    upstreams: url === undefined ? [] : [{ name: "local", url }],
    ...more,
  });
}

/** A service that reads `[[tool {json}]]` for every request with tools or a forced client. */
export function bracketService(config: Config, keys: ReadonlyMap<string, string> = new Map()): Service {
  return {
    config,
    keys,
    clientNames: ["openai", "other"],
    clientHeaders: [],
    isNews: () => false,
    recognize(request, _headers, { forced } = {}) {
      if (forced === undefined && !request.tools?.length) return undefined;
      return {
        name: forced ?? "openai",
        createMatcher: () => new BracketSource(),
        createRenderer: (newId) => new ToolCallRenderer(newId),
      };
    },
  };
}

export interface RunningProxy {
  /** Where it listens, without a path. */
  readonly origin: string;
  readonly server: Server;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a proxy; it is stopped at the end of the block that uses it. */
export async function startProxy(
  service: Service,
  options: Partial<ServerOptions> = {},
): Promise<RunningProxy> {
  const server = createServer({ service, sample: createSample({ now: () => 0 }), ...options });
  const started = await server.start();
  if ("problem" in started) throw new Error(started.problem.message);
  return { origin: started.url, server, [Symbol.asyncDispose]: () => server.drain(0) };
}

/** One tool, so that a request is recognized. */
export const TOOLS = [{ type: "function", function: { name: "t", parameters: { type: "object" } } }];

/** Sends a chat request with one tool. */
export function askChat(
  origin: string,
  options: {
    body?: Record<string, unknown>;
    path?: string;
    headers?: Record<string, string>;
    signal?: AbortSignal;
  } = {},
): Promise<Response> {
  const { body = {}, path = "/v1/chat/completions", headers = {}, signal } = options;
  return fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }], tools: TOOLS, ...body }),
    ...(signal ? { signal } : {}),
  });
}

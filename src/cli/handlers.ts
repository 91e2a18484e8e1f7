/** What answers requests, of each setup in force: in the main thread, or in a worker. @module */
import type { KeyLimits } from "../proxy/server/key_limits.ts";
import type { RequestHandler } from "../proxy/server/gateway.ts";
import type { Beginnings } from "../proxy/upstream/beginnings.ts";
import type { ToolMemory } from "../proxy/upstream/learned_tools.ts";
import type { Servers } from "../proxy/upstream/servers.ts";
import { createHandler, type ServerOptions } from "../proxy/server/server.ts";
import { createService } from "../proxy/exchange/service.ts";
import { createUpstreamHealth, type UpstreamHealth } from "../proxy/upstream/upstream_health.ts";
import { warmUp } from "../proxy/exchange/warm_up.ts";
import { createSample } from "./sample/sample.ts";
import type { Memory } from "./service/memory.ts";
import { serviceParts, type Setup } from "./service/setup.ts";
import { wait } from "../proxy/transport/wait.ts";
import type { CliContext } from "./service/context.ts";
import { isSet, type VerbInput } from "./verb.ts";
import type { ContentEvent } from "../engine/event/event.ts";
import { clock } from "../engine/diagnostic/figures.ts";
import type { About } from "../proxy/exchange/exchange.ts";
import { visible } from "../engine/diagnostic/visible.ts";

interface HandlerOptions extends Pick<ServerOptions, "watches" | "pages" | "unwatched" | "failed"> {
  readonly input: VerbInput;
  readonly context: CliContext;
  /** What one request leaves for the next; kept over a reload. */
  readonly memory: Pick<Memory, "sessions" | "texts">;
  /** What `tools: auto` has learned; kept over a reload. */
  readonly toolMemory: ToolMemory;
  /** Which servers the upstreams are; kept over a reload. */
  readonly servers: Servers;
  /** Where models' answers begin; kept over a reload. */
  readonly beginnings: Beginnings;
  readonly keyLimits: KeyLimits;
}

export interface Handlers {
  /** `prepare` makes the first answer sooner, and nothing else. */
  handlerOf(setup: Setup): { readonly handler: RequestHandler; readonly prepare: () => void };
  readonly health: UpstreamHealth;
}

/** The sample model's pause between two pieces, so that its stream is visible. */
const SAMPLE_PAUSE_MS = 10;

/** Creates handlers that share what outlives a reload. */
export function createHandlers(
  { input, context, memory, toolMemory, servers, beginnings, ...options }: HandlerOptions,
): Handlers {
  const health = createUpstreamHealth(servers, toolMemory);
  const shared: Omit<ServerOptions, "service"> = {
    ...options,
    health,
    texts: memory.texts,
    sample: createSample({ now: () => Date.now(), wait: () => wait(SAMPLE_PAUSE_MS) }),
    isBehindProxy: isBehindProxy(context),
    ...(isSet(input, "verbose")
      ? { observe: (event, { client }) => context.stdout(decisionLine(event, { client, date: new Date() })) }
      : {}),
  };
  return {
    health,
    handlerOf(setup) {
      const service = createService({
        ...serviceParts(setup),
        sessions: memory.sessions,
        toolMemory,
        servers,
        beginnings,
      });
      return { handler: createHandler({ ...shared, service }), prepare: () => warmUp(service) };
    },
  };
}

/** Whether the environment sets an HTTP proxy for our requests. */
function isBehindProxy(context: CliContext): boolean {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return names.some((name) => (context.readEnvironment(name) ?? "") !== "");
}

/** The line with its newline; an empty text for events that are not notes. */
export function decisionLine(
  event: ContentEvent,
  { client, date }: Pick<About, "client"> & { date: Date },
): string {
  if (event.kind !== "note") return "";
  const { rule, tool = "-", reason, detail } = event;
  const names = [visible(client).padEnd(9), visible(rule).padEnd(15), visible(tool).padEnd(19)];
  const columns = [clock(date.getTime()), ...names];
  return `${columns.join("  ")}  ${reason}${
    detail === undefined || detail === "" ? "" : ` (${visible(detail)})`
  }\n`;
}

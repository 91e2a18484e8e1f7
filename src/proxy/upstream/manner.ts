/** How requests for an upstream begin with `tools: auto`, and why, for the start, `/health/ready` and the page. @module */
import type { UpstreamConfig } from "../config/schema.ts";
import { present } from "../../engine/object/present.ts";
import type { KnownServer } from "./servers.ts";

export interface Manner {
  /** `raw`: the server's parser is off; `prompted`: tools are in the prompt; `native`: the request is sent as it is. */
  readonly begins: "raw" | "prompted" | "native";
  /** Why, as it was measured; absent if nothing was. */
  readonly why?: string;
  /** What is in the way, and what to start the server with. */
  readonly warning?: string;
}

/** How requests begin; undefined if the server is unknown, or the configuration states it. */
export function mannerOf(upstream: UpstreamConfig, server: KnownServer | undefined): Manner | undefined {
  if (server === undefined || upstream.chat_template !== undefined) return undefined;
  const { profile, opensRoute, closesRoutes, rawRules = [] } = server;
  const warning = closesRoutes === true && upstream.tools !== "native" ? profile.closed_routes : undefined;
  if (upstream.tools !== "auto") {
    if (warning === undefined) return undefined;
    return { begins: upstream.tools, warning };
  }
  const isRaw = opensRoute === true || rawRules.length > 0;
  const begins = isRaw ? "raw" : profile.prefers_prompted === true ? "prompted" : "native";
  return { begins, ...present({ why: profile.measured?.[begins], warning }) };
}

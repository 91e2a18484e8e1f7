/**
 * The facts of a request for tests of what watches requests.
 *
 * @module
 */
import type { RequestFacts } from "../../src/proxy/exchange/watch.ts";

/** A streamed request of an OpenAI client with one tool. */
export function requestFacts(more: Partial<RequestFacts> = {}): RequestFacts {
  return {
    id: "r",
    beganAt: 0,
    client: "openai",
    wire: "chat",
    model: "m",
    upstream: "local",
    mode: "live",
    conversation: "c",
    isStreamed: true,
    toolCount: 1,
    secrets: [],
    ...more,
  };
}

/**
 * The counter of requests that a limit of their client key refused.
 *
 * @module
 */
import { Counter, type Registry } from "prom-client";

/** Shows the counts in a registry: limit → requests. */
export function registerRefusals(registry: Registry, refusals: ReadonlyMap<string, number>): void {
  new Counter({
    name: "dragoman_key_refusals_total",
    help: "Requests that a limit of their client key refused",
    labelNames: ["limit"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [limit, count] of refusals) this.inc({ limit }, count);
    },
  });
}

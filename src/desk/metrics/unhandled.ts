/**
 * The counter of errors that no one caught.
 *
 * @module
 */
import { Counter, type Registry } from "prom-client";

/** Shows the counts in a registry: source → errors. */
export function registerUnhandled(registry: Registry, counts: ReadonlyMap<string, number>): void {
  new Counter({
    name: "dragoman_unhandled_errors_total",
    help: "Errors of plugins, libraries or Dragoman that nothing caught",
    labelNames: ["source"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [source, count] of counts) this.inc({ source }, count);
    },
  });
}

/** The counters of the store that replicas share; there are none without one. @module */
import { Counter, Gauge, type Registry } from "prom-client";

/** What there is to count, at the moment of the question. */
export interface StoreFigures {
  readonly isUp: boolean;
  /** How often it went away. */
  readonly outages: number;
  /** The changes that wait to be sent. */
  readonly waiting: number;
  /** The changes that could not be sent. */
  readonly dropped: number;
}

export function registerStore(registry: Registry, figures: () => StoreFigures): void {
  const registers = [registry];
  new Gauge({
    name: "dragoman_store_up",
    help: "Whether the store that replicas share answers",
    registers,
    collect() {
      this.set(figures().isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: "dragoman_store_waiting_changes",
    help: "Changes that wait for the store to answer",
    registers,
    collect() {
      this.set(figures().waiting);
    },
  });
  new Counter({
    name: "dragoman_store_outages_total",
    help: "How often the store stopped answering",
    registers,
    collect() {
      setTotal(this, figures().outages);
    },
  });
  new Counter({
    name: "dragoman_store_dropped_changes_total",
    help: "Changes that were too many or too old to be sent",
    registers,
    collect() {
      setTotal(this, figures().dropped);
    },
  });
}

function setTotal(counter: Counter, total: number): void {
  counter.reset();
  counter.inc(total);
}

/** The program's version, and what its process uses, under the names that Prometheus's own clients have. @module */
import { Counter, Gauge, type Registry } from "./prometheus/client.js";

export interface ProcessFigures {
  /** Name → value: `version`, `deno`, `form`. */
  readonly build: Readonly<Record<string, string>>;
  /** When the process started, in seconds since the Unix epoch. */
  readonly startedSeconds: number;
  /** Its use; an absent figure is unknown on this system. */
  readonly read: () => {
    readonly residentBytes: number;
    readonly heapBytes: number;
    readonly processorSeconds?: number | undefined;
    readonly descriptors?: number | undefined;
    /** The event loop's longest delay since the last reading, in seconds. */
    readonly lagSeconds: number;
  };
}

export function registerProcess(registry: Registry, { build, startedSeconds, read }: ProcessFigures): void {
  const registers = [registry];
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  // The first one: a page reads the gauges in this order.
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Resident memory",
    registers,
    collect() {
      const now = read();
      this.set(now.residentBytes);
      heap.set(now.heapBytes);
      lag.set(now.lagSeconds);
      if (now.descriptors !== undefined) descriptors.set(now.descriptors);
      if (now.processorSeconds === undefined) return;
      processor.reset();
      processor.inc(now.processorSeconds);
    },
  });
  const info = new Gauge({
    name: "dragoman_build_info",
    help: "The program; always 1",
    labelNames: Object.keys(build),
    registers,
  });
  info.set({ ...build }, 1);
  gauge("process_start_time_seconds", "When the process started, in seconds since the Unix epoch").set(
    startedSeconds,
  );
  const heap = gauge("dragoman_heap_used_bytes", "Heap memory of the main thread");
  const descriptors = gauge("process_open_fds", "Open descriptors");
  const lag = gauge(
    "dragoman_event_loop_lag_seconds",
    "The event loop's longest delay since the last reading",
  );
  const processor = new Counter({
    name: "process_cpu_seconds_total",
    help: "CPU time in user and system mode",
    registers,
  });
}

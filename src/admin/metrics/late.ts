/** Loads the metrics library late, because it takes a fifth of the start-up time, and counts what arrived before. @module */
import type { RequestWatch } from "../../proxy/exchange/watch.ts";
import type { Metrics } from "./metrics.ts";

/** Metrics that load once, on first use. */
export function loadLate(load: () => Promise<Metrics>): Metrics {
  let metrics: Metrics | undefined;
  let loading: Promise<Metrics> | undefined;
  let waiting: (() => void)[] = [];
  const loaded = () =>
    loading ??= load().then((now) => {
      metrics = now;
      for (const act of waiting) act();
      waiting = [];
      return now;
    });
  return {
    add(lines) {
      if (metrics) return metrics.add(lines);
      loaded().catch(() => waiting = []);
      waiting.push(() => metrics?.add(lines));
    },
    watch(facts) {
      if (metrics) return metrics.watch(facts);
      // If loading fails, nothing is counted, and the page shows why.
      loaded().catch(() => waiting = []);
      let watch: RequestWatch | undefined;
      const later = (act: () => void) => metrics ? act() : void waiting.push(act);
      later(() => watch = metrics?.watch(facts));
      return {
        observe: (event, place) => later(() => watch?.observe(event, place)),
        worked: (durationsMs) => later(() => watch?.worked?.(durationsMs)),
        end: (outcome) => later(() => watch?.end(outcome)),
      };
    },
    page: async () => (await loaded()).page(),
  };
}

/**
 * Metrics whose library is loaded when the first request or the page needs it: it takes a fifth of the time in
 * which the server starts. What happens meanwhile is counted as soon as the library is there.
 *
 * @module
 */
import type { RequestWatch } from "../http/watch.ts";
import type { Metrics } from "./metrics.ts";

/** Metrics that are loaded once, when they are first used. */
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
    watch(facts) {
      if (metrics) return metrics.watch(facts);
      // Where loading fails nothing is counted, and the page says why.
      loaded().catch(() => waiting = []);
      let watch: RequestWatch | undefined;
      const later = (act: () => void) => metrics ? act() : void waiting.push(act);
      later(() => watch = metrics?.watch(facts));
      return {
        observe: (event, place) => later(() => watch?.observe(event, place)),
        worked: (durationMs) => later(() => watch?.worked?.(durationMs)),
        end: (outcome) => later(() => watch?.end(outcome)),
      };
    },
    page: async () => (await loaded()).page(),
  };
}

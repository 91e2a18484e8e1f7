/**
 * Prints a line about each failure of a plugin: its name, the hook, the file and line, and the message. A failure that
 * repeats is printed once a minute.
 *
 *     09:05:07  plugin_failed: careful: onCall threw TypeError at careful.ts:12: value.foo is not a function
 *
 * @module
 */
import { withoutKnown } from "../../desk/audit/scrub.ts";
import { visible } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { WatchRequest } from "../../proxy/exchange/watch.ts";

/** How long a failure isn't repeated, in milliseconds. */
const PAUSE_MS = 60_000;

const FAILURES_MAX = 1000;

const LENGTH_MAX = 400;

export function watchPluginFailures(
  report: (line: string) => void,
  now: () => number = Date.now,
): WatchRequest {
  const printed = new Map<string, number>();
  return ({ secrets }) => ({
    observe(event) {
      if (event.kind !== "note" || event.reason !== "plugin_failed") return;
      const text = withoutKnown(`${event.rule}: ${event.detail ?? ""}`, secrets);
      const time = now();
      if (time - (printed.get(text) ?? -Infinity) < PAUSE_MS) return;
      if (printed.size >= FAILURES_MAX) printed.clear();
      printed.set(text, time);
      const shown = visible(text, { lengthMax: LENGTH_MAX });
      report(`${clock(time)}  plugin_failed: ${shown}\n`);
    },
    end() {},
  });
}

/**
 * Prints a line about each kind of change that requests for an upstream get because of its server: once, although every
 * request has it.
 *
 *     09:05:07  healed_messages: requests for local are changed for llama.cpp: system_first: system messages after the first …
 *               to send them unchanged, set heal: false for the upstream
 *
 * @module
 */
import { visible } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { Reason } from "../../engine/event/reason.ts";
import type { WatchRequest } from "../../proxy/exchange/watch.ts";

/** A kind of change. */
export interface HealedRequests {
  readonly upstream: string;
  readonly reason: Reason;
  /** The server, or `refused` if it is unknown. */
  readonly by: string;
  readonly detail: string;
}

/** The most kinds that are remembered; agents choose a part of them. */
const KINDS_MAX = 200;

/** Passes on each kind of change once. */
export function watchHealedRequests(report: (healed: HealedRequests) => void): WatchRequest {
  const known = new Set<string>();
  return ({ upstream }) => ({
    observe(event) {
      if (event.kind !== "note") return;
      if (!event.reason.startsWith("healed_") && event.reason !== "strict_withdrawn") return;
      const { reason, rule: by, detail = "" } = event;
      const key = JSON.stringify([upstream, reason, by, detail]);
      if (known.has(key) || known.size >= KINDS_MAX) return;
      known.add(key);
      report({ upstream, reason, by, detail });
    },
    end() {},
  });
}

const DETAIL_LENGTH_MAX = 200;

export function healedRequestLines({ upstream, reason, by, detail }: HealedRequests): string {
  if (reason === "strict_withdrawn") {
    return `${clock(Date.now())}  strict_withdrawn: requests for ${
      visible(upstream)
    } are sent without a grammar for ` +
      `the calls of a model, because one failed: ${
        visible(detail)
      }\n          to stop trying, set tools.strict: pass\n`;
  }
  const why = by === "refused" ? "after its server refused one" : `for ${by}`;
  const what = detail === "" ? "" : `: ${visible(detail, { lengthMax: DETAIL_LENGTH_MAX })}`;
  return `${clock(Date.now())}  ${reason}: requests for ${
    visible(upstream)
  } are changed ${why}${what}\n          to send them unchanged, set heal: false for the upstream\n`;
}

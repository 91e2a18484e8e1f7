/**
 * The figures of a running server since its start, and over the last day.
 *
 * @module
 */
import type { AuditLine } from "../../desk/audit/line.ts";
import { Sums, type SumsFigures } from "../../desk/tally/sums.ts";
import { Timeline, TIMELINE_KINDS, type TimelineFigures } from "../../desk/tally/timeline.ts";

/** What `GET /_dragoman/figures` answers. */
export interface ServerFigures extends SumsFigures {
  /** When the server started, in milliseconds since 1970. */
  readonly since: number;
  /** The figures over time: of the model, rule, API or key that the query names, otherwise of all requests. */
  readonly timeline: TimelineFigures;
}

export interface FigureCounter {
  /** Takes lines as they are written. */
  add(lines: readonly AuditLine[]): void;
  /** The figures; `model=NAME`, `rule=NAME`, `wire=NAME` or `key=NAME` chooses the timeline. */
  read(query: URLSearchParams): ServerFigures;
}

/** Starts to count. */
export function openFigures(): FigureCounter {
  const sums = new Sums();
  const timeline = new Timeline();
  const since = Date.now();
  return {
    add(lines) {
      for (const line of lines) sums.add(line);
      timeline.add(lines, Date.now());
    },
    read(query) {
      const kind = TIMELINE_KINDS.find((one) => query.has(one));
      const filter = kind && { kind, name: query.get(kind) ?? "" };
      return { since, ...sums.figures, timeline: timeline.read(filter, Date.now()) };
    },
  };
}

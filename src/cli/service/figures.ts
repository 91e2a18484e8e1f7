/** The figures of a running server since its start, and over the last day. @module */
import type { AuditLine } from "../../desk/audit/line.ts";
import { Sums } from "../../desk/tally/sums.ts";
import { type ServerFigures, Timeline, TIMELINE_KINDS } from "../../desk/tally/timeline.ts";

export interface FigureCounter {
  add(lines: readonly AuditLine[]): void;
  /** The figures; `model=NAME`, `rule=NAME`, `wire=NAME` or `key=NAME` chooses the timeline. */
  read(query: URLSearchParams): ServerFigures;
}

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

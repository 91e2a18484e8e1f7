/**
 * The figures as the page reads them.
 *
 * @module
 */
import type { SumsFigures } from "../tally/sums.ts";
import type { TimelineFigures } from "../tally/timeline.ts";

/** What `GET /_dragoman/figures` answers. */
export interface ServerFigures extends SumsFigures {
  /** When the server started, in milliseconds since 1970. */
  readonly since: number;
  /** The figures over time. */
  readonly timeline: TimelineFigures;
}

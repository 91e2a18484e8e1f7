/** The columns of tables of figures, on the page and in the report. @module */
import { count, duration, share } from "../../engine/diagnostic/figures.ts";
import type { Figures } from "../tally/tally.ts";

interface Column {
  readonly title: string;
  readonly of: (row: Figures) => string;
}

const COLUMNS = {
  requests: { title: "Requests", of: ({ requests }) => count(requests) },
  errors: { title: "Errors", of: ({ errors }) => count(errors) },
  errorRate: { title: "Error rate", of: ({ errorRate }) => share(errorRate) },
  answers: { title: "Answers with tools", of: ({ answers }) => count(answers) },
  printed: { title: "Printed calls as text", of: ({ printedAsTextRate }) => share(printedAsTextRate) },
  reached: { title: "Reached the agent as text", of: ({ reachedAsText }) => count(reachedAsText) },
  nearMisses: { title: "Near misses", of: ({ nearMisses }) => count(nearMisses) },
  candidates: { title: "Candidates", of: ({ candidates }) => count(candidates) },
  attempts: { title: "Attempts", of: ({ attempts }) => count(attempts) },
  converted: { title: "Transformed", of: ({ transformationRate }) => share(transformationRate) },
  success: { title: "Success", of: ({ successRate }) => share(successRate) },
  accepted: { title: "Accepted", of: ({ acceptanceRate }) => share(acceptanceRate) },
  repairs: { title: "Repairs", of: ({ repairs }) => count(repairs) },
  tokens: { title: "Tokens", of: ({ tokens }) => count(tokens) },
  first: { title: "First token, p50", of: ({ firstMsMedian }) => duration(firstMsMedian) },
  firstSlow: { title: "First token, p95", of: ({ firstMsSlow }) => duration(firstMsSlow) },
  total: { title: "Total, p50", of: ({ durationMsMedian }) => duration(durationMsMedian) },
  totalSlow: { title: "Total, p95", of: ({ durationMsSlow }) => duration(durationMsSlow) },
} satisfies Record<string, Column>;

export type ColumnName = keyof typeof COLUMNS;

export function columnsOf(names: readonly ColumnName[]): readonly Column[] {
  return names.map((name) => COLUMNS[name]);
}

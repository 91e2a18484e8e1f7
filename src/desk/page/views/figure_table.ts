/**
 * Figures by model, rule or mode as a table.
 *
 * @module
 */
import { count, duration, share } from "../../../engine/diagnostic/figures.ts";
import type { Row } from "../../tally/sums.ts";
import { html } from "../html.ts";

/** What the rows are. */
export type RowKind = "model" | "rule" | "mode" | "wire" | "key" | "upstream";

const TITLES: Readonly<Record<RowKind, string>> = {
  model: "Model",
  rule: "Rule",
  mode: "Mode",
  wire: "API",
  key: "Client key",
  upstream: "Upstream",
};

interface Column {
  readonly title: string;
  /** Whether rules have it; a rule has no requests. */
  readonly hasRules: boolean;
  readonly of: (row: Row) => string;
}

const COLUMNS: readonly Column[] = [
  { title: "Requests", hasRules: false, of: ({ requests }) => count(requests) },
  { title: "Errors", hasRules: false, of: ({ errors }) => count(errors) },
  {
    title: "Printed calls as text",
    hasRules: false,
    of: ({ printedAsTextRate }) => share(printedAsTextRate),
  },
  { title: "Reached the agent as text", hasRules: true, of: ({ reachedAsText }) => count(reachedAsText) },
  { title: "Candidates", hasRules: true, of: ({ candidates }) => count(candidates) },
  { title: "Attempts", hasRules: true, of: ({ attempts }) => count(attempts) },
  { title: "Success", hasRules: true, of: ({ successRate }) => share(successRate) },
  { title: "Accepted", hasRules: true, of: ({ acceptanceRate }) => share(acceptanceRate) },
  { title: "Repairs", hasRules: true, of: ({ repairs }) => count(repairs) },
  { title: "Near misses", hasRules: false, of: ({ nearMisses }) => count(nearMisses) },
  { title: "Tokens", hasRules: false, of: ({ tokens }) => count(tokens) },
  { title: "First token", hasRules: false, of: ({ firstMsMean }) => duration(firstMsMean) },
  { title: "Total", hasRules: false, of: ({ durationMsMean }) => duration(durationMsMean) },
];

/** The table. */
export function FigureTable({ kind, rows }: { readonly kind: RowKind; readonly rows: readonly Row[] }) {
  if (rows.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  const columns = COLUMNS.filter(({ hasRules }) => hasRules || kind !== "rule");
  return html`
    <div class="wide" tabindex="0" role="region" aria-label=${`Figures by ${kind}`}>
      <table>
        <thead>
          <tr>
            <th scope="col">${TITLES[kind]}</th>
            ${columns.map(({ title }) => html`<th scope="col" class="number">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) =>
            html`
              <tr key=${row.name}>
                <th scope="row">${row.name}</th>
                ${columns.map(({ of }) => html`<td class="number">${of(row)}</td>`)}
              </tr>
            `
          )}
        </tbody>
      </table>
    </div>
  `;
}

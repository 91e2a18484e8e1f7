/** Figures by model, rule or mode as a table. @module */
import { columnsOf } from "../../figures/columns.ts";
import type { Row } from "../../tally/sums.ts";
import { html } from "../html.ts";

type RowKind = "model" | "rule" | "mode" | "wire" | "key" | "upstream";

const TITLES: Readonly<Record<RowKind, string>> = {
  model: "Model",
  rule: "Rule",
  mode: "Mode",
  wire: "API",
  key: "Client key",
  upstream: "Upstream",
};

const OF_ALL = ["reached", "candidates", "attempts", "success", "accepted", "repairs"] as const;

/** A rule reads texts, not requests. */
const columnsFor = (kind: RowKind) =>
  columnsOf(
    kind === "rule" ? OF_ALL : [
      "requests",
      "errors",
      "printed",
      ...OF_ALL,
      "nearMisses",
      "tokens",
      "first",
      "firstSlow",
      "total",
      "totalSlow",
    ],
  );

export function FigureTable({ kind, rows }: { readonly kind: RowKind; readonly rows: readonly Row[] }) {
  if (rows.length === 0) return html`<p class="empty">Nothing yet.</p>`;
  if (kind === "mode") return turnedTable(rows);
  const columns = columnsFor(kind);
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

/** Few rows that are compared: one column for each of them. */
function turnedTable(rows: readonly Row[]) {
  return html`
    <div class="wide two-sides" tabindex="0" role="region" aria-label="Figures by mode">
      <table>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            ${rows.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${columnsFor("mode").map(({ title, of }) =>
            html`
              <tr key=${title}>
                <th scope="row">${title}</th>
                ${rows.map((row) => html`<td class="number">${of(row)}</td>`)}
              </tr>
            `
          )}
        </tbody>
      </table>
    </div>
  `;
}

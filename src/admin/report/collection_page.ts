/** Writes a collection of evaluations as one page: model by server, with figures, findings and how many reports. @module */
import { percent } from "../../analysis/evaluate/advice.ts";
import type { Pool } from "../../analysis/evaluate/collection.ts";
import { ALONE, THROUGH } from "../../analysis/evaluate/sample.ts";
import { plural } from "../../engine/diagnostic/figures.ts";
import { htmlPage, section } from "./html_page.ts";
import { type TextRow, textTable } from "./row_table.ts";

export function collectionPage(pools: readonly Pool[]): string {
  const models = [...new Set(pools.map(({ model }) => model))];
  const servers = [...new Set(pools.map(({ server }) => server))].sort();
  const best = (model: string, server: string) => {
    const found = pools.filter((pool) => pool.model === model && pool.server === server);
    return found.map((pool) => shareText(pool, THROUGH)).join("; ") || "–";
  };
  const reports = pools.reduce((sum, pool) => sum + pool.reports, 0);
  return htmlPage({
    title: "Tool calls by model and server",
    intro: plural(reports, "report"),
    body: pools.length === 0 ? "<p>No evaluations</p>" : [
      section(
        "Correct answers through Dragoman",
        textTable(
          models.map((model) => ({ name: model, cells: servers.map((server) => best(model, server)) })),
          {
            title: "Correct answers through Dragoman",
            heads: ["Model", ...servers],
            hasWords: true,
          },
        ) +
          '<p class="more">With 95% intervals. A row doesn\'t rank models: it has the figures of one battery, one server ' +
          "version, and the same settings, as submitted by users.</p>",
      ),
      section(
        "All reports",
        textTable(pools.map(rowOf), {
          title: "All reports",
          heads: ["Model", "Server", "Settings", "Alone", "Dragoman", "Reports", "Findings"],
          hasWords: true,
        }),
      ),
    ].join("\n"),
    footer: "Only reports with the same battery, server version, settings, and temperature are combined",
  });
}

function rowOf(pool: Pool): TextRow {
  const { model, server, battery, settings, temperature, reports, findings, disagrees } = pool;
  const set = Object.entries({ ...settings, temperature: temperature ?? "the server's", battery })
    .map(([name, value]) => `${name}: ${value}`).join(", ");
  return {
    name: model,
    cells: [
      server,
      set,
      shareText(pool, ALONE),
      shareText(pool, THROUGH),
      disagrees ? `${reports}, which disagree` : String(reports),
      findings.join(", ") || "none",
    ],
  };
}

function shareText({ columns }: Pool, name: string): string {
  const column = columns[name];
  return column === undefined
    ? "–"
    : `${column.k}/${column.n} (${percent(column.low)}–${percent(column.high)})`;
}

import assert from "node:assert/strict";
import { join } from "node:path";
import { report } from "../../src/cli/report.ts";
import { auditLog, decisionLine, requestLine, resultLine } from "../support/audit_lines.ts";
import { createTestContext } from "../support/context.ts";
import { browserTest, findAxeViolations } from "./chromium.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** Names from requests can be long, and without a place to break. */
const LONG = "organization/a-model-with-a-very-long-name-480b-a35b-instruct-fp8_".repeat(3);

const MORE = [
  requestLine({ model: LONG, client: "claude_code" }),
  requestLine({ status: 502, error: "upstream_unreachable" }),
  decisionLine("near_miss", { rule: "none", call: null }),
  decisionLine("truncated", { outcome: "failed", tool: LONG }),
  resultLine("rejected"),
];

/** Widths of the window, and the color schemes at each. */
const WINDOWS = [
  { width: 320, scheme: "light" },
  { width: 400, scheme: "light" },
  { width: 400, scheme: "dark" },
  { width: 800, scheme: "dark" },
  { width: 1280, scheme: "light" },
] as const;

browserTest(
  "the report reads on narrow and wide screens, light and dark, and loads nothing",
  async (browser) => {
    const folder = await temporaryFolder();
    const lines = MORE.map((line) => JSON.stringify(line)).join("\n");
    await Deno.writeTextFile(join(folder, "audit.jsonl"), auditLog() + lines);
    const context = createTestContext({ workingDirectory: folder });
    const input = { values: { html: "report.html" }, positionals: ["audit.jsonl"] };
    assert.equal(await report.run(input, context), 0, context.printed.stderr);
    for (const { width, scheme } of WINDOWS) {
      const { page, troubles } = await browser.open({ size: { width, height: 800 }, scheme });
      const requested: string[] = [];
      page.on("request", (request) => requested.push(request.url()));
      await page.goto(`file://${join(folder, "report.html")}`);
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth"),
        width,
        "no horizontal scrolling",
      );
      assert.deepEqual(await findAxeViolations(page), []);
      // What a screen reader gets: the table is one, also where the style sheet shows its rows as blocks.
      const row = page.getByRole("table", { name: "Models" }).getByRole("row", { name: "small" });
      assert.equal(await row.getByRole("cell").count(), 10);
      assert.equal(await row.getByRole("rowheader").innerText(), "small");
      assert.deepEqual({ requested: requested.length, troubles }, { requested: 1, troubles: [] });
      await page.context().close();
    }
  },
);

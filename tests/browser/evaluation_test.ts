import assert from "node:assert/strict";
import { join } from "node:path";
import { collectionPage } from "../../src/admin/report/collection_page.ts";
import { evaluationPage } from "../../src/admin/report/evaluation_page.ts";
import { poolReports } from "../../src/analysis/evaluate/collection.ts";
import { sharedEvaluation } from "../../src/analysis/evaluate/shared_file.ts";
import { evaluated } from "../analysis/evaluate/evaluated.ts";
import { FAULTS } from "../analysis/evaluate/faults.ts";
import { createFaultyServer } from "../analysis/evaluate/faulty_server.ts";
import { browserTest, findAxeViolations } from "./chromium.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** Widths of the window, and the color schemes at each. */
const WINDOWS = [
  { width: 320, scheme: "light" },
  { width: 400, scheme: "dark" },
  { width: 1280, scheme: "light" },
] as const;

browserTest("an evaluation reads on narrow and wide screens, and loads nothing", async (browser) => {
  const folder = await temporaryFolder();
  const { send } = createFaultyServer({ dropped_tools: FAULTS.dropped_tools!, loop: FAULTS.loop! });
  const evaluation = await evaluated({ send });
  const long = {
    ...evaluation,
    facts: { ...evaluation.facts, model: "a-model-with-a-long-name_".repeat(8) },
  };
  await Deno.writeTextFile(join(folder, "result.html"), evaluationPage(long));
  const pools = poolReports([sharedEvaluation(evaluation), sharedEvaluation(long)]);
  await Deno.writeTextFile(join(folder, "table.html"), collectionPage(pools));
  for (const { width, scheme } of WINDOWS) {
    for (const file of ["result.html", "table.html"]) {
      const { page, troubles } = await browser.open({ size: { width, height: 800 }, scheme });
      const requested: string[] = [];
      page.on("request", (request) => requested.push(request.url()));
      await page.goto(`file://${join(folder, file)}`);
      if (file === "result.html") {
        // A newcomer finds the verdict, the cause and what to do without another page.
        await page.getByText("The server alone, 9 of 36 answers are right").waitFor();
        await page.getByRole("heading", { name: "What to change, and why" }).waitFor();
        await page.getByText("The fault is in the chat template").waitFor();
        await page.getByRole("heading", { name: "The tools don't reach the prompt" }).waitFor();
        await page.getByText("tools: prompted").first().waitFor();
        const tasks = page.getByRole("table", { name: "Tasks" });
        assert.equal(await tasks.getByRole("row", { name: "plain_call" }).getByRole("cell").count(), 4);
        const failure = page.locator("details").first();
        await failure.locator("summary").click();
        await failure.getByText("Ask again", { exact: true }).waitFor();
      } else {
        await page.getByRole("table", { name: "All reports" }).waitFor();
      }
      assert.equal(
        await page.evaluate("document.documentElement.scrollWidth"),
        width,
        `${file}: no horizontal scrolling`,
      );
      assert.deepEqual(await findAxeViolations(page), []);
      assert.deepEqual({ requested: requested.length, troubles }, { requested: 1, troubles: [] });
      await page.context().close();
    }
  }
});

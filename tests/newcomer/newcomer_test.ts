/**
 * The page for newcomers is what happens: the commands run again, and print the same. DRAGOMAN_WRITE_PAGES=1 writes the page.
 *
 * @module
 */
import assert from "node:assert/strict";
import { findChromium } from "../browser/find_chromium.ts";
import { canInstall } from "../support/can_install.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { newcomerPage } from "./page.ts";
import { playNewcomer } from "./play.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const PAGE = new URL("../../src/docs/get_started.md", import.meta.url);
const PICTURE = new URL("../../src/docs/pictures/newcomer.png", import.meta.url);

const IS_WRITING = Deno.env.get("DRAGOMAN_WRITE_PAGES") !== undefined;

/** Five minutes are enough for a newcomer on any machine that runs these tests. */
const SECONDS_MAX = 300;

/** Takes the picture of the page while it shows the near miss. */
async function takePicture(origin: string): Promise<void> {
  const chromium = await findChromium();
  if (!IS_WRITING || chromium === undefined) return;
  const { launchChromium } = await import("../browser/chromium.ts");
  const { hideMeasures } = await import("../browser/measures.ts");
  await using browser = await launchChromium(chromium);
  const { page } = await browser.open({ size: { width: 1280, height: 300 } });
  await page.goto(`${origin}/_dragoman/`);
  await page.getByText("near miss").first().waitFor();
  await hideMeasures(page);
  await page.screenshot({ path: PICTURE.pathname });
}

Deno.test({
  name: "a newcomer gets from an empty folder to a working agent as the page shows, within five minutes",
  ignore: !(IS_THOROUGH || IS_WRITING) || Deno.build.os !== "linux",
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    if (!await canInstall()) return console.log(`SKIPPED ${t.name}: npm cannot reach its registry`);
    const root = await temporaryFolder();
    const story = await playNewcomer(root, takePicture);
    const text = newcomerPage(story);
    console.log(`A newcomer needs ${story.seconds} s`);
    assert.ok(story.seconds < SECONDS_MAX, `${story.seconds} s`);
    if (IS_WRITING) await Deno.writeTextFile(PAGE, text);
    else assert.equal(await Deno.readTextFile(PAGE), text, "DRAGOMAN_WRITE_PAGES=1 writes the page again");
  },
});

/**
 * How the page does under load: 1,000 changes a second, sent by the real feed, and its first paint.
 *
 * @module
 */
/// <reference lib="dom" />
import assert from "node:assert/strict";
import { createPages } from "../../src/admin/routes/pages.ts";
import { type Live, openLive, readPageFiles } from "../../src/cli/service/observers.ts";
import { requestLine } from "../support/audit_lines.ts";
import { requestFacts } from "../support/request_facts.ts";
import { browserTest } from "./chromium.ts";

const SECONDS = 3;
const ROUNDS_PER_SECOND = 50;
/** Requests of a round; each changes four times. */
const REQUESTS = 5;

/** What a page counts while it draws. */
interface Seen {
  /** The milliseconds of each long task. */
  readonly durations: number[];
  /** The new rows of each drawing. */
  readonly rows: number[];
}

/** A server with only the page and its feed. */
function startPages() {
  const live = openLive(() => false);
  const pages = createPages({
    keys: () => ({ admin: undefined, clients: [] }),
    data: { status: () => ({ version: "0" }) },
    live,
    playground: { setup: () => assert.fail(), save: () => assert.fail() },
    sections: new Map(),
    metrics: () => Promise.resolve({ text: "", type: "text/plain" }),
    site: readPageFiles(),
    now: () => Date.now(),
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => pages(request, "127.0.0.1"),
  );
  return {
    live,
    url: `http://127.0.0.1:${server.addr.port}/_dragoman/`,
    async [Symbol.asyncDispose]() {
      live.close();
      await server.shutdown();
    },
  };
}

/** A request with four changes. */
function sendRequest(live: Live, number: number): void {
  const [id, model] = [`r${number}`, `model ${number}`];
  const watch = live.watch(requestFacts({ id, model, beganAt: Date.now() }));
  watch.begin?.();
  const call = { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 } as const;
  watch.observe(call, { choice: 0, isSent: false });
  live.add([requestLine({ request: id, model })]);
}

/** 1,000 changes a second for some seconds; gives the number of the last request. */
async function sendChanges({ live }: ReturnType<typeof startPages>): Promise<number> {
  let number = 0;
  const began = performance.now();
  for (let round = 0; round < SECONDS * ROUNDS_PER_SECOND; round++) {
    for (let each = 0; each < REQUESTS; each++) sendRequest(live, ++number);
    const wait = began + (round + 1) * 1000 / ROUNDS_PER_SECOND - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return number;
}

browserTest("1,000 changes a second leave the page time for a person", async (browser) => {
  await using pages = startPages();
  const { page, troubles } = await browser.open();
  await page.goto(pages.url);
  await page.getByText("No requests yet").waitFor();
  await page.evaluate(() => {
    const seen: Seen = { durations: [], rows: [] };
    Object.assign(globalThis, { seen });
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      seen.rows.push(added.filter(({ nodeName }) => nodeName === "TR").length);
    }).observe(document.body, { childList: true, subtree: true });
    new PerformanceObserver((list) =>
      seen.durations.push(...list.getEntries().map(({ duration }) => duration))
    ).observe({ entryTypes: ["longtask"] });
  });
  // Processor time of the page's main thread: on a busy machine a task also waits for its turn.
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const workSeconds = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? assert.fail("no metric");
  };
  const [before, began] = [await workSeconds(), performance.now()];
  const last = await sendChanges(pages);
  await page.locator("table.requests tbody tr").first().getByText(`model ${last}`, { exact: true }).waitFor();
  const busy = (await workSeconds() - before) / (performance.now() - began) * 1000;
  const { durations, rows } = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  const [longest, mostRows] = [Math.max(0, ...durations), Math.max(...rows)];
  console.log(
    `${last * 4} changes: the main thread works ${
      Math.round(busy * 100)
    }% of the time; ${durations.length} ` +
      `tasks took over 50 ms, the longest ${Math.round(longest)} ms; at most ${mostRows} new rows in one`,
  );
  // A drawing is one task: its new rows are what makes it long.
  assert.ok(mostRows <= 60, `a drawing makes ${mostRows} rows`);
  const article = page.locator("article.request");
  await page.locator("table.requests tbody tr").first().click();
  await article.getByText(`model ${last}`).waitFor();
  // It stays open when the list has only newer ones.
  for (let newer = 1; newer <= 600; newer++) sendRequest(pages.live, last + newer);
  await page.locator("table.requests tbody tr").first().getByText(`model ${last + 600}`).waitFor();
  assert.match(await article.innerText(), new RegExp(`model ${last}`));
  assert.ok(busy < 0.8, `the main thread works ${busy} of the time`);
  assert.deepEqual(troubles, []);
});

browserTest("the page paints first about as soon as a page without a script", async (browser) => {
  await using pages = startPages();
  const paintOf = async (url: string) => {
    const { page } = await browser.open();
    await page.goto(url);
    await page.locator("main, pre").first().waitFor();
    const paint = await page.waitForFunction(() =>
      performance.getEntriesByName("first-contentful-paint")[0]?.startTime
    );
    return await paint.jsonValue() ?? 0;
  };
  await paintOf(`${pages.url}status`);
  const [plain, whole] = [await paintOf(`${pages.url}status`), await paintOf(pages.url)];
  console.log(`first paint after ${Math.round(whole)} ms; a page without a script: ${Math.round(plain)} ms`);
  assert.ok(whole < 20 * Math.max(plain, 20), `${whole} ms`);
});

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSite } from "../../src/cli/build/site/site.ts";
import { browserTest, findAxeViolations } from "./chromium.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** The most that the opening loads, compressed. */
const OPENING_BYTES_MAX = 60_000;

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  css: "text/css",
  js: "text/javascript",
  png: "image/png",
};

/** Serves the files of a folder below a path, as any host of static files does. */
function serveFiles(folder: string) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const path = new URL(request.url).pathname.replace(/^\/below\//, "");
    const body = await Deno.readFile(join(folder, path)).catch(() => undefined);
    const type = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ""] ?? "text/plain";
    return body === undefined
      ? new Response("", { status: 404 })
      : new Response(body, { headers: { "content-type": type } });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/below/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

browserTest(
  "the site's pages fit each width, load nothing from elsewhere, and the opening is small",
  async (browser) => {
    const folder = await temporaryFolder();
    await buildSite(folder);
    await using site = serveFiles(folder);
    for (const width of [320, 800, 1280]) {
      for (const scheme of ["light", "dark"] as const) {
        const { page, troubles } = await browser.open({ size: { width, height: 800 }, scheme });
        const asked: string[] = [];
        page.on("request", (request) => asked.push(request.url()));
        for (
          const path of [
            "index.html",
            "src/docs/recipes.html",
            "src/docs/guide/operation.html",
            "playground/index.html",
          ]
        ) {
          asked.length = 0;
          await page.goto(site.url + path);
          await page.locator("h1").first().waitFor();
          const where = `${path} at ${width} px, ${scheme}`;
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), where);
          assert.deepEqual(await findAxeViolations(page), [], where);
          assert.deepEqual(asked.filter((url) => !url.startsWith(site.url) && !url.startsWith("data:")), []);
          if (path !== "index.html") continue;
          const files = asked.filter((url) => url.startsWith(site.url)).map((url) =>
            url.slice(site.url.length)
          );
          const bytes = files.reduce(
            (sum, file) => sum + gzipSync(Deno.readFileSync(join(folder, file))).length,
            0,
          );
          assert.ok(files.length >= 3 && bytes <= OPENING_BYTES_MAX, `${files}: ${bytes} bytes`);
        }
        assert.deepEqual(troubles, []);
        await page.context().close();
      }
    }
  },
);

browserTest(
  "the site's playground reads an answer with all shipped rules, and a link brings it back",
  async (browser) => {
    const folder = await temporaryFolder();
    await buildSite(folder);
    await using site = serveFiles(folder);
    const { page, troubles } = await browser.open();
    await page.goto(`${site.url}index.html`);
    await page.getByRole("link", { name: "playground", exact: true }).click();
    await page.locator(".decisions code", { hasText: "near_miss" }).waitFor();
    await page.getByRole("button", { name: "Derive a rule from the answer" }).click();
    await page.getByText(/All \d+ pass/).waitFor();
    await page.locator(".decisions code", { hasText: "transformed" }).waitFor();
    await page.getByText("This page has no server that could save a rule: choose Copy YAML").waitFor();
    assert.equal(await page.getByRole("button", { name: /^(?:Save|Replace)/ }).count(), 0);
    await page.getByText(/Nothing leaves the\s+browser\. Plugins/).waitFor();

    const shipped = await page.locator('optgroup[label="Shipped rules"] option').allTextContents();
    const files = Array.from(Deno.readDirSync("rules")).filter(({ name }) => name.endsWith(".yaml"));
    assert.ok(shipped.length >= files.length && shipped.includes("qwen_xml"), `${shipped.length}`);

    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("The link is copied.").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const other = await browser.open();
    await other.page.goto(link);
    await other.page.getByText(/All \d+ pass/).waitFor();
    assert.deepEqual([...troubles, ...other.troubles], []);
  },
);

browserTest(
  "the site's search leads to a section, and the list at the side has this page",
  async (browser) => {
    const folder = await temporaryFolder();
    await buildSite(folder);
    await using site = serveFiles(folder);
    const { page, troubles } = await browser.open();
    await page.goto(`${site.url}src/docs/guide/page.html`);
    await page.locator("aside a[aria-current=page]", { hasText: "The page" }).waitFor();
    await page.getByLabel("Search").fill("items of earlier answers");
    await page.locator("#found a", { hasText: "Items of earlier answers" }).click();
    await page.waitForURL(/wires\.html#items-of-earlier-answers$/);
    assert.deepEqual(troubles, []);
  },
);

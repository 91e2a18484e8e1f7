/// <reference lib="dom" />
import assert from "node:assert/strict";
import { browserTest, findAxeViolations } from "./chromium.ts";
import { startServer } from "../support/serve.ts";

browserTest(
  "the page loads, shows each view and has no error and no violation of its policy",
  async (browser) => {
    await using server = await startServer();
    const { page, troubles } = await browser.open();
    await page.goto(server.page);
    const links = page.locator("nav a");
    await links.first().waitFor();
    for (const link of await links.all()) {
      await link.click();
      // Until a view is loaded, the one before it is shown.
      const name = await link.innerText();
      await page.locator("main h1", { hasText: name === "Live" ? "Requests" : name }).waitFor();
      assert.equal(await link.getAttribute("aria-current"), "page");
      assert.deepEqual(await findAxeViolations(page), []);
    }
    assert.equal(await page.getByRole("button", { name: "Sign out" }).count(), 0);

    // The figures of a model that someone left don't replace those of the one that is chosen.
    const release = Promise.withResolvers<void>();
    await page.route("**/figures?model=slow", async (route) => {
      const figures = await (await route.fetch()).json();
      await release.promise;
      await route.fulfill({ json: { ...figures, all: { ...figures.all, requests: 999 } } });
    });
    const late = page.waitForResponse("**/figures?model=slow");
    const asked = page.waitForRequest("**/figures?model=slow");
    const next = page.waitForResponse("**/figures?model=quick");
    await page.evaluate(() => location.hash = "#/figures?of=model slow");
    await asked;
    await page.evaluate(() => location.hash = "#/figures?of=model quick");
    await (await next).finished();
    release.resolve();
    await (await late).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    assert.ok(!(await page.locator(".tiles").innerText()).includes("999"));
    assert.deepEqual(troubles, []);
  },
);

browserTest("the page asks for the key, and a session opens it", async (browser) => {
  await using server = await startServer("admin: { key_env: ADMIN_KEY }\n", { ADMIN_KEY: "the admin key" });
  const { page } = await browser.open();
  await page.goto(server.page);
  await page.getByLabel("Key").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The key is missing or wrong").waitFor();
  assert.deepEqual(await findAxeViolations(page), []);
  await page.getByLabel("Key").fill("the admin key");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("main h1").waitFor();
  // The stream of requests takes the session as well. It has the wrong key, but not that the page had none at first.
  await page.locator("table.requests").getByText("POST /_dragoman/session").waitFor();
  assert.equal(await page.locator("table.requests").getByText("GET /_dragoman").count(), 0);
  const [cookie] = await page.context().cookies();
  assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, "Strict"]);
  assert.deepEqual(await findAxeViolations(page), []);
  await page.getByRole("button", { name: "Sign out" }).click();
  // The field gets the focus a moment after it is there.
  await page.locator("input:focus").waitFor();
  assert.deepEqual(await page.context().cookies(), []);
});

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { startUpstream } from "../support/scripted_upstream.ts";
import { type RunningServer, startServer } from "../support/serve.ts";
import { browserTest, findAxeViolations, type OpenPage } from "./chromium.ts";

const CALL =
  "Now.\n<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>\nThen.";
const NEAR = "I look.\n@@invoke read_file\n@arg path = src/a.ts\n@@end\n";
const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const TOOLS = [{ type: "function", function: { name: "read_file", parameters } }];

function ask({ origin }: RunningServer, model: string, signal?: AbortSignal): Promise<Response> {
  const messages = [{ role: "user", content: "Read the file" }];
  const stream_options = { include_usage: true };
  const body = JSON.stringify({ model, stream: true, stream_options, messages, tools: TOOLS });
  return fetch(`${origin}/v1/chat/completions`, { method: "POST", body, ...(signal ? { signal } : {}) });
}

function startModel() {
  return startUpstream(({ body }) => {
    const { model } = JSON.parse(body || '{"model":""}');
    if (model === "near") return { text: NEAR };
    if (model === "quick") return { text: `<think>\nHm.\n</think>\n\n${CALL}` };
    if (model === "busy") return { error: { status: 429, body: "{}" } };
    return model === "slow" ? { text: CALL, fate: "pause", fateAt: 80 } : { text: CALL };
  });
}

const rows = ({ page }: OpenPage) => page.locator("table.requests tbody tr");

/** Whether the page is the one that its window shows. */
async function setHidden({ page }: OpenPage, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

browserTest("the list follows requests, filters them, and opens one with keys", async (browser) => {
  await using upstream = startModel();
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nadmin: { contents: true }\n`,
  );
  const opened = await browser.open();
  const { page, troubles } = opened;
  await page.goto(server.page);
  await page.getByText("No requests yet. Set your agent's base URL to").waitFor();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the command" }).click();
  await page.getByText("Copied").waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(command.startsWith(`curl ${server.origin}/v1/chat/completions `), command);
  for (const model of ["quick", "near", "busy"]) await (await ask(server, model)).text();
  const leave = new AbortController();
  const slow = ask(server, "slow", leave.signal).then((response) => response.text()).catch(() => undefined);
  await rows(opened).first().getByText("streaming").waitFor();
  // On a busy machine, the requests that are over can arrive a moment later.
  await rows(opened).nth(3).waitFor();
  assert.equal(await rows(opened).count(), 4);

  await page.keyboard.press("/");
  await page.keyboard.type("near miss");
  await rows(opened).nth(1).waitFor({ state: "detached" });
  assert.match(await rows(opened).innerText(), /1 near miss/);
  await page.getByLabel("Filter by text").fill("");
  await page.getByLabel("All states").selectOption("error");
  await rows(opened).getByText("upstream_status").waitFor();
  assert.match(
    await rows(opened).innerText(),
    /: The model server answered 429 Too Many Requests without an error text/,
  );
  await page.getByLabel("All states").selectOption("");
  await rows(opened).nth(3).waitFor();

  await page.keyboard.press("Escape");
  // The slow request is the first row; its call isn't over.
  await page.locator("body").press("j");
  await page.locator("body").press("Enter");
  const before = page.getByLabel("What the model wrote");
  await before.getByText("<function=read_file>").waitFor();
  assert.match(page.url(), /#\/live\?request=/);
  leave.abort();
  await slow;
  await page.locator("article .facts").getByText("client left").waitFor();
  // The next rows: an error, a near miss, and a call.
  await page.locator("body").press("j");
  await page.getByText("The agent gets the error unchanged").waitFor();
  for (let row = 0; row < 2; row++) await page.locator("body").press("j");
  await page.locator("mark.good").getByText("a.txt").waitFor();
  const after = page.getByRole("region", { name: "What the client got", exact: true });
  assert.match(
    await after.innerText(),
    /Now\.\s+read_file\s+tool call, whole\s+\{\s+"path": "a\.txt"\s+\}\s+Then\./,
  );
  const thoughts = after.getByRole("group", { name: "Reasoning" });
  assert.match(await thoughts.innerText(), /^Reasoning\s+Hm\.$/);
  await page.getByText("The text was a call to an offered tool").waitFor();
  const facts = await page.locator("article .facts").innerText();
  assert.match(facts, /Arrived\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s/);
  assert.match(facts, /Tokens\s+\d+\s/);
  // A mark of what is left as text is a part of its line, not a box over it.
  const displays = await page.evaluate(() =>
    ["mark", "span"].map((name) => {
      const element = document.createElement(name);
      element.className = name === "mark" ? "warn" : "chip warn";
      document.querySelector("article.request")!.append(element);
      const { maxHeight, overflow } = getComputedStyle(element);
      element.remove();
      return [maxHeight, overflow];
    })
  );
  assert.deepEqual(displays, [["none", "visible"], ["none", "visible"]]);
  assert.deepEqual(await findAxeViolations(page), []);
  await page.locator("body").press("Escape");
  await page.locator("article.request").waitFor({ state: "detached" });

  // The keys are listed, and a pause keeps the list as it is.
  const body = page.locator("body");
  await body.press("?");
  const keys = await page.locator("dl.keys").innerText();
  for (const key of ["j k", "Enter", "Esc", "/", "p", "c", "?"]) assert.ok(keys.includes(key), key);
  await body.press("p");
  await page.getByRole("button", { name: "Go on" }).waitFor();
  assert.deepEqual(await findAxeViolations(page), []);
  await body.press("p");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await body.press("?");

  // A page that no one sees leaves its connection to others, and shows what it missed when someone looks.
  const left = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/_dragoman/live"));
  await setHidden(opened, true);
  await left;
  await (await ask(server, "quick")).text();
  assert.equal(await rows(opened).count(), 4);
  await setHidden(opened, false);
  await rows(opened).nth(4).waitFor();

  // A near miss goes to the playground, and its text stays out of the address.
  await rows(opened).filter({ hasText: "near miss" }).click();
  const link = page.getByRole("link", { name: "Open in the playground" });
  await link.evaluate((element) => element.addEventListener("click", (event) => event.preventDefault()));
  await link.click();
  const stored = await page.evaluate(() => sessionStorage.getItem("dragoman.playground"));
  assert.equal(JSON.parse(stored ?? "{}").text, NEAR);
  assert.ok(!page.url().includes("invoke"));
  // The near miss has its button, which brings the rule that reads the answer.
  await page.getByRole("region", { name: /^Near miss/ }).waitFor();
  assert.deepEqual(await findAxeViolations(page), []);
  await page.getByRole("link", { name: "Derive a rule in the playground" }).click();
  await page.getByText(/^Derived the rule |^No rule can be derived/).waitFor();
  assert.ok(!page.url().includes("invoke"));
  // The figures have what is usual, what is slow, and the tokens.
  await page.evaluate(() => location.hash = "#/figures");
  const tile = async (name: string) =>
    await page.locator(".tiles > div", { hasText: name }).first().innerText();
  const time = "[\\d.,]+ m?s";
  for (const name of ["First token", "Total"]) {
    assert.match(await tile(name), new RegExp(`^${name}\\s+${time}\\s+p50; p95 ${time}; mean ${time}$`));
  }
  assert.match(await tile("Tokens"), /^Tokens\s+[1-9]\d*\s/);
  const heads = await page.getByRole("region", { name: "Figures by model" }).locator("th.number")
    .allInnerTexts();
  for (const head of ["Tokens", "First token, p50", "Total, p95"]) assert.ok(heads.includes(head), head);

  // Clear hides the requests so far, not the next one.
  await page.evaluate(() => location.hash = "#/live");
  await rows(opened).nth(4).waitFor();
  await body.press("c");
  await rows(opened).first().waitFor({ state: "detached" });
  await (await ask(server, "quick")).text();
  await rows(opened).first().waitFor();
  assert.equal(await rows(opened).count(), 1);
  assert.deepEqual(troubles.filter((text) => !text.includes("429")), []);
});

browserTest(
  "the page fits 400 pixels, in light and dark, and a screen reader finds its parts",
  async (browser) => {
    await using upstream = startModel();
    await using server = await startServer(`upstreams: [{ name: local, url: "${upstream.url}" }]\n`);
    for (const model of ["quick", "near", "busy", "quick"]) await (await ask(server, model)).text();
    for (const [scheme, width] of [["light", 400], ["dark", 400], ["light", 800], ["dark", 1400]] as const) {
      const opened = await browser.open({ scheme, size: { width, height: 800 } });
      const { page, troubles } = opened;
      await page.goto(server.page);
      const names = await page.locator("nav a").evaluateAll((links) =>
        links.map((link) => link.getAttribute("href"))
      );
      for (const name of [...names, "#/rules?rule=qwen_xml"]) {
        await page.evaluate((hash) => location.hash = hash ?? "", name);
        await page.locator("main h1").first().waitFor({ state: "attached" });
        await page.getByText("Loading…").first().waitFor({ state: "detached" });
        await checkPage(page, `${name} ${scheme} ${width}`);
      }
      // The row of a rule is open: its decisions, and its file with the examples.
      await page.locator(".opened .marks li", { hasText: "transformed" }).first().waitFor();
      assert.match(
        await page.getByLabel("The file of qwen_xml").innerText(),
        /^rule: qwen_xml\n[^]*\nexamples:/,
      );
      await page.evaluate(() => location.hash = "#/live");
      await rows(opened).first().click();
      await page.getByText("Texts aren't kept").waitFor();
      await checkPage(page, `open ${scheme} ${width}`);
      // Raw backticks are for a terminal.
      assert.ok(!(await page.locator("article.request").innerText()).includes("`"));
      await page.locator("body").press("Escape");
      await page.locator("article.request").waitFor({ state: "detached" });
      await rows(opened).filter({ hasText: /near/ }).click();
      await page.getByText("The text of this answer isn’t stored").waitFor();
      await checkPage(page, `near miss ${scheme} ${width}`);
      assert.deepEqual(troubles, []);
    }
  },
);

async function checkPage(page: OpenPage["page"], name: string): Promise<void> {
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(isTooWide, false, `${name} scrolls sideways`);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll("th")].filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ textContent }) => textContent)
  );
  assert.deepEqual(cut, [], `${name} cuts heads off`);
  assert.deepEqual(await findAxeViolations(page), [], name);
}

/// <reference lib="dom" />
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { BUILT_IN_RULES } from "../../src/engine/rule/folder.ts";
import { askChat } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { startServer } from "../support/serve.ts";
import { browserTest, findAxeViolations } from "./chromium.ts";
import { functionTool } from "../support/chat_tools.ts";

const LEAK = "I'll look.\n@@invoke read_file\n@arg path = a.txt\n@@end\n";

const TOOLS = [functionTool("read_file", { path: "string" })];

/** Opens the playground with an answer and its tools. */
async function openPlayground(page: Page, address: string, text = LEAK): Promise<void> {
  await page.goto(`${address}#/playground`);
  await page.getByRole("textbox", { name: "The model's answer" }).fill(text);
  await page.getByText("Offered tools").click();
  await page.getByRole("textbox", { name: "Offered tools" }).fill(JSON.stringify({ tools: TOOLS }));
}

browserTest(
  "the playground teaches the running proxy to read an answer, from a near miss to a saved rule",
  async (browser) => {
    await using upstream = await startUpstream({ text: LEAK });
    await using server = await startServer(`upstreams: [{ name: local, url: "${upstream.url}" }]\n`);
    const { page, troubles } = await browser.open();
    await openPlayground(page, server.page);

    await page.locator(".decisions code", { hasText: "near_miss" }).waitFor();
    assert.match(await page.locator("section pre").last().innerText(), /"finish_reason": "stop"/);
    assert.deepEqual(await findAxeViolations(page), []);

    await page.getByRole("button", { name: "Derive a rule from the answer" }).click();
    await page.getByText(/All \d+ pass/).waitFor();
    await page.locator(".decisions code", { hasText: "transformed" }).waitFor();
    await page.locator("pre", { hasText: '"name": "read_file"' }).waitFor();

    // A typo in the fifth line: the marks, the list and the help follow.
    const editor = page.getByRole("textbox", { name: "Rule (YAML)" });
    const text = await editor.inputValue();
    const line = text.slice(0, text.indexOf("\nbody:")).split("\n").length + 1;
    await editor.evaluate((area, at) => {
      area.focus();
      (area as HTMLTextAreaElement).setSelectionRange(at, at);
    }, text.indexOf("\nbody:") + 1);
    await page.keyboard.press("Delete");
    const problem = page.locator("#problems li").first();
    await problem.filter({ hasText: "did you mean body?" }).waitFor();
    assert.equal(await problem.getByRole("button").innerText(), `${line}:1`);
    const fault = page.locator(".lines .fault.error").first();
    assert.match(await fault.getAttribute("title") ?? "", /did you mean body/);
    await fault.hover({ force: true });
    await page.locator("textarea[title*='did you mean body']").waitFor();
    await page.getByText("The examples run when the rule has no errors.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Save as/ }).isDisabled(), true);
    assert.deepEqual(await findAxeViolations(page), []);

    // The list leads to the place.
    await problem.getByRole("button").click();
    await page.keyboard.type("b");
    await page.getByText("The rule my_model has no errors.").waitFor();
    await page.getByText(/All \d+ pass/).waitFor();
    assert.deepEqual(await findAxeViolations(page), []);

    await page.getByRole("button", { name: "Save as rules/my_model.yaml" }).click();
    await page.getByText(/Saved rules\/my_model\.yaml: \d+ examples pass\./).waitFor();
    await page.getByRole("button", { name: "Replace rules/my_model.yaml" }).waitFor();
    assert.deepEqual(await callsOf(server.origin), ["read_file"]);

    // What replaces the rule can be undone.
    const rule = await editor.inputValue();
    await page.getByLabel("Edit", { exact: true }).selectOption("");
    await page.locator("#problems").waitFor({ state: "detached" });
    assert.equal(await editor.inputValue(), "");
    await editor.press("Control+Z");
    assert.equal(await editor.inputValue(), rule);

    // A refusal of another answer doesn't concern the rule that is still in the editor.
    await page.getByRole("textbox", { name: "The model's answer" }).fill("Nothing to call.");
    await page.getByText("The rule my_model has no errors.").waitFor();
    await page.getByRole("button", { name: "Derive a rule from the answer" }).click();
    await page.getByText(/^No rule can be derived/).waitFor();
    assert.equal(await page.getByText("The rule my_model has no errors.").count(), 0);
    assert.deepEqual(troubles, []);
  },
);

/** The calls that a client gets, once the proxy has read the new rule. */
async function callsOf(origin: string): Promise<string[]> {
  for (;;) {
    const answer = await (await askChat(origin, { body: { tools: TOOLS } })).json();
    const calls = answer.choices[0].message.tool_calls ?? [];
    if (calls.length > 0) return calls.map((call: { function: { name: string } }) => call.function.name);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

browserTest("the playground works with the keyboard alone, on a narrow screen", async (browser) => {
  await using server = await startServer();
  const { page, troubles } = await browser.open({ size: { width: 400, height: 800 }, scheme: "dark" });
  await openPlayground(page, server.page);
  const mark = page.locator("mark").first();
  await mark.waitFor();
  await mark.focus();
  await page.getByRole("tooltip").filter({ hasText: "near_miss" }).waitFor();
  assert.equal(await mark.getAttribute("aria-describedby"), "tip");
  await page.keyboard.press("Escape");
  await page.getByRole("tooltip").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Derive a rule from the answer" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText(/All \d+ pass/).waitFor();
  // The tab key goes through the editor, not into it.
  await page.keyboard.press("Tab");
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: outer } = document;
      return outer?.getAttribute("aria-label") ?? outer?.textContent;
    });
  assert.equal(await focused(), "Rule (YAML)");
  await page.keyboard.press("Tab");
  assert.match(await focused() ?? "", /^Save as/);

  // Completion knows the format.
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("begins: an");
  await page.getByRole("option", { name: "answer", exact: true }).waitFor();
  assert.deepEqual(await findAxeViolations(page), []);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const editor = page.getByRole("textbox", { name: "Rule (YAML)" });
  assert.match(await editor.inputValue(), /\nbegins: answer$/);
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Z");
  assert.match(await editor.inputValue(), /\nbegins: an$/);
  // Both layers break their lines alike, or the marks would be elsewhere.
  await page.keyboard.type(` # ${"a long line, and the wide 字 with it ".repeat(9)}`);
  assert.ok(
    await editor.evaluate((area) =>
      area.scrollHeight <= area.clientHeight && area.scrollWidth <= area.clientWidth
    ),
  );
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await findAxeViolations(page), []);
  assert.deepEqual(troubles, []);
});

browserTest("a link holds everything in the playground, and is never sent", async (browser) => {
  await using server = await startServer();
  const { page } = await browser.open();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPlayground(page, server.page, `${LEAK}More.`);
  await page.getByLabel("Edit", { exact: true }).selectOption("+");
  await page.getByText(/All \d+ pass/).waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("The link is copied.").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(link.startsWith(`${server.page}#/playground?s=`), link);

  const other = await browser.open();
  const requests: string[] = [];
  other.page.on("request", (request) => requests.push(request.url()));
  await other.page.goto(link);
  await other.page.getByText(/All \d+ pass/).waitFor();
  const answer = other.page.getByRole("textbox", { name: "The model's answer" });
  assert.equal(await answer.inputValue(), `${LEAK}More.`);
  // The same link in the same tab brings the same contents again.
  await answer.fill("Something else.");
  await other.page.locator(".marked", { hasText: "Something else." }).waitFor();
  await other.page.evaluate((address) => location.assign(address), link);
  await other.page.locator(".marked", { hasText: "More." }).waitFor();
  const packed = link.slice(link.indexOf("?s=") + 3);
  assert.deepEqual(requests.filter((url) => url.replace(/#.*/, "").includes(packed.slice(0, 20))), []);
});

browserTest("the playground explains why a rule can't be saved, and what to do", async (browser) => {
  await using server = await startServer(`rules: { folders: [${JSON.stringify(BUILT_IN_RULES)}] }\n`);
  const { page } = await browser.open();
  await page.goto(`${server.page}#/playground`);
  await page.getByLabel("Edit", { exact: true }).selectOption("+");
  await page.getByText("Shipped rules can't be changed: add a folder of your own")
    .waitFor();
  assert.equal(await page.getByRole("button", { name: /^(?:Save|Replace)/ }).count(), 0);
});

browserTest("an answer of the live list, or a pasted capture, comes with its tools", async (browser) => {
  await using upstream = await startUpstream({ text: LEAK });
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nadmin: { contents: true }\n`,
  );
  await (await askChat(server.origin, { body: { tools: TOOLS } })).text();
  const { page, troubles } = await browser.open();
  await page.goto(server.page);
  await page.locator("table.requests tbody tr").first().click();
  await page.getByRole("link", { name: "Open in the playground" }).click();
  const answer = page.getByRole("textbox", { name: "The model's answer" });
  await page.locator(".decisions code", { hasText: "near_miss" }).waitFor();
  assert.equal(await answer.inputValue(), LEAK);
  assert.ok(page.url().endsWith("#/playground"));

  const text = LEAK.replace("a.txt", "b.txt");
  const capture = {
    v: 1,
    time: "",
    request: "r",
    client: "openai",
    model: null,
    tools: TOOLS,
    system: null,
    text,
  };
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", data);
    const target = document.getElementById("answer");
    target?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, JSON.stringify({ ...capture, calls: [], refused: [] }));
  await page.locator(".marked").filter({ hasText: "b.txt" }).waitFor();
  assert.equal(await answer.inputValue(), text);
  assert.equal(await page.getByLabel("Client", { exact: true }).inputValue(), "openai");
  assert.deepEqual(troubles, []);
});

/**
 * The task `screenshots`: takes every picture of the docs, except the newcomer's, from one invented day on a fixed clock.
 *
 * @module
 */
/// <reference lib="dom" />
import { join } from "node:path";
import type { Page } from "playwright-core";
import { report } from "../../src/cli/report.ts";
import { DAY_CLIENTS } from "../support/day_clients.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { startServer } from "../support/serve.ts";
import { createTestContext } from "../support/context.ts";
import { launchChromium, type RunningBrowser } from "./chromium.ts";
import { findChromium } from "./find_chromium.ts";
import { hideMeasures } from "./measures.ts";
import { functionTool } from "../support/chat_tools.ts";

export const PICTURES = new URL("../../src/docs/pictures/", import.meta.url).pathname;

/** Widths of a desk and of a phone. */
const SIZES = { wide: { width: 1280, height: 600 }, narrow: { width: 400, height: 760 } };

/** No picture may be larger. */
export const BYTES_MAX = 150_000;

/** The minute of the first request; each one comes a little later than the one before. */
const FIRST = Date.UTC(2026, 4, 1, 8, 20, 7);
const STEP_MS = 83_000;

const call = (tool: string, path: string) =>
  `I'll look at it.\n<tool_call>\n<function=${tool}>\n<parameter=path>\n${path}\n</parameter>\n</function>\n</tool_call>`;

/** What the model prints when the user's message begins with the word. */
const ANSWERS: Readonly<Record<string, string>> = {
  call: call("read_file", "src/app.ts"),
  unknown: call("rm_rf", "/"),
  near: "Sure.\n@@invoke read_file\n@arg path = src/app.ts\n@@end\n",
  quoted:
    "Qwen writes calls like this:\n\n```xml\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n```\n",
  prose: "There is nothing to do: the tests pass.",
};

/** The requests of the day in their order: what the model answers, and which model. */
const WORDS = ["call", "prose", "call", "quoted", "call", "near", "call", "busy", "call", "unknown", "call"];
const MODELS = ["qwen3-coder", "glm-4.6", "qwen3-coder", "new-model-7b"];

const TOOLS = [functionTool("read_file", { path: "string" })];

const LEAK = "I'll look.\n@@invoke read_file\n@arg path = src/app.ts\n@@end\n";

/** What takes pictures, and the folder for them. */
interface Camera {
  readonly browser: RunningBrowser;
  readonly pictures: string;
}

if (import.meta.main) {
  const chromium = await findChromium();
  if (chromium === undefined) console.log("SKIPPED screenshots: Chromium isn't installed");
  else {
    await using browser = await launchChromium(chromium);
    await takeAll({ browser, pictures: PICTURES });
  }
}

/** Takes every picture. */
export async function takeAll(camera: Camera): Promise<void> {
  let now = FIRST;
  Date.now = () => now;
  await using upstream = startUpstream(({ body }) => {
    const { messages = [] } = JSON.parse(body || "{}");
    const word = messages.length > 2 ? "prose" : String(messages[1]?.content ?? "").split(" ")[0]!;
    return word === "busy" ? { error: { status: 429, body: "{}" } } : { text: ANSWERS[word] ?? "" };
  });
  const folder = await Deno.makeTempDir();
  try {
    const audit = join(folder, "audit.jsonl");
    await using server = await startServer(
      `upstreams: [{ name: local, url: "${upstream.url}" }]\nadmin: { contents: true }\n` +
        `policy: { rollout_percent: 80 }\nplugins: [call_policy, strict_validation]\naudit: { file: "${audit}" }\n`,
    );
    for (let number = 0; number < 40; number++) {
      await visit(server.origin, number);
      now += STEP_MS;
    }
    await takePage(camera, { address: server.page, now });
    await takeReport(camera, { audit, folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Sends one request of the day, and the result of its call if it brought one. */
async function visit(origin: string, number: number): Promise<void> {
  const client = DAY_CLIENTS[number % DAY_CLIENTS.length]!;
  const { wire, system } = client;
  const model = MODELS[number % MODELS.length]!;
  const request = { model, isStreamed: true, system, user: `${WORDS[number % WORDS.length]} ${number}` };
  const send = async (body: unknown) => {
    const headers = { "content-type": "application/json", ...client.headers };
    const response = await fetch(origin + wire.path(request), {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return await response.text();
  };
  const answer = await send(wire.body(request));
  const id = wire.id?.exec(answer)?.[1];
  if (id === undefined) return;
  await send(wire.body({ ...request, result: { id, content: "the file", isError: false } }));
}

async function takePage(
  camera: Camera,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<void> {
  const shown: Readonly<Record<string, (page: Page) => Promise<void>>> = {
    live: async (page) => await page.locator("table.requests tbody tr").nth(3).waitFor(),
    figures: async (page) => await page.locator("main h1").waitFor(),
    canary: async (page) => await page.locator("main h1").waitFor(),
    rules: async (page) => await page.locator("main h1").waitFor(),
    playground: async (page) => {
      await page.getByRole("textbox", { name: "The model's answer" }).fill(LEAK);
      await page.getByText("Offered tools").click();
      await page.getByRole("textbox", { name: "Offered tools" }).fill(JSON.stringify({ tools: TOOLS }));
      await page.getByRole("button", { name: "Derive a rule from the answer" }).click();
      await page.locator(".decisions code", { hasText: "transformed" }).waitFor();
    },
  };
  for (const [view, show] of Object.entries(shown)) {
    for (const [width, size] of Object.entries(SIZES)) {
      const { page } = await camera.browser.open({ size });
      await page.clock.setFixedTime(now);
      await page.goto(`${address}#/${view}`);
      await show(page);
      await take(page, join(camera.pictures, `${view}_${width}.png`));
      await page.context().close();
    }
  }
  const { page } = await camera.browser.open({ size: SIZES.wide });
  await page.clock.setFixedTime(now);
  await page.goto(`${address}#/live`);
  await page.locator("table.requests tbody tr", { hasText: "accepted" }).first().locator("a").click();
  await page.getByText("Before: what the model wrote").waitFor();
  await take(page, join(camera.pictures, "request_wide.png"));
  await page.context().close();
}

/** Takes the report on the same day. */
async function takeReport(
  camera: Camera,
  { audit, folder }: { readonly audit: string; readonly folder: string },
): Promise<void> {
  const context = createTestContext({ workingDirectory: folder });
  await report.run({ values: { html: "report.html" }, positionals: [audit] }, context);
  for (const [width, size] of Object.entries(SIZES)) {
    const { page } = await camera.browser.open({ size });
    await page.goto(`file://${join(folder, "report.html")}`);
    await take(page, join(camera.pictures, `report_${width}.png`));
    await page.context().close();
  }
}

/** Takes a picture of the window. */
async function take(page: Page, path: string): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  await hideMeasures(page);
  const { length } = await page.screenshot({ path });
  if (length > BYTES_MAX) throw new Error(`${path} has ${length} bytes, more than ${BYTES_MAX}`);
}

/**
 * A real browser for tests: Debian's Chromium, driven by playwright-core. Where there is none, a test is skipped with a
 * word; with `DRAGOMAN_BROWSER=required` it fails.
 *
 * @module
 */
import assert from "node:assert/strict";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "./find_chromium.ts";

export interface PageOptions {
  /** The size of the window; 1280 × 800 unless given. */
  readonly size?: { readonly width: number; readonly height: number };
  readonly scheme?: "light" | "dark";
}

/** A page of the browser, and what went wrong in it. */
export interface OpenPage {
  readonly page: Page;
  /** Errors of the console, exceptions, and requests that the policy of the page stopped. */
  readonly troubles: string[];
}

export interface RunningBrowser {
  /** Opens a page in a fresh profile. */
  open(options?: PageOptions): Promise<OpenPage>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts Chromium, without a window. */
export async function launchChromium(path: string): Promise<RunningBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
  return {
    async open({ size = { width: 1280, height: 800 }, scheme = "light" } = {}) {
      const context = await browser.newContext({ viewport: size, colorScheme: scheme, timezoneId: "UTC" });
      const page = await context.newPage();
      const troubles: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") troubles.push(`${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => troubles.push(String(error)));
      return { page, troubles };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Defines a test that needs a browser. Its sanitizers are off, because the driver keeps timers and a process. */
export function browserTest(name: string, run: (browser: RunningBrowser) => Promise<void>): void {
  Deno.test(name, { sanitizeOps: false, sanitizeResources: false }, async () => {
    const path = await findChromium();
    if (path === undefined) {
      assert.notEqual(Deno.env.get("DRAGOMAN_BROWSER"), "required", "Chromium isn't installed");
      return console.log(`SKIPPED ${name}: Chromium isn't installed`);
    }
    await using browser = await launchChromium(path);
    await run(browser);
  });
}

/** What axe finds wrong in a page: rule, severity and the elements. */
export async function findAxeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<axe.AxeResults> } };
    return (await axe.run()).violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      targets: nodes.map(({ target }) => target.join(" ")),
    }));
  });
  return violations.map(({ id, impact, targets }) => `${id} (${impact}): ${targets.join(", ")}`);
}

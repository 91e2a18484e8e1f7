/**
 * What `serve` says when it is ready: the URL that the agent needs comes first.
 *
 * @module
 */
import type { Setup } from "./setup.ts";
import { wrapText } from "./wrap.ts";

/** Where the texts of the lines begin. */
const INDENT = 14;

/** The lines, with a final newline. */
export function welcome(setup: Setup, { url, version }: { url: string; version: string }): string {
  const { config, rules, clients } = setup;
  const { upstreams } = config.config;
  const on = rules.rules.filter(({ enabled }) => enabled).map(({ rule }) => rule);
  const off = rules.rules.filter(({ enabled }) => !enabled).map(({ rule }) => rule);
  return [
    `Dragoman ${version} is ready. Give your agent this base URL:`,
    "",
    `    ${url}/v1`,
    "",
    ...(upstreams.length === 0
      ? line(
        "Upstream",
        "none, so the embedded sample model answers. For a real one: --upstream http://127.0.0.1:8080/v1, or `upstreams` in dragoman.yaml",
      )
      : upstreams.flatMap(({ name, url }, index) => line(index === 0 ? "Upstreams" : "", `${name}: ${url}`))),
    ...line("Rules", on.join(", ") + (off.length === 0 ? "" : ` (off: ${off.join(", ")})`)),
    ...line("Clients", clients.clients.map(({ client }) => client).join(", ")),
    "",
    "Edited rules, clients and settings are taken into use at once. Ctrl-C stops",
    "",
    "",
  ].join("\n");
}

function line(name: string, text: string): string[] {
  const lines = wrapText(text, 100 - INDENT).split("\n");
  return lines.map((part, index) => `  ${(index === 0 ? name : "").padEnd(INDENT - 2)}${part}`);
}

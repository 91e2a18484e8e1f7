/** Writes what `serve` prints when it is ready; the URL that the agent needs comes first. @module */
import { isLoopback } from "../proxy/config/address.ts";
import { UPSTREAM_DEFAULTS } from "../proxy/config/resolve.ts";
import { escaped } from "../engine/diagnostic/visible.ts";
import { SAMPLE_MODELS } from "./sample/answer.ts";
import { bareUrl } from "./service/upstream_lines.ts";
import type { Setup } from "./service/setup.ts";
import { wrapText } from "./wrap.ts";

/** The column in which the text of a line starts. */
const INDENT = 14;

interface WelcomeOptions {
  /** Where the server listens, without a path. */
  readonly url: string;
  readonly version: string;
  readonly recordFolder?: string | undefined;
  /** Whether the user's messages are recorded, too. */
  readonly recordsMessages?: boolean;
}

export function welcome(
  setup: Setup,
  { url, version, recordFolder, recordsMessages }: WelcomeOptions,
): string {
  const { config, rules, clients, plugins } = setup;
  const { upstreams } = config.config;
  const on = rules.rules.filter(({ enabled }) => enabled).length;
  const off = rules.rules.filter(({ enabled }) => !enabled).map(({ rule }) => rule);
  return [
    `Dragoman ${version} is ready. Give your agent this base URL:`,
    "",
    `    ${url}/v1`,
    "",
    ...line("Open to", users(setup)),
    ...(upstreams.length === 0
      ? line(
        "Upstream",
        "none, so the embedded sample model answers. To use a real one, pass --upstream http://127.0.0.1:8080/v1 or set `upstreams` in dragoman.yaml",
      )
      : upstreams.flatMap(({ name, url, tools }, index) =>
        line(
          index === 0 ? "Upstreams" : "",
          `${name}: ${bareUrl(url)}${tools === UPSTREAM_DEFAULTS.tools ? "" : `, tools: ${tools}`}`,
        )
      )),
    ...(upstreams.length === 0 ? line("Models", SAMPLE_MODELS.join(", ")) : []),
    ...line("Rules", `${on} on${off.length === 0 ? "" : ` (off: ${off.join(", ")})`}`),
    ...line("Clients", clients.clients.map(({ client }) => client).join(", ")),
    ...line("Plugins", plugins.plugins.map(({ plugin }) => plugin.name).join(", ") || "none"),
    ...watched(setup),
    ...(recordFolder === undefined
      ? []
      : line("Records", `${recordFolder}${recordsMessages ? ", with the user's last messages" : ""}`)),
    ...line("Page", `${url}/_dragoman/ (requests, figures, rules, playground), metrics at ${url}/metrics`),
    "",
    ...(upstreams.length === 0 ? sampleRequest(setup, url) : []),
    "Edits to rules, clients, and settings apply immediately. Press Ctrl-C to stop",
    "",
    "",
  ].join("\n");
}

/** Who can use the proxy, in one line. */
function users({ config: { config: { listen }, clientKeys } }: Setup): string {
  const { hostname, key_env: variable = [], keys: named } = listen;
  const where = isLoopback(hostname)
    ? "programs on this machine"
    : `every machine that can reach ${hostname}`;
  if (clientKeys.length === 0) return isLoopback(hostname) ? where : `${where}, without a key (listen.open)`;
  const names = [variable, Object.keys(named)].flat().join(", ");
  const keys = clientKeys.length === 1 ? "the client key" : `one of the ${clientKeys.length} client keys`;
  return `${where}, with ${keys} of ${names}`;
}

/** The settings of a cautious start. */
function watched({ config }: Setup): string[] {
  const { dry_run: isDryRun, rollout_percent: percent } = config.config.policy;
  return [
    ...(isDryRun ? line("Dry run", "clients get the original answers; decisions are only logged") : []),
    ...(!isDryRun && percent < 100 ? line("Canary", `${percent}% of conversations get converted calls`) : []),
    ...(config.storeServer === undefined
      ? []
      : line("Store", `${config.storeServer.url}, shared by all Dragoman processes that use it`)),
    ...(config.auditPath === undefined ? [] : line("Audit log", config.auditPath)),
  ];
}

/** A command that asks the sample model for a call. */
function sampleRequest({ config: { clientKeys } }: Setup, url: string): string[] {
  const key = clientKeys.length === 0 ? "" : ` -H "authorization: Bearer $KEY"`;
  return [
    "To see a call converted, run this in another terminal:",
    "",
    `    curl -s ${url}/v1/chat/completions${key} -H 'content-type: application/json' -d '{`,
    `      "model": "${SAMPLE_MODELS[1]}", "messages": [{"role": "user", "content": "Read the README"}],`,
    `      "tools": [{"type": "function", "function": {"name": "read_file", "parameters": {`,
    `        "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}}}]}'`,
    "",
  ];
}

function line(name: string, text: string): string[] {
  const lines = wrapText(escaped(text), 100 - INDENT).split("\n");
  return lines.map((part, index) => `  ${(index === 0 ? name : "").padEnd(INDENT - 2)}${part}`);
}

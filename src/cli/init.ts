/** The verb `init`: writes a commented configuration for an agent and a server, and prints what to set in the agent. @module */
import { dirname, resolve } from "node:path";
import { isLoopback } from "../proxy/config/address.ts";
import { CONFIG_FILE } from "../proxy/config/load.ts";
import { readUpstreamUrl } from "../proxy/config/upstream_url.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { PROGRAM } from "../engine/diagnostic/command.ts";
import { didYouMeanOneOf } from "../engine/diagnostic/suggest.ts";
import { complainOf, complainOfUsage, complainOfWriting } from "./complain.ts";
import { findContext, findServers, type Server } from "./model_servers.ts";
import { choose } from "./question.ts";
import { schemaLine } from "./service/schema_line.ts";
import choices from "./init_choices.json" with { type: "json" };
import { DISTRIBUTION } from "./service/distribution.ts";
import { loadSetup } from "./service/setup.ts";
import { type CliContext, printing } from "./service/context.ts";
import { textValue, type Verb, type VerbInput } from "./verb.ts";

const SERVERS: Readonly<Record<string, Server>> = choices.servers;
const AGENTS: Readonly<Record<string, AgentSettings>> = choices.agents;

/** What `init` uses unless flags name something else. */
const DEFAULTS = { server: Object.keys(SERVERS)[0] ?? "", agent: "openai-sdk" };

/**
 * What to set in an agent. `{base}` is the proxy's base URL with `/v1`, `{origin}` the one without, `{key}` the key that
 * the agent sends. `MODEL` is the model, unless no model is known; `KEY` is for the user to replace.
 */
interface AgentSettings {
  readonly where: string;
  /** `«…»` has the size of the context, and is left out if nothing states it. */
  readonly lines: readonly string[];
  /** More lines if the proxy requires a key. */
  readonly key_lines?: readonly string[];
  /** Lines of another place if something states the size of the context. */
  readonly sized?: SizedSettings;
}

export interface SizedSettings {
  readonly where: string;
  readonly lines: readonly string[];
  /** What the agent takes for the size; `{share}` is the share of it at which it has to compact the conversation. */
  readonly share_of?: number;
}

/** How full the context is when an agent compacts the conversation. */
const FULL = 0.8;

export function sizedLines({ lines, share_of: whole = 1 }: SizedSettings, tokens: number): string[] {
  const values = {
    context: tokens,
    output: Math.floor(tokens / 4),
    share: (FULL * tokens / whole).toFixed(4),
  };
  return lines.map((line) =>
    Object.entries(values).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, String(value)), line)
  );
}

export const init: Verb = {
  name: "init",
  summary: "Write a commented dragoman.yaml for your agent and your model server",
  usage: "init [--server NAME|URL] [--agent NAME] [--model NAME] [--config FILE]",
  operandsMax: 0,
  examples: [
    "init --server ollama --agent opencode",
    "init --server vllm --agent cline --config my.yaml",
    "init --host 0.0.0.0",
  ],
  options: {
    server: {
      type: "string",
      placeholder: "NAME",
      values: Object.keys(SERVERS),
      description: `The model server: ${
        Object.keys(SERVERS).join(", ")
      }, or the base URL of another; default: one that runs on this machine, or ${DEFAULTS.server}`,
    },
    agent: {
      type: "string",
      placeholder: "NAME",
      values: Object.keys(AGENTS),
      description: `The agent: ${Object.keys(AGENTS).join(", ")}; default ${DEFAULTS.agent}`,
    },
    model: {
      type: "string",
      placeholder: "NAME",
      description: "The model that the agent uses; default: the first one of a running server",
    },
    host: {
      type: "string",
      placeholder: "HOST",
      description: "The address to listen on; beyond this machine, clients need a key; default 127.0.0.1",
    },
    config: {
      type: "string",
      short: "c",
      placeholder: "FILE",
      description: `The file to write; default ${CONFIG_FILE}`,
    },
  },
  run,
};

/** The model in an agent's settings until a person replaces it. */
const MODEL = "MODEL";

const HOST = "127.0.0.1";

/** The variable of the client key, if one is required. */
const KEY_VARIABLE = "DRAGOMAN_KEY";

function run(input: VerbInput, context: CliContext): Promise<number> {
  return initialize(input, { context, servers: SERVERS });
}

export interface InitOptions {
  readonly context: CliContext;
  readonly servers: Readonly<Record<string, Server>>;
}

export async function initialize(input: VerbInput, { context, servers }: InitOptions): Promise<number> {
  const file = textValue(input, "config") ?? CONFIG_FILE;
  const path = resolve(context.workingDirectory, file);
  if (await Deno.stat(path).then(() => true, () => false)) {
    complainOf({
      code: "file_exists",
      message: `${file} exists, and \`init\` never overwrites a file`,
      help: `edit it (\`${context.command} check\` shows every error), or specify another file with --config`,
    }, context);
    return 1;
  }
  const { known, problem } = withNamedServer(servers, textValue(input, "server"));
  if (problem !== undefined) return complainOfUsage(problem, context);
  const wrong = unknownName(input, { context, servers: known });
  if (wrong !== undefined) return wrong;
  const { server: serverName, agent: agentName, model, chosen } = await askAll(input, {
    context,
    servers: known,
  });
  const [server, agent] = [known[serverName]!, AGENTS[agentName]!];
  const host = textValue(input, "host") ?? HOST;
  const tokens = await findContext(server.url, model);
  try {
    const line = await schemaLine({
      folder: dirname(path),
      name: "dragoman.schema.json",
      form: DISTRIBUTION,
    });
    const text = line + initialConfig(server, { host, command: movable(context.command) });
    await Deno.writeTextFile(path, text, { createNew: true });
  } catch (cause) {
    complainOfWriting(file, cause, context);
    return 1;
  }
  context.stdout(
    nextSteps({
      command: context.command,
      file,
      server,
      host,
      chosen,
      tokens,
      agent: agentLines(agentName, agent, { host, model, tokens }),
    }),
  );
  return await checkWritten(path, context);
}

/** Checks the file as `serve` would, except for keys that the user has yet to set. */
async function checkWritten(config: string, context: CliContext): Promise<number> {
  const { diagnostics } = await loadSetup({ config }, context);
  const wrong = diagnostics.filter(({ code }) => code !== "environment_missing");
  context.stderr(printDiagnostics(wrong, printing(context)));
  return wrong.some(({ severity }) => severity === "error") ? 1 : 0;
}

/** What flags, a running server, or a person on the terminal choose. */
async function askAll(input: VerbInput, { context, servers }: InitOptions) {
  const named = textValue(input, "server");
  const asked = named === undefined ? servers : { [named]: servers[named]! };
  const found = textValue(input, "model") !== undefined && named !== undefined
    ? []
    : await findServers(asked);
  const running = found.map(({ server }) => server);
  const server = named ?? choose({
    text: "Which model server do you use?",
    choices: [...new Set([...running, DEFAULTS.server, ...Object.keys(servers)])].filter((one) =>
      one in servers
    ),
    notes: Object.fromEntries(running.map((one) => [one, "it runs"])),
  }, context);
  const agent = textValue(input, "agent") ?? choose({
    text: "Which agent do you use?",
    choices: [...new Set([DEFAULTS.agent, ...Object.keys(AGENTS)])],
  }, context);
  const models = found.find((one) => one.server === server)?.models ?? [];
  const model = textValue(input, "model") ?? (models.length === 0 ? MODEL : choose({
    text: "Which model does the agent use?",
    choices: models,
    isOpen: true,
  }, context));
  const isRunning = running.includes(server);
  const chosen = context.ask !== undefined ? [] : [
    ...(named === undefined
      ? [
        `the model server ${server}, ${
          isRunning ? "which runs" : "because none runs on this machine"
        }: to change it, use --server`,
      ]
      : []),
    ...(textValue(input, "agent") === undefined ? [`the agent ${agent}: to change it, use --agent`] : []),
  ];
  return { server, agent, model, chosen };
}

/** The table of servers, with one more if the flag has a base URL; or why that cannot be one. */
function withNamedServer(servers: Readonly<Record<string, Server>>, named: string | undefined): {
  readonly known: Readonly<Record<string, Server>>;
  readonly problem?: { readonly message: string; readonly help: string };
} {
  const isUrl = named !== undefined && !Object.hasOwn(servers, named) && /[:/]/.test(named);
  if (!isUrl) return { known: servers };
  const { url, problem } = readUpstreamUrl(named);
  if (problem?.severity === "error") {
    return {
      known: servers,
      problem: { message: problem.message, help: problem.help ?? "write a base URL" },
    };
  }
  const name = isLoopback(new URL(url).hostname) ? "local" : "remote";
  return { known: { ...servers, [named]: { name, url } } };
}

/** The exit code if a flag names an unknown server or agent. */
function unknownName(input: VerbInput, { context, servers }: InitOptions): number | undefined {
  for (
    const [flag, what, known] of [["server", "model server", servers], ["agent", "agent", AGENTS]] as const
  ) {
    const name = textValue(input, flag);
    if (name !== undefined && !Object.hasOwn(known, name)) {
      const other = flag === "server"
        ? "; for any other, write its base URL, such as `--server http://127.0.0.1:8000/v1`"
        : `; for any other, \`--agent ${DEFAULTS.agent}\` shows the base URL and the key to set in it`;
      return unknown(what, { name, known, other, context });
    }
  }
  return undefined;
}

/** The settings of an agent of the table with its local address, without the size of a model; empty for another one. */
export function settingsOf(agent: string): readonly string[] {
  const settings = Object.hasOwn(AGENTS, agent) ? AGENTS[agent] : undefined;
  return settings === undefined
    ? []
    : agentLines(agent, settings, { host: HOST, model: "MODEL", tokens: undefined });
}

function agentLines(
  name: string,
  { where, lines, key_lines: keyLines = [], sized: more }: AgentSettings,
  { host, model, tokens }: { host: string; model: string; tokens: number | undefined },
) {
  const origin = `http://${isLoopback(host) ? HOST : "THIS-MACHINE"}:8787`;
  const values = { base: `${origin}/v1`, origin, key: isLoopback(host) ? "any" : "KEY" };
  const sized = (line: string) =>
    tokens === undefined
      ? line.replaceAll(/«[^»]*»/g, "")
      : sizedLines({ where, lines: [line.replaceAll(/[«»]/g, "")] }, tokens).join();
  const filled = (given: string, line = sized(given)) =>
    Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), line)
      .replaceAll(/\bMODEL\b(?!=)/g, () => model);
  const all = [
    ...lines.filter((line) => line === "" || sized(line) !== ""),
    ...(isLoopback(host) ? [] : keyLines),
  ];
  const sizedPart = more === undefined || tokens === undefined
    ? []
    : ["", `  And ${more.where}:`, "", ...sizedLines(more, tokens).map((line) => `    ${line}`)];
  return [
    `  Set in ${name}, ${filled(where)}:`,
    "",
    ...all.map((line) => `    ${filled(line)}`.trimEnd()),
    ...sizedPart,
  ];
}

function unknown(what: string, { name, known, other, context }: {
  name: string;
  known: Readonly<Record<string, unknown>>;
  other: string;
  context: CliContext;
}): number {
  const help = didYouMeanOneOf(name, Object.keys(known)) + other;
  return complainOfUsage({ message: `Unknown ${what} \`${name}\``, help }, context);
}

function nextSteps({ command, file, server, host, chosen, tokens, agent }: {
  readonly command: string;
  readonly file: string;
  readonly server: Server;
  readonly host: string;
  /** The size of the model's context; undefined if the server doesn't state it. */
  readonly tokens: number | undefined;
  readonly chosen: readonly string[];
  readonly agent: readonly string[];
}): string {
  const flag = file === CONFIG_FILE ? "" : ` --config ${file}`;
  return [
    `Wrote ${file}${chosen.length === 0 ? "" : ". There is no terminal to ask on, so \`init\` chose"}`,
    ...chosen.map((one) => `  ${one}`),
    "",
    ...tokens === undefined
      ? []
      : [`The model server has a context size of ${tokens} tokens for the model.`, ""],
    "Next:",
    "",
    ...(server.key_env === undefined ? [] : [`  Set ${server.key_env} to the model server's key`]),
    ...(isLoopback(host) ? [] : [
      `  Set ${KEY_VARIABLE} to a long random string, such as the output of \`openssl rand -hex 32\`;`,
      "  your agents send it as their API key",
    ]),
    `  Start the proxy: ${command} serve${flag}`,
    ...agent,
    "",
    `To preview decisions without changing answers, set \`policy.dry_run: true\` and run \`${command} report logs/audit.jsonl\``,
    "",
  ].join("\n");
}

/** The command without a path of this machine, for a file that may move. */
function movable(command: string): string {
  return command.includes("/") || command.includes("\\") ? PROGRAM : command;
}

/** The text of a typical configuration; comments name further settings. */
function initialConfig(
  { name, url, key_env: key }: Server,
  { host, command }: { host: string; command: string },
): string {
  const listen = isLoopback(host)
    ? `{ hostname: ${host}, port: 8787 }`
    : `{ hostname: "${host}", port: 8787, key_env: ${KEY_VARIABLE} }   # agents send this key`;
  return `# Dragoman's configuration; every key has a default, and the proxy applies edits at once.
listen: ${listen}

upstreams:
  - name: ${name}
    url: ${url}
${
    key === undefined
      ? "    # key_env: MODEL_SERVER_KEY     # without it, Dragoman forwards the agent's own key"
      : `    key_env: ${key}`
  }
    # tools: native                 # default auto: Dragoman switches if the server refuses tools
    # models: ["*"]                 # with several upstreams: which models this one serves
    # begins_in_reasoning: true     # if the model's template opens <think> itself

policy:
  dry_run: false                    # true: agents get the original answers, decisions are only logged
  rollout_percent: 100              # lower: convert calls in only this share of conversations
  minimum_confidence: 0.9

# rules:
#   enable: [shell_block]           # rules that are off by default
#   folders: [rules]                # your own rules

audit:
  file: logs/audit.jsonl            # every decision and every request; read it with \`${command} report logs/audit.jsonl\`
  contents: false                   # true: include the texts of candidates, without secrets
`;
}

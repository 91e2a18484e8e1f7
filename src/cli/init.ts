/**
 * The verb `init`: writes a commented configuration for an agent and a model server to a new file, and prints what to
 * set in the agent.
 *
 * @module
 */
import { dirname, resolve } from "node:path";
import { isLoopback } from "../config/address.ts";
import { CONFIG_FILE } from "../config/load.ts";
import { didYouMeanOneOf } from "../diagnostic/suggest.ts";
import { complain, complainOfUsage } from "./complain.ts";
import { schemaLine } from "./schema_line.ts";
import choices from "./init_choices.json" with { type: "json" };
import { FORM } from "../service/form.ts";
import type { World } from "../service/world.ts";
import { textValue, type Verb, type VerbInput } from "./verb.ts";

const SERVERS: Readonly<Record<string, Server>> = choices.servers;
const AGENTS: Readonly<Record<string, AgentSettings>> = choices.agents;

/** What `init` uses unless flags name something else. */
const DEFAULTS = { server: Object.keys(SERVERS)[0] ?? "", agent: "openai-sdk" };

/** A model server with its default settings. */
interface Server {
  readonly name: string;
  readonly url: string;
  readonly key_env?: string;
}

/**
 * What to set in an agent. `{base}` is the proxy's base URL with `/v1`, `{origin}` the one without, `{key}` the key that
 * the agent sends; `MODEL` and `KEY` are for the user to replace.
 */
interface AgentSettings {
  /** Where the lines belong. */
  readonly where: string;
  readonly lines: readonly string[];
  /** More lines if the proxy requires a key. */
  readonly key_lines?: readonly string[];
}

/** `dragoman init`. */
export const init: Verb = {
  name: "init",
  summary: "Write a commented dragoman.yaml for your agent and your model server",
  usage: "init [--server NAME] [--agent NAME] [--config FILE]",
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
      description: `The model server: ${Object.keys(SERVERS).join(", ")}; default ${DEFAULTS.server}`,
    },
    agent: {
      type: "string",
      placeholder: "NAME",
      description: `The agent: ${Object.keys(AGENTS).join(", ")}; default ${DEFAULTS.agent}`,
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

/** The default address. */
const HOST = "127.0.0.1";

/** The variable of the client key, if one is required. */
const KEY_VARIABLE = "DRAGOMAN_KEY";

async function run(input: VerbInput, world: World): Promise<number> {
  const { server: serverName = DEFAULTS.server, agent: agentName = DEFAULTS.agent } = {
    server: textValue(input, "server"),
    agent: textValue(input, "agent"),
  };
  const server = Object.hasOwn(SERVERS, serverName) ? SERVERS[serverName] : undefined;
  const agent = Object.hasOwn(AGENTS, agentName) ? AGENTS[agentName] : undefined;
  if (server === undefined) return unknown("model server", { name: serverName, known: SERVERS, world });
  if (agent === undefined) return unknown("agent", { name: agentName, known: AGENTS, world });
  const file = textValue(input, "config") ?? CONFIG_FILE;
  const host = textValue(input, "host") ?? HOST;
  const path = resolve(world.workingDirectory, file);
  try {
    const line = await schemaLine({
      folder: dirname(path),
      name: "dragoman.schema.json",
      form: FORM,
    });
    await Deno.writeTextFile(path, line + initialConfig(server, host), { createNew: true });
  } catch (error) {
    const isThere = error instanceof Deno.errors.AlreadyExists;
    const cause = isThere ? "the file exists" : error instanceof Error ? error.message : String(error);
    const help = isThere
      ? "edit it, or name another file with --config"
      : "check the path and its permissions";
    complain(
      [{ code: "file_unreadable", severity: "error", message: `Cannot write ${file}: ${cause}`, help }],
      world,
    );
    return 1;
  }
  world.stdout(
    nextSteps({ command: world.command, file, server, host, agent: agentLines(agentName, agent, host) }),
  );
  return 0;
}

/** What to set in an agent, as lines of the terminal. */
function agentLines(name: string, { where, lines, key_lines: keyLines = [] }: AgentSettings, host: string) {
  const origin = `http://${isLoopback(host) ? HOST : "THIS-MACHINE"}:8787`;
  const values = { base: `${origin}/v1`, origin, key: isLoopback(host) ? "any" : "KEY" };
  const filled = (line: string) =>
    Object.entries(values).reduce((text, [key, value]) => text.replaceAll(`{${key}}`, value), line);
  const all = [...lines, ...(isLoopback(host) ? [] : keyLines)];
  return [`  Set in ${name}, ${filled(where)}:`, "", ...all.map((line) => `    ${filled(line)}`.trimEnd())];
}

function unknown(
  what: string,
  { name, known, world }: { name: string; known: Readonly<Record<string, unknown>>; world: World },
): number {
  const names = Object.keys(known);
  const help = didYouMeanOneOf(name, names);
  return complainOfUsage({ message: `Unknown ${what} \`${name}\``, help }, world);
}

function nextSteps(
  { command, file, server, host, agent }: {
    readonly command: string;
    readonly file: string;
    readonly server: Server;
    readonly host: string;
    readonly agent: readonly string[];
  },
): string {
  const flag = file === CONFIG_FILE ? "" : ` --config ${file}`;
  return [
    `Wrote ${file}. Next:`,
    "",
    ...(server.key_env === undefined ? [] : [`  Set ${server.key_env} to the key of the model server`]),
    ...(isLoopback(host) ? [] : [
      `  Set ${KEY_VARIABLE} to a long random text, such as the output of \`openssl rand -hex 32\`;`,
      "  your agents send it as their API key",
    ]),
    `  Start the proxy: ${command} serve${flag}`,
    ...agent,
    "",
    `To preview decisions without changing answers, set \`policy.dry_run: true\` and run \`${command} report audit.jsonl\``,
    "",
  ].join("\n");
}

/** The text of a typical configuration; comments name further settings. */
function initialConfig({ name, url, key_env: key }: Server, host: string): string {
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
    # models: ["*"]                 # with several upstreams: which models this one serves
    # begins_in_reasoning: true     # if the model's template opens <think> itself

policy:
  dry_run: false                    # true: agents get the original answers, decisions are only logged
  rollout_percent: 100              # lower: convert calls in this share of the conversations only
  minimum_confidence: 0.9

# rules:
#   enable: [shell_block]           # rules that are off by default
#   folders: [rules]                # your own rules

audit:
  file: audit.jsonl                 # every decision and every request; read it with \`dragoman report\`
  contents: false                   # true: include the texts of candidates, without secrets
`;
}

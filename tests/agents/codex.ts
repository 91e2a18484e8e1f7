/**
 * Codex CLI, running one prompt, with three ways to write a file: its shell, its custom tool `apply_patch`, which it
 * offers only to models whose catalog allows that, and a tool in the namespace of an MCP server. It is one program, so
 * the guard cannot be loaded into it: dead proxies keep it on loopback. It speaks OpenAI's Responses API.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, DEAD_PROXIES, type Launch, MODEL, type Room, writeSettings } from "./agent.ts";
import { initLines } from "./init_settings.ts";

/** What Codex knows of the model; without a catalog it doesn't offer `apply_patch`. */
const CATALOG = {
  models: [{
    slug: MODEL,
    display_name: MODEL,
    supported_reasoning_levels: [],
    shell_type: "unified_exec",
    visibility: "list",
    supported_in_api: true,
    priority: 1,
    base_instructions: "You are a coding agent.",
    supports_reasoning_summaries: false,
    support_verbosity: false,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: 10_000 },
    supports_parallel_tool_calls: true,
    context_window: 128_000,
    input_modalities: ["text", "image"],
    experimental_supported_tools: [],
  }],
};

/** The tokens of a conversation that Codex compacts. */
export const COMPACT_TOKENS = 25_000;

const MCP_SERVER = new URL("./mcp_files.cjs", import.meta.url).pathname;

/** Settings of one way to write a file. */
interface Writing {
  readonly variant?: string;
  /** The name of the tool for the model. */
  readonly tool: string;
  /** Lines before the first table. */
  readonly settings?: readonly string[];
  readonly tables?: readonly string[];
}

/** What lets Codex use its own provider without an account. */
const KEY = { CODEX_API_KEY: "none", OPENAI_API_KEY: "none" };

/**
 * How Codex compacts a long session: on the server, if it takes Dragoman for OpenAI's API, or itself. It tries a WebSocket
 * first for the former.
 */
export const COMPACTING_CODEXES: readonly Agent[] = [
  {
    variant: "openai_base_url",
    settings: ({ url }: Room) => [`model = "${MODEL}"`, `openai_base_url = "${url}"`],
  },
  { variant: "a provider of its own", settings: (room: Room) => initLines("codex", room) },
].map(({ variant, settings }) => ({
  name: "codex",
  variant,
  wire: "responses",
  async launch(room) {
    const lines = [
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      'model_catalog_json = "catalog.json"',
      `model_auto_compact_token_limit = ${COMPACT_TOKENS}`,
      ...settings(room),
    ];
    return await launchWith(lines, room, KEY);
  },
}));

const WRITINGS: readonly Writing[] = [
  { tool: "exec_command" },
  { variant: "apply_patch", tool: "apply_patch", settings: ['model_catalog_json = "catalog.json"'] },
  {
    variant: "MCP",
    tool: "mcp__files__write",
    tables: ["[mcp_servers.files]", 'command = "node"', `args = ["${MCP_SERVER}"]`],
  },
];

/** The agent, once for each way to write a file. */
export const CODEXES: readonly Agent[] = WRITINGS.map(({ variant, tool, settings = [], tables = [] }) => ({
  name: "codex",
  ...(variant === undefined ? {} : { variant }),
  wire: "responses",
  writesWith: tool,
  async launch(room) {
    const lines = [
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      ...settings,
      ...initLines("codex", room),
      ...tables,
    ];
    return await launchWith(lines, room);
  },
}));

async function launchWith(
  lines: readonly string[],
  { home, prompt }: Room,
  environment: Readonly<Record<string, string>> = {},
): Promise<Launch> {
  await writeSettings(join(home, ".codex", "catalog.json"), CATALOG);
  await Deno.writeTextFile(join(home, ".codex", "config.toml"), lines.join("\n"));
  return {
    args: ["exec", "--skip-git-repo-check", prompt],
    environment: { ...DEAD_PROXIES, ...environment },
  };
}

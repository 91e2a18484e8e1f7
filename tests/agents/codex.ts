/**
 * Codex CLI, running one prompt. It is one program, so the guard cannot be loaded into it: dead proxies keep it on
 * loopback. It speaks OpenAI's Responses API, and writes files by its shell tool.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, DEAD_PROXIES, MODEL } from "./agent.ts";

/** The agent. */
export const CODEX: Agent = {
  name: "codex",
  wire: "responses",
  async launch({ home, origin, prompt }) {
    const settings = [
      `model = "${MODEL}"`,
      'model_provider = "dragoman"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      "[model_providers.dragoman]",
      'name = "Dragoman"',
      `base_url = "${origin}/v1"`,
      'wire_api = "responses"',
    ];
    await Deno.mkdir(join(home, ".codex"), { recursive: true });
    await Deno.writeTextFile(join(home, ".codex", "config.toml"), settings.join("\n"));
    return { args: ["exec", "--skip-git-repo-check", prompt], environment: DEAD_PROXIES };
  },
};

/**
 * The agents that speak another wire than chat completions.
 *
 * @module
 */
import type { Agent } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { CODEXES } from "./codex.ts";
import { COPILOT_CLIS } from "./copilot_cli.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { KIMI_CODES } from "./kimi_code.ts";
import { NANOCODERS } from "./nanocoder.ts";
import { OPENCODES } from "./opencode.ts";
import { PIS } from "./pi.ts";

export const WIRE_AGENTS: readonly Agent[] = [
  CLAUDE_CODE,
  ...CODEXES,
  GEMINI_CLI,
  ...PIS,
  ...KIMI_CODES,
  ...NANOCODERS,
  ...OPENCODES,
  ...COPILOT_CLIS,
]
  .filter(({ wire }) => wire !== undefined);

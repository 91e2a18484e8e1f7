/**
 * Claude Code, printing one answer. It is one program, so the guard cannot be loaded into it: dead proxies keep it on
 * loopback. It speaks Anthropic's Messages API.
 *
 * @module
 */
import { type Agent, DEAD_PROXIES, MODEL } from "./agent.ts";

/** The agent. */
export const CLAUDE_CODE: Agent = {
  name: "claude_code",
  wire: "anthropic",
  launch({ origin, prompt }) {
    return Promise.resolve({
      args: [
        "-p",
        prompt,
        "--permission-mode",
        "acceptEdits",
        "--allowedTools",
        "Write",
        "Read",
        "WebSearch",
      ],
      environment: {
        ...DEAD_PROXIES,
        ANTHROPIC_BASE_URL: origin,
        ANTHROPIC_AUTH_TOKEN: "none",
        ANTHROPIC_MODEL: MODEL,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: MODEL,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    });
  },
};

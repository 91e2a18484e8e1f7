/**
 * Claude Code, printing one answer. It is one program, so the guard cannot be loaded into it: dead proxies keep it on
 * loopback. It speaks Anthropic's Messages API.
 *
 * @module
 */
import { type Agent, DEAD_PROXIES } from "./agent.ts";
import { initEnvironment } from "./init_settings.ts";

export const CLAUDE_CODE: Agent = {
  name: "claude_code",
  wire: "anthropic",
  launch(room) {
    return Promise.resolve({
      args: [
        "-p",
        room.prompt,
        "--permission-mode",
        "acceptEdits",
        "--allowedTools",
        "Write",
        "Read",
        "WebSearch",
      ],
      environment: {
        ...DEAD_PROXIES,
        ...initEnvironment("claude-code", room),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    });
  },
};

/**
 * `@continuedev/cli`, without a terminal and with every tool allowed.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL, writeSettings } from "./agent.ts";

export const CONTINUE: Agent = {
  name: "continue",
  async launch({ home, modules, url, prompt, contextTokens }) {
    const settings = join(home, "config.json");
    await writeSettings(settings, {
      name: "test",
      version: "1.0.0",
      schema: "v1",
      models: [{
        name: MODEL,
        provider: "openai",
        model: MODEL,
        apiBase: url,
        apiKey: "none",
        roles: ["chat"],
        capabilities: ["tool_use"],
        // As `init` prints it, in YAML.
        ...contextTokens !== undefined && { defaultCompletionOptions: { contextLength: contextTokens } },
      }],
    });
    return {
      args: [join(modules, "@continuedev/cli/dist/cn.js"), "--config", settings, "--auto", "--print", prompt],
      environment: { CONTINUE_TELEMETRY_ENABLED: "0", CONTINUE_CLI_ENABLE_TELEMETRY: "0" },
    };
  },
};

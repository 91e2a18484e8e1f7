/**
 * `@mariozechner/pi-coding-agent`, without a terminal and offline but for the model.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL, writeSettings } from "./agent.ts";

/** The agent. */
export const PI: Agent = {
  name: "pi",
  async launch({ home, modules, url, prompt }) {
    await writeSettings(join(home, ".pi", "agent", "models.json"), {
      providers: {
        dragoman: { baseUrl: url, api: "openai-completions", apiKey: "none", models: [{ id: MODEL }] },
      },
    });
    const flags = ["--provider", "dragoman", "--model", MODEL, "--offline", "--no-session", "--print"];
    return {
      args: [join(modules, "@mariozechner/pi-coding-agent/dist/cli.js"), ...flags, prompt],
      environment: { PI_OFFLINE: "1" },
    };
  },
};

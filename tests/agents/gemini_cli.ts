/**
 * `@google/gemini-cli`, without a terminal and with every tool allowed. It speaks Gemini's generateContent.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL, writeSettings } from "./agent.ts";
import { initEnvironment, sizedJson } from "./init_settings.ts";

export const GEMINI_CLI: Agent = {
  name: "gemini_cli",
  wire: "gemini",
  async launch(room) {
    const { home, modules, prompt } = room;
    await writeSettings(join(home, ".gemini", "settings.json"), {
      security: { auth: { selectedType: "gemini-api-key" } },
      telemetry: { enabled: false },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
      ...sizedJson("gemini-cli", room),
    });
    return {
      args: [
        join(modules, "@google/gemini-cli/bundle/gemini.js"),
        "-m",
        MODEL,
        "--approval-mode",
        "yolo",
        "-p",
        prompt,
      ],
      environment: {
        ...initEnvironment("gemini-cli", room),
        GEMINI_CLI_TRUST_WORKSPACE: "true",
      },
    };
  },
};

/**
 * `@qwen-code/qwen-code`, without a terminal and with every tool allowed.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL, writeSettings } from "./agent.ts";

const SETTINGS = {
  general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "openai" } },
  telemetry: { enabled: false },
};

/** The agent. */
export const QWEN_CODE: Agent = {
  name: "qwen_code",
  async launch({ home, modules, url, prompt }) {
    await writeSettings(join(home, ".qwen", "settings.json"), SETTINGS);
    return {
      args: [join(modules, "@qwen-code/qwen-code/cli.js"), "--yolo", "--prompt", prompt],
      environment: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: url, OPENAI_MODEL: MODEL },
    };
  },
};

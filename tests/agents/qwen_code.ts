/**
 * `@qwen-code/qwen-code`, without a terminal and with every tool allowed.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, type Launch, type Room, writeSettings } from "./agent.ts";
import { initEnvironment, sizedJson } from "./init_settings.ts";

const SETTINGS = {
  general: { disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "openai" } },
  telemetry: { enabled: false },
};

/** Two of its versions: the last one reads and prints otherwise than the ones before. */
export const QWEN_CODES: readonly Agent[] = [
  { name: "qwen_code", launch: (room) => launch(room, "cli-entry.js") },
  { name: "qwen_code_0_15", launch: (room) => launch(room, "cli.js") },
];

async function launch(room: Room, script: string): Promise<Launch> {
  const { home, modules, prompt } = room;
  await writeSettings(join(home, ".qwen", "settings.json"), { ...SETTINGS, ...sizedJson("qwen-code", room) });
  return {
    args: [join(modules, "@qwen-code/qwen-code", script), "--yolo", "--prompt", prompt],
    environment: initEnvironment("qwen-code", room),
  };
}

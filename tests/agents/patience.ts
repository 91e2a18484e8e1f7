/**
 * Agents that wait for a server no longer than a test can: with their own settings, where they have one.
 *
 * @module
 */
import { join } from "node:path";
import type { Agent, Launch, Room } from "./agent.ts";

/** How long they wait. */
const PATIENCE_MS = 1500;

/** Agent → its launch with less patience. */
const SETTINGS: Readonly<Record<string, (launch: Launch, room: Room) => Launch | Promise<Launch>>> = {
  opencode(launch) {
    const { OPENCODE_CONFIG_CONTENT: content = "{}" } = launch.environment ?? {};
    const settings = JSON.parse(content);
    Object.assign(settings.provider.dragoman.options, {
      headerTimeout: PATIENCE_MS,
      chunkTimeout: PATIENCE_MS,
    });
    return {
      ...launch,
      environment: { ...launch.environment, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) },
    };
  },
  qwen_code: (launch) => ({
    ...launch,
    environment: { ...launch.environment, QWEN_CODE_API_TIMEOUT_MS: String(PATIENCE_MS) },
  }),
  async codex(launch, { home }) {
    const path = join(home, ".codex", "config.toml");
    const lines = await Deno.readTextFile(path);
    await Deno.writeTextFile(
      path,
      lines.replace(
        'wire_api = "responses"',
        `wire_api = "responses"\nstream_idle_timeout_ms = ${PATIENCE_MS}`,
      ),
    );
    return launch;
  },
};

/** The same agent with less patience; it has to have a setting for it. */
export function impatient(agent: Agent): Agent {
  const set = SETTINGS[agent.name]!;
  return { ...agent, launch: async (room) => await set(await agent.launch(room), room) };
}

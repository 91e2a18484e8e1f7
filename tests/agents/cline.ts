/**
 * Cline on the command line. It is one program, so the guard cannot be loaded into it: dead proxies keep it on loopback.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, DEAD_PROXIES, MODEL, writeSettings } from "./agent.ts";

export const CLINE: Agent = {
  name: "cline",
  isSampled: true,
  async launch({ home, url, prompt }) {
    // What `cline auth --provider openai-compatible` writes.
    const settings = { provider: "openai-compatible", apiKey: "none", model: MODEL, baseUrl: url };
    await writeSettings(join(home, ".cline", "data", "settings", "providers.json"), {
      version: 1,
      lastUsedProvider: "openai-compatible",
      modes: {},
      providers: {
        "openai-compatible": { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
      },
    });
    // Without it, a daemon of all its sessions stays.
    return { args: [prompt], environment: { ...DEAD_PROXIES, CLINE_SESSION_BACKEND_MODE: "local" } };
  },
};

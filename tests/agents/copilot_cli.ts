/**
 * `@github/copilot`, answering one prompt with a model server of the user's own, on each wire that it speaks. It needs
 * no login then. It is one program, so the guard cannot be loaded into it: dead proxies and its offline mode keep it on
 * loopback.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, DEAD_PROXIES } from "./agent.ts";
import { initEnvironment } from "./init_settings.ts";

/** Wire → the settings that choose it, and whether its base URL ends in /v1. */
const PROVIDERS = {
  chat: { settings: {}, isVersioned: true },
  anthropic: { settings: { COPILOT_PROVIDER_TYPE: "anthropic" }, isVersioned: false },
  responses: { settings: { COPILOT_PROVIDER_WIRE_API: "responses" }, isVersioned: true },
} as const;

/** The agent, once for each wire. */
export const COPILOT_CLIS: readonly Agent[] = (["chat", "anthropic", "responses"] as const).map((wire) => ({
  name: "copilot_cli",
  ...(wire === "chat" ? {} : { variant: wire, wire }),
  keepsPictures: true,
  async launch(room) {
    const { modules, url, origin, prompt } = room;
    const { settings, isVersioned } = PROVIDERS[wire];
    return {
      args: ["-p", prompt, "--allow-all-tools", "--no-auto-update"],
      environment: {
        ...DEAD_PROXIES,
        // It unpacks 230 MB into its cache; all runs share one.
        XDG_CACHE_HOME: join(await Deno.realPath(modules), ".cache"),
        COPILOT_OFFLINE: "true",
        ...initEnvironment("copilot-cli", room),
        COPILOT_PROVIDER_BASE_URL: isVersioned ? url : origin,
        ...settings,
      },
    };
  },
}));

/**
 * `@earendil-works/pi-coding-agent`, without a terminal and offline but for the model, on each wire that it speaks.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL, writeSettings } from "./agent.ts";
import { initJson } from "./init_settings.ts";

/** Wire → the name that pi has for it, and whether its base URL ends in /v1. */
const APIS = {
  chat: { api: "openai-completions", isVersioned: true },
  anthropic: { api: "anthropic-messages", isVersioned: false },
  responses: { api: "openai-responses", isVersioned: true },
} as const;

/** The agent, once for each wire. */
export const PIS: readonly Agent[] = (["chat", "anthropic", "responses"] as const).map((wire) => ({
  name: "pi",
  ...(wire === "chat" ? {} : { variant: wire, wire }),
  async launch(room) {
    const { home, modules, url, origin, prompt } = room;
    const { api, isVersioned } = APIS[wire];
    const baseUrl = isVersioned ? url : origin;
    const settings = initJson<{ providers: { dragoman: object } }>("pi", room);
    const models = [{ id: MODEL, input: ["text", "image"] }];
    Object.assign(settings.providers.dragoman, { baseUrl, api, models });
    await writeSettings(join(home, ".pi", "agent", "models.json"), settings);
    const flags = ["--provider", "dragoman", "--model", MODEL, "--offline", "--no-session", "--print"];
    return {
      args: [join(modules, "@earendil-works/pi-coding-agent/dist/cli.js"), ...flags, prompt],
      environment: { PI_OFFLINE: "1" },
    };
  },
}));

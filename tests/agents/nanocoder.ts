/**
 * `@nanocollective/nanocoder`, without a terminal and with every tool allowed, on each wire that it speaks to a server of
 * one's own.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL } from "./agent.ts";
import { initJson } from "./init_settings.ts";

/** What `init` prints. */
interface Settings {
  readonly nanocoder: { readonly providers: readonly object[] };
}

/** The agent, once for each wire. */
export const NANOCODERS: readonly Agent[] = (["chat", "anthropic"] as const).map((wire) => ({
  name: "nanocoder",
  ...(wire === "chat" ? {} : { variant: wire, wire, isSampled: true }),
  keepsPictures: true,
  ownFolder: ".nanocoder",
  launch(room) {
    const { home, modules, prompt } = room;
    const { nanocoder: { providers } } = initJson<Settings>("nanocoder", room);
    if (wire !== "chat") Object.assign(providers[0]!, { sdkProvider: wire });
    const flags = [
      "--provider",
      "dragoman",
      "--model",
      MODEL,
      "--mode",
      "yolo",
      "--trust-directory",
      "--plain",
    ];
    return Promise.resolve({
      args: [join(modules, "@nanocollective/nanocoder/dist/cli.js"), ...flags, "run", prompt],
      environment: {
        NANOCODER_CONFIG_DIR: join(home, "config"),
        NANOCODER_PROVIDERS: JSON.stringify(providers),
      },
    });
  },
}));

/**
 * Kilo Code on the command line, without a terminal and with every tool allowed. It is one program, so the guard cannot be
 * loaded into it: dead proxies keep it on loopback.
 *
 * @module
 */
import { type Agent, DEAD_PROXIES, MODEL } from "./agent.ts";
import { initJson } from "./init_settings.ts";

/** The agent; it reads the settings of opencode, from which it comes. */
export const KILO: Agent = {
  name: "kilo",
  isSampled: true,
  launch(room) {
    const settings = initJson<object>("opencode", room);
    Object.assign(settings, { autoupdate: false, share: "disabled", permission: "allow" });
    return Promise.resolve({
      args: ["run", "--pure", "--auto", "--model", `dragoman/${MODEL}`, room.prompt],
      environment: {
        ...DEAD_PROXIES,
        KILO_CONFIG_CONTENT: JSON.stringify(settings),
        KILO_DISABLE_AUTOUPDATE: "1",
        KILO_DISABLE_DEFAULT_PLUGINS: "1",
        KILO_DISABLE_LSP_DOWNLOAD: "1",
        KILO_DISABLE_MODELS_FETCH: "1",
        KILO_DISABLE_SESSION_INGEST: "1",
      },
    });
  },
};

/**
 * `opencode-ai`, without a terminal and with every tool allowed. It is one program with Bun inside, so the guard
 * cannot be loaded into it: dead proxies keep it on loopback.
 *
 * @module
 */
import { type Agent, DEAD_PROXIES, MODEL } from "./agent.ts";
import { initJson } from "./init_settings.ts";

const QUIET = {
  ...DEAD_PROXIES,
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
};

/** Wire → the provider's package; they are part of the program. */
const PROVIDERS = {
  chat: "@ai-sdk/openai-compatible",
  anthropic: "@ai-sdk/anthropic",
  responses: "@ai-sdk/openai",
} as const;

/** What `init` prints. */
interface Settings {
  readonly provider: { readonly dragoman: { npm: string; readonly models: Record<string, object> } };
}

/** The agent, once for each wire. */
export const OPENCODES: readonly Agent[] = (["chat", "anthropic", "responses"] as const).map((wire) => ({
  name: "opencode",
  ...(wire === "chat" ? {} : { variant: wire, wire }),
  launch(room) {
    const settings = initJson<Settings>("opencode", room);
    const { dragoman } = settings.provider;
    dragoman.npm = PROVIDERS[wire];
    Object.assign(dragoman.models[MODEL]!, {
      attachment: true,
      modalities: { input: ["text", "image"], output: ["text"] },
    });
    Object.assign(settings, { autoupdate: false, share: "disabled", permission: "allow" });
    return Promise.resolve({
      args: ["run", "--pure", "--model", `dragoman/${MODEL}`, room.prompt],
      environment: { ...QUIET, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) },
    });
  },
}));

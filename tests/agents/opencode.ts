/**
 * `opencode-ai`, without a terminal and with every tool allowed. It is one program with Bun inside, so the guard
 * cannot be loaded into it: dead proxies keep it on loopback.
 *
 * @module
 */
import { type Agent, DEAD_PROXIES, MODEL } from "./agent.ts";

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

/** The agent, once for each wire. */
export const OPENCODES: readonly Agent[] = (["chat", "anthropic", "responses"] as const).map((wire) => ({
  name: "opencode",
  ...(wire === "chat" ? {} : { variant: wire, wire }),
  launch({ url, prompt }) {
    const provider = {
      npm: PROVIDERS[wire],
      name: "Dragoman",
      options: { baseURL: url, apiKey: "none" },
      models: {
        [MODEL]: {
          name: MODEL,
          tool_call: true,
          attachment: true,
          modalities: { input: ["text", "image"], output: ["text"] },
        },
      },
    };
    const settings = {
      autoupdate: false,
      share: "disabled",
      permission: "allow",
      provider: { dragoman: provider },
    };
    return Promise.resolve({
      args: ["run", "--pure", "--model", `dragoman/${MODEL}`, prompt],
      environment: { ...QUIET, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) },
    });
  },
}));

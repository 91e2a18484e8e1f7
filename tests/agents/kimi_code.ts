/**
 * `@moonshot-ai/kimi-code`, printing one answer, on each wire that its settings have for a model server of one's own.
 *
 * @module
 */
import { join } from "node:path";
import { type Agent, MODEL, type Room } from "./agent.ts";
import { initEnvironment } from "./init_settings.ts";

/** Wire → the type that Kimi Code has for it, and its base URL. */
const TYPES = {
  chat: { type: "openai", base: ({ url }: Room) => url },
  anthropic: { type: "anthropic", base: ({ origin }: Room) => origin },
  responses: { type: "openai_responses", base: ({ url }: Room) => url },
} as const;

/** The agent, once for each wire. */
export const KIMI_CODES: readonly Agent[] = (["chat", "anthropic", "responses"] as const).map((wire) => ({
  name: "kimi_code",
  ...(wire === "chat" ? {} : { variant: wire, wire, isSampled: true }),
  async launch(room) {
    const { home, modules, prompt } = room;
    const { type, base } = TYPES[wire];
    // Its environment has no type for Responses.
    const settings = [
      'default_model = "local"',
      "[providers.dragoman]",
      `type = "${type}"`,
      `base_url = "${base(room)}"`,
      'api_key = "none"',
      "[models.local]",
      'provider = "dragoman"',
      `model = "${MODEL}"`,
      "max_context_size = 128000",
      'capabilities = ["image_in"]',
    ];
    await Deno.mkdir(join(home, ".kimi-code"));
    if (wire !== "chat") {
      await Deno.writeTextFile(join(home, ".kimi-code", "config.toml"), settings.join("\n"));
    }
    return {
      args: [join(modules, "@moonshot-ai/kimi-code/dist/main.mjs"), "--prompt", prompt],
      environment: {
        KIMI_CODE_NO_AUTO_UPDATE: "1",
        KIMI_DISABLE_TELEMETRY: "1",
        ...wire === "chat" ? initEnvironment("kimi-code", room) : {},
      },
    };
  },
}));

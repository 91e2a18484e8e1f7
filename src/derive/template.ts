/**
 * Chat templates: Jinja texts that say how a conversation is written for a model. They are run by
 * `@huggingface/jinja`, which reads what Hugging Face's own templates use; a template that needs more fails as a
 * whole, so that no wrong rendering is taken for what the model prints.
 *
 * @module
 */
import { Template } from "@huggingface/jinja";
import { isRecord } from "../object/record.ts";

/** A message of a conversation, in OpenAI's shape. */
export type Message = Readonly<Record<string, unknown>>;

/** What a template is given. */
export interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[] | undefined;
  /** Whether the model is to answer next. */
  readonly asksForAnswer: boolean;
}

/** Texts that templates put in by name. */
const TOKENS = { bos_token: "<s>", eos_token: "</s>", unk_token: "<unk>", pad_token: "<pad>" };

/** A template that can be run. */
export class ChatTemplate {
  readonly #template: Template;
  readonly #tokens: Readonly<Record<string, string>>;

  /**
   * Parses a template.
   *
   * @throws if the text can't be parsed as a template
   */
  constructor(text: string, tokens: Readonly<Record<string, string>> = {}) {
    this.#template = new Template(text);
    this.#tokens = { ...TOKENS, ...tokens };
  }

  /** The conversation as the model gets it; undefined where the template cannot write it. */
  render({ messages, tools, asksForAnswer }: Conversation): string | undefined {
    try {
      return this.#template.render({
        ...this.#tokens,
        messages: structuredClone(messages),
        ...(tools === undefined ? {} : { tools: structuredClone(tools) }),
        add_generation_prompt: asksForAnswer,
        date_string: "2026-01-01",
      });
    } catch {
      return undefined;
    }
  }
}

/** A template as a file holds it. */
export interface TemplateSource {
  readonly text: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/**
 * The templates of a file, the one for tools first: a Jinja text, or a `tokenizer_config.json` with its
 * `chat_template`, one or several.
 */
export function readTemplates(text: string): TemplateSource[] {
  const config = parsed(text);
  if (config === undefined) return [{ text, tokens: {} }];
  const tokens: Record<string, string> = {};
  for (const [name, value] of Object.entries(config)) {
    const token = isRecord(value) ? value["content"] : value;
    if (name.endsWith("_token") && typeof token === "string") tokens[name] = token;
  }
  const { chat_template: written } = config;
  if (typeof written === "string") return [{ text: written, tokens }];
  if (!Array.isArray(written)) return [];
  const named = written.filter(isRecord).filter(({ template }) => typeof template === "string");
  const isForTools = (name: unknown) => String(name).includes("tool");
  return named.sort((a, b) => Number(isForTools(b["name"])) - Number(isForTools(a["name"])))
    .map(({ template }) => ({ text: String(template), tokens }));
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{"') && !/^\s*\{\s*\n\s*"/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

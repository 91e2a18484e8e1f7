/**
 * Chat templates: Jinja texts that state how a conversation is written for a model. `@huggingface/jinja` runs them,
 * with the additions of `jinja.ts`; a template that needs more fails as a whole, so that no wrong rendering is taken
 * for what the model prints.
 *
 * @module
 */
import { Environment, Template } from "@huggingface/jinja";
import { isRecord } from "../../engine/object/record.ts";
import { TemplateInterpreter } from "./jinja.ts";
import { parseObject } from "./json_object.ts";

/** A message of a conversation, in OpenAI's shape. */
export type Message = Readonly<Record<string, unknown>>;

export interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[] | undefined;
  /** Whether the model is to answer next. */
  readonly asksForAnswer: boolean;
  /** The time of the conversation; by default the first midnight of 2026. */
  readonly date?: Date;
  /** What else the template knows by name, such as `enable_thinking`. */
  readonly terms?: Readonly<Record<string, unknown>>;
}

/** Names that every template knows. */
const GLOBALS = {
  true: true,
  false: false,
  none: null,
  True: true,
  False: false,
  None: null,
  range: (start: number, stop?: number, step = 1) => [...numbers(start, stop, step)],
  raise_exception: (message: string) => {
    throw new Error(message);
  },
};

/** The first midnight of 2026, so that a template writes the same at any time. */
const MIDNIGHT = new Date(2026, 0, 1);

/** The function and the text that state the time. Servers write the text in this form. */
function clockOf(date: Date) {
  const write = (format: string) => writeTime(date, format);
  return { strftime_now: write, date_string: write("%d %b %Y") };
}

/** Writes a time as Python's `strftime`; `%-d` is a number without a zero before it. */
function writeTime(date: Date, format: string): string {
  const word = (options: Intl.DateTimeFormatOptions) => date.toLocaleString("en-US", options);
  const two = (value: number) => String(value).padStart(2, "0");
  const fields: Readonly<Record<string, () => string>> = {
    Y: () => String(date.getFullYear()),
    y: () => two(date.getFullYear() % 100),
    m: () => two(date.getMonth() + 1),
    B: () => word({ month: "long" }),
    b: () => word({ month: "short" }),
    d: () => two(date.getDate()),
    A: () => word({ weekday: "long" }),
    a: () => word({ weekday: "short" }),
    H: () => two(date.getHours()),
    I: () => two(date.getHours() % 12 || 12),
    M: () => two(date.getMinutes()),
    S: () => two(date.getSeconds()),
    p: () => date.getHours() < 12 ? "AM" : "PM",
  };
  return format.replace(/%(-?)([A-Za-z])/g, (text, bare: string, field: string) => {
    const value = fields[field]?.() ?? text;
    return bare === "" ? value : value.replace(/^0(?=\d)/, "");
  });
}

/** Texts that templates put in by name. */
const TOKENS = { bos_token: "<s>", eos_token: "</s>", unk_token: "<unk>", pad_token: "<pad>" };

export class ChatTemplate {
  readonly text: string;
  readonly #template: Template;
  readonly #tokens: Readonly<Record<string, string>>;

  /**
   * Parses a template.
   *
   * @throws if the text can't be parsed as a template
   */
  constructor(text: string, tokens: Readonly<Record<string, string>> = {}) {
    this.text = text;
    this.#template = new Template(text);
    this.#tokens = { ...TOKENS, ...tokens };
  }

  /** The conversation as the model gets it; undefined where the template cannot write it. */
  render({ messages, tools, asksForAnswer, date = MIDNIGHT, terms: more }: Conversation): string | undefined {
    try {
      const environment = new Environment();
      const terms = { ...GLOBALS, ...clockOf(date), ...this.#tokens };
      const given = { ...terms, ...more, messages, tools, add_generation_prompt: asksForAnswer };
      for (const [name, value] of Object.entries(given)) {
        if (value !== undefined) environment.set(name, value);
      }
      return String(new TemplateInterpreter(environment).run(this.#template.parsed).value);
    } catch {
      return undefined;
    }
  }
}

/** Python's `range`. */
function* numbers(start: number, stop: number | undefined, step: number): Generator<number> {
  if (step === 0) throw new RangeError("range() needs a step");
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  for (let at = from; step > 0 ? at < to : at > to; at += step) yield at;
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
  return parseObject(text);
}

/** What is known of model servers, as data. One without a profile is treated as any other; no code asks for a name. @module */
import type { MessageRule } from "../../../chat/compatibility/refused_forms.ts";
import type { HealEntry } from "./heals.ts";
import everyServer from "./every_server.json" with { type: "json" };
import servers from "./servers.json" with { type: "json" };
import tagStyles from "./tag_styles.json" with { type: "json" };

export interface ServerSign {
  /** `models` is the list of models below the base URL; any other path begins where the base URL has `/v1`. */
  readonly path: string;
  /** A header, and how its value begins. */
  readonly header?: string;
  readonly begins?: string;
  /** The path of a field of the body, and its value; any value if absent. */
  readonly field?: string;
  readonly is?: string;
  readonly text?: string;
}

/** How the server shows its prompt of a chat and completes it without its parser. */
export interface RenderRoute {
  /** Where a chat goes to be rendered, and with which fields. Paths begin where the base URL has `/v1`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** The only fields of a chat that the route takes; absent: it takes a whole chat request. */
  readonly only?: readonly string[];
  /** Fields of a chat that the server itself hands to its template, and this route doesn't. */
  readonly template_fields?: readonly string[];
  /** Whether the server is asked once whether the route is open; it must not run the model. */
  readonly is_tried?: boolean;
  /** Where the answer has the prompt, its text or its tokens: the first path at which there is one. */
  readonly prompt: readonly string[];
  /** Where the answer states how many tokens the completion may have. */
  readonly tokens_max?: string;
  /** Where it states how many tokens the prompt and the completion may have together. */
  readonly context?: string;
  /** Where tokens become text, and where the answer has it. */
  readonly detokenize?: { readonly path: string; readonly text: string };
  /** Where the prompt goes: `completion` is OpenAI's form, `generation` that of `/api/generate`. */
  readonly complete_path: string;
  readonly complete: "completion" | "generation";
}

/** Where a server states how it writes the prompt of a chat, without running the model. */
export interface PromptRoute extends Pick<RenderRoute, "path" | "prompt" | "detokenize"> {
  readonly fields?: RenderRoute["fields"];
  readonly source: string;
}

/** How the server is asked for the model's own text, with the prompt that it makes of the chat. At least one of both. */
export interface RawSwitch {
  /** The routes that show the prompt, which are tried first, one after the other; one that is closed isn't asked again. */
  readonly renders?: readonly RenderRoute[];
  /** The fields of a chat request that switch the server's parser off. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** A mark in the model's template → the fields that leave it in the text: the server ends thoughts at a call in them, too. */
  readonly marked_fields?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Whether only streams have the model's own text. */
  readonly streamed_only?: boolean;
  /** Whether the model's own text is in the tokens that a whole answer shows with these fields: nothing is streamed. */
  readonly from_tokens?: boolean;
  /** Marks in a template with which the server's parser reads completions, too. */
  readonly read_marks?: readonly string[];
  readonly source: string;
}

/** Where `raw` is known to be better than the server's own parser, so that `tools: auto` begins with it. */
interface RawPreference {
  /** The first version that was measured; absent: every version. */
  readonly since?: string;
  /** Whether an open route that shows the prompt is enough, whatever the template is. */
  readonly routes?: boolean;
  /** A mark in the model's template → the rules of which one has to be in use, because they read the calls that it begins. */
  readonly marks?: Readonly<Record<string, readonly string[]>>;
  /** The fields of a request that the server makes a grammar of: with one of them, its own parser reads the answer. */
  readonly constraints: readonly string[];
  readonly source: string;
}

/** What a server needs that reads calls in requests without tools, too: tools in the prompt would lose them. */
export interface PromptedSwitch {
  /** The rule whose dialect the server doesn't read. */
  readonly dialect?: string;
  /** The fields of the request that switch its parser off, or keep the tokens that mark calls. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Whether its parser leaves streams alone. */
  readonly streamed_only?: boolean;
  /** Whether the conversation becomes a prompt by the routes of `raw`, as long as one is open. */
  readonly renders?: boolean;
  readonly source: string;
}

export interface LostText {
  /** What is before it, after what the error contains, and what is after it. */
  readonly after?: string;
  readonly until?: string;
  /** `rust_string`: the last string of the message, as Rust's `{:?}` writes it. */
  readonly form?: "rust_string";
  /** `whole`: all that the model wrote; `rest`: what follows what was streamed. */
  readonly is: "whole" | "rest";
}

interface ParserErrorSign {
  readonly contains: string;
  /** Where the model's text is in it; absent: the text is lost. */
  readonly text?: LostText;
}

/** `at_once`: before its first event; `after_role`: also after events that have no more than the role. */
export type StreamBreak = "at_once" | "after_role";

export interface UnexplainedError {
  readonly status: number;
  /** Its whole text. */
  readonly text: string;
  /** From this length of a request on, in characters, its prompt is taken to be too long. */
  readonly long: number;
  /** What is changed in a shorter one, one after the other, before the error is the answer. */
  readonly tries?: readonly HealEntry[];
  /** The path at which the server loads a model; its events state why it can't. */
  readonly loads?: string;
  readonly source: string;
}

/** A question about a broken image: only a server whose model sees images fails to decode it. */
export interface SightQuestion {
  readonly path: string;
  /** The fields of the question, besides the model's name. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Texts of its answer or error, of which one shows that the model sees, and if there is none, that it doesn't. */
  readonly sees: readonly string[];
  readonly is_blind: readonly string[];
  /** What is changed in the messages then. */
  readonly blind: readonly MessageRule[];
  readonly source: string;
}

export interface StrictProfile {
  /** Whether `strict: true` of a function does that. */
  readonly functions?: boolean;
  /** Whether `response_format` takes a structural tag. */
  readonly tags?: boolean;
  /** Texts of errors about a grammar that can't be built, or that fails at what the model writes. */
  readonly errors: readonly string[];
  readonly source: string;
}

/** Where a server states how many tokens a prompt and its answer may have together. */
export interface ContextPlace {
  /** `models` is the list of models below the base URL; any other path begins where the base URL has `/v1`. */
  readonly path: string;
  /** Whether the path takes the name of a model, in a POST. */
  readonly asks_model?: boolean;
  /** Where the answer has a list of models, and each entry its name; absent: the size is that of every model. */
  readonly list?: string;
  readonly name?: string;
  readonly field: string;
  /** The field is a text of lines; the size follows this word. */
  readonly word?: string;
}

/** The fields of a request for the most tokens of thoughts, as a path, and for the words that end them. */
export interface ThinkingBudget {
  readonly field: string;
  readonly message_field?: string;
  /** Fields, as paths, that the server doesn't take together with it. */
  readonly instead_of?: readonly string[];
  readonly source: string;
}

export interface ServerProfile {
  /** Where the facts come from. */
  readonly source: string;
  readonly signs: readonly ServerSign[];
  /** Where the server states its version. */
  readonly version?: {
    readonly path: string;
    readonly field: string;
    /** How a version begins that was built without its number, and counts as the newest. */
    readonly newest?: readonly string[];
  };
  readonly raw?: RawSwitch;
  readonly prefers_raw?: RawPreference;
  readonly prompted?: PromptedSwitch;
  /** Whether `tools: auto` gives this server the tools in the prompt from the first request on. */
  readonly prefers_prompted?: boolean;
  /** How requests begin with `tools: auto` → why, as it was measured. */
  readonly measured?: Readonly<Partial<Record<"raw" | "prompted" | "native", string>>>;
  /** The status for requests that are malformed, if it isn't 400. */
  readonly malformed?: number;
  /** Where a refusal ends a stream, if the server promises one before it has read the request. */
  readonly breaks_streams?: StreamBreak;
  /** Where the server states the size of its context, in the order in which they are asked. */
  readonly context?: readonly ContextPlace[];
  /** The setting to change if the server cuts prompts that are too long without an error. */
  readonly cuts_prompts?: string;
  /** An error of it without a reason: for a prompt that is too long, and for a model that it can't load. */
  readonly unexplained?: UnexplainedError;
  /** What the server has to be started with if all routes of `raw` are closed. */
  readonly closed_routes?: string;
  /** Why there is no `raw`, and what to do instead. */
  readonly no_raw?: string;
  readonly parser_errors?: readonly ParserErrorSign[];
  /** Texts of errors about a request whose tools the server can't turn into a grammar. With the parser off, it needs none. */
  readonly refusals?: readonly string[];
  /** The field of a completion that takes the JSON Schema of its text; absent: `response_format`, as in chats. */
  readonly completion_schema_field?: string;
  /** Whether completions take the fields of a chat for probabilities. */
  readonly completion_logprobs?: "as_in_chats";
  /** Whether `tool_choice` may name the tool that the model has to call. */
  readonly named_choice?: boolean;
  readonly strict?: StrictProfile;
  /** The name of the model that the server was started with, whatever it lists. */
  readonly default_model?: string;
  /** The field in which the server reads the thoughts of earlier answers, if it isn't the one that templates name. */
  readonly thoughts_field?: string;
  readonly thinking_budget?: ThinkingBudget;
  /** How the server continues an answer after the thoughts of the last message, which its template closes. */
  readonly continues?: {
    readonly fields: Readonly<Record<string, unknown>>;
    readonly source: string;
  };
  /** Where the server shows the chat template of its model. */
  readonly template?: { readonly path: string; readonly field: string };
  /** Where the end of a prompt shows whether an answer begins in the reasoning. */
  readonly prompt?: PromptRoute;
  /** How the server shows whether its model sees images, if it takes them even if the model doesn't. */
  readonly sight?: SightQuestion;
  /** What is changed in requests, so that the server doesn't refuse or misread them. */
  readonly heal?: readonly HealEntry[];
  readonly completion_fields?: Readonly<Record<string, unknown>>;
  /** The fields of a chunk that comes in the place of an error. */
  readonly swallowed_error?: Readonly<Record<string, string>>;
  /** Finding of an evaluation → what to start the server with; `{parser}` is the parser of a rule's dialect. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Rule → the name of the server's own parser of that dialect. */
  readonly parsers?: Readonly<Record<string, string>>;
}

export const PROFILES: Readonly<Record<string, ServerProfile>> = servers as Record<string, ServerProfile>;

/** Where a server whose profile doesn't state it can have the size of its context. */
export const EVERY_CONTEXT: readonly ContextPlace[] = everyServer.context.places;

/** The field of an API that is known by its host; undefined for other hosts. */
export function hostedBudget(url: string): ThinkingBudget | undefined {
  const host = URL.parse(url)?.hostname ?? "";
  return everyServer.thinking_budgets.find(({ hosts }) => hosts.includes(host));
}

/** Item of a dialect → the name of the grammar for such items. */
export const TAG_STYLES: Readonly<Record<string, string>> = tagStyles.styles;

/** The settings of `server` that name no profile: ask the server, and don't ask. */
const UNNAMED_SERVERS = ["auto", "none"] as const;

export const SERVER_NAMES: readonly [string, ...string[]] = [...UNNAMED_SERVERS, ...Object.keys(PROFILES)];

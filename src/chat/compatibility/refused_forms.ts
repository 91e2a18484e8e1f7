/** What servers and templates refuse of a request or misread, as data, merged into the rules of one request. @module */
import { present } from "../../engine/object/present.ts";

/** What is changed in the schemas of tools. Nothing of it makes a schema stricter. */
export interface SchemaRules {
  /** A function without parameters gets an object without properties. */
  readonly objects?: true;
  /** `constrained`: only schemas that the server turns into a constraint (`strict`, or a call is demanded). */
  readonly only?: "constrained";
  /** Keywords that are left out and named in the description instead. */
  readonly drop?: readonly string[];
  /** Leaves out `pattern` if it isn't a regular expression. */
  readonly invalid_patterns?: true;
  /** The largest `minLength`, `maxLength`, `minItems` and `maxItems` that stay. */
  readonly repetition_max?: number;
  /** `inline`: every reference is replaced by what it names; `unsupported`: only those that lead nowhere or to the root. */
  readonly refs?: "inline" | "unsupported";
  /** Types get JSON Schema's names, and unknown ones are left out. */
  readonly unknown_types?: true;
  /** The only values of `format` that stay. */
  readonly formats?: readonly string[];
  /** Lengths next to `pattern` or `format`, `propertyNames` next to `properties`, and several `patternProperties` are left out. */
  readonly combinations?: true;
  /** `oneOf` becomes `anyOf`, `const` becomes `enum`, and `allOf` is merged where nothing contradicts. */
  readonly plain_words?: true;
}

/** What is changed in the messages, in the order in which it is done. */
export const MESSAGE_RULES = {
  call_ids: "calls and results without an id got one",
  arguments: "arguments of earlier calls became JSON objects",
  plain_parts: "content parts from other APIs became text",
  no_developer: "the role `developer` became `system`",
  text_parts: "text parts were joined into one string",
  content_text: "missing content became an empty string",
  no_images: "images were replaced with text",
  no_recordings: "recordings were replaced with text",
  no_links: "links to recordings and videos were replaced with text",
  no_files: "files were replaced with text",
  system_first: "later system messages became user text",
  no_system: "the system message became part of the first user message",
  orphan_results: "results without a call became user text",
  single_calls: "calls in one message became separate messages",
  text_or_reasoning: "the reasoning in messages with both text and calls was left out",
  alternate: "messages with the same role were joined, so that user and assistant alternate",
  user_required: "a user message was added",
  join_last: "assistant messages at the end were joined",
  continue_last: "the answer continues the last assistant message",
} as const;

export type MessageRule = keyof typeof MESSAGE_RULES;

/** The form that the ids of calls get: nine letters or digits, or `functions.NAME:N` with N over the whole conversation. */
export type IdForm = "nine_letters" | "numbered_functions";

/** What `tool_choice` becomes. The offered tools are those that it names. */
export interface ChoiceRules {
  /** In the place of an object that names a tool; Dragoman demands the call. */
  readonly named?: "required" | "auto";
  /** In the place of `required`; Dragoman demands the call. */
  readonly required?: "auto";
  /** `any`, another word for it, becomes `required`. */
  readonly synonym?: true;
  /** `allowed_tools` becomes its mode. */
  readonly allowed?: true;
  /** Whether the system message states what is demanded. */
  readonly sentence?: true;
}

interface FieldRules {
  /** These fields, in every request. */
  readonly drop?: readonly string[];
  /** The only fields of a request that stay. */
  readonly only?: readonly string[];
  /** Fields that are null, in the request, its tools and its messages; `content` stays. */
  readonly nulls?: true;
  /**
   * Fields that demand nothing: an empty `tools`, `stop` or `logit_bias`, what is about tools without tools, `stream_options` without a stream.
   */
  readonly idle?: true;
  /** An empty list of tools where there is none: some chat templates loop over it anyway. */
  readonly empty_tools?: true;
  /** Fields with an object of numbers, which are written as decimals: 5 becomes 5.0. */
  readonly decimals?: readonly string[];
  /** A schema for the answer: `json_schema` becomes a `json_object` with its schema. */
  readonly answer_schema?: "json_object";
  /** These fields, in requests with tools. */
  readonly with_tools?: readonly string[];
}

export interface HealRules {
  /** The field in which the server wants the thoughts of earlier answers with calls back. */
  readonly thoughts?: string;
  readonly fields?: FieldRules;
  readonly schemas?: SchemaRules;
  readonly messages?: readonly MessageRule[];
  readonly ids?: IdForm;
  readonly tool_choice?: ChoiceRules;
}

/** The rules of both; where they contradict, what changes more. */
export function mergeRules(one: HealRules, other: HealRules): HealRules {
  const messages = new Set([...one.messages ?? [], ...other.messages ?? []]);
  return present({
    thoughts: other.thoughts ?? one.thoughts,
    fields: mergeFields(one.fields, other.fields),
    schemas: mergeSchemas(one.schemas, other.schemas),
    messages: messages.size === 0 ? undefined : [...messages].sort(),
    ids: other.ids ?? one.ids,
    tool_choice: one.tool_choice && other.tool_choice
      ? { ...one.tool_choice, ...other.tool_choice }
      : one.tool_choice ?? other.tool_choice,
  }) as HealRules;
}

function mergeFields(one: FieldRules | undefined, other: FieldRules | undefined): FieldRules | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const fields = new Set([...one.with_tools ?? [], ...other.with_tools ?? []]);
  const drop = new Set([...one.drop ?? [], ...other.drop ?? []]);
  return present({
    decimals: other.decimals ?? one.decimals,
    answer_schema: other.answer_schema ?? one.answer_schema,
    drop: drop.size === 0 ? undefined : [...drop].sort(),
    only: one.only ?? other.only,
    nulls: one.nulls ?? other.nulls,
    idle: one.idle ?? other.idle,
    empty_tools: one.empty_tools ?? other.empty_tools,
    with_tools: fields.size === 0 ? undefined : [...fields].sort(),
  }) as FieldRules;
}

function mergeSchemas(one: SchemaRules | undefined, other: SchemaRules | undefined): SchemaRules | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const drop = new Set([...one.drop ?? [], ...other.drop ?? []]);
  const maxima = [one.repetition_max, other.repetition_max].filter((max) => max !== undefined);
  return present({
    objects: one.objects ?? other.objects,
    only: one.only === other.only ? one.only : undefined,
    drop: drop.size === 0 ? undefined : [...drop].sort(),
    invalid_patterns: one.invalid_patterns ?? other.invalid_patterns,
    repetition_max: maxima.length === 0 ? undefined : Math.min(...maxima),
    refs: one.refs === "inline" || other.refs === "inline" ? "inline" : one.refs ?? other.refs,
    unknown_types: one.unknown_types ?? other.unknown_types,
    formats: one.formats ?? other.formats,
    combinations: one.combinations ?? other.combinations,
    plain_words: one.plain_words ?? other.plain_words,
  }) as SchemaRules;
}

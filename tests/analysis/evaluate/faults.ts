/**
 * Faults of model servers, as data for a scripted server whose model is perfect. Each changes an answer at its own
 * stage; one that doesn't apply to an answer returns it as the same object.
 *
 * @module
 */
import type { Question } from "../../../src/analysis/evaluate/battery.ts";
import type { FindingName } from "../../../src/analysis/evaluate/findings.ts";

/** An answer before it is written. */
export interface Draft {
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  /** An error instead of an answer. */
  readonly error?: { readonly status: number; readonly message: string };
  /** What happens on the wire. */
  readonly fate?: "busy" | "broken" | "cut" | "swallowed" | "error_event";
  readonly finish?: string;
  readonly areIdsEmpty?: boolean;
  readonly isIndexSame?: boolean;
  readonly isEncodedTwice?: boolean;
  /** Which piece of the arguments a stream drops. */
  readonly lacks?: "start" | "end";
  readonly hidesTools?: boolean;
  /** The most tokens of the prompt that reach the model. */
  readonly context?: number;
  readonly hidesUsage?: boolean;
  /** Whether a fault of the model replaced the right answer. */
  readonly isReplaced?: boolean;
}

/** What a fault knows of a request. */
export interface Scene {
  readonly question: Question | undefined;
  readonly isStreamed: boolean;
  readonly hasTools: boolean;
  /** Whether the request switched the parser off. */
  readonly isRaw: boolean;
  readonly choice: unknown;
  /** Whether the prompt is as long as an agent's. */
  readonly isLong: boolean;
  /** How many tools the request offers. */
  readonly toolCount: number;
  /** How often this request was sent before. */
  readonly attempt: number;
  /** From 0 to 1, the same for the same request. */
  readonly chance: number;
}

export interface Fault {
  /** What the report contains; undefined: nothing. */
  readonly finding: FindingName | undefined;
  /** Later stages see what earlier ones left: the request, the template, the model, the parser, the server, the stream. */
  readonly stage: 0 | 1 | 2 | 3 | 4 | 5;
  /** Whether Dragoman repairs it without another setting. */
  readonly isRepaired: boolean;
  readonly recommended?: string;
  /** Whether it depends on chance how strong the recommendation is. */
  readonly isByChance?: boolean;
  readonly apply: (draft: Draft, scene: Scene) => Draft;
  /** The tasks that show it, if not all quick ones but the longest. */
  readonly tasks?: readonly string[];
  /** The kind of server, if the fault is one that only some have. */
  readonly server?: string;
}

/** A call in a notation that a shipped rule reads. */
export function printed({ calls }: Draft): string {
  return calls.map(({ tool, arguments: given }) =>
    `<tool_call>\n${JSON.stringify({ name: tool, arguments: given })}\n</tool_call>`
  ).join("\n");
}

const asText = (draft: Draft): Draft =>
  draft.calls.length === 0 ? draft : { ...draft, text: printed(draft), calls: [] };

/** The parser of the server is on, and has something to parse. */
const isParsed = (draft: Draft, scene: Scene) => scene.hasTools && !scene.isRaw && draft.calls.length > 0;

const native = (draft: Draft, change: Partial<Draft>): Draft =>
  draft.calls.length === 0 || draft.error !== undefined ? draft : { ...draft, ...change };

function withStrings(value: unknown): unknown {
  if (Array.isArray(value)) return JSON.stringify(value);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withStrings(inner)]));
  }
  return typeof value === "string" ? value : String(value);
}

function unescaped(text: string): string {
  return text.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("&lt;", "<");
}

const eachCall = (
  draft: Draft,
  change: (given: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>,
): Draft => {
  const calls = draft.calls.map(({ tool, arguments: given }) => ({ tool, arguments: change(given) }));
  return JSON.stringify(calls) === JSON.stringify(draft.calls) ? draft : { ...draft, calls };
};

/** A model gives one answer: what one fault replaced, another doesn't replace. Without tools in the prompt, it makes no call. */
const replacing = (change: (draft: Draft, scene: Scene) => Draft) => (draft: Draft, scene: Scene): Draft => {
  const changed = draft.isReplaced === true ? draft : change(draft, scene);
  const isPossible = changed !== draft && !(draft.hidesTools === true && changed.calls.length > 0);
  return isPossible ? { ...changed, isReplaced: true } : draft;
};

const WORDS = "I would have to look at the project first, and then I could tell you more.";

/** A model that thinks about a call. */
const THOUGHT = `Should I call the tool like this?\n\n${
  printed({ text: "", calls: [{ tool: "read_file", arguments: { path: "notes.md" } }] })
}\n\nNo, that isn't what the user wants.`;

export const FAULTS: Readonly<Record<string, Fault>> = {
  refused_tools: {
    finding: "tools_refused",
    stage: 0,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, { hasTools }) =>
      hasTools ? { ...draft, error: { status: 400, message: "this model does not support tools" } } : draft,
  },
  failing_results: {
    finding: "request_fails",
    stage: 0,
    isRepaired: false,
    apply: (draft, { question, hasTools }) =>
      hasTools && question?.expect.text !== undefined
        ? { ...draft, error: { status: 500, message: "Jinja: 'dict object' has no attribute 'content'" } }
        : draft,
  },
  failing_choice: {
    finding: "request_fails",
    stage: 0,
    isRepaired: false,
    apply: (draft, { choice }) =>
      choice === "required" ? { ...draft, error: { status: 500, message: "Internal Server Error" } } : draft,
  },
  failing_tools: {
    finding: "request_fails",
    stage: 0,
    isRepaired: false,
    recommended: "prompted",
    apply: (draft, { hasTools }) =>
      hasTools ? { ...draft, error: { status: 500, message: "Internal Server Error" } } : draft,
  },
  failing_streams: {
    finding: "stream_differs",
    stage: 0,
    isRepaired: false,
    apply: (draft, { isStreamed, hasTools }) =>
      isStreamed && hasTools ? { ...draft, error: { status: 500, message: "no streams" } } : draft,
  },
  refused_schemas: {
    finding: "schema_refused",
    stage: 0,
    isRepaired: true,
    apply: (draft, { question, hasTools, isRaw }) =>
      hasTools && !isRaw && question?.task === "hard_schema"
        ? {
          ...draft,
          error: { status: 400, message: "JSON schema conversion failed: Pattern must start with '^'" },
        }
        : draft,
  },
  dropped_tools: {
    finding: "tools_not_in_prompt",
    stage: 1,
    isRepaired: false,
    recommended: "prompted",
    apply: (draft, { hasTools }) =>
      !hasTools
        ? draft
        : draft.calls.length > 0
        ? { ...draft, calls: [], text: WORDS, hidesTools: true }
        : { ...draft, hidesTools: true },
  },
  second_result_lost: {
    finding: "result_ignored",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question }) =>
      question?.task === "second_result"
        ? { ...draft, text: "The second file wasn't read.", calls: [] }
        : draft
    ),
  },
  small_context: {
    finding: "context_cut",
    stage: 1,
    isRepaired: false,
    tasks: ["plain_call", "no_call", "long_call"],
    apply: (draft, { question, isLong }) =>
      isLong && question !== undefined
        ? { ...draft, context: 4096, text: "How can I help you with this?", calls: [], isReplaced: true }
        : draft,
  },
  refused_context: {
    finding: "context_cut",
    stage: 0,
    isRepaired: false,
    tasks: ["plain_call", "no_call", "long_call"],
    apply: (draft, { isLong }) =>
      isLong
        ? {
          ...draft,
          error: {
            status: 400,
            message: "the request exceeds the available context size, try increasing it",
          },
        }
        : draft,
  },
  loop: {
    finding: "repeats_call",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question }) => {
      const { not } = question?.expect ?? {};
      return not === undefined ? draft : { ...draft, text: "", calls: [not] };
    }),
  },
  always_calls: {
    finding: "calls_without_need",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question, choice }) =>
      question?.expect.calls === "none" && question.expect.not === undefined && choice === undefined
        ? { ...draft, text: "", calls: [{ tool: "read_file", arguments: { path: "README.md" } }] }
        : draft
    ),
  },
  answers_in_words: {
    finding: "answers_in_words",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question }) =>
      question?.task === "two_calls" || question?.task === "types"
        ? { ...draft, calls: [], text: WORDS }
        : draft
    ),
  },
  only_reasoning: {
    finding: "only_reasoning",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question }) =>
      question?.task === "no_call"
        ? { ...draft, text: "", calls: [], reasoning: "The user asks about HTTP." }
        : draft
    ),
  },
  ignored_result: {
    finding: "result_ignored",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question }) =>
      question?.task === "result_used" ? { ...draft, text: "I can't see the token.", calls: [] } : draft
    ),
  },
  wrong_tool: {
    finding: "wrong_tool",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { question }) =>
      question?.task === "types"
        ? { ...draft, calls: [{ tool: "find_text", arguments: { text: "a" } }] }
        : draft
    ),
  },
  wrong_types: {
    finding: "wrong_types",
    stage: 2,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft) => eachCall(draft, (given) => withStrings(given) as Record<string, unknown>),
  },
  lost_escapes: {
    finding: "arguments_differ",
    stage: 2,
    isRepaired: false,
    apply: (draft) =>
      eachCall(
        draft,
        (given) =>
          typeof given.content === "string" ? { ...given, content: unescaped(given.content) } : given,
      ),
  },
  lost_second_call: {
    finding: "no_parallel_calls",
    stage: 2,
    isRepaired: false,
    apply: (draft) => draft.calls.length > 1 ? { ...draft, calls: draft.calls.slice(0, 1) } : draft,
  },
  ignored_choice: {
    finding: "ignores_tool_choice",
    stage: 2,
    isRepaired: false,
    apply: replacing((draft, { choice }) =>
      choice === undefined || choice === "none"
        ? draft
        : { ...draft, calls: [], text: "I am fine, thank you." }
    ),
  },
  text: {
    finding: "calls_printed_as_text",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, { hasTools }) => hasTools ? asText(draft) : draft,
  },
  text_in_streams: {
    finding: "stream_differs",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, { hasTools, isStreamed }) => hasTools && isStreamed ? asText(draft) : draft,
  },
  flaky_text: {
    finding: "calls_printed_as_text",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    isByChance: true,
    apply: (draft, { hasTools, chance }) => hasTools && chance < 0.4 ? asText(draft) : draft,
  },
  rare_text: {
    finding: "calls_printed_as_text",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    isByChance: true,
    apply: (draft, { hasTools, chance }) => hasTools && chance < 0.1 ? asText(draft) : draft,
  },
  unread_notation: {
    finding: "unread_dialect",
    stage: 3,
    isRepaired: false,
    recommended: "prompted",
    apply: (draft, scene) =>
      isParsed(draft, scene)
        ? {
          ...draft,
          calls: [],
          text: draft.calls.map(({ tool, arguments: given }) =>
            `@@RUN ${tool}@@ ${JSON.stringify(given)} @@END@@`
          ).join("\n"),
        }
        : draft,
  },
  reasoning: {
    finding: "call_in_reasoning",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, scene) =>
      isParsed(draft, scene)
        ? { ...draft, calls: [], text: "", reasoning: `I call the tool.\n${printed(draft)}`, finish: "stop" }
        : draft,
  },
  open_reasoning: {
    finding: "begins_in_reasoning",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, { question }) =>
      question?.task === "chain" ? draft : { ...draft, text: `${THOUGHT}\n</think>\n\n${draft.text}` },
  },
  lost_call: {
    finding: "call_lost",
    stage: 3,
    isRepaired: false,
    recommended: "prompted",
    apply: (draft, scene) => isParsed(draft, scene) ? { ...draft, calls: [], finish: "tool_calls" } : draft,
  },
  empty_answer: {
    finding: "empty_answer",
    stage: 3,
    isRepaired: false,
    recommended: "prompted",
    apply: (draft, scene) => isParsed(draft, scene) ? { ...draft, calls: [], finish: "stop" } : draft,
  },
  parser_error: {
    finding: "parser_failed",
    stage: 3,
    isRepaired: true,
    recommended: "dragoman",
    server: "llama.cpp",
    apply: (draft, scene) =>
      isParsed(draft, scene)
        ? {
          ...draft,
          error: {
            status: 500,
            message: "The model produced output that does not match the expected peg-native format",
          },
        }
        : draft,
  },
  twice_encoded: {
    finding: "arguments_encoded_twice",
    stage: 4,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft) => native(draft, { isEncodedTwice: true }),
  },
  prefixed_names: {
    finding: "names_changed",
    stage: 4,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, scene) =>
      isParsed(draft, scene)
        ? { ...draft, calls: draft.calls.map((call) => ({ ...call, tool: `functions.${call.tool}` })) }
        : draft,
  },
  called_twice: {
    finding: "call_twice",
    stage: 4,
    isRepaired: false,
    recommended: "prompted",
    apply: (draft, scene) =>
      isParsed(draft, scene) && draft.calls.length === 1
        ? { ...draft, calls: [...draft.calls, ...draft.calls] }
        : draft,
  },
  lost_parameter: {
    finding: "missing_required",
    stage: 2,
    isRepaired: false,
    apply: (draft) =>
      eachCall(draft, (given) => {
        const { content: _, ...others } = given;
        return "content" in given ? others : given;
      }),
  },
  left_tokens: {
    finding: "tokens_left",
    stage: 4,
    isRepaired: false,
    apply: (draft) => draft.calls.length === 0 ? { ...draft, text: `${draft.text}<|im_end|>` } : draft,
  },
  lost_stream_end: {
    finding: "stream_differs",
    stage: 4,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, scene) =>
      scene.isStreamed && isParsed(draft, scene) ? native(draft, { lacks: "end" }) : draft,
  },
  lost_stream_start: {
    finding: "stream_differs",
    stage: 4,
    isRepaired: false,
    apply: (draft, scene) =>
      scene.isStreamed && isParsed(draft, scene) ? native(draft, { lacks: "start" }) : draft,
  },
  same_index: {
    finding: "call_index_repeats",
    stage: 4,
    isRepaired: true,
    apply: (draft, { isStreamed }) =>
      isStreamed && draft.calls.length > 1 ? native(draft, { isIndexSame: true }) : draft,
  },
  empty_ids: {
    finding: "ids_missing",
    stage: 4,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft) => native(draft, { areIdsEmpty: true }),
  },
  stop: {
    finding: "finish_reason_wrong",
    stage: 4,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, { choice }) => choice === undefined ? native(draft, { finish: "stop" }) : draft,
  },
  cut_by_length: {
    finding: "answer_cut",
    stage: 4,
    isRepaired: false,
    apply: (draft, { question }) =>
      question?.task === "exact_content" ? { ...draft, calls: [], text: "I write", finish: "length" } : draft,
  },
  cut_streams: {
    finding: "stream_cut",
    stage: 5,
    isRepaired: false,
    apply: (draft, { isStreamed }) =>
      isStreamed && draft.calls.length + draft.text.length > 0 ? { ...draft, fate: "cut" } : draft,
  },
  swallowed_errors: {
    finding: "error_swallowed",
    stage: 5,
    isRepaired: false,
    apply: (draft, { isStreamed, hasTools }) =>
      isStreamed && hasTools && draft.calls.length > 0 ? { ...draft, fate: "swallowed" } : draft,
  },
  error_events: {
    finding: "error_as_answer",
    stage: 5,
    isRepaired: true,
    recommended: "dragoman",
    apply: (draft, { isStreamed, hasTools }) =>
      isStreamed && hasTools && draft.calls.length > 0 ? { ...draft, fate: "error_event" } : draft,
  },
};

/** What isn't a fault of the model or the server, and never counts as wrong. */
export const HARMLESS: Readonly<Record<string, Fault>> = {
  none: { finding: undefined, stage: 0, isRepaired: true, apply: (draft) => draft },
  no_usage: {
    finding: undefined,
    stage: 4,
    isRepaired: true,
    apply: (draft) => ({ ...draft, hidesUsage: true }),
  },
  busy: {
    finding: undefined,
    stage: 5,
    isRepaired: true,
    apply: (draft, { chance, attempt }) => chance < 0.5 && attempt < 2 ? { ...draft, fate: "busy" } : draft,
  },
  broken: {
    finding: undefined,
    stage: 5,
    isRepaired: true,
    apply: (draft, { chance, attempt }) => chance < 0.5 && attempt < 2 ? { ...draft, fate: "broken" } : draft,
  },
  tools_uncounted: {
    finding: undefined,
    stage: 1,
    isRepaired: true,
    apply: (draft, { hasTools }) => hasTools ? { ...draft, hidesTools: true } : draft,
  },
  relative_paths: {
    finding: undefined,
    stage: 2,
    isRepaired: true,
    apply: (draft) =>
      eachCall(draft, (given) => ({
        ...given,
        ...typeof given.path === "string" ? { path: `./${given.path}` } : {},
        ...Array.isArray(given.folders)
          ? { folders: given.folders.toReversed().map((one) => `${one}/`) }
          : {},
      })),
  },
  more_than_asked: {
    finding: undefined,
    stage: 2,
    isRepaired: true,
    apply: (draft) => ({
      ...draft,
      calls: draft.calls.map((call) =>
        call.tool === "replace_lines" ? { ...call, arguments: { ...call.arguments, mode: null } } : call
      ),
    }),
  },
  always_busy: {
    finding: undefined,
    stage: 5,
    isRepaired: true,
    apply: (draft, { question }) => question?.task === "types" ? { ...draft, fate: "busy" } : draft,
  },
  always_broken: {
    finding: undefined,
    stage: 5,
    isRepaired: true,
    apply: (draft, { question }) => question?.task === "types" ? { ...draft, fate: "broken" } : draft,
  },
};

/**
 * One format, nothing guessed. In: calls, decisions of the matcher and the end of an answer. Out: a verdict that
 * teaches the model: what was wrong, the tool's schema, one right example. Mistakes of a conversation in a row are
 * counted; a right call begins anew.
 *
 * @module
 */
import {
  type AnswerEnd,
  checkArguments,
  type ContentEvent,
  type ExampleForm,
  type Plugin,
  type PluginCall,
  type PluginContext,
  type Stop,
  writeExampleCall,
} from "../src/plugin/mod.ts";

/** What may be wrong with an answer. */
export type Mistake =
  | "MALFORMED_XML"
  | "UNKNOWN_TOOL"
  | "SCHEMA_VALIDATION"
  | "NO_XML_BLOCKS"
  | "MAX_MISTAKES";

interface Options {
  readonly accept: readonly string[];
  readonly mode: "observe" | "abstain" | "reject" | "retry";
  readonly example: ExampleForm;
  readonly max_mistakes: number;
  readonly require_tool_use: boolean;
  readonly on_max_mistakes: "error" | "pass_through";
  readonly strikes_ttl_ms: number;
}

type Context = PluginContext<Options>;

/** What is known of a mistake. */
interface Finding {
  readonly code: Mistake;
  /** What was wrong, one sentence without full stop. */
  readonly what: string;
  /** The tool that was meant, where it is known. */
  readonly tool?: string | undefined;
}

/** Text that is kept back in `retry` never grows beyond this many characters; it is sent then. */
const HELD_MAXIMUM = 64 * 1024;

const plugin: Plugin<Options> = {
  name: "strict_validation",
  options: {
    accept: { type: "texts", default: [], description: "The rules whose calls are accepted; none: all" },
    mode: {
      type: "text",
      default: "abstain",
      values: ["observe", "abstain", "reject", "retry"],
      description: "What becomes of an answer with a mistake",
    },
    example: {
      type: "text",
      default: "json",
      values: ["json", "parameters"],
      description:
        "How the example in an error is written: the tool's tag around JSON, or around a tag a parameter",
    },
    max_mistakes: {
      type: "number",
      default: 3,
      minimum: 1,
      description: "Mistakes in a row that are taught about",
    },
    require_tool_use: {
      type: "boolean",
      default: false,
      description: "Whether an answer without a call is a mistake",
    },
    on_max_mistakes: {
      type: "text",
      default: "pass_through",
      values: ["error", "pass_through"],
      description: "What becomes of a further mistake",
    },
    strikes_ttl_ms: {
      type: "number",
      default: 3_600_000,
      minimum: 1,
      description: "How long mistakes count",
    },
  },

  onCall(call, context) {
    const finding = wrongCall(call, context);
    if (finding === undefined) {
      context.store.take(context.conversation);
      return undefined;
    }
    const { mode } = context.options;
    // A call that the client has heard of cannot be taken back: the wrong one beside it is only left out.
    const canStop = context.state.get("hasCall") !== true;
    const stop = judge(finding, { context, canStop });
    if (stop !== undefined) return stop;
    if (mode === "observe" || context.state.get("isExhausted") === true) return undefined;
    return { refuse: finding.code };
  },

  onEvent(event, context) {
    if (event.kind === "note") return onNote(event, context);
    if (event.kind === "call_start") {
      context.state.set("hasCall", true);
      return [...release(context), event];
    }
    if (context.options.mode !== "retry") return undefined;
    if (event.kind !== "text" || context.state.get("hasCall") === true) return undefined;
    const held = String(context.state.get("held") ?? "") + event.text;
    context.state.set("held", held);
    return held.length > HELD_MAXIMUM ? release(context) : [];
  },

  onAnswerEnd(end, context) {
    const stop = isMissing(end, context) ? judge(missing(context), { context, canStop: true }) : undefined;
    return stop ?? { events: release(context) };
  },
};

export default plugin;

/** Gives the text that was kept back. */
function release({ state }: Context): ContentEvent[] {
  const text = String(state.get("held") ?? "");
  state.delete("held");
  return text === "" ? [] : [{ kind: "text", text }];
}

/** A candidate that the matcher left as text may have been an attempt in the accepted format. */
function onNote(note: Extract<ContentEvent, { kind: "note" }>, context: Context): Stop | undefined {
  if (!isAccepted(note.rule, context) || context.state.get("hasCall") === true) return undefined;
  const tool = note.tool;
  if (note.reason === "unknown_tool") {
    return judge({ code: "UNKNOWN_TOOL", what: "The tool does not exist" }, { context, canStop: true });
  }
  if (note.reason !== "malformed" && note.reason !== "invalid_arguments" && note.reason !== "truncated") {
    return undefined;
  }
  const what = note.reason === "truncated" ? "The call was not finished" : "The call could not be read";
  return judge({ code: "MALFORMED_XML", what, tool }, { context, canStop: true });
}

function isAccepted(rule: string, { options }: Context): boolean {
  return options.accept.length === 0 || options.accept.includes(rule);
}

function wrongCall(call: PluginCall, context: Context): Finding | undefined {
  const { tool } = call;
  // The upstream's own calls have no format of ours, only arguments.
  if (call.source !== undefined && !isAccepted(call.rule, context)) {
    return { code: "NO_XML_BLOCKS", what: "The call is not written in the accepted format", tool };
  }
  const problems = checkArguments(context.offered.resolve(tool)?.schema, call.arguments);
  const sentences = [
    ...(problems.missing.length > 0
      ? [`Required parameters are missing: ${problems.missing.join(", ")}`]
      : []),
    ...problems.wrong,
  ];
  return sentences.length === 0 ? undefined : { code: "SCHEMA_VALIDATION", what: sentences.join("; "), tool };
}

function isMissing({ callCount, truncated }: AnswerEnd, { options, state }: Context): boolean {
  return options.require_tool_use && callCount === 0 && !truncated && state.get("hasMistake") !== true;
}

function missing(context: Context): Finding {
  const [tool] = context.offered.names;
  return { code: "NO_XML_BLOCKS", what: "The answer holds no tool call in the accepted format", tool };
}

/** Counts the mistake and says what becomes of the answer; undefined: it goes on. */
function judge(
  finding: Finding,
  { context, canStop }: { context: Context; canStop: boolean },
): Stop | undefined {
  const { options, store, conversation, state } = context;
  const { mode, max_mistakes: most } = options;
  // One answer is one strike, however much is wrong with it.
  const isFirst = state.get("hasMistake") !== true;
  const strikes = Number(store.get(conversation) ?? 0) + (isFirst ? 1 : 0);
  state.set("hasMistake", true);
  store.put(conversation, strikes, { ttlMs: options.strikes_ttl_ms });
  context.note(`${finding.code}, mistake ${strikes} of ${most}`);
  if (!canStop || (mode !== "reject" && mode !== "retry")) return undefined;
  if (strikes <= most) {
    return { verdict: { kind: mode, code: finding.code, message: lesson(finding, context) } };
  }
  state.set("isExhausted", true);
  context.note("MAX_MISTAKES");
  if (options.on_max_mistakes === "pass_through") return undefined;
  const what = `${most} mistakes in a row, and another one: ${finding.code}. ${finding.what}`;
  return {
    verdict: { kind: "reject", code: "MAX_MISTAKES", message: lesson({ ...finding, what }, context) },
  };
}

/** What the model has to know to do it right. */
function lesson({ code, what, tool }: Finding, { offered, options }: Context): string {
  const meant = tool === undefined ? undefined : offered.resolve(tool);
  const lines = [`${code}: ${what}.`];
  if (meant === undefined) lines.push(`The tools are: ${offered.names.join(", ")}.`);
  const shown = meant ?? offered.resolve(offered.names[0] ?? "");
  if (shown === undefined) return lines.join("\n");
  if (meant !== undefined && meant.schema !== undefined) {
    lines.push(`The parameters of ${meant.name} have this JSON Schema:`, JSON.stringify(meant.schema));
  }
  lines.push("Write the call exactly like this:", writeExampleCall(shown, options.example));
  return lines.join("\n");
}

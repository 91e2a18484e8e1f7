/**
 * Accepts only calls that are right as the model wrote them. The verdict about any other answer explains what is wrong,
 * with the tool's schema and one right example. Errors in a row are counted for each conversation; a right call starts
 * the count again.
 *
 * @module
 */
import {
  type AnswerEnd,
  checkArguments,
  type ContentEvent,
  describeJson,
  describePlace,
  describeRepair,
  type ExampleForm,
  type Mistake,
  type OfferedTool,
  type Plugin,
  type PluginCall,
  type PluginContext,
  type Stop,
  writeExampleCall,
} from "../src/proxy/plugin/mod.ts";

interface Options {
  readonly accept: readonly string[];
  readonly mode: "observe" | "abstain" | "reject" | "retry";
  readonly example: "auto" | ExampleForm;
  readonly max_mistakes: number;
  readonly require_tool_use: boolean;
  readonly on_max_mistakes: "error" | "pass_through";
  readonly strikes_ttl_ms: number;
}

type Context = PluginContext<Options>;

/** What is known of an error. */
interface Finding {
  readonly code: Mistake;
  /** What was wrong, one sentence without full stop. */
  readonly what: string;
  /** The tool that was meant, where it is known. */
  readonly tool?: string | undefined;
}

/** A candidate that no call has taken the place of yet. */
interface Attempt {
  readonly finding: Finding;
  /** Where its text is in what is kept back. */
  readonly at: number;
  readonly length: number;
}

/** How many elements of an answer are checked for a tool that is not offered. */
const CANDIDATES_MAX = 32;

/** Where the first thing in an element must stand. */
const BODY_HEAD = 256;

/** Text that is kept back never grows beyond this many characters; then it is decided about what is known. */
const HELD_MAXIMUM = 64 * 1024;

const plugin: Plugin<Options> = {
  name: "strict_validation",
  description:
    "Checks calls against their schema; observes, refuses, rejects the answer, or asks the model again",
  options: {
    accept: { type: "texts", default: [], description: "The rules whose calls are accepted; if empty, all" },
    mode: {
      type: "text",
      default: "abstain",
      values: ["observe", "abstain", "reject", "retry"],
      description: "What to do with an answer that has an error",
    },
    example: {
      type: "text",
      default: "auto",
      values: ["auto", "json", "parameters"],
      description:
        "The notation of the example in an error. `auto`: as in the client's own prompt (without one, as `json`); `json`: JSON in the tool's tag; `parameters`: a tag for each parameter in the tool's tag",
    },
    max_mistakes: {
      type: "number",
      default: 3,
      minimum: 1,
      description:
        "The number of errors in a row after which `on_max_mistakes` decides; earlier errors are answered with a message",
    },
    require_tool_use: {
      type: "boolean",
      default: false,
      description: "Whether an answer without a call is an error",
    },
    on_max_mistakes: {
      type: "text",
      default: "error",
      values: ["error", "pass_through"],
      description: "What to do with that error and later ones",
    },
    strikes_ttl_ms: {
      type: "number",
      default: 3_600_000,
      minimum: 1,
      description: "How long an error counts toward the number of errors in a row",
    },
  },

  onCall(call, context) {
    const finding = wrongCall(call, context);
    if (finding === undefined) {
      context.store.take(context.conversation);
      return undefined;
    }
    const { mode } = context.options;
    // A call that the client got stays: then the wrong one is only left out.
    const canStop = context.state.get("hasCall") !== true;
    const stop = judge(finding, { context, canStop });
    if (stop !== undefined) return stop;
    if (mode === "observe" || context.state.get("isExhausted") === true) return undefined;
    return { refuse: finding.code };
  },

  onEvent(event, context) {
    const { state, options: { mode } } = context;
    if (event.kind === "note") return takeNote(event, context);
    if (event.kind === "call_start") {
      state.set("hasCall", true);
      // Another rule has read what one rule could not.
      state.delete("attempt");
      return [...release(context), event];
    }
    if (event.kind !== "text" || state.get("hasCall") === true) return undefined;
    if (mode !== "retry" && (mode !== "reject" || !state.has("attempt"))) return undefined;
    const held = heldText(context) + event.text;
    state.set("held", held);
    if (held.length <= HELD_MAXIMUM) return [];
    return judgeAttempt(context) ?? release(context);
  },

  onAnswerEnd(end, context) {
    const stop = end.truncated ? undefined : judgeAttempt(context);
    if (stop !== undefined) return stop;
    const finding = wrongAnswer(end, context);
    const last = finding && judge(finding, { context, canStop: true });
    return last ?? { events: release(context) };
  },
};

export default plugin;

function heldText({ state }: Context): string {
  return String(state.get("held") ?? "");
}

/** Gives the text that was kept back. */
function release(context: Context): ContentEvent[] {
  const text = heldText(context);
  context.state.delete("held");
  return text === "" ? [] : [{ kind: "text", text }];
}

/** What the matcher notes about a candidate that it left as text. */
const NOTED: Readonly<Record<string, Omit<Finding, "tool">>> = {
  unknown_tool: { code: "UNKNOWN_TOOL", what: "The tool does not exist" },
  malformed: { code: "MALFORMED_XML", what: "The call could not be read" },
  invalid_arguments: { code: "MALFORMED_XML", what: "The call could not be read" },
  truncated: { code: "MALFORMED_XML", what: "The call was not finished" },
  missing_required: { code: "SCHEMA_VALIDATION", what: "A required parameter is missing" },
};

/**
 * Remembers the first candidate that a rule left as text: it may be an attempt in the accepted format, or the beginning of
 * what another rule reads. Only the end of the answer without a call shows which.
 */
function takeNote(note: Extract<ContentEvent, { kind: "note" }>, context: Context): undefined {
  const { state } = context;
  if (state.get("hasCall") === true || state.has("attempt") || !isAccepted(note.rule, context)) return;
  const found = Object.hasOwn(NOTED, note.reason) ? NOTED[note.reason] : undefined;
  // Without a tool, it can be a mention of a mark at the end.
  if (found === undefined || (note.reason === "truncated" && note.tool === undefined)) return;
  const tool = found.code === "UNKNOWN_TOOL" ? undefined : note.tool;
  const what = note.detail === undefined ? found.what : `${found.what}: ${note.detail}`;
  const attempt: Attempt = {
    finding: { ...found, what, tool },
    at: heldText(context).length,
    length: note.end - note.start,
  };
  state.set("attempt", attempt);
}

/** Judges a candidate that became no call. */
function judgeAttempt(context: Context): Stop | undefined {
  const attempt = context.state.get("attempt") as Attempt | undefined;
  context.state.delete("attempt");
  if (attempt === undefined) return undefined;
  const { finding, at, length } = attempt;
  const text = heldText(context).slice(at);
  const json = finding.code === "UNKNOWN_TOOL" ? "" : describeJson(text.slice(0, length));
  const what = finding.what + json + describePlace(text);
  return judge({ ...finding, what }, { context, canStop: true });
}

function isAccepted(rule: string, { options }: Context): boolean {
  return options.accept.length === 0 || options.accept.includes(rule);
}

/** What can't be checked isn't valid. */
const UNCHECKED =
  "The schema or the arguments are too large to be checked. Use a smaller schema or fewer values";

function wrongCall(call: PluginCall, context: Context): Finding | undefined {
  const { tool, source } = call;
  // The upstream's own calls have no format of ours, only arguments.
  const place = source === undefined ? "" : describePlace(source);
  if (source !== undefined && !isAccepted(call.rule, context)) {
    return { code: "NO_XML_BLOCKS", what: `The call is not written in the accepted format${place}`, tool };
  }
  const [repair] = call.repairs ?? [];
  if (repair !== undefined) {
    return { code: "REPAIRED_CALL", what: describeRepair(repair, call), tool };
  }
  const { schema, isUnreadable } = context.offered.resolve(tool) ?? {};
  const problems = checkArguments(schema, call.arguments);
  if (problems.isUnchecked || isUnreadable) {
    return { code: "SCHEMA_VALIDATION", what: UNCHECKED + place, tool };
  }
  const missing = context.missingParameters?.(call) ?? problems.missing;
  const sentences = [
    ...(missing.length > 0 ? [`Required parameters are missing: ${missing.join(", ")}`] : []),
    ...problems.wrong,
  ];
  if (sentences.length === 0) return undefined;
  return { code: "SCHEMA_VALIDATION", what: sentences.join("; ") + place, tool };
}

function wrongAnswer({ callCount, text, truncated }: AnswerEnd, context: Context): Finding | undefined {
  const { options, offered, state } = context;
  if (callCount > 0 || truncated || state.get("hasMistake") === true) return undefined;
  if (namesUnknownTool(text, offered)) return { code: "UNKNOWN_TOOL", what: "The tool does not exist" };
  if (!options.require_tool_use) return undefined;
  const [tool] = offered.names;
  return { code: "NO_XML_BLOCKS", what: "The answer contains no tool call in the accepted format", tool };
}

/**
 * Whether a text outside of fences calls a tool that is not offered: a line begins with the tag of a name in
 * snake case, and its element holds other elements or JSON.
 */
function namesUnknownTool(text: string, { resolve }: Context["offered"]): boolean {
  let fence = "";
  let at = 0;
  let candidates = 0;
  for (const line of text.split("\n")) {
    const inside = at + line.length;
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === "" || line.trim().startsWith(fence))) {
      fence = fence === "" ? mark : "";
    }
    const name = fence === "" ? /^\s*<([a-z][a-z0-9]*(?:_[a-z0-9]+)+)>/.exec(line)?.[1] : undefined;
    if (name !== undefined && resolve(name) === undefined) {
      if (isFilled(text, { name, from: text.indexOf(">", at) + 1 })) return true;
      if (++candidates === CANDIDATES_MAX) return false;
    }
    at = inside + 1;
  }
  return false;
}

/** Whether an element is closed and holds an element or an object. */
function isFilled(text: string, { name, from }: { readonly name: string; readonly from: number }): boolean {
  const end = text.indexOf(`</${name}>`, from);
  return end >= 0 && /^\s*(?:\{|<[A-Za-z_])/.test(text.slice(from, Math.min(end, from + BODY_HEAD)));
}

/** Counts the error and decides what becomes of the answer; undefined: it goes on. */
function judge(
  finding: Finding,
  { context, canStop }: { context: Context; canStop: boolean },
): Stop | undefined {
  const { options, store, conversation, state } = context;
  const { mode, max_mistakes: most } = options;
  // One answer is one strike, however much is wrong with it.
  const isFirst = state.get("hasMistake") !== true;
  const strikes = isFirst
    ? store.add(conversation, 1, { ttlMs: options.strikes_ttl_ms })
    : Number(store.get(conversation) ?? 0);
  state.set("hasMistake", true);
  context.note(`${finding.code}, strike ${strikes} of ${most}`);
  if (!canStop || (mode !== "reject" && mode !== "retry")) return undefined;
  if (strikes < most) {
    return { verdict: { kind: mode, code: finding.code, message: lesson(finding, context) } };
  }
  state.set("isExhausted", true);
  context.note("MAX_MISTAKES");
  if (options.on_max_mistakes === "pass_through") return undefined;
  const what = `The limit of ${most} ${most === 1 ? "mistake" : "mistakes"} in a row is reached. ` +
    `The last one is ${finding.code}: ${finding.what}`;
  return {
    verdict: {
      kind: "reject",
      code: "MAX_MISTAKES",
      message: lesson({ ...finding, code: "MAX_MISTAKES", what }, context),
    },
  };
}

/** What the model has to know to do it right. */
function lesson({ code, what, tool }: Finding, context: Context): string {
  const { offered } = context;
  const meant = tool === undefined ? undefined : offered.resolve(tool);
  const lines = [`${code}: ${what}.`];
  if (meant === undefined) lines.push(`The tools are: ${offered.names.join(", ")}.`);
  const shown = meant ?? offered.resolve(offered.names[0] ?? "");
  if (shown === undefined) return lines.join("\n");
  const schema = meant?.documented ?? meant?.schema;
  if (meant !== undefined && schema !== undefined) {
    lines.push(`The parameters of ${meant.name} have this JSON Schema:`, JSON.stringify(schema));
  }
  const [example, ...others] = examplesOf(shown, context);
  if (example === undefined) {
    lines.push(`Write the call in the notation of ${context.options.accept.join(" or ")}.`);
  } else lines.push("Write the call exactly like this:", example);
  for (const other of others) lines.push("or like this:", other);
  return lines.join("\n");
}

/** The form of an accepted rule, of the option, or of the client; if all rules count, both forms that any client reads. */
function examplesOf(tool: OfferedTool, { options: { example, accept }, ...context }: Context): string[] {
  if (example !== "auto") return [writeExampleCall(tool, example)];
  if (accept.length > 0) {
    const own = accept.flatMap((rule) => context.writeCall?.(tool.name, rule) ?? []);
    return own.slice(0, 1);
  }
  const own = context.writeExample?.(tool.name);
  return own !== undefined
    ? [own]
    : ["json" as const, "parameters" as const].map((form) => writeExampleCall(tool, form));
}

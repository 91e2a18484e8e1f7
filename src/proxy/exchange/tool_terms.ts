/**
 * Keeps the terms that a server without tools can't promise: a request that demands a call gets one, only allowed tools
 * are called, and the arguments of a `strict` tool fit its schema. An answer that breaks a term is stopped, and the model
 * is asked once more with the error. The client gets the second answer in any case.
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { LoadedPlugin } from "../plugin/hooks.ts";
import type { AnswerEnd, Plugin, PluginCall, PluginContext, Stop } from "../plugin/mod.ts";
import { type CallTerms, termsInWords } from "../../chat/prompt/announcement.ts";
import { termsOf } from "../../chat/prompt/request.ts";
import type { Speaker } from "../../chat/prompt/speaker.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";
import { checkArguments } from "../../engine/tool/validate.ts";

/** The most characters of text that are held until the call arrives; longer text is sent. */
const HELD_MAXIMUM = 64 * 1024;

const NAME = "tool_terms";

interface TermsOptions {
  /** Writes examples; undefined if a chat template writes the tools. */
  readonly speaker: Speaker | undefined;
  readonly offered: OfferedTools;
  /** Whether only the demanded call is checked here, because the server checks `strict` itself. By default, both are. */
  readonly applies?: () => boolean;
}

/** Checks the terms of a request whose tools are in the prompt; undefined if it has none. */
export function toolTerms(request: ChatRequest, options: TermsOptions): LoadedPlugin | undefined {
  const terms = termsOf(request);
  const strict = options.applies === undefined ? strictTools(request) : new Set<string>();
  const demandsCall = terms.choice !== undefined && terms.choice !== "none";
  const isRestricted = !demandsCall && terms.only !== undefined;
  if (!demandsCall && !isRestricted && strict.size === 0) return undefined;
  const again = new Again();
  const plugin: Plugin = {
    name: NAME,
    ...(demandsCall ? demand(terms, { ...options, again }) : {}),
    ...(isRestricted ? { onEvent: createRestriction(terms, { ...options, again }) } : {}),
    ...(strict.size > 0 ? strictness(strict, { ...options, again }) : {}),
  };
  return { plugin, options: {} };
}

/** Whether the model has been asked again; it is asked again only once. */
class Again {
  #isOver = false;

  /** The verdict that asks again; undefined the second time. */
  ask(code: string, message: string): Stop | undefined {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    return { verdict: { kind: "retry", code, message } };
  }
}

interface CheckOptions extends TermsOptions {
  readonly again: Again;
}

/**
 * Lets only calls of the demanded or allowed tools pass: a server that ignores `tool_choice` can send another one as its
 * own, and a client that named a tool runs any call as this tool's.
 */
function createRestriction(terms: CallTerms, options: CheckOptions): NonNullable<Plugin["onEvent"]> {
  const { again, offered, applies = () => true } = options;
  const named = namesOf(terms);
  const isMeant = (tool: string) =>
    named === undefined || named.includes(tool) || named.includes(offered.resolve(tool)?.name ?? "");
  return (event, { state, note }) => {
    if (!applies()) return undefined;
    if ("call" in event && state.get(`other ${event.call}`) === true) {
      if (event.kind === "call_end" || event.kind === "call_abort") state.delete(`other ${event.call}`);
      return [];
    }
    // Without a demand, text is sent at once.
    if (event.kind === "text" && terms.choice === undefined) state.set("isSent", true);
    if (event.kind !== "call_start") return undefined;
    if (isMeant(event.tool)) return void state.set("isSent", true);
    state.set(`other ${event.call}`, true);
    const lesson = lessonAfter(
      `Your answer calls \`${event.tool}\`, which was not requested.`,
      terms,
      options,
    );
    // What was sent can't be taken back.
    const stop = state.get("isSent") === true ? undefined : again.ask("OTHER_CALL", lesson);
    note(`OTHER_CALL: ${stop === undefined ? "the call is left out" : "the model is asked again"}`);
    return stop ?? [];
  };
}

/** The only tools that can be called; undefined: every offered one. */
function namesOf({ choice, only }: CallTerms): readonly string[] | undefined {
  return Array.isArray(choice) ? choice : only;
}

function lessonAfter(error: string, terms: CallTerms, { offered, speaker }: TermsOptions): string {
  const name = namesOf(terms)?.[0] ?? offered.names[0] ?? "";
  return [error, ...termsInWords(terms), ...exampleOf(name, { offered, speaker })].join("\n");
}

/** Holds the text before the call, because the client must not get it if the answer has no call. */
function demand(terms: CallTerms, options: CheckOptions): Pick<Plugin, "onEvent" | "onAnswerEnd"> {
  const { again, applies = () => true } = options;
  const restrict = createRestriction(terms, options);
  return {
    onEvent(event: ContentEvent, context: PluginContext) {
      const { state } = context;
      if (!applies()) return undefined;
      const wasSent = state.get("isSent") === true;
      const stopped = restrict(event, context);
      if (stopped !== undefined) return stopped;
      if (event.kind === "call_start") return [...release(state), event];
      if (event.kind !== "text" || wasSent) return undefined;
      const held = String(state.get("held") ?? "") + event.text;
      state.set("held", held);
      if (held.length <= HELD_MAXIMUM) return [];
      state.set("isSent", true);
      return release(state);
    },
    onAnswerEnd({ callCount, truncated }: AnswerEnd, { state, note }: PluginContext) {
      if (!applies()) return undefined;
      if (callCount > 0 || truncated || state.get("isSent") === true) return { events: release(state) };
      const lesson = lessonAfter("Your answer contains no tool call.", terms, options);
      const stop = again.ask("MISSING_CALL", lesson);
      if (stop !== undefined) note("MISSING_CALL: the model is asked again");
      return stop ?? { events: release(state) };
    },
  };
}

function release(state: Map<string, unknown>): ContentEvent[] {
  const text = String(state.get("held") ?? "");
  state.delete("held");
  return text === "" ? [] : [{ kind: "text", text }];
}

function strictness(
  strict: ReadonlySet<string>,
  { again, offered, speaker }: CheckOptions,
): Pick<Plugin, "onCall"> {
  return {
    onCall({ tool, arguments: given }: PluginCall, { note }: PluginContext) {
      const schema = strict.has(tool) ? offered.resolve(tool)?.schema : undefined;
      const { missing, wrong, isUnchecked } = checkArguments(schema, given);
      if (isUnchecked) note(`SCHEMA_OVER_BUDGET: the arguments of ${tool} aren't checked`);
      const problems = [
        ...missing.length > 0 ? [`Required parameters are missing: ${missing.join(", ")}`] : [],
        ...wrong,
      ];
      if (problems.length === 0) return undefined;
      const lesson = [
        `The arguments of \`${tool}\` don't fit its schema: ${problems.join("; ")}.`,
        `The schema is: ${JSON.stringify(schema)}`,
        ...exampleOf(tool, { offered, speaker }),
      ];
      const stop = again.ask("SCHEMA_VALIDATION", lesson.join("\n"));
      if (stop !== undefined) note("SCHEMA_VALIDATION: the model is asked again");
      return stop;
    },
  };
}

function exampleOf(name: string, { offered, speaker }: TermsOptions): string[] {
  const tool = offered.resolve(name);
  const example = tool && speaker?.example(tool);
  return example === undefined ? [] : [`Write the call like this:\n${example}`];
}

/** The names of the tools whose arguments must fit the schema. */
function strictTools({ tools }: ChatRequest): Set<string> {
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return new Set(listed.flatMap((tool) => {
    const made = isRecord(tool) && isRecord(tool.function) ? tool.function : undefined;
    return made?.strict === true && typeof made.name === "string" ? [made.name] : [];
  }));
}

/**
 * Recognizes the client of a request and makes what translates the answer for it: the matcher with the rules that apply, and
 * the renderer. It knows neither plugins nor servers, so it also reads recorded answers, in a browser too.
 *
 * @module
 */
import type { TextStage } from "../../engine/event/stage.ts";
import type { Transcript } from "../event/transcript.ts";
import { quotableTexts } from "../message/quotable.ts";
import type { ReasoningField } from "../message/chunk.ts";
import { demandsForm } from "../message/demanded_form.ts";
import type { ChatRequest } from "../message/request.ts";
import { namedClient, recognize, type RecognizedRequest } from "../client/recognize.ts";
import type { Client } from "../client/schema.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { readMarkedName } from "../native/marked_name.ts";
import type { NativeOptions } from "../native/reader.ts";
import { READ_AGAIN } from "../second_reader/ambiguity.ts";
import { ClosedAgain } from "../second_reader/closed_again.ts";
import { SecondReader } from "../second_reader/second_reader.ts";
import { NearMissWatch } from "../near_miss/near_miss.ts";
import { createShownCheck, type TextPart } from "../near_miss/shown.ts";
import { ToolNames } from "../near_miss/tool_names.ts";
import { matchesGlob } from "../../engine/pattern/glob.ts";
import { createFlow } from "../render/call_streaming.ts";
import type { Renderer } from "../render/renderer.ts";
import { tryRules } from "../rollout/rule_trial.ts";
import { SHAPES } from "../../engine/tool/shapes.ts";
import { withoutShapes } from "../../engine/tool/offered.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import {
  EchoGuard,
  Matcher,
  type MatcherOptions,
  type OfferedTools,
  type Program,
  WholeAnswer,
} from "../../engine/mod.ts";
import { createReasoningReader, type ReasoningReader } from "./reasoning_reader.ts";
import { FormedAnswer } from "./formed_answer.ts";
import { type AnswerOrigin, createRuleSets, type RuleSet, type RuleSettings } from "./rule_sets.ts";
import { TextRenderer } from "../render/text.ts";
import { ToolCallRenderer } from "../render/tool_calls.ts";

/** How an answer is read; by default it is whole and begins as an answer. */
export interface AnswerReading extends Pick<MatcherOptions, "beginsInReasoning"> {
  readonly isStreamed?: boolean;
  /**
   * Whether the client gets what is read. Then reasoning leaves the text, where the policy and the client want that, and
   * so does a call that the end cut off.
   */
  readonly isForClient?: boolean;
}

export interface AnswerTranslator {
  readonly name: string;
  /** The tools that it offers; absent if they are unknown. */
  readonly offered?: OfferedTools;
  readonly resultForm?: Client["results"];
  /** What keeps its connection alive; absent: unknown. */
  readonly keepAlive?: Client["keep_alive"];
  /** What to set in the client if its prompts change from request to request. */
  readonly cacheHelp?: string | undefined;
  /** How the client gets calls; absent: unknown. */
  readonly writes?: Client["writes"];
  /** @param transcript has the text; without it, near misses aren't noted */
  createMatcher(reading?: AnswerReading, transcript?: Transcript): TextStage;
  /** Whether a part of an answer is one where calls are shown, not meant; absent: none is. */
  isShown?(part: TextPart): boolean;
  createRenderer(newId: () => string): Renderer;
  /** Whether the client gets a call only when it is whole. */
  readonly wholeCalls?: boolean;
  readonly native?: NativeOptions;
  /** The field in which the client reads reasoning; `reasoning_content` by default. */
  readonly reasoningField?: ReasoningField;
}

interface TranslatorSettings extends RuleSettings {
  readonly policy: RuleSettings["policy"] & {
    readonly minimum_confidence: number;
    readonly reasoning: NonNullable<MatcherOptions["reasoning"]>;
    readonly reasoning_text: "separate" | "keep";
    readonly second_reader: "on" | "off";
    readonly calls: "streamed" | "whole";
    readonly echo_guard: boolean;
    readonly repair_shapes: "on" | "off";
  };
  /** Patterns of the tools that may be called; absent: all. */
  readonly tools: { readonly whitelist?: readonly string[] | undefined };
}

export interface TranslatorParts {
  readonly config: TranslatorSettings;
  /** The rules, on or off: which dialects each reads, and which ones a model can have. */
  readonly rules: readonly Rule[];
  readonly program: Program;
  readonly clients: readonly Client[];
}

/** What plugins demand of how an answer is read. */
export interface PluginDemands {
  readonly wholeCalls: boolean;
  /** Whether they can still change or refuse what they see. */
  readonly decidesLater: boolean;
}

interface RecognizeOptions {
  /** The client that the path or a header names. */
  readonly forced?: string | undefined;
  readonly upstream?: AnswerOrigin["upstream"];
}

/** A request of a known client, whose answer some rules can read. */
export interface RecognizedChat {
  readonly request: ChatRequest;
  readonly model: string | undefined;
  readonly found: RecognizedRequest;
  readonly offered: OfferedTools;
  readonly ruleSet: RuleSet;
}

interface Translators {
  readonly ruleSetFor: (asked: AnswerOrigin) => RuleSet;
  /** True the first time that a remark comes up. */
  readonly isNews: (remark: string) => boolean;
  /** Recognizes the client of a request; undefined: it is unknown, or no rule can apply. */
  recognize(request: ChatRequest, headers: Headers, options?: RecognizeOptions): RecognizedChat | undefined;
  /** What takes the reasoning out of an answer in which no call is looked for; undefined: it stays. */
  reasoningReaderOf(
    request: ChatRequest,
    headers: Headers,
    options?: RecognizeOptions,
  ): ReasoningReader | undefined;
  translatorOf(
    recognized: RecognizedChat,
    demands?: PluginDemands,
  ): AnswerTranslator & { readonly offered: OfferedTools };
}

const NO_PLUGINS: PluginDemands = { wholeCalls: false, decidesLater: false };

export function createTranslators({ config, rules, program, clients }: TranslatorParts): Translators {
  const dialects = new Map(rules.map((rule) => [rule.rule, rule.dialects]));
  const trial = new Set(config.policy.dry_run_rules);
  const ruleSetFor = createRuleSets({ config, program });
  const isShown = createShownCheck(program);
  const isNews = createNews();
  const dialectsOf = (rule: string) => dialects.get(rule) ?? [];
  const findDialect = ({ reads }: Client, { live }: RuleSet) =>
    live.rules.some(({ name, confidence }) =>
      confidence >= config.policy.minimum_confidence &&
      dialectsOf(name).some((dialect) => reads.includes(dialect))
    );
  // Each request asks, and the answer takes a look at every rule.
  const found = new WeakMap<RuleSet, WeakMap<Client, boolean>>();
  const readers = new WeakMap<Program, ReturnType<typeof createReasoningReader>>();
  const readsDialectOf = (client: Client, ruleSet: RuleSet) => {
    const known = found.get(ruleSet) ?? new WeakMap<Client, boolean>();
    found.set(ruleSet, known);
    const reads = known.get(client) ?? findDialect(client, ruleSet);
    known.set(client, reads);
    return reads;
  };
  return {
    ruleSetFor,
    isNews,
    recognize(request, headers, { forced, upstream } = {}) {
      const model = modelOf(request);
      const ruleSet = ruleSetFor({ model, upstream });
      const hasRules = ruleSet.program.rules.length > 0;
      const found = hasRules ? recognize(request, headers, clients, forced) : undefined;
      if (found === undefined) return undefined;
      const allowedTools = allowed(found.offered, config.tools.whitelist);
      const offered = config.policy.repair_shapes === "off" ? withoutShapes(allowedTools) : allowedTools;
      return { request, model, found, offered, ruleSet };
    },
    reasoningReaderOf(request, headers, { forced, upstream } = {}) {
      const client = namedClient(headers, clients, forced);
      if ([config.policy, client].some((part) => part?.reasoning_text === "keep")) return undefined;
      if (demandsForm(request)) return undefined;
      const { live } = ruleSetFor({ model: modelOf(request), upstream });
      if (!readers.has(live)) readers.set(live, createReasoningReader(live));
      const createMatcher = readers.get(live);
      return createMatcher &&
        { createMatcher, reasoningField: client?.reasoning_field ?? "reasoning_content" };
    },
    translatorOf({ request, found, offered, ruleSet }, demands = NO_PLUGINS) {
      const { client } = found;
      let toolNames: ToolNames | undefined;
      const wantsWhole = [config.policy, client].some((part) => part.calls === "whole");
      const wholeCalls = found.wholeCalls || demands.wholeCalls || wantsWhole;
      const { minimum_confidence: minimumConfidence, reasoning, echo_guard: guardsEchoes } = config.policy;
      const separates = [config.policy, client].every((part) => part.reasoning_text === "separate");
      const echoGuard = new EchoGuard(guardsEchoes ? quotableTexts(request) : []);
      const runsInFences = (rule: string) =>
        client.writes === "text" && dialectsOf(rule).some((dialect) => client.reads.includes(dialect));
      const options = { runsInFences, offered, minimumConfidence, wholeCalls, echoGuard, reasoning };
      // A plugin may still change or refuse what it sees, and two readings of a text can't share one call.
      const flows = client.writes === "text" && !wantsWhole && trial.size === 0 && !demands.decidesLater;
      const canFlow = createFlow(found, dialectsOf);
      const isReadAgain = config.policy.second_reader === "on" && trial.size === 0 && !ruleSet.isChosen;
      return {
        name: client.client,
        resultForm: client.results,
        keepAlive: client.keep_alive,
        cacheHelp: client.cache_help,
        writes: client.writes,
        offered,
        native: {
          ...found.native,
          ...(offered.keepsShapes ? { offered } : {}),
          ...(isReadAgain ? { readName: readMarkedName } : {}),
        },
        isShown,
        wholeCalls: wantsWhole,
        reasoningField: client.reasoning_field,
        createMatcher: (
          { isStreamed = false, isForClient = false, beginsInReasoning = false, ...reading } = {},
          transcript,
        ) => {
          const separatesReasoning = separates && isForClient;
          const isWhole = isForClient && !isStreamed;
          const create = (beginning: Pick<AnswerReading, "beginsInReasoning">) => {
            const settings = {
              ...options,
              ...reading,
              ...beginning,
              separatesReasoning,
              readAgain: isReadAgain ? READ_AGAIN : undefined,
              ...(offered.keepsShapes ? {} : { shapes: SHAPES }),
              dropsCutCalls: isForClient && client.writes === "tool_calls",
              isWhole,
              wholeCalls: wholeCalls || isWhole,
              ...(flows && isStreamed ? { canFlow } : {}),
            };
            const live = new Matcher(ruleSet.live, settings);
            if (trial.size === 0) return live;
            return tryRules({ live, all: new Matcher(ruleSet.program, settings), rules: trial });
          };
          const matcher = isWhole && separatesReasoning
            ? new WholeAnswer({ beginsInReasoning, create })
            : create({ beginsInReasoning });
          const read = isReadAgain
            ? new SecondReader(matcher, {
              ...options,
              isShown,
              beginsInReasoning,
              isWhole: wholeCalls || isWhole,
            })
            : matcher;
          const second = new ClosedAgain(read, { wholeCalls: wholeCalls || isWhole });
          if (demandsForm(request)) return new FormedAnswer(second);
          if (transcript === undefined) return second;
          const names = () => toolNames ??= new ToolNames(offered);
          return new NearMissWatch(second, { names, isShown, beginsInReasoning }, transcript);
        },
        createRenderer: (newId) => {
          const isNewlyAssumed = found.isAssumed === true && isNews(`tools_assumed of ${client.client}`);
          return createRenderer(found, {
            newId,
            dialectsOf,
            readsOwnDialect: readsDialectOf(client, ruleSet),
            notes: isNewlyAssumed ? [toolsAssumed(client)] : [],
          });
        },
      };
    },
  };
}

function modelOf({ model }: ChatRequest): string | undefined {
  return typeof model === "string" ? model : undefined;
}

/** The most remarks that are remembered; clients choose a part of them. */
const REMARKS_MAX = 1000;

function createNews(): (remark: string) => boolean {
  const known = new Set<string>();
  return (remark) => known.size < REMARKS_MAX && known.size < known.add(remark).size;
}

/** The offered tools; only those that the whitelist names can be called, if there is one. */
function allowed(offered: OfferedTools, whitelist: readonly string[] | undefined): OfferedTools {
  if (whitelist === undefined) return offered;
  return { ...offered, allows: (tool) => whitelist.some((pattern) => matchesGlob(pattern, tool)) };
}

function toolsAssumed({ client }: Client): NoteEvent {
  return { kind: "note", reason: "tools_assumed", rule: client, start: 0, end: 0 };
}

interface RendererOptions {
  readonly newId: () => string;
  readonly dialectsOf?: (rule: string) => readonly string[];
  /** Whether a rule that is on reads the client's own dialect; if not, its calls are text and stay as they are. */
  readonly readsOwnDialect?: boolean;
  readonly notes?: readonly NoteEvent[];
}

export function createRenderer(recognized: RecognizedRequest, options: RendererOptions): Renderer {
  const { client, documented, model, isLegacy, takenIds, isOneCall } = recognized;
  const { newId, ...forText } = options;
  if (client.writes === "text") return new TextRenderer({ client, documented, model, ...forText });
  return new ToolCallRenderer(newId, { takenIds, isOneCall, isLegacy });
}

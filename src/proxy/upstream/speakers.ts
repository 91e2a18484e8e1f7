/** Which dialect an upstream or a model is spoken to in, if it gets tools in the prompt. @module */
import type { ChatRequest } from "../../chat/message/request.ts";
import { termsOf } from "../../chat/prompt/request.ts";
import type { Config, UpstreamConfig } from "../config/schema.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import type { Program } from "../../engine/scan/program.ts";
import { createSpeaker, dialectOf } from "../../chat/prompt/dialect.ts";
import { type Speaker, speaks, type SpokenRule } from "../../chat/prompt/speaker.ts";
import type { LearnedReason, ToolMemory } from "./learned_tools.ts";
import { knowsEveryTool } from "./profiles/heals.ts";
import type { PromptedSwitch, RawSwitch } from "./profiles/profiles.ts";
import type { Servers } from "./servers.ts";
import type { RequestRefusals } from "./staying_refusals.ts";
import {
  type AnswerOrigin,
  chosenRules,
  modelNames,
  modelSettings,
  type RuleSet,
} from "../../chat/translator/rule_sets.ts";

type ToolMode = UpstreamConfig["tools"];

interface SpeakerParts {
  readonly config: Config;
  readonly rules: readonly Rule[];
  readonly ruleSetFor: (asked: AnswerOrigin) => RuleSet;
}

export interface SpokenTo extends AnswerOrigin {
  readonly upstream: UpstreamConfig;
  /** What the client asks; absent if only later requests count. */
  readonly request?: ChatRequest | undefined;
  /** The rule to speak by if nothing else tells the model's dialect. */
  readonly rule?: string;
  /** The only rule to speak by. */
  readonly only?: string;
}

export function toolMode(config: Config, asked: SpokenTo): ToolMode {
  const { tools, chat_template: template } = asked.upstream;
  const mode = modelSettings(config.models, asked)?.tools ?? tools;
  // With a chat template every call is text, and no parser is on: there is nothing to learn or to switch off.
  return mode !== "prompted" && template !== undefined ? "native" : mode;
}

/** How the tools of one request reach a model. */
export interface Prompting {
  /** Writes the tools into the prompt, and examples; undefined if no rule speaks to the model. */
  readonly speaker: Speaker | undefined;
  /** Whether the tools go into the prompt. With `tools: auto`, this can change while the request runs. */
  readonly isOn: boolean;
  /** How the server's parser is switched off; undefined if it stays on. With `tools: auto`, this can change, too. */
  readonly raw: RawSwitch | undefined;
  /** Whether any of that can change while the request runs. */
  readonly isLearning: boolean;
  /** What a request with the tools in the prompt needs besides. */
  readonly prompted?: PromptedSwitch | undefined;
  /** Refusals that stay with the tools in the prompt, too, as the last form; undefined if that isn't tried. */
  readonly lastForm: RequestRefusals | undefined;
  accepted(request: { readonly hasCalls: boolean }): void;
  /** The upstream refused `tools`: they go into the prompt from now on, unless it has answered such a request before. */
  refused(request: { readonly hasCalls: boolean }): void;
  /** The server's parser failed at an answer: the model is read raw from now on. */
  unparsed(): void;
}

interface PromptingParts {
  readonly config: Config;
  readonly speakers: (asked: SpokenTo, instead?: string) => Speaker | undefined;
  readonly memory: ToolMemory;
  readonly servers: Servers;
  readonly ruleSetFor: SpeakerParts["ruleSetFor"];
}

export function createPrompting(
  { config, speakers, memory, servers, ruleSetFor }: PromptingParts,
): (asked: SpokenTo) => Prompting | undefined {
  return (asked) => {
    const mode = toolMode(config, asked);
    if (mode === "native") return undefined;
    const { prompted } = servers.of(asked.upstream)?.profile ?? {};
    const speaker = speakers(asked, mode === "raw" ? undefined : prompted?.dialect);
    const fixed = {
      speaker,
      prompted,
      isLearning: false,
      lastForm: undefined,
      accepted() {},
      refused() {},
      unparsed() {},
    };
    const raw = () => servers.of(asked.upstream)?.profile.raw;
    if (mode === "raw") return { ...fixed, isOn: false, raw: raw() };
    if (mode === "prompted") return speaker && { ...fixed, isOn: true, raw: undefined };
    const model = { upstream: asked.upstream.name, model: modelNames(asked).at(-1) ?? "" };
    const spoken = { ...model, dialect: speaker?.rule ?? "" };
    const learned = () => memory.reasonFor(model);
    const isRefused = () => REFUSED.includes(learned());
    const isRead = (rules: readonly string[]) =>
      ruleSetFor(asked).live.rules.some(({ name, confidence }) =>
        confidence >= config.policy.minimum_confidence && rules.includes(name)
      );
    const prefersRaw = () => {
      const { profile, rawRules = [], opensRoute = false } = servers.of(asked.upstream) ?? {};
      const { constraints = [] } = profile?.prefers_raw ?? {};
      const { request } = asked;
      const isBetter = opensRoute || (rawRules.length > 0 && rawRules.every(isRead));
      if (!isBetter || request === undefined || isConstrained(request, constraints)) return false;
      // A prompt that the server shows needs none of the tools that it refused.
      return isRefused() ? opensRoute : leavesChoice(request);
    };
    return {
      speaker,
      prompted,
      isLearning: true,
      get lastForm() {
        const { upstream } = asked;
        // What a described parser refuses or loses is recovered another way.
        const { raw: off, parser_errors: errors } = servers.of(upstream)?.profile ?? {};
        const isDescribed = off !== undefined || errors !== undefined;
        const isTried = upstream.heal && !isDescribed && !knowsEveryTool(upstream.url);
        return isTried ? servers.stayingOf(upstream, model.model, "prompted") : undefined;
      },
      get isOn() {
        const isBetter = servers.of(asked.upstream)?.profile.prefers_prompted === true;
        return (isBetter || isRefused()) && !prefersRaw();
      },
      get raw() {
        return learned() === "unparsed" || prefersRaw() ? raw() : undefined;
      },
      accepted: (request) => memory.accept(model, request),
      refused: (request) => memory.refuse({ ...spoken, ...request }),
      unparsed() {
        // A server that can't be asked raw, or only without streams, stays native.
        if (raw() !== undefined && raw()?.from_tokens !== true) {
          memory.learn({ ...model, dialect: "", reason: "unparsed" });
        }
      },
    };
  };
}

const REFUSED: readonly (LearnedReason | undefined)[] = ["refused", "refused_calls"];

/** Whether the client leaves it to the model which tool it calls. */
function leavesChoice(request: ChatRequest): boolean {
  const { choice, only } = termsOf(request);
  return choice === undefined && only === undefined;
}

/** Whether the client demands a form of what the model writes. */
function isConstrained(request: ChatRequest, constraints: readonly string[]): boolean {
  return constraints.map((field) => request[field]).some((value) =>
    value != null && !(isRecord(value) && value.type === "text")
  );
}

/**
 * A function that gives the speaker for a model; undefined if no rule that reads its answers can speak. `instead` is the
 * rule that speaks in the place of the model's own, unless the configuration has one.
 */
export function createSpeakers(
  { config, rules, ruleSetFor }: SpeakerParts,
): (asked: SpokenTo, instead?: string) => Speaker | undefined {
  const spoken = new Map(rules.filter(speaks).map((rule) => [rule.rule, rule]));
  const made = new WeakMap<Program, Map<string, Speaker>>();
  const { minimum_confidence: minimumConfidence } = config.policy;
  return (asked, instead) => {
    const { live: program } = ruleSetFor(asked);
    const read = program.rules.filter(({ confidence }) => confidence >= minimumConfidence)
      .flatMap(({ name }) => spoken.get(name) ?? []);
    const chosen = chooseDialect(config, { asked, read, instead });
    if (chosen === undefined) return undefined;
    const known = made.get(program) ?? new Map<string, Speaker>();
    made.set(program, known);
    const speaker = known.get(chosen.rule) ??
      createSpeaker(chosen, { program, minimumConfidence, dialects: read });
    known.set(chosen.rule, speaker);
    return speaker;
  };
}

/** The dialect that the configuration names, its own rule's, the one that the server leaves alone, or the model's. */
function chooseDialect(config: Config, { asked, read, instead }: {
  readonly asked: SpokenTo;
  readonly read: readonly SpokenRule[];
  readonly instead: string | undefined;
}): SpokenRule | undefined {
  if (asked.only !== undefined) return read.find(({ rule }) => rule === asked.only);
  const named = modelSettings(config.models, asked)?.dialect ?? asked.upstream.dialect;
  if (named !== undefined) return read.find(({ rule }) => rule === named);
  for (const own of chosenRules(config, asked) ?? []) {
    const found = read.find(({ rule }) => rule === own);
    if (found !== undefined) return found;
  }
  const other = read.find(({ rule }) => rule === instead);
  if (other !== undefined) return other;
  return dialectOf(modelNames(asked), read) ?? read.find(({ rule }) => rule === asked.rule);
}

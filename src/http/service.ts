/**
 * What the server works with at one moment: the configuration, the compiled rules and the clients. A hot reload
 * makes a new one and swaps it in; requests that are under way keep the one they began with.
 *
 * @module
 */
import { quotableTexts } from "../chat/quotable.ts";
import type { ChatRequest } from "../chat/request.ts";
import { recognize, recognizingHeaders } from "../client/recognize.ts";
import type { Client } from "../client/schema.ts";
import type { Config, UpstreamConfig } from "../config/schema.ts";
import type { NativeOptions } from "../native/reader.ts";
import type { TextStage } from "../pipeline/tap.ts";
import { type PluginHost, RequestPlugins } from "../plugin/run.ts";
import type { LoadedPlugin } from "../plugin/hooks.ts";
import { needsWholeCalls } from "../plugin/stage.ts";
import { createRenderer } from "../render/create.ts";
import { createFlow } from "../render/flow.ts";
import type { NoteEvent } from "../event/event.ts";
import { missingInClient, type ToolUse, writeClientExample } from "../render/example.ts";
import type { Renderer } from "../render/renderer.ts";
import { present } from "../object/present.ts";
import { NearMissWatch } from "../near_miss/near_miss.ts";
import { createShownCheck } from "../near_miss/shown.ts";
import { ToolNames } from "../near_miss/tool_names.ts";
import { matchesGlob } from "../pattern/glob.ts";
import { tryRules } from "../rollout/rule_trial.ts";
import type { Rule } from "../rule/schema.ts";
import { EchoGuard } from "../scan/echo_guard.ts";
import { Matcher, type MatcherOptions } from "../scan/matcher.ts";
import type { Program } from "../scan/program.ts";
import { memorySessions, type Sessions } from "../store/session.ts";
import { MemoryStore } from "../store/store.ts";
import type { OfferedTool, OfferedTools } from "../tool/offered.ts";
import { createRuleSets, type RuleSet } from "./rule_sets.ts";
import { ToolMemory } from "./learned_tools.ts";
import type { PromptTemplate } from "./completions.ts";
import { createPrompting, type Prompting, type SpokenTo } from "./speakers.ts";
import { toolTerms } from "./tool_terms.ts";
import type { Speaker } from "../speak/speaker.ts";

/** How an answer is read; by default it is whole, begins as an answer, and nothing pauses. */
export interface AnswerReading extends Pick<MatcherOptions, "beginsInReasoning" | "isPauseDue"> {
  /** Whether it is streamed. */
  readonly isStreamed?: boolean;
}

/** What translates the answer for the client of one request. */
export interface Translator {
  /** The client's name. */
  readonly name: string;
  /** The tools that it offers; absent if they are unknown. */
  readonly offered?: OfferedTools;
  /** How the client writes results of calls. */
  readonly resultForm?: Client["results"];
  /** Finds the calls in one choice of the answer. */
  createMatcher(reading?: AnswerReading): TextStage;
  /** Puts them into the client's form. */
  createRenderer(newId: () => string): Renderer;
  /** The plugins of this request; undefined without any. */
  createPlugins?(newId: () => string, offered?: OfferedTools): RequestPlugins | undefined;
  /** What there is to know of the request for calls that the upstream sends itself. */
  readonly native?: NativeOptions;
}

/** The configuration, rules, clients and plugins in force; a reload puts another in its place. */
export interface Service {
  /** The configuration. */
  readonly config: Config;
  /** Upstream's name → its key; without one the client's own header is passed on. */
  readonly keys: ReadonlyMap<string, string>;
  /** The keys that clients have to send; none: they need none. */
  readonly clientKeys?: readonly string[];
  /** The names that a path or a header may force. */
  readonly clientNames: readonly string[];
  /** The headers by which clients are recognized. */
  readonly clientHeaders: readonly string[];
  /** True the first time that a remark comes up: most would repeat with every request. */
  isNews(remark: string): boolean;
  /** The translator of a request; undefined: the client is unknown, or no rule can apply. The answer passes untouched. */
  recognize(request: ChatRequest, headers: Headers, known?: KnownRoute): Translator | undefined;
  /** Upstream's name → the template that writes its prompts; an upstream without one gets chat requests. */
  readonly templates?: ReadonlyMap<string, PromptTemplate>;
  /** How a model gets tools in the prompt; undefined if it never does. */
  promptingFor?(asked: SpokenTo): Prompting | undefined;
}

/** What is known about a request apart from its body and headers. */
export interface KnownRoute {
  /** The client that the path or a header names. */
  readonly forced?: string | undefined;
  /** The upstream that answers; it may have rules of its own. */
  readonly upstream?: UpstreamConfig | undefined;
}

/** What a service is made of, all of it checked. */
export interface ServiceParts {
  /** The configuration. */
  readonly config: Config;
  /** Upstream's name → its key. */
  readonly keys: ReadonlyMap<string, string>;
  /** The keys that clients have to send; none by default. */
  readonly clientKeys?: readonly string[];
  /** The rules, on or off: which dialects each reads, and which ones a model can have. */
  readonly rules: readonly Rule[];
  /** The rules that are on, compiled. */
  readonly program: Program;
  /** The clients, in order of precedence. */
  readonly clients: readonly Client[];
  /** The plugins, in order; none by default. */
  readonly plugins?: readonly LoadedPlugin[];
  /** Upstream's name → the template that writes its prompts; none by default. */
  readonly templates?: ReadonlyMap<string, PromptTemplate>;
  /** Identifies the conversation of a request for a client; plugins need it. */
  readonly conversationOf?: (request: ChatRequest, client: string) => string;
  /** Their memory between requests, kept over a hot reload; a fresh one by default. */
  readonly sessions?: Sessions;
  /** What `tools: auto` has learned, kept over a hot reload; nothing by default. */
  readonly toolMemory?: ToolMemory;
}

/**
 * Makes a service of its parts.
 *
 * @param parts configuration, rules and clients
 */
export function createService(parts: ServiceParts): Service {
  const { config, keys, clientKeys = [], rules, program, clients, conversationOf } = parts;
  const dialects = new Map(rules.map((rule) => [rule.rule, rule.dialects]));
  const trial = new Set(config.policy.dry_run_rules);
  const ruleSetFor = createRuleSets({ config, rules, program });
  const isShown = createShownCheck(rules);
  const promptingFor = createPrompting({
    config,
    rules,
    ruleSetFor,
    memory: parts.toolMemory ?? new ToolMemory(),
  });
  const host = pluginHost(parts);
  const isNews = createNews();
  const dialectsOf = (rule: string) => dialects.get(rule) ?? [];
  const readsDialectOf = ({ reads }: Client, { live }: RuleSet) =>
    live.rules.some(({ name, confidence }) =>
      confidence >= config.policy.minimum_confidence &&
      dialectsOf(name).some((dialect) => reads.includes(dialect))
    );
  return {
    config,
    keys,
    clientKeys,
    clientNames: clients.map((client) => client.client),
    clientHeaders: recognizingHeaders(clients),
    isNews,
    ...present({ templates: parts.templates }),
    promptingFor,
    recognize(request, headers, { forced, upstream } = {}) {
      const model = typeof request.model === "string" ? request.model : undefined;
      const ruleSet = ruleSetFor({ model, upstream });
      const hasRules = ruleSet.program.rules.length > 0;
      const found = hasRules ? recognize(request, headers, clients, forced) : undefined;
      if (found === undefined) return undefined;
      const { client } = found;
      const offered = allowed(found.offered, config.tools.whitelist);
      let toolNames: ToolNames | undefined;
      const prompting = upstream && promptingFor({ model, upstream });
      const speaker = prompting?.isOn === true ? prompting.speaker : undefined;
      const own = pluginsFor(host, speaker && toolTerms(request, { speaker, offered }));
      const wholeCalls = found.wholeCalls || needsWholeCalls(own.plugins);
      const { minimum_confidence: minimumConfidence, reasoning, echo_guard: guardsEchoes } = config.policy;
      const echoGuard = new EchoGuard(guardsEchoes ? quotableTexts(request) : []);
      const options = { offered, minimumConfidence, wholeCalls, echoGuard, reasoning };
      // A plugin may still change or refuse what it sees, and two readings of a text can't share one call.
      const flows = client.writes === "text" && trial.size === 0 && !own.plugins.some(decidesAboutAnswers);
      const canFlow = createFlow(found, dialectsOf);
      return {
        name: client.client,
        resultForm: client.results,
        offered,
        native: found.native,
        createMatcher: ({ isStreamed = false, ...reading } = {}) => {
          const settings = { ...options, ...reading, ...(flows && isStreamed ? { canFlow } : {}) };
          const live = new Matcher(ruleSet.live, settings);
          const matcher = trial.size === 0
            ? live
            : tryRules({ live, all: new Matcher(ruleSet.program, settings), rules: trial });
          const names = () => toolNames ??= new ToolNames(offered);
          return new NearMissWatch(matcher, {
            names,
            isShown,
            beginsInReasoning: reading.beginsInReasoning ?? false,
          });
        },
        createPlugins(newId, tools = offered) {
          if (own.plugins.length === 0) return undefined;
          if (conversationOf === undefined && host.plugins.length > 0) {
            throw new Error("Plugins need `conversationOf`");
          }
          return new RequestPlugins(own, {
            offered: tools,
            client: client.client,
            callsPerMessage: client.calls_per_message,
            request,
            conversation: conversationOf?.(request, client.client) ?? "",
            newId,
            ...(speaker === undefined
              ? {}
              : { writeExample: (name: string) => exampleIn(speaker, tools.resolve(name)) }),
            ...(client.writes === "text"
              ? {
                writeExample: (tool: string) => writeClientExample(tool, found),
                missingParameters: (call: ToolUse) => missingInClient(call, found),
              }
              : {}),
          });
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

/** The most remarks that are remembered; clients choose a part of them. */
const REMARKS_MAX = 1000;

function createNews(): (remark: string) => boolean {
  const known = new Set<string>();
  return (remark) => known.size < REMARKS_MAX && known.size < known.add(remark).size;
}

function decidesAboutAnswers({ plugin }: LoadedPlugin): boolean {
  return (plugin.onCall ?? plugin.onGroup ?? plugin.onEvent ?? plugin.onAnswerEnd) !== undefined;
}

/** The plugins of a request with one of its own; if that is the only one, nothing is remembered between requests. */
function pluginsFor(host: PluginHost, own: LoadedPlugin | undefined): PluginHost {
  if (own === undefined) return host;
  const store = new MemoryStore({ now: () => performance.now() });
  return host.plugins.length === 0
    ? { ...host, plugins: [own], sessions: memorySessions(store) }
    : { ...host, plugins: [...host.plugins, own] };
}

function exampleIn(speaker: Speaker, tool: OfferedTool | undefined): string | undefined {
  return tool && speaker.example(tool);
}

/** The offered tools; only those that the whitelist names can be called, if there is one. */
function allowed(offered: OfferedTools, whitelist: readonly string[] | undefined): OfferedTools {
  if (whitelist === undefined) return offered;
  return { ...offered, allows: (tool) => whitelist.some((pattern) => matchesGlob(pattern, tool)) };
}

function toolsAssumed({ client }: Client): NoteEvent {
  return { kind: "note", reason: "tools_assumed", rule: client, start: 0, end: 0 };
}

function pluginHost({ config, plugins = [], sessions }: ServiceParts): PluginHost {
  return {
    plugins,
    timeoutMs: config.limits.plugin_timeout_ms,
    sessions: sessions ?? memorySessions(new MemoryStore({ now: () => performance.now() })),
    now: () => performance.now(),
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        }, { once: true });
      }),
  };
}

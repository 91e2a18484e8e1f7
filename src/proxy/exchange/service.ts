/** The configuration, rules, clients and plugins in force. A hot reload replaces it; running requests keep theirs. @module */
import { wait } from "../transport/wait.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { recognizingHeaders } from "../../chat/client/recognize.ts";
import type { Config, UpstreamConfig } from "../config/schema.ts";
import { present } from "../../engine/object/present.ts";
import { type PluginHost, RequestPlugins } from "../plugin/run.ts";
import type { LoadedPlugin } from "../plugin/hooks.ts";
import { needsWholeCalls } from "../plugin/stage.ts";
import { missingInClient, type ToolUse, writeClientExample } from "../../chat/render/example.ts";
import { conversationHash } from "../../chat/rollout/conversation.ts";
import { memorySessions, type Sessions } from "../store/session.ts";
import { MemoryStore } from "../store/store.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";
import type { PromptTemplate } from "../upstream/completions.ts";
import type { Healing } from "../upstream/healed.ts";
import { Beginnings } from "../upstream/beginnings.ts";
import { ToolMemory } from "../upstream/learned_tools.ts";
import { Servers } from "../upstream/servers.ts";
import type { Strictness } from "../upstream/strict.ts";
import { createPrompting, createSpeakers, type Prompting, type SpokenTo } from "../upstream/speakers.ts";
import { checksChoice } from "../../chat/compatibility/heal.ts";
import { termsOf } from "../../chat/prompt/request.ts";
import { toolTerms } from "./tool_terms.ts";
import { modelNames } from "../../chat/translator/rule_sets.ts";
import {
  type AnswerTranslator,
  createTranslators,
  type RecognizedChat,
  type TranslatorParts,
} from "../../chat/translator/translator.ts";
import type { ReasoningReader } from "../../chat/translator/reasoning_reader.ts";
import type { Speaker } from "../../chat/prompt/speaker.ts";

export type { AnswerReading } from "../../chat/translator/translator.ts";

/** What is known about a request apart from its body and headers. */
interface KnownRoute {
  readonly forced?: string | undefined;
  /** The upstream that answers; it may have rules of its own. */
  readonly upstream?: UpstreamConfig | undefined;
  /** What tells its client from others; a secret. */
  readonly owner?: string;
}

/** What translates the answer for the client of one request, with its plugins. */
export interface Translator extends AnswerTranslator {
  createPlugins?(newId: () => string, offered?: OfferedTools): RequestPlugins | undefined;
  /** One right call of a tool, as the model writes it, by the rule closest to its own; undefined if it is unknown. */
  exampleOf?(tool: string, rule: string): string | undefined;
}

/** The configuration, rules, clients and plugins in force; a reload puts another in its place. */
export interface Service {
  readonly config: Config;
  /** Upstream's name → its key; without one, the client's own header is forwarded. */
  readonly keys: ReadonlyMap<string, string>;
  readonly clientKeys?: readonly string[];
  /** Client key → its name in the configuration. Has secrets. */
  readonly keyNames?: ReadonlyMap<string, string>;
  /** The names that a path or a header may force. */
  readonly clientNames: readonly string[];
  readonly clientHeaders: readonly string[];
  /** Whether a remark is made for the first time; most would repeat with every request. */
  isNews(remark: string): boolean;
  /** The translator of a request; undefined: the client is unknown, or no rule can apply. The answer passes untouched. */
  recognize(request: ChatRequest, headers: Headers, known?: KnownRoute): Translator | undefined;
  /** What takes the reasoning out of an answer without calls; undefined: it stays in the text. */
  reasoningReaderOf?(request: ChatRequest, headers: Headers, known?: KnownRoute): ReasoningReader | undefined;
  /** Upstream's name → the template that writes its prompts; an upstream without one gets chat requests. */
  readonly templates?: ReadonlyMap<string, PromptTemplate>;
  /** How a model gets tools in the prompt; undefined if it never does. */
  promptingFor?(asked: SpokenTo): Prompting | undefined;
  /** How the server constrains a model's calls; undefined if it doesn't. */
  strictnessFor?(asked: SpokenTo, tag: Strictness["tag"]): Strictness | undefined;
  readonly servers?: Servers;
  /** Where models' answers begin; absent: outside the reasoning. */
  readonly beginnings?: Beginnings;
  healingFor?(asked: SpokenTo): Healing;
}

export interface ServiceParts extends TranslatorParts {
  readonly config: Config;
  readonly keys: ReadonlyMap<string, string>;
  readonly clientKeys?: readonly string[];
  readonly keyNames?: ReadonlyMap<string, string>;
  readonly plugins?: readonly LoadedPlugin[];
  /** Upstream's name → the template that writes its prompts; none by default. */
  readonly templates?: ReadonlyMap<string, PromptTemplate>;
  /** Their memory between requests, kept over a hot reload; a fresh one by default. */
  readonly sessions?: Sessions;
  /** What `tools: auto` has learned, kept over a hot reload; nothing by default. */
  readonly toolMemory?: ToolMemory;
  /** Which servers the upstreams are, kept over a hot reload; none is known at first by default. */
  readonly servers?: Servers;
  /** Where models' answers begin, kept over a hot reload; nothing is known at first by default. */
  readonly beginnings?: Beginnings;
}

export function createService(parts: ServiceParts): Service {
  const { config, keys, clientKeys = [], keyNames = new Map(), rules, clients } = parts;
  const translators = createTranslators(parts);
  const servers = parts.servers ?? new Servers();
  const { ruleSetFor } = translators;
  const speakers = createSpeakers({ config, rules, ruleSetFor });
  const promptingFor = createPrompting({
    config,
    speakers,
    memory: parts.toolMemory ?? new ToolMemory(),
    servers,
    ruleSetFor,
  });
  const healingFor = ({ model: asked, upstream }: SpokenTo): Healing => {
    const model = modelNames({ model: asked, upstream }).at(-1);
    return {
      get known() {
        return servers.of(upstream);
      },
      get rules() {
        return servers.healFor(upstream, { model, refusals: parts.templates?.get(upstream.name)?.refusals });
      },
      learn: (changes) => servers.learnChanges(upstream, { model, changes }),
      get sight() {
        return servers.sightOf(upstream, model ?? "");
      },
      model: servers.modelOf(upstream, model ?? ""),
      staying: servers.stayingOf(upstream, model ?? "", "plainer"),
    };
  };
  const strictnessFor = (
    { model: asked, upstream }: SpokenTo,
    tag: Strictness["tag"],
  ): Strictness | undefined => {
    if (config.tools.strict !== "add") return undefined;
    const model = modelNames({ model: asked, upstream }).at(-1) ?? "";
    return {
      get profile() {
        return servers.of(upstream)?.profile.strict;
      },
      key: JSON.stringify([upstream.name, upstream.url, model]),
      withdrawn: servers.withdrawn,
      tag,
    };
  };
  /** The terms of a request that Dragoman keeps itself, and what writes its calls for the model if Dragoman does. */
  const termsFor = ({ request, model, offered }: RecognizedChat, upstream: UpstreamConfig | undefined) => {
    const prompting = upstream && promptingFor({ model, upstream, request });
    const isRaw = prompting?.raw !== undefined;
    const speaker = prompting?.isOn === true || isRaw ? prompting?.speaker : undefined;
    const isCompleted = upstream?.chat_template !== undefined;
    // With `auto`, the answer to a request that demands a call can become raw.
    const { raw } = upstream && servers.of(upstream)?.profile || {};
    const { choice: demand, only } = termsOf(request);
    const canBecomeRaw = prompting !== undefined && raw !== undefined && demand !== undefined;
    if (speaker !== undefined || isCompleted || isRaw || canBecomeRaw) {
      return { speaker, plugin: toolTerms(request, { speaker, offered }) };
    }
    // The server can still refuse the choice.
    const healing = upstream?.heal === true && demand !== undefined && demand !== "none"
      ? healingFor({ model, upstream })
      : undefined;
    if (healing === undefined && only === undefined) return { speaker, plugin: undefined };
    // No server has to know `allowed_tools`, and the agent runs what it gets.
    const applies = () =>
      only !== undefined || (healing !== undefined && checksChoice(request, healing.rules));
    return { speaker, plugin: toolTerms(request, { speaker, offered, applies }) };
  };
  const host = pluginHost(parts);
  return {
    config,
    keys,
    clientKeys,
    keyNames,
    clientNames: clients.map((client) => client.client),
    clientHeaders: recognizingHeaders(clients),
    isNews: translators.isNews,
    ...present({ templates: parts.templates }),
    promptingFor,
    healingFor,
    strictnessFor,
    servers,
    beginnings: parts.beginnings ?? new Beginnings(),
    reasoningReaderOf: translators.reasoningReaderOf,
    recognize(request, headers, route = {}) {
      const recognized = translators.recognize(request, headers, route);
      if (recognized === undefined) return undefined;
      const { found, model } = recognized;
      const { client } = found;
      const { upstream, owner = "" } = route;
      const terms = termsFor(recognized, upstream);
      const { speaker } = terms;
      const ownHost = terms.plugin === undefined ? host : withPlugin(host, terms.plugin);
      const translator = translators.translatorOf(recognized, {
        wholeCalls: needsWholeCalls(ownHost.plugins),
        decidesLater: ownHost.plugins.some(decidesAboutAnswers),
      });
      return {
        ...translator,
        exampleOf(name, rule) {
          if (client.writes === "text") return writeClientExample(name, found);
          const tool = translator.offered.resolve(name);
          const own = speaker ?? (upstream && speakers({ model, upstream, rule }));
          return tool && own?.example(tool);
        },
        createPlugins(newId, tools = translator.offered) {
          if (ownHost.plugins.length === 0) return undefined;
          return new RequestPlugins(ownHost, {
            offered: tools,
            client: client.client,
            callsPerMessage: client.calls_per_message,
            request,
            conversation: conversationHash(request, { client: client.client, owner }),
            newId,
            writeCall(name: string, rule: string) {
              const tool = tools.resolve(name);
              return tool && upstream && speakers({ model, upstream, only: rule })?.example(tool);
            },
            ...(speaker === undefined ? {} : { writeExample: exampleOf(speaker, tools) }),
            ...(client.writes === "text"
              ? {
                writeExample: (tool: string) => writeClientExample(tool, found),
                missingParameters: (call: ToolUse) => missingInClient(call, found),
              }
              : {}),
          });
        },
      };
    },
  };
}

function decidesAboutAnswers({ plugin }: LoadedPlugin): boolean {
  return (plugin.onCall ?? plugin.onGroup ?? plugin.onEvent ?? plugin.onAnswerEnd) !== undefined;
}

/** The plugins of a request with one of its own; if that is the only one, nothing is remembered between requests. */
function withPlugin(host: PluginHost, own: LoadedPlugin): PluginHost {
  const store = new MemoryStore({ now: () => performance.now() });
  return host.plugins.length === 0
    ? { ...host, plugins: [own], sessions: memorySessions(store) }
    : { ...host, plugins: [...host.plugins, own] };
}

function exampleOf(speaker: Speaker, tools: OfferedTools): (name: string) => string | undefined {
  return (name) => {
    const tool = tools.resolve(name);
    return tool && speaker.example(tool);
  };
}

function pluginHost({ config, plugins = [], sessions }: ServiceParts): PluginHost {
  return {
    plugins,
    timeoutMs: config.limits.plugin_timeout_ms,
    sessions: sessions ?? memorySessions(new MemoryStore({ now: () => performance.now() })),
    now: () => performance.now(),
    wait,
  };
}

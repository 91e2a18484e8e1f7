/** Reads an answer as the proxy and `dragoman trace` do: the candidates with their places, and what the client gets. @module */
import { visibleJson } from "../../../engine/diagnostic/visible.ts";
import { createSource } from "../../../engine/document/source.ts";
import type { ContentEvent } from "../../../engine/event/event.ts";
import { reasonEntry } from "../../../engine/event/reason.ts";
import { present } from "../../../engine/object/present.ts";
import { type Candidate, listCandidates } from "../../../analysis/replay/candidates.ts";
import { messageOf, receiveWhole } from "../../../analysis/replay/recorded.ts";
import { findClient, type FoundClient } from "../../../analysis/replay/recorded_client.ts";
import { nearestReadings, type NearReading, readingRules } from "../../../engine/rule/nearest_readings.ts";
import type { Rule } from "../../../engine/rule/schema.ts";
import { anyTool } from "../../../engine/tool/offered.ts";
import type { AnswerRequest, NearRule, Place, Problem, SilentRule, Trace } from "./protocol.ts";
import type { RulesAsEdited, Sources } from "./sources.ts";
import type { RequestMessage, RequestTool } from "../../../chat/message/request.ts";
import { contentText, isSystemRole } from "../../../chat/message/read.ts";
import * as yaml from "../../../engine/document/yaml_tree.ts";
import { parseJson } from "../../../engine/object/parse.ts";
import { isRecord } from "../../../engine/object/record.ts";
import { parseTools } from "../../../analysis/replay/tool_list.ts";
import { readOffer } from "../../../engine/rule/offer.ts";

type ChosenClient = Exclude<FoundClient, { readonly message: string }>;

export function chooseClient(
  sources: Sources,
  { asked, rules }: { readonly asked: AnswerRequest; readonly rules: RulesAsEdited },
): ChosenClient | Problem {
  const known = readToolText(asked.tools);
  if ("problem" in known) return known;
  const client = asked.client === "" ? undefined : asked.client;
  const found = findClient(sources.parts(rules), { client, ...known });
  return "message" in found ? { problem: found.message, help: found.help } : found;
}

const NEAR_SHOWN = 3;

export function traceAnswer(asked: AnswerRequest, sources: Sources): Trace | Problem {
  const rules = sources.read(asked.rule);
  const chosen = chooseClient(sources, { asked, rules });
  if ("problem" in chosen) return chosen;
  const { translator, writesText, assumption } = chosen;
  const { text } = asked;
  const events: ContentEvent[] = [];
  const received = receiveWhole(text, {
    translator,
    isWhole: true,
    observe: (event) => void events.push(event),
  });
  const source = createSource("", text);
  const place = (at: number): Place => {
    const { line, column } = source.locate(at, 1);
    return { line, column };
  };
  const candidates = listCandidates(events);
  const offered = translator.offered ?? anyTool;
  const unread = candidates.some(({ decision }) => decision === "call")
    ? undefined
    : { text, offered, rules: rules.loaded.rules };
  return {
    client: translator.name,
    writesText,
    ...present({ assumption }),
    tools: offered.names,
    usesEdited: rules.isUsed,
    candidates: candidates.map((candidate) => ({
      ...candidate,
      ...place(candidate.start),
      ...explanation(candidate),
    })),
    received,
    message: writesText ? received.content ?? "" : visibleJson(messageOf(received), 2),
    near: unread === undefined
      ? []
      : nearestReadings(unread).slice(0, NEAR_SHOWN).map((near) => nearRule(near, place)),
    silent: unread === undefined ? [] : silentRules(readingRules(unread), sources),
  };
}

function explanation({ reason }: Candidate) {
  const { kind, meaning } = reasonEntry(reason);
  return { kind, meaning };
}

function nearRule({ near, reading, at }: NearReading, place: (at: number) => Place): NearRule {
  return {
    rule: near.rule.rule,
    start: near.start,
    at,
    ...place(at),
    expected: reading?.stop?.expected || near.expected || "a call that the rule can read",
    ...present({ reason: reading?.stop?.reason }),
  };
}

/** Rules that read a call but make none, because they are off or not confident enough. */
function silentRules(rules: readonly Rule[], { setup }: Sources): SilentRule[] {
  const minimum = setup.config.policy.minimum_confidence;
  return rules.filter(({ enabled, confidence }) => !enabled || confidence < minimum).map((
    { rule, enabled, confidence },
  ) => ({ rule, isOff: !enabled, confidence, ...(confidence < minimum ? { minimum } : {}) }));
}

/** What a text shows of a request; without tools, they are unknown. */
interface KnownTools {
  readonly tools?: readonly RequestTool[];
  readonly system?: string;
}

/** Reads a text; an empty one shows nothing. */
export function readToolText(text: string): KnownTools | Problem {
  if (text.trim() === "") return {};
  const value = parseJson(text);
  if (value !== undefined) return fromJson(text, value);
  const { plain, diagnostics } = yaml.parseTree({ file: "tools", text });
  const short = plain?.value;
  if (typeof short === "string") return { tools: named(short.split(/[\s,]+/).filter((name) => name !== "")) };
  if (Array.isArray(short) && short.every((name) => typeof name === "string")) return { tools: named(short) };
  if (
    isRecord(short) && Object.values(short).every((parameters) => parameters === null || isRecord(parameters))
  ) {
    return fromShortForm(short);
  }
  return { problem: diagnostics[0]?.message ?? "The tools can't be read", help: FORMS };
}

const FORMS = "paste a request or its `tools` as JSON, list names, or write `read_file: { path: string }`";

function fromJson(text: string, value: unknown): KnownTools | Problem {
  const messages: readonly RequestMessage[] = isRecord(value) && Array.isArray(value["messages"])
    ? value["messages"]
    : [];
  const prompt = messages.find((message) => isSystemRole(message?.role));
  const system = contentText(prompt?.content) ?? undefined;
  const tools = parseTools(text);
  if (tools === undefined && system === undefined) {
    return { problem: "The JSON contains no tools", help: FORMS };
  }
  // The prompt matters only if it lists the tools.
  if (tools !== undefined && tools.length > 0) return { tools };
  return { ...(system === undefined ? { tools: tools ?? [] } : { system }) };
}

function named(names: readonly string[]): RequestTool[] {
  return names.map((name) => ({ type: "function", function: { name } }));
}

function fromShortForm(short: Readonly<Record<string, unknown>>): KnownTools | Problem {
  const offers = Object.entries(short).map(([name, parameters]) => [name, parameters ?? {}] as const);
  const { offered, unknownTypes: [unknown] } = readOffer(Object.fromEntries(offers) as Record<string, never>);
  if (unknown !== undefined) {
    return { problem: `Type \`${unknown.type}\` of ${unknown.path.join(".")} does not exist`, help: FORMS };
  }
  const tools = offered.names.map((name) => ({
    type: "function",
    function: { name, parameters: offered.resolve(name)?.schema },
  }));
  return { tools };
}

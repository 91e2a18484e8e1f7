/**
 * How far one rule alone reads a text: to a call, or to the place where it stops, with the arguments found until then.
 *
 *     <function=read_file><parameter=path>a</parameter></functoin>
 *                                                      ^ expected <parameter=KEY> or </function>
 *
 * @module
 */
import type { MatchEvent } from "../event/event.ts";
import { isDecision, type Reason } from "../event/reason.ts";
import { sketch } from "../pattern/sketch.ts";
import { type SplitPattern, splitPattern } from "../pattern/split.ts";
import { Matcher } from "../scan/matcher.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { compileRules } from "./compile.ts";
import type { Rule } from "./schema.ts";
import { present } from "../object/present.ts";

export interface RuleReading {
  readonly calls: number;
  /** The tool of the last call, as far as it is known. */
  readonly tool?: string;
  /** The arguments of the last call: JSON, cut off where the rule stopped. */
  readonly arguments: string;
  /** Where the rule stopped, and why; absent if it read all calls that it began. */
  readonly stop?: { readonly at: number; readonly reason: Reason; readonly expected: string };
}

const TEXT_MAXIMUM = 64 * 1024;

/** Reads a text with one rule, which counts as on and as certain. */
export function readAlone(
  rule: Rule,
  { text, offered }: { text: string; offered: OfferedTools },
): RuleReading {
  const shown = text.slice(0, TEXT_MAXIMUM);
  const { program } = compileRules([{ ...rule, enabled: true, commit: "open" }]);
  const matcher = new Matcher(program, { offered, minimumConfidence: 0, wholeCalls: false });
  const found = { calls: 0, tool: undefined as string | undefined, json: "" };
  let stop: { at: number; reason: Reason } | undefined;
  let at = 0;
  const take = (event: MatchEvent) => {
    if (event.kind === "call_start") Object.assign(found, { tool: event.tool, json: "" });
    if (event.kind === "arguments") found.json += event.json;
    if (event.kind === "call_end") found.calls++;
    const isRefusal = event.kind === "note" && isDecision(event.reason) && event.reason !== "transformed";
    if (isRefusal && event.kind === "note") {
      const end = event.brokenAt ?? (event.end > event.start ? event.end : at);
      stop ??= { at: Math.min(at, end), reason: event.reason };
    }
  };
  for (; at < shown.length && stop === undefined; at++) {
    matcher.push({ kind: "text", text: shown[at]! }, { push: take });
  }
  if (stop === undefined) {
    matcher.push({ kind: "text_end", truncated: true, isAnswered: false }, { push: take });
  }
  const value = stop?.reason === "truncated" ? openValue(rule, { text: shown, json: found.json }) : undefined;
  return {
    calls: found.calls,
    ...present({ tool: found.tool }),
    arguments: value?.json ?? found.json,
    ...(stop === undefined
      ? {}
      : { stop: { reason: stop.reason, at: value?.at ?? stop.at, expected: expectedOf(rule, stop.reason) } }),
  };
}

/**
 * A value runs on to the end where its closer is not followed by anything that the rule knows. Then what follows the
 * closer is the place to look at:
 *
 *     <parameter=path>a</parameter></functoin>
 *                                  ^
 */
function openValue(
  rule: Rule,
  { text, json }: { text: string; json: string },
): { readonly at: number; readonly json: string } | undefined {
  for (const closer of itemsOf(rule).map(({ closer }) => sketch(closer).trim())) {
    const found = closer === "" ? -1 : text.lastIndexOf(closer);
    const inJson = json.lastIndexOf(JSON.stringify(closer).slice(1, -1));
    if (found < 0 || inJson < 0) continue;
    const after = found + closer.length;
    const at = after + (text.length - after - text.slice(after).trimStart().length);
    if (at < text.length) return { at, json: json.slice(0, inJson) + '"' };
  }
  return undefined;
}

function itemsOf({ pattern, tagged: { item } }: Rule): SplitPattern[] {
  const groups = splitPattern(pattern, "body").split?.groups ?? [];
  return [item ?? []].flat().flatMap((one) => splitPattern(one, "value", groups).split ?? []);
}

/** What a rule wants where it stops. */
function expectedOf(rule: Rule, reason: Reason): string {
  switch (reason) {
    case "unknown_tool":
      return "the name of an offered tool";
    case "undeclared_parameter":
      return "a parameter that the tool declares";
    case "not_whitelisted":
      return "arguments that the rule's allowlist contains";
    case "missing_required":
      return "every required parameter";
    case "text_follows":
      return "the end of the answer";
    default:
      return bodyOf(rule);
  }
}

/** What can be next in a body: an item, JSON, a call in Python, or the closer. */
function bodyOf(rule: Rule): string {
  const { split } = splitPattern(rule.pattern, "body");
  const items = itemsOf(rule).map(({ opener, closer }) => `${sketch(opener)}…${sketch(closer)}`);
  const closer = split === undefined ? "" : sketch(split.closer);
  const quoted = [...items, closer].filter((text) => text.trim() !== "").map((text) => `\`${text.trim()}\``);
  const inner = rule.body === "json" || rule.body === "envelope"
    ? ["JSON"]
    : rule.body === "call_list"
    ? ["a call in Python's syntax"]
    : [];
  return [...inner, ...quoted].join(" or ");
}

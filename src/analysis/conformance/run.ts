/** Runs one conformance case through the real matcher and renderer in a given cut, and compares the result. @module */
import type { Client } from "../../chat/client/schema.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import type { ServiceParts, Translator } from "../../proxy/exchange/service.ts";
import { compileRules } from "../../engine/rule/compile.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { listCandidates } from "../replay/candidates.ts";
import { readBrokenJson } from "./close_json.ts";
import type { ConformanceCase } from "./case.ts";
import { readStream, type ReceivedAnswer, receiveStream, receiveWhole } from "../replay/recorded.ts";
import { findClient } from "../replay/recorded_client.ts";
import { recordedParts } from "../replay/recorded_parts.ts";
import { visible } from "../../engine/diagnostic/visible.ts";

interface GotCall {
  readonly name: string;
  readonly arguments: unknown;
  /** Set if the end of the answer cut the call off; the arguments end there. */
  readonly truncated?: true;
}

/** The result of a case; for clients that read calls in the text, only the text. */
type Got =
  | {
    readonly content: string | null;
    readonly calls: readonly GotCall[];
    readonly finish_reason: string | null;
  }
  | { readonly text: string };

export interface CaseResult {
  readonly id: string;
  readonly dialect: string;
  readonly pass: boolean;
  /** What differs; empty if the case passes. */
  readonly why: string;
  readonly got: Got;
}

export interface RunOptions {
  readonly partsFor: (dialect: string) => ServiceParts;
  readonly client: Client;
  /** Cuts a text into the pieces of a stream; without it, the answer is not streamed. */
  readonly cut?: ((text: string) => string[]) | undefined;
  /**
   * Whether every name counts as offered, also where the request offers other tools: reading a dialect is one thing,
   * the policy about a call another. Some engines call what no request offers, and their cases show how a dialect is
   * written, too. In a case with the tag `edge`, the offered tools count anyway: it is about what an engine decides.
   */
  readonly offersEveryName?: boolean;
}

/**
 * The parts for each dialect, created once. `dialect`: the rules that declare it, enabled or not, without a threshold,
 * and those for fences, quotations and reasoning, in which no call is made; `all`: the default rules and those of the dialect under the normal
 * policy.
 */
export function partsByDialect(
  { base, rules, which }: { base: ServiceParts; rules: readonly Rule[]; which: "dialect" | "all" },
): (dialect: string) => ServiceParts {
  const made = new Map<string, ServiceParts>();
  return (dialect) => {
    const known = made.get(dialect);
    if (known !== undefined) return known;
    const wanted = rules.filter((rule) =>
      rule.dialects.includes(dialect) || (rule.enabled && (which === "all" || rule.body === "opaque"))
    );
    const { policy } = base.config;
    const own = which === "all" ? policy : { ...policy, minimum_confidence: 0, reasoning: "ignore" } as const;
    const parts = {
      ...base,
      config: { ...base.config, policy: own },
      rules: wanted,
      program: compileRules(wanted).program,
    };
    made.set(dialect, parts);
    return parts;
  };
}

/** The tag of the cases that test what an engine decides, such as refusing a call, apart from how it reads. */
const POLICY_TAG = "edge";

export function runCase(one: ConformanceCase, options: RunOptions): CaseResult {
  const { partsFor, client, cut } = options;
  const parts = partsFor(one.dialect);
  const { id, dialect } = one;
  const readsText = client.writes === "text";
  if (readsText && !one.client) {
    const why = `the case has no \`client\`, which is needed to find the tools of ${client.client}`;
    return { id, dialect, pass: false, why, got: { text: one.text } };
  }
  const translator = createTranslator(one, {
    parts,
    client,
    offersEveryName: options.offersEveryName === true && !one.tags.includes(POLICY_TAG),
  });
  const events: ContentEvent[] = [];
  const recipient = {
    translator,
    finishReason: one.finish_reason,
    observe: (event: ContentEvent) => void events.push(event),
  };
  const received = cut === undefined
    ? receiveWhole(one.text, recipient)
    : readStream(receiveStream(cut(one.text), recipient));
  if (readsText) {
    const text = received.content ?? "";
    const why = one.expect.text == null || one.expect.text === text ? "" : "the text differs";
    return { id, dialect, pass: why === "", why, got: { text } };
  }
  const got = {
    content: received.content,
    calls: received.calls.map(gotCall),
    finish_reason: received.finishReason,
  };
  const difference = compare(one, { ...got, reasoning: received.reasoning });
  const isRead = parts.rules.some((rule) => rule.dialects.includes(dialect));
  const hint = isRead ? decisionsOf(events) : " [no rule reads this dialect]";
  const why = difference === "" ? "" : difference + hint;
  return { id, dialect, pass: why === "", why, got };
}

/** The tools that are called although the case's request does not offer them. */
export function unofferedTools(
  { tools }: ConformanceCase,
  calls: readonly Pick<GotCall, "name">[],
): string[] {
  if (!tools) return [];
  const offered = new Set(tools.map((tool) => tool.function.name));
  return [...new Set(calls.map(({ name }) => name))].filter((name) => !offered.has(name));
}

function createTranslator(
  one: ConformanceCase,
  { parts, client, offersEveryName }: { parts: ServiceParts; client: Client; offersEveryName: boolean },
): Translator | undefined {
  if (parts.rules.length === 0) return undefined;
  const found = findClient(recordedParts(parts), {
    client: client.client,
    ...(client.writes === "text"
      ? { system: one.client?.system, model: one.client?.model }
      : { tools: one.tools ?? undefined, offersEveryName }),
  });
  return "translator" in found ? found.translator : undefined;
}

function gotCall(call: ReceivedAnswer["calls"][number]): GotCall {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return { name: call.name, arguments: value };
  } catch {
    return { name: call.name, arguments: readBrokenJson(call.arguments) ?? {}, truncated: true };
  }
}

function decisionsOf(events: readonly ContentEvent[]): string {
  const against = listCandidates(events).filter(({ decision }) => decision !== "call" && decision !== "note");
  const reasons = against.map(({ rule, reason, decision, tool }) =>
    `${rule}${tool === undefined ? "" : ` ${visible(tool)}`}: ${decision}, ${reason}`
  );
  return reasons.length === 0 ? "" : ` [${reasons.join("; ")}]`;
}

interface Compared extends Pick<ReceivedAnswer, "content" | "reasoning"> {
  readonly calls: readonly GotCall[];
}

function compare(one: ConformanceCase, got: Compared): string {
  const { content, calls } = one.expect;
  const why: string[] = [];
  if (one.calls_exact && calls) {
    const wrong = calls.length !== got.calls.length
      ? `${countOf(got.calls)} instead of ${countOf(calls)}`
      : calls.map((call, index) => differs(call, got.calls[index], index)).find((found) =>
        found !== undefined
      );
    if (wrong !== undefined) why.push(wrong);
  }
  if (one.content_exact && !isSameText((content ?? "").trim(), got)) {
    why.push(`content ${JSON.stringify(got.content)} instead of ${JSON.stringify(content ?? null)}`);
  }
  return why.join("; ");
}

/** Whether the expected text came, or its reasoning came as reasoning, without the mark before it and the one after it. */
function isSameText(expected: string, got: Pick<ReceivedAnswer, "content" | "reasoning">): boolean {
  const [text, thought] = [(got.content ?? "").trim(), got.reasoning.trim()];
  if (expected === text) return true;
  const start = expected.indexOf(thought);
  const rest = expected.slice(start + thought.length);
  if (thought === "" || start < 0 || !rest.endsWith(text)) return false;
  const [before, after] = [expected.slice(0, start), rest.slice(0, rest.length - text.length)]
    .map((mark) => mark.trim()) as [string, string];
  // A template can write the first mark itself.
  return after !== "" && !/\s/.test(before) && !/\s/.test(after);
}

/** `2 calls (read_file, write_file)`. */
function countOf(calls: readonly { readonly name: string }[]): string {
  const names = calls.map(({ name }) => visible(name)).join(", ");
  return calls.length === 0
    ? "no call"
    : `${calls.length} ${calls.length === 1 ? "call" : "calls"} (${names})`;
}

function differs(
  expected: { readonly name: string; readonly arguments?: unknown },
  got: GotCall | undefined,
  index: number,
): string | undefined {
  if (got?.name !== expected.name) return `call ${index} is ${got?.name} instead of ${expected.name}`;
  if (isJsonEqual(expected.arguments, got.arguments)) return undefined;
  return `call ${index} (${got.name}) has ${JSON.stringify(got.arguments)} instead of ${
    JSON.stringify(expected.arguments)
  }`;
}

/**
 * Lines of an audit log for tests: requests of two days, two models, three modes.
 *
 * @module
 */
import type { DecisionLine, RequestLine, RequestPart, ResultLine } from "../../src/admin/audit/line.ts";
import { outcomeOf } from "../../src/admin/audit/outcome.ts";
import type { Reason } from "../../src/engine/event/reason.ts";

const PART: RequestPart = {
  v: 1,
  time: "2026-05-01T10:00:00.000Z",
  request: "r",
  conversation: "0123456789abcdef",
  client: "openai",
  wire: "chat",
  key: null,
  model: "small",
  upstream: "local",
  mode: "live",
};

export function decisionLine(reason: Reason, more: Partial<DecisionLine> = {}): DecisionLine {
  return {
    ...PART,
    kind: "decision",
    choice: 0,
    call: 0,
    rule: "qwen_xml",
    confidence: 0.95,
    tool: "read_file",
    outcome: outcomeOf(reason),
    reason,
    detail: null,
    start: 0,
    end: 40,
    characters: 40,
    hash: "0123456789abcdef",
    argumentCharacters: 20,
    ...more,
  };
}

export function requestLine(more: Partial<RequestLine> = {}): RequestLine {
  return {
    ...PART,
    kind: "request",
    stream: true,
    tools: 3,
    status: 200,
    error: null,
    message: null,
    durationMs: 100,
    firstMs: 30,
    addedMs: 0.4,
    printedAsText: true,
    reachedAsText: 0,
    tokens: null,
    candidates: 1,
    transformed: 1,
    calls: 1,
    leftOut: 0,
    ...more,
  };
}

/** A line about the result of a call. */
export function resultLine(verdict: ResultLine["verdict"], more: Partial<ResultLine> = {}): ResultLine {
  return { ...PART, kind: "result", answer: "a", rule: "qwen_xml", tool: "read_file", verdict, ...more };
}

/** Twenty requests: ten live, five in a dry run, five on the other side of the canary. */
export function auditLog(): string {
  const lines = Array.from({ length: 20 }, (_, number) => {
    const mode = number < 10 ? "live" : number < 15 ? "dry_run" : "excluded";
    const time = `2026-05-0${1 + (number % 2)}T10:00:${String(number).padStart(2, "0")}.000Z`;
    const about = { request: `r${number}`, time, mode, model: number % 4 === 0 ? "large" : "small" } as const;
    const reason = mode === "live"
      ? "transformed"
      : mode === "dry_run"
      ? "would_transform"
      : "rollout_excluded";
    const candidates = number % 5 === 0
      ? [decisionLine("unknown_tool", { ...about, tool: "rm_rf", call: null, rule: "hermes" })]
      : [decisionLine(reason, about), ...(number % 5 === 1 ? [decisionLine("json_repaired", about)] : [])];
    return [...candidates, requestLine(about)];
  });
  return lines.flat().map((line) => `${JSON.stringify(line)}\n`).join("");
}

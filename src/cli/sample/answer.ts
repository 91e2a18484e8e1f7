/**
 * What the sample model prints: an answer like a recorded one, with a call of one of the request's own tools. Every
 * dialect is a template in `answers.json`; this file knows none of them.
 *
 * @module
 */
import type { ChatRequest } from "../../chat/message/request.ts";
import answers from "./answers.json" with { type: "json" };
import { chooseCall, isToolResult, type SampleCall } from "./call.ts";

/** How a sample model writes: text before the call, the call, and one parameter of it. */
interface Template {
  readonly before: string;
  readonly call: string;
  readonly parameter: string;
}

const TEMPLATES: Readonly<Record<string, Template>> = answers.models;

export const SAMPLE_MODELS: readonly string[] = ["sample", ...Object.keys(TEMPLATES)];

/** The text of an answer: the request's model selects the dialect, its tools the call. */
export function writeAnswer(request: ChatRequest): string {
  const name = Object.hasOwn(TEMPLATES, request.model ?? "") ? request.model : answers.default;
  const template = TEMPLATES[name ?? answers.default];
  const call = chooseCall(request);
  if (call !== undefined && template?.call) return template.before + fill(template, call);
  const isAnswered = isToolResult(request.messages?.at(-1)?.role);
  return isAnswered ? answers.after_result : answers.plain;
}

function fill(template: Template, call: SampleCall): string {
  const parameters = Object.entries(call.arguments).map(([name, value]) =>
    replace(template.parameter, { name, value: typeof value === "string" ? value : JSON.stringify(value) })
  );
  return replace(template.call, {
    tool: call.name,
    arguments: JSON.stringify(call.arguments),
    parameters: parameters.join(""),
  });
}

function replace(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{([a-z]+)\}/g, (hole, name: string) => values[name] ?? hole);
}

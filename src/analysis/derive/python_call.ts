/**
 * One call in Python's syntax as text and as arguments. The matcher reads it, so both agree on the syntax.
 *
 *     read_file(path="a", deep=True)   ↔   read_file {"path": "a", "deep": true}
 *
 * @module
 */
import { compileRules } from "../../engine/rule/compile.ts";
import { ruleSchema } from "../../engine/rule/schema.ts";
import { anyTool } from "../../engine/tool/offered.ts";
import { readCalls } from "./proof.ts";
import type { SampleCall } from "./sample.ts";

/** Marks that no model writes. */
const RULE = ruleSchema.parse({
  rule: "python",
  pattern: "\uE0F3(?=\\[)(?<body>…)\uE0F4",
  body: "call_list",
  confidence: 1,
});

export function readPythonCall(text: string): SampleCall | undefined {
  const { program } = compileRules([RULE]);
  const { calls } = readCalls(`\uE0F3[${text}]\uE0F4`, { program, offered: anyTool });
  return calls.length === 1 ? calls[0] : undefined;
}

export function writePythonCall({ tool, arguments: given }: SampleCall): string {
  return `${tool}(${Object.entries(given).map(([key, value]) => `${key}=${literal(value)}`).join(", ")})`;
}

function literal(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${
    Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${literal(inner)}`).join(", ")
  }}`;
}

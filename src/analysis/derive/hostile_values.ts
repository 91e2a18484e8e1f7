/**
 * Reads a recorded call again with last values that are like its own marks: a rule that gives other arguments than those isn't
 * written. That it makes no call is enough, because then no wrong one is run.
 *
 *     |tool| write_file      in a value, this line reads as the item `tool`
 *     |content| x
 *     |end|
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import { compileRules } from "../../engine/rule/compile.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { offer, type OfferedTool } from "../../engine/tool/offered.ts";
import { readCalls } from "./proof.ts";
import type { MarkedText } from "./sample.ts";

/** The value that a rule reads wrongly, as a reason; undefined if there is none. */
export function hostileProblem(
  { text, calls }: MarkedText,
  { rules, tools }: { readonly rules: readonly Rule[]; readonly tools: readonly OfferedTool[] },
): string | undefined {
  const [call, ...others] = calls;
  const last = call?.items.at(-1);
  if (call === undefined || last === undefined || others.length > 0) return undefined;
  // Quotes state where a value ends.
  const sides = text[last.value.start - 1]! + text[last.value.start];
  if (sides.includes('"') || sides.includes("'")) return undefined;
  const { program } = compileRules(rules);
  const read = (answer: string) => readCalls(answer, { program, offered: offer(tools) }).calls;
  const [before] = read(text);
  if (before === undefined) return undefined;
  const key = text.slice(last.key.start, last.key.end);
  const opener = text.slice(text.lastIndexOf("\n", call.name.start - 1) + 1, lineEnd(text, call.name.end));
  const closer = text.slice(last.value.end).trim().split("\n", 1)[0] ?? "";
  for (const [mark, value] of [["opening", `x\n${opener}\ny`], ["closing", `${closer}\ny`]] as const) {
    const made = read(text.slice(0, last.value.start) + value + text.slice(last.value.end));
    const isRight = made.length === 1 &&
      isJsonEqual(made[0]!.arguments, { ...before.arguments, [key]: value });
    if (made.length > 0 && !isRight) return why(mark, mark === "opening" ? opener : closer);
  }
  return undefined;
}

function why(mark: string, text: string): string {
  return `A value that contains the call's ${mark} line, ${
    JSON.stringify(text.trim())
  }, would be read as another one. ` +
    "Next: in the prompt, ask the model to mark calls and parameters differently, and derive from such an answer";
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

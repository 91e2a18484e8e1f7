/**
 * Proves a derived rule by the recorded answer itself: the calls that the rule reads from it have to fit the tools that
 * were offered, and each value has to be the one that a look at the text without the rule finds.
 *
 * @module
 */
import { TYPE_WORD, valueStart } from "../../chat/near_miss/value.ts";
import { findEvidence } from "../../chat/near_miss/evidence.ts";
import { ToolNames } from "../../chat/near_miss/tool_names.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { own } from "../../engine/object/own.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";
import { compileRules } from "../../engine/rule/compile.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { offer, type OfferedTool } from "../../engine/tool/offered.ts";
import { checkArguments } from "../../engine/tool/validate.ts";
import { evidentCalls } from "./answer_evidence.ts";
import { commonPrefix, commonSuffix } from "./delimiters.ts";
import { parseObject } from "./json_object.ts";
import { readCalls } from "./proof.ts";
import { readPythonCall } from "./python_call.ts";
import type { MarkedCall, MarkedText, SampleCall } from "./sample.ts";

/** What a rule reads from a recorded answer, or why that proves nothing. */
type AnswerProof =
  | { readonly calls: readonly SampleCall[]; readonly text: string }
  | { readonly why: string };

/** Reads a text that holds the calls of a marked answer by their rule. */
export function proveAnswer(
  { text: cut, calls: marked }: MarkedText,
  { text, rules, tools }: {
    readonly text: string;
    readonly rules: readonly Rule[];
    readonly tools: readonly OfferedTool[];
  },
): AnswerProof {
  const { program } = compileRules(rules);
  const read = readCalls(text, { program, offered: offer(tools) });
  if (read.calls.length !== marked.length) {
    const [held, next] = marked.length === 1
      ? [
        "a call",
        "derive from an answer with shorter values and no lists, or write the rule by hand (rules/writing_rules.md)",
      ]
      : [`${marked.length} calls`, "derive from an answer with one call"];
    const count = read.calls.length === 0 ? "none" : read.calls.length;
    return { why: `The answer seems to contain ${held}, but the rule reads ${count}. Next: ${next}` };
  }
  const evident = evidentCalls(text, tools);
  const isSame = evident.length === read.calls.length && evident.every((one, index) => {
    const { tool, arguments: given } = read.calls[index]!;
    return one.tool.name === tool && areIn(one.arguments, given) && areIn(given, one.arguments);
  });
  const isSure = evident.length > 0 && evident.every(({ damage }) => damage === 0);
  if (isSure && !isSame) return { why: unlikeEvidence(evident) };
  for (const [index, call] of read.calls.entries()) {
    const why = problemOf(call, { text: cut, marked: marked[index]!, tools, isSeen: isSame });
    if (why !== undefined) return { why };
  }
  const opener = openingLine(text, cut);
  if (opener !== undefined) {
    return {
      why:
        `The line before the call, ${
          JSON.stringify(opener)
        }, looks like its opening marker, but the rule would begin after ` +
        `it and match ordinary text. ${NEXT}`,
    };
  }
  const bracket = openBracket(text, cut);
  if (bracket !== undefined) {
    return {
      why: `A bracket is open before the call, in ${
        JSON.stringify(bracket)
      }, and the rule would begin after it. ${NEXT}`,
    };
  }
  const [left] = findEvidence(read.text, new ToolNames(offer(tools)));
  return left === undefined ? read : {
    why:
      `The rule leaves text in the answer that looks like a call to ${left.tool}. Next: derive from an answer ` +
      "whose calls are written in one notation",
  };
}

/** A line of signs and at most two words directly before the call that isn't in its marks. */
function openingLine(text: string, cut: string): string | undefined {
  const at = text.indexOf(cut);
  const line = /(?:^|\n)([^\n]*)\n[^\S\n]*$/.exec(text.slice(0, Math.max(0, at)))?.[1]?.trim() ?? "";
  return /^[^\s\p{L}\p{N}"'`|]{1,8}[^\S\n]?(?:[^\s.,:;!?]+[^\S\n]*){0,2}$/u.test(line) &&
      !/^(?:[-*+>]|#+|\d+\.)(?:\s|$)|^(?:```|~~~)/.test(line)
    ? line
    : undefined;
}

/** The text before the call on its line, if a bracket opens in it and doesn't close. */
function openBracket(text: string, cut: string): string | undefined {
  const at = Math.max(0, text.indexOf(cut));
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const count = (brackets: RegExp) => before.match(brackets)?.length ?? 0;
  return count(/[([{]/g) > count(/[)\]}]/g) ? before.trim().slice(-40) : undefined;
}

function problemOf(
  { tool, arguments: given }: SampleCall,
  { text, marked, tools, isSeen }: {
    text: string;
    marked: MarkedCall;
    tools: readonly OfferedTool[];
    /** Whether the second reader reads the same calls. */
    isSeen: boolean;
  },
): string | undefined {
  const name = text.slice(marked.name.start, marked.name.end);
  if (tool !== name && !tools.some((one) => one.name === name)) return unlike("tool's name", { tool });
  const schema = tools.find((one) => one.name === tool || one.name === name)?.schema;
  const problems = checkArguments(schema, given);
  // JSON shows its values' types, so a value of another type is the model's own.
  const wrong = marked.object !== undefined && Object.keys(given).some((key) => isDeclared(schema, key))
    ? []
    : problems.wrong;
  const problem = [...problems.missing.map((key) => `${key} is missing`), ...wrong][0];
  if (problem !== undefined) {
    return `The call that the rule reads does not fit the schema of ${tool}: ${problem}. ` +
      "Next: derive from an answer whose call gives every required parameter, and check the offered tools";
  }
  const { object } = marked;
  const stray = isRecord(schema) && isRecord(own(schema, "properties")) && object === undefined
    ? Object.keys(given).find((key) => !isDeclared(schema, key))
    : undefined;
  if (stray !== undefined) {
    return `The rule would read ${
      JSON.stringify(stray)
    } as a parameter, which ${tool} doesn't declare. ${NEXT}`;
  }
  if (object !== undefined && !isIn(given, text.slice(object.start, object.end))) {
    return unlike("arguments", { arguments: given });
  }
  for (const { key, value: { start, end }, marks } of marked.items) {
    const parameter = text.slice(key.start, key.end);
    if (!(parameter in given)) return unlike(parameter, given);
    const value = given[parameter];
    if (typeof value !== "string") continue;
    if (value !== value.trim() && value.trim() !== "" && !/^\s*\n|\n\s*$/.test(value)) {
      return unlike(parameter, given);
    }
    const block = blockText(text.slice(start, end));
    if (block !== undefined) {
      if (value.trimEnd() !== block.trimEnd()) return unlike(parameter, given);
      continue;
    }
    const raw = text.slice(start, end);
    // In a block of YAML, some values are strings in quotes.
    const isQuoted = /^["'].*["']$/.test(raw) && value === (parseJson(raw) ?? raw.slice(1, -1));
    if (isQuoted) continue;
    if (marks?.quote === "" && value !== raw) return unlike(parameter, given);
    if (isSeen) continue;
    if (marks !== undefined && !/^["']?\s*(?!<<)[:=~→⇒⟶|<>-]+\s*$/u.test(marks.middle)) continue;
    const at = valueStart(text, key.end);
    const seen = text.slice(at, at + (end - start) + 8).trimStart().replace(/^(?:"""|'''|```\n?|["'`])/, "");
    const shown = value.trimStart().slice(
      0,
      Math.max(0, value.search(/[\\"'\n&]/) < 0 ? 24 : value.search(/[\\"'\n&]/)),
    );
    if (!seen.replace(/^<!\[CDATA\[/, "").startsWith(shown)) return unlike(parameter, given);
  }
  return sharedMarks(Object.values(given).filter((value) => typeof value === "string"));
}

/** The lines of a literal block of YAML without their indent; undefined where a value has no such block. */
function blockText(raw: string): string | undefined {
  const [head = "", ...lines] = raw.split("\n");
  if (!/^\|[-+]?$/.test(head.trim()) || lines.length === 0) return undefined;
  const indent = /^ */.exec(lines[0]!)![0].length;
  return lines.map((line) => line.slice(indent)).join("\n");
}

/** Whether a schema lists a parameter. */
function isDeclared(schema: OfferedTool["schema"], key: string): boolean {
  const properties = isRecord(schema) ? own(schema, "properties") : undefined;
  return isRecord(properties) && own(properties, key) !== undefined;
}

/** Whether the arguments are in the JSON or the call in Python that they are read from. */
function isIn(given: Readonly<Record<string, unknown>>, text: string): boolean {
  const held = parseObject(text) ?? readPythonCall(text)?.arguments;
  if (held === undefined) return true;
  const membersOf = (value: unknown) =>
    Object.values(isRecord(value) ? value : {}).map((one) =>
      typeof one === "string" ? parseObject(one) ?? one : one
    );
  const inner = membersOf(held);
  return [held, ...inner, ...inner.flatMap(membersOf)].some((value) =>
    isRecord(value) && areIn(given, value) && areIn(value, given)
  ) ||
    areIn(given, held);
}

/** Whether arguments are members of an object, apart from the type to which the schema fits a value. */
function areIn(given: Readonly<Record<string, unknown>>, held: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(given).every(([key, value]) =>
    isJsonEqual(held[key], value) || (own(held, key) !== undefined && asText(held[key]) === asText(value))
  );
}

/** Marks at the same end of every value belong to the dialect, not to the values. */
function sharedMarks(values: readonly string[]): string | undefined {
  const typed = values.length > 0 && values.every((value) => TYPED.test(value)) ? values[0]! : undefined;
  if (typed !== undefined) {
    return `Every value would begin with a type or be in quotes of its own, such as ${
      JSON.stringify(typed)
    }. ${NEXT}`;
  }
  if (new Set(values).size < 2) return undefined;
  if (values.every((value) => /^\s*\n/.test(value))) {
    return `Every value would begin with an empty line, which looks like a part of the dialect. ${NEXT}`;
  }
  const [first, last] = [/^\S+\s/, /\s\S+$/].map((one) => one.exec(values[0]!)?.[0]);
  const word = first !== undefined && values.every((value) => value.startsWith(first))
    ? first
    : values.every((value) => last !== undefined && value.endsWith(last))
    ? last
    : undefined;
  if (word !== undefined) {
    return `Every value would begin or end with ${
      JSON.stringify(word.trim())
    }, which can be a separator of the dialect. ${NEXT}`;
  }
  const end = commonSuffix(values);
  const shared = [commonPrefix(values), end].find((text) => /[<>[\]{}|⟦⟧«»]/u.test(text)) ??
    /[^\s\p{L}\p{N}]{2}$/u.exec(end)?.[0];
  return shared === undefined
    ? undefined
    : `Every value would begin or end with ${
      JSON.stringify(shared)
    }, which looks like a mark of the dialect. ${NEXT}`;
}

/** `string = src/a.ts`, `(string) src/a.ts`, and a value that is quoted as a whole. */
const TYPED = new RegExp(`^(?:\\(?${TYPE_WORD}\\)?\\s*[:=>)]|([\"'\`])[^]*\\1$)`, "i");

const NEXT =
  "Next: derive from an answer with different values, or write the rule by hand (rules/writing_rules.md)";

function unlikeEvidence(evident: ReturnType<typeof evidentCalls>): string {
  const seen = evident.map(({ tool, arguments: given }) => `${tool.name} ${JSON.stringify(given)}`).join(
    ", ",
  );
  return `There are two interpretations: the rule reads different calls from those that the delimiters and the schema show, ${seen}. ${NEXT}`;
}

function unlike(parameter: string, given: Readonly<Record<string, unknown>>): string {
  return `There are two interpretations: the rule reads ${parameter} as ${
    JSON.stringify(given[parameter])
  }, ` +
    `but the text shows another value. ${NEXT}`;
}

/** Checks fields of a rule that are valid on their own but don't work together. @module */
import { minimumLength } from "../pattern/node.ts";
import type { SplitPattern } from "../pattern/split.ts";
import { isJsonEqual } from "../json/equal.ts";
import { didYouMean } from "../diagnostic/suggest.ts";
import { present } from "../object/present.ts";
import { isNumber } from "../pattern/unmarked_hole.ts";
import { isRecord } from "../object/record.ts";
import { yamlOf } from "./yaml_line.ts";
import { implicitParameters, isSource, sourcesOf } from "./parameters.ts";
import { BEFORE, RESIDUE } from "../scan/compiled_rule.ts";
import { markdownOf } from "./markdown.ts";
import type { RuleProblem } from "./problem.ts";
import { type Rule, ruleSchema } from "./schema.ts";
import { checkSpeak } from "./speak_fields.ts";

const CALLS: readonly Rule["body"][] = ["text", "json", "envelope", "call_list", "tagged", "yaml", "none"];

export const BODIES_OF: Partial<Record<keyof Rule, readonly Rule["body"][]>> = {
  json: ["json"],
  envelope: ["envelope"],
  call_list: ["call_list"],
  tagged: ["tagged"],
  opaque: ["opaque"],
  group: ["group"],
  call: CALLS,
  names: CALLS,
  name_escapes: CALLS,
  keys: CALLS,
  commit: CALLS,
  confidence: [...CALLS, "group"],
};

export const DEFAULTS = ruleSchema.parse({ rule: "defaults", pattern: "", body: "json" });

type Finding = Omit<RuleProblem, "rule">;

/** Finds every conflict between a rule's fields, apart from those inside patterns. */
export function checkFields(
  rule: Rule,
  parts?: { readonly pattern: SplitPattern; readonly items: readonly SplitPattern[] },
): RuleProblem[] {
  const placeholders = checkPlaceholders(rule);
  const findings = [
    ...checkKinds(rule),
    ...placeholders,
    ...checkItem(rule, parts?.items ?? []),
    // A wrong word for {tool} already explains why the rule names no tool.
    ...(parts && placeholders.length === 0 ? checkGroups(rule, parts.pattern) : []),
    ...(parts ? checkHole(rule, parts.pattern) : []),
    ...(parts ? checkParameters(rule, parts.pattern) : []),
    ...(parts ? checkLookAhead(rule, parts.pattern) : []),
    ...checkSpeak(rule),
  ];
  return findings.map((finding) => ({ ...finding, rule: rule.rule }));
}

function checkKinds(rule: Rule): Finding[] {
  const conflict = (field: string, bodies: readonly string[]): Finding => ({
    code: "field_conflict",
    path: [field],
    message: `\`${field}\` has no effect with \`body: ${rule.body}\``,
    expected: `\`body: ${bodies.join("` or `body: ")}\``,
    help: bodies.length === 1
      ? `write \`body: ${bodies[0]}\`, or leave \`${field}\` out`
      : `leave \`${field}\` out, or change \`body\``,
  });
  const fields = Object.entries(BODIES_OF) as [keyof Rule, readonly Rule["body"][]][];
  const findings = fields
    .filter(([field, bodies]) => !bodies.includes(rule.body) && !isJsonEqual(rule[field], DEFAULTS[field]))
    .map(([field, bodies]) => conflict(field, bodies));
  if (rule.body === "opaque" && rule.opaque.region === undefined) {
    findings.push({
      code: "field_conflict",
      path: ["body"],
      message: "A rule with `body: opaque` needs the kind of its text",
      expected: "`opaque: { region: … }`, which is `fence`, `quote`, `reasoning` or `answer`",
    });
  }
  const { region, sends_as: sendsAs } = rule.opaque;
  if (sendsAs === "reasoning" && region !== undefined && region !== "reasoning") {
    findings.push({
      code: "field_conflict",
      path: ["opaque", "sends_as"],
      message: `\`sends_as: reasoning\` has no effect with \`region: ${region}\``,
      expected: "`opaque: { region: reasoning }`",
    });
  }
  if (rule.call.allowed_commands && CALLS.includes(rule.body) && rule.body !== "text") {
    findings.push({ ...conflict("allowed_commands", ["text"]), path: ["call", "allowed_commands"] });
  }
  return findings;
}

function checkItem(rule: Rule, items: readonly SplitPattern[]): Finding[] {
  if (rule.body !== "tagged") return [];
  if (rule.tagged.item === undefined) {
    return [{
      code: "item_missing",
      path: ["body"],
      message: "A rule with `body: tagged` needs the pattern of an item",
      expected: "`tagged: { item: … }`, one key and its value",
      help: 'for example, tagged: { item: \'<arg name="(?<key>[^"]{1,64})">(?<value>…)</arg>\' }',
    }];
  }
  return items.flatMap(({ groups }, index) =>
    groups.includes("key") ? [] : [{
      code: "pattern_group_missing" as const,
      path: itemPath(rule, index),
      message: "The item has no group for the key",
      expected: "a group (?<key>…) before the value",
    }]
  );
}

export function itemPath({ tagged: { item } }: Rule, index: number): RuleProblem["path"] {
  return typeof item === "string" ? ["tagged", "item"] : ["tagged", "item", index];
}

/** Words in braces other than `{tool}`: they would match literally. */
function checkPlaceholders(rule: Rule): Finding[] {
  if (markdownOf(rule)) return [];
  return [...rule.pattern.matchAll(/(?<!\\[pPu]?)\{([A-Za-z_]\w*)\}/g)]
    .filter(([, word]) => word !== "tool")
    .map(({ 0: text, index }) => ({
      code: "pattern_placeholder" as const,
      path: ["pattern"],
      offset: index,
      length: text.length,
      message: `\`${text}\` is not a placeholder`,
      expected: "`{tool}`, the tool's name",
      help: `write {tool}, or \\${text} for the characters themselves`,
    }));
}

function checkGroups(rule: Rule, pattern: SplitPattern): Finding[] {
  const isTarget = rule.call.tool !== undefined && !isRecord(rule.call.tool);
  const named = isTarget || pattern.groups.includes("tool");
  const needsTool = ["text", "json", "tagged", "yaml", "none"].includes(rule.body);
  const findings: Finding[] = [];
  // With `envelope`, the body is the error: it would name the tool.
  const meansEnvelope = !isJsonEqual(rule.envelope, DEFAULTS.envelope);
  if (needsTool && !named && !meansEnvelope) {
    findings.push({
      code: "pattern_group_missing",
      path: ["pattern"],
      message: "The rule does not name a tool",
      expected: "`{tool}` in the pattern, or `call: { tool: … }`",
      ...(rule.body === "json"
        ? { help: 'if the name is in the JSON, as in {"name": …, "arguments": …}, write `body: envelope`' }
        : {}),
    });
  }
  const used = new Set([
    "tool",
    ...[BEFORE, RESIDUE].filter((name) => rule.pattern.startsWith(`(?<${name}>`)),
    ...(rule.body === "group" ? ["mode"] : []),
    ...Object.values(rule.call.parameters ?? implicitParameters(rule, pattern) ?? {}).filter(isSource).map((
      value,
    ) => value.slice(1)),
  ]);
  for (const name of pattern.groups) {
    if (used.has(name) || isNumber(name) || isReferenced(rule, name)) continue;
    const offset = rule.pattern.indexOf(`(?<${name}>`);
    findings.push({
      code: "pattern_group_unused",
      path: ["pattern"],
      ...(offset < 0 ? {} : { offset, length: name.length + 4 }),
      message: `The group \`${name}\` is never used`,
      help: `write (?:…) instead, refer to it with \\k<${name}>, or use $${name} in \`parameters\``,
    });
  }
  return findings;
}

function isReferenced(rule: Rule, name: string): boolean {
  const reference = `\\k<${name}>`;
  return [rule.pattern, ...[rule.tagged.item ?? []].flat()].some((text) => text.includes(reference));
}

/** A whole pattern has no place for arguments; the first repeat of any text, or the end, is where the hole is meant. */
function checkHole(rule: Rule, { isWhole }: SplitPattern): Finding[] {
  if (isWhole !== true || rule.body === "text" || rule.body === "none") return [];
  const { pattern } = rule;
  const anything = /(?:\.|\[\\s\\S\]|\[\^\])[*+]\??/;
  const rewritten = anything.test(pattern) ? pattern.replace(anything, "(?<body>…)") : `${pattern}(?<body>…)`;
  return [{
    code: "pattern_hole",
    path: ["pattern"],
    message: `The pattern has no hole for the contents of \`body: ${rule.body}\``,
    expected: "one hole (?<body>…), not inside another group",
    help: `write \`pattern: ${yamlOf(rewritten)}\``,
  }];
}

/** An opener that consumes nothing opens a call wherever its look-ahead fits: only the position makes that rare. */
function checkLookAhead(rule: Rule, { opener }: SplitPattern): Finding[] {
  if (minimumLength(opener) > 0 || rule.begins === "answer" || rule.begins === "paragraph") return [];
  return [{
    code: "pattern_empty_opener",
    path: ["pattern"],
    message: "The opener is only a look-ahead, so ordinary text could open a call anywhere",
    expected: "`begins: answer` or `begins: paragraph`, or at least one character before the look-ahead",
  }];
}

function checkParameters(rule: Rule, pattern: SplitPattern): Finding[] {
  const sources = Object.entries(rule.call.parameters ?? {}).flatMap(([parameter, value]) =>
    isSource(value) ? [{ parameter, value }] : []
  );
  const known = sourcesOf(pattern);
  const isKnown = ({ value }: { readonly value: string }) => known.includes(value.slice(1));
  if (rule.body !== "text") {
    return sources.filter(isKnown).map(({ parameter, value }) => ({
      code: "parameter_capture",
      path: ["call", "parameters", parameter],
      message:
        `\`${value}\` names a part of the pattern, but \`body: ${rule.body}\` reads its arguments from the hole`,
      expected: "an argument of the call, which gets the new name, or a constant",
      help: "a part of the pattern can be a parameter of `body: text` only",
    }));
  }
  if (rule.call.parameters === undefined && implicitParameters(rule, pattern) === undefined) {
    return [textWithoutParameter(rule)];
  }
  return sources.filter((source) => !isKnown(source)).map(({ parameter, value }) => ({
    code: "parameter_capture",
    path: ["call", "parameters", parameter],
    message: `\`${value}\` is not a capture of the pattern`,
    expected: known.map((name) => `$${name}`).join(", "),
    ...present({ help: didYouMean(value, known.map((name) => `$${name}`)) }),
  }));
}

function textWithoutParameter(rule: Rule): Finding {
  const filled = (["json", "envelope", "call_list", "tagged", "opaque", "group"] as const).find((field) =>
    !isJsonEqual(rule[field], DEFAULTS[field])
  );
  return {
    code: "field_conflict",
    path: ["body"],
    message: "A rule with `body: text` needs the name of its parameter",
    expected:
      "a named group in the place of the hole, such as (?<path>.+), or `call: { parameters: { path: $body } }`",
    help: filled === undefined
      ? "if the hole contains JSON, write `body: json` or `body: envelope`; the format lists the other bodies"
      : `write \`body: ${filled}\`: the rule has \`${filled}\``,
  };
}

/**
 * Checks the fields of a rule that are valid on their own but do not work together.
 *
 * @module
 */
import type { SplitPattern } from "../pattern/split.ts";
import type { RuleProblem } from "./problem.ts";
import type { Rule } from "./schema.ts";

/** Fields that apply only to some body kinds. */
const FIELDS_OF: readonly { field: keyof Rule; bodies: readonly Rule["body"][] }[] = [
  { field: "envelope", bodies: ["envelope"] },
  { field: "region", bodies: ["opaque"] },
  { field: "tool", bodies: ["text", "json", "envelope", "tagged", "xml"] },
  { field: "parameters", bodies: ["text", "json", "envelope", "tagged", "xml"] },
  { field: "whitelist", bodies: ["text", "json", "envelope", "tagged", "xml"] },
];

/** Lists, empty by default, that apply only to one body kind. */
const LISTS_OF: readonly { field: "meta" | "containers" | "extra_keys"; body: Rule["body"] }[] = [
  { field: "meta", body: "group" },
  { field: "containers", body: "tagged" },
  { field: "extra_keys", body: "tagged" },
];

type Finding = Omit<RuleProblem, "rule">;

/** Finds every conflict between a rule's fields, apart from those inside patterns. */
export function checkFields(
  rule: Rule,
  parts?: { readonly pattern: SplitPattern; readonly item?: SplitPattern },
): RuleProblem[] {
  const findings = [
    ...checkKinds(rule),
    ...checkItem(rule, parts?.item),
    ...(parts ? checkGroups(rule, parts.pattern) : []),
    ...(parts ? checkParameters(rule, parts.pattern) : []),
  ];
  return findings.map((finding) => ({ ...finding, rule: rule.rule }));
}

function checkKinds(rule: Rule): Finding[] {
  const conflict = (field: string, bodies: readonly string[]): Finding => ({
    code: "field_conflict",
    path: [field],
    message: `\`${field}\` has no effect with \`body: ${rule.body}\``,
    expected: `\`body: ${bodies.join("` or `body: ")}\``,
    help: `leave \`${field}\` out, or change \`body\``,
  });
  const findings = [
    ...FIELDS_OF.filter(({ field, bodies }) => rule[field] !== undefined && !bodies.includes(rule.body))
      .map(({ field, bodies }) => conflict(field, bodies)),
    ...LISTS_OF.filter(({ field, body }) => rule[field].length > 0 && rule.body !== body)
      .map(({ field, body }) => conflict(field, [body])),
  ];
  if (rule.body === "opaque" && rule.region === undefined) {
    findings.push({
      code: "field_conflict",
      path: ["body"],
      message: "An opaque body needs the kind of its text",
      expected: "`region: fence`, `region: quote` or `region: reasoning`",
    });
  }
  if (rule.whitelist?.commands && rule.body !== "text") findings.push(conflict("whitelist", ["text"]));
  return findings;
}

function checkItem(rule: Rule, item: SplitPattern | undefined): Finding[] {
  if (rule.body !== "tagged") {
    if (rule.item === undefined) return [];
    return [{
      code: "item_unexpected",
      path: ["item"],
      message: `\`item\` has no effect with \`body: ${rule.body}\``,
      expected: "`body: tagged`",
      help: "leave `item` out, or change `body`",
    }];
  }
  if (rule.item === undefined) {
    return [{
      code: "item_missing",
      path: ["body"],
      message: "A tagged body needs the pattern of an item",
      expected: "`item`, one key and its value",
      help: 'for example, item: \'<arg name="(?<key>[^"]{1,64})">(?<value>…)</arg>\'',
    }];
  }
  if (item && !item.groups.includes("key")) {
    return [{
      code: "pattern_group_missing",
      path: ["item"],
      message: "The item has no group for the key",
      expected: "a group (?<key>…) before the value",
    }];
  }
  return [];
}

function checkGroups(rule: Rule, pattern: SplitPattern): Finding[] {
  const named = rule.tool !== undefined || pattern.groups.includes("tool");
  const needsTool = ["text", "json", "tagged", "xml"].includes(rule.body);
  const findings: Finding[] = [];
  if (needsTool && !named) {
    findings.push({
      code: "pattern_group_missing",
      path: ["pattern"],
      message: "The rule does not name a tool",
      expected: "`{tool}` in the pattern, or the field `tool`",
    });
  }
  const used = new Set([
    "tool",
    ...(rule.body === "group" ? ["mode"] : []),
    ...Object.values(rule.parameters ?? {}).filter((value) => value.startsWith("$")).map((value) =>
      value.slice(1)
    ),
  ]);
  for (const name of pattern.groups) {
    if (used.has(name) || isReferenced(rule, name)) continue;
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
  return rule.pattern.includes(`\\k<${name}>`) || rule.item?.includes(`\\k<${name}>`) === true;
}

function checkParameters(rule: Rule, pattern: SplitPattern): Finding[] {
  const captures = Object.entries(rule.parameters ?? {}).filter(([, value]) => value.startsWith("$"));
  const known = ["body", ...pattern.groups];
  const isKnown = (value: string) => known.includes(value.slice(1));
  if (rule.body !== "text") {
    return captures.filter(([, value]) => isKnown(value)).map(([parameter, value]) => ({
      code: "parameter_capture",
      path: ["parameters", parameter],
      message:
        `\`${value}\` names a part of the pattern, but \`body: ${rule.body}\` reads its arguments from the hole`,
      expected: "an argument of the call, which gets the new name, or a constant",
      help: "a part of the pattern can be a parameter of `body: text` only",
    }));
  }
  if (rule.parameters === undefined) {
    return [{
      code: "field_conflict",
      path: ["body"],
      message: "A text body needs the name of its parameter",
      expected: "`parameters: { name: $body }`",
    }];
  }
  return captures.filter(([, value]) => !isKnown(value)).map(([parameter, value]) => ({
    code: "parameter_capture",
    path: ["parameters", parameter],
    message: `\`${value}\` is not a capture of the pattern`,
    expected: known.map((name) => `$${name}`).join(", "),
  }));
}

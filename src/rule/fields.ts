/**
 * What fields of a rule do not go together: a rule that parses can still be one that cannot work.
 *
 * @module
 */
import type { SplitPattern } from "../pattern/split.ts";
import type { RuleProblem } from "./problem.ts";
import type { Rule } from "./schema.ts";

/** The fields that only some body kinds know. */
const FIELDS_OF: readonly { field: keyof Rule; bodies: readonly Rule["body"][] }[] = [
  { field: "envelope", bodies: ["envelope"] },
  { field: "region", bodies: ["opaque"] },
  { field: "tool", bodies: ["text", "json", "envelope", "tagged", "xml"] },
  { field: "parameters", bodies: ["text", "json", "envelope", "tagged", "xml"] },
  { field: "whitelist", bodies: ["text", "json", "envelope", "tagged", "xml"] },
];

/** The same for lists, which are empty by default. */
const LISTS_OF: readonly { field: "meta" | "containers" | "extra_keys"; body: Rule["body"] }[] = [
  { field: "meta", body: "group" },
  { field: "containers", body: "tagged" },
  { field: "extra_keys", body: "tagged" },
];

type Finding = Omit<RuleProblem, "rule">;

/** Everything about a rule's fields that cannot work, patterns aside. */
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
    message: `\`${field}\` says nothing for a body of kind \`${rule.body}\``,
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
      message: "An opaque body does not say what kind of text it is",
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
      message: `\`item\` says nothing for a body of kind \`${rule.body}\``,
      expected: "`body: tagged`",
      help: "leave `item` out, or change `body`",
    }];
  }
  if (rule.item === undefined) {
    return [{
      code: "item_missing",
      path: ["body"],
      message: "A tagged body needs to know what an item looks like",
      expected: "`item`, one key and its value",
      help: 'write for example item: \'<arg name="(?<key>[^"]{1,64})">(?<value>…)</arg>\'',
    }];
  }
  if (item && !item.groups.includes("key")) {
    return [{
      code: "pattern_group_missing",
      path: ["item"],
      message: "The item does not say which part of it is the key",
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
      message: "Nothing says which tool is called",
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
      message: `Nothing uses the group \`${name}\``,
      help: `write (?:…) instead, refer to it with \\k<${name}>, or use $${name} in \`parameters\``,
    });
  }
  return findings;
}

function isReferenced(rule: Rule, name: string): boolean {
  return rule.pattern.includes(`\\k<${name}>`) || rule.item?.includes(`\\k<${name}>`) === true;
}

function checkParameters(rule: Rule, pattern: SplitPattern): Finding[] {
  if (rule.body !== "text") return [];
  if (rule.parameters === undefined) {
    return [{
      code: "field_conflict",
      path: ["body"],
      message: "A text body needs to know which parameter it is",
      expected: "`parameters: { name: $body }`",
    }];
  }
  const known = ["body", ...pattern.groups];
  return Object.entries(rule.parameters)
    .filter(([, value]) => value.startsWith("$") && !known.includes(value.slice(1)))
    .map(([parameter, value]) => ({
      code: "parameter_capture" as const,
      path: ["parameters", parameter],
      message: `\`${value}\` is no capture of the pattern`,
      expected: known.map((name) => `$${name}`).join(", "),
    }));
}

/** Writes the page about the shipped rules from the rules, so that the two always agree. @module */
import type { Rule } from "./schema.ts";

/** The page `rules/shipped_rules.md`: rules that read calls, those without distinctive markers, and the regions. */
export function shippedPage(rules: readonly Rule[]): string {
  const calls = rules.filter(({ body }) => body !== "opaque");
  const bare = calls.filter(isBare);
  const regions = rules.filter(({ body }) => body === "opaque");
  const off = calls.filter(({ enabled }) => !enabled).map(({ rule }) => `\`${rule}\``);
  return `# The shipped rules

This page lists all rules that ship with Dragoman. \`deno task generate\` writes it from the rule files in this folder. To see
examples of their calls, run \`dragoman rules\`. \`dragoman rules show NAME\` shows the conditions of one rule, and
\`dragoman rules nearest TEXT\` finds the rules closest to a text. For recorded calls that these rules read differently from the
original engine, see [quirks.md](quirks.md).

By default, ${calls.length - off.length} rules that make calls are on, and these rules are off: ${
    off.join(", ")
  }.

## Calls

| rule | reads | dialects | on | [\`speak\`](../src/docs/guide/prompted.md) | confidence | source |
|---|---|---|---|---|---|---|
${calls.map(callRow).join("\n")}

## Rules without \`speak\`

[\`tools: prompted\`](../src/docs/guide/prompted.md) can use every rule except these:

| rule | why |
|---|---|
${
    calls.filter(({ speak }) => speak === undefined).map((rule) =>
      row([`\`${rule.rule}\``, silence(rule, calls)])
    ).join("\n")
  }

## Calls without distinctive markers

The text of these calls could also be an ordinary answer, so their rules require more evidence than an opener. If a request
contains no schemas for its tools, only the other conditions apply.

| rule | on | a call is |
|---|---|---|
${
    bare.map(({ rule, enabled, ...fields }) => `| \`${rule}\` | ${yes(enabled)} | ${evidence(fields)} |`)
      .join("\n")
  }

## Text without calls

Dragoman makes no calls in reasoning, examples, or quotations. The client gets the text unless the table states an exception.

| rule | reads | on | region | the client gets | source |
|---|---|---|---|---|---|
${regions.map(regionRow).join("\n")}
`;
}

/** Why a rule doesn't speak. */
function silence({ body, dialects, enabled, call: { tool }, begins }: Rule, rules: readonly Rule[]): string {
  if (!enabled) return "it is off";
  if (body === "group") return "it reads the wrapper around other rules' calls";
  if (body === "none") return "it reads only calls without arguments";
  if (tool !== undefined) return "it reads only calls to one tool";
  const speaker = rules.find(({ speak, dialects: other }) =>
    speak !== undefined && other.some((name) => dialects.includes(name))
  );
  if (speaker !== undefined) return `it reads a different form of the \`${speaker.rule}\` dialect`;
  return begins === "answer"
    ? "it reads one call at the start of an answer"
    : "no model's template writes calls in this format";
}

/** Whether only the place and the tool's schema make a text a call. */
function isBare({ begins, keys, pattern, followed_by: after }: Rule): boolean {
  const isPlaced = begins !== "anywhere" || pattern.startsWith("^");
  return isPlaced && (keys === "declared" || after !== "anything");
}

function callRow(rule: Rule): string {
  const { confidence, dialects, enabled } = rule;
  return row([
    `\`${rule.rule}\``,
    rule.description,
    dialects.join(", "),
    yes(enabled),
    rule.speak === undefined ? "" : "yes",
    confidence.toFixed(2),
    rule.source,
  ]);
}

function regionRow({ rule, description, enabled, opaque: { region, shows }, source }: Rule): string {
  return row([`\`${rule}\``, description, yes(enabled), region, SHOWN[shows], source]);
}

const SHOWN: Readonly<Record<Rule["opaque"]["shows"], string>> = {
  all: "all",
  text: "its text without the markers",
  nothing: "nothing",
};

/** What has to hold besides the opener, as one sentence part each. */
function evidence({ begins, followed_by: after, keys, call }: Omit<Rule, "rule" | "enabled">): string {
  return [
    call.tool === undefined ? "to an offered tool" : "to the first of the rule's tools that is offered",
    begins === "answer" ? "at the start of the answer" : "at the start of a line",
    ...after === "nothing" ? ["with nothing after it"] : [],
    ...after === "calls" ? ["with only calls after it"] : [],
    ...keys === "declared" ? ["with a declared parameter first"] : [],
    ...call.allowed_commands ? ["with only allowed commands"] : [],
  ].join(", ");
}

function yes(enabled: boolean): string {
  return enabled ? "yes" : "**no**";
}

function row(cells: readonly (string | undefined)[]): string {
  return `| ${cells.map((cell = "") => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

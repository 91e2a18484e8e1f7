/**
 * Writes the page about the shipped rules from the rules, so that the two always agree.
 *
 * @module
 */
import type { Rule } from "./schema.ts";

/**
 * The full page `rules/shipped_rules.md`: the rules that read calls, those that read calls without unmistakable marks,
 * and the regions.
 */
export function shippedPage(rules: readonly Rule[]): string {
  const calls = rules.filter(({ body }) => body !== "opaque");
  const bare = calls.filter(isBare);
  const regions = rules.filter(({ body }) => body === "opaque");
  const off = calls.filter(({ enabled }) => !enabled).map(({ rule }) => `\`${rule}\``);
  return `# The shipped rules

Each rule is a file in this folder; \`deno task generate\` writes this page from them. \`dragoman rules\` lists the rules and
how their calls look, \`dragoman rules show NAME\` shows the conditions of one rule, and \`dragoman rules nearest TEXT\` finds
the rules closest to a text. [quirks.md](quirks.md) lists the recorded calls that these rules read differently from the
engine that recorded them.

${calls.length - off.length} rules that make calls are on. These are off: ${off.join(", ")}.

## Calls

| rule | reads | dialects | on | [speaks](../src/docs/guide/prompted.md) | confidence | source |
|---|---|---|---|---|---|---|
${calls.map(callRow).join("\n")}

## Rules that don't speak

[\`tools: prompted\`](../src/docs/guide/prompted.md) can use any of the other rules above.

| rule | why |
|---|---|
${
    calls.filter(({ speak }) => speak === undefined).map((rule) =>
      row([`\`${rule.rule}\``, silence(rule, calls)])
    ).join("\n")
  }

## Calls without unmistakable marks

The text of these calls could also be an answer, so their rules require more evidence than an opener. If a request has no
schemas for its tools, there are no declared parameters to check, and the other conditions decide.

| rule | on | a call is |
|---|---|---|
${
    bare.map(({ rule, enabled, ...fields }) => `| \`${rule}\` | ${yes(enabled)} | ${evidence(fields)} |`)
      .join("\n")
  }

## Text in which nothing is a call

Reasoning, examples and quotations. The client gets all of it unless the table shows otherwise.

| rule | reads | on | region | the client gets | source |
|---|---|---|---|---|---|
${regions.map(regionRow).join("\n")}
`;
}

/** Why a rule doesn't speak. */
function silence({ body, dialects, enabled, call: { tool }, begins }: Rule, rules: readonly Rule[]): string {
  if (!enabled) return "it is off";
  if (body === "group") return "it reads what is around calls of other rules";
  if (body === "none") return "it reads calls without arguments only";
  if (tool !== undefined) return "it reads calls of one tool only";
  const speaker = rules.find(({ speak, dialects: other }) =>
    speak !== undefined && other.some((name) => dialects.includes(name))
  );
  if (speaker !== undefined) return `it reads another form of a dialect that \`${speaker.rule}\` speaks`;
  return begins === "answer"
    ? "it reads one call at the start of an answer"
    : "no model's template writes calls in this form";
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
  text: "its text without the marks",
  nothing: "nothing",
};

/** What has to hold besides the opener, as one sentence part each. */
function evidence({ begins, followed_by: after, keys, call }: Omit<Rule, "rule" | "enabled">): string {
  return [
    call.tool === undefined ? "of an offered tool" : "of the first offered tool of the rule",
    begins === "answer" ? "at the start of the answer" : "at the start of a line",
    ...after === "nothing" ? ["with nothing after it"] : [],
    ...after === "calls" ? ["with only calls after it"] : [],
    ...keys === "declared" ? ["with a declared parameter first"] : [],
    ...call.allowed_commands ? ["with only whitelisted commands"] : [],
  ].join(", ");
}

function yes(enabled: boolean): string {
  return enabled ? "yes" : "**no**";
}

function row(cells: readonly (string | undefined)[]): string {
  return `| ${cells.map((cell = "") => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

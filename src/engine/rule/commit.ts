/** When the client gets a rule's calls if the rule doesn't have `commit`. @module */
import type { Commit } from "../scan/compiled_rule.ts";
import type { Rule } from "./schema.ts";

interface CommitPoint {
  readonly commit: Commit;
  /** What decided it, as a short clause. */
  readonly because: string;
}

/** A rule under this confidence sends nothing before its call is whole. */
const STREAMING_CONFIDENCE = 0.85;

/**
 * The commit point of a rule. Dialects of tags and tokens stream from their first item. Fences, bare JSON and rules of
 * low confidence wait for the close, because until then the candidate can turn out to be text.
 *
 * @example
 * ```ts
 * import { commitPoint } from "./commit.ts";
 * import { ruleSchema } from "./schema.ts";
 * const rule = ruleSchema.parse({ rule: "r", pattern: "<c {tool}>(?<body>…)</c>", body: "json", followed_by: "nothing" });
 * console.assert(commitPoint(rule).commit === "close");
 * ```
 */
export function commitPoint(rule: Rule): CommitPoint {
  if (rule.commit !== undefined) return { commit: rule.commit, because: "the rule sets it" };
  const waiting: readonly (readonly [boolean, string])[] = [
    [
      rule.followed_by !== "anything",
      `only the text after the call decides (\`followed_by: ${rule.followed_by}\`)`,
    ],
    [
      rule.begins !== "anywhere",
      `the position of the opener is part of the evidence (\`begins: ${rule.begins}\`)`,
    ],
    [rule.pattern.startsWith("^"), "the opener must be at the start of a line (`^`)"],
    [rule.body === "text" || rule.body === "yaml", `a body of kind \`${rule.body}\` is parsed as a whole`],
    [rule.confidence < STREAMING_CONFIDENCE, `its confidence is under ${STREAMING_CONFIDENCE}`],
  ];
  const because = waiting.find(([waits]) => waits)?.[1];
  return because === undefined
    ? { commit: "first_item", because: "its tags or tokens are unambiguous" }
    : { commit: "close", because };
}

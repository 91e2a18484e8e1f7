/**
 * The recorded cases of plain use (tier A) whose calls Dragoman reads differently from the engine that recorded them,
 * and why. `tests/analysis/conformance/quirks.json` lists them; `quirks_page.ts` writes them as a table.
 *
 * @module
 */
import foreign from "../analysis/conformance/foreign.json" with { type: "json" };
import quirks from "../analysis/conformance/quirks.json" with { type: "json" };

/** Cases with one reason. */
export interface Quirk {
  /** Why Dragoman reads them differently. */
  readonly reason: string;
  /** Their ids. */
  readonly cases: readonly string[];
}

export const QUIRKS: readonly Quirk[] = quirks;

/** The ids of all of them. */
export const QUIRK_CASES: readonly string[] = QUIRKS.flatMap(({ cases }) => cases);

/** Cases of suites that others wrote whose calls Dragoman reads differently, by kind. */
export const FOREIGN: readonly (Quirk & { readonly kind: string })[] = foreign;

/** The full page `rules/quirks.md`. */
export function quirksPage(): string {
  const rows = QUIRKS.flatMap(({ cases, reason }) => cases.map((id) => `| \`${id}\` | ${reason} |`));
  const kinds = FOREIGN.map(({ kind, reason, cases }) => `| ${kind} | ${reason} | ${cases.length} |`);
  return `# Recorded cases that Dragoman reads differently

Of the recorded cases of plain use (tier A), Dragoman reads these differently from the engine that recorded them.
\`deno task generate\` writes this page from \`tests/analysis/conformance/quirks.json\`. A test runs all cases: one that differs without
a reason is an error, and so is one in this table that doesn't differ.

\`dragoman conformance --rules dialect\` measures how a dialect is read, without the policy about calls: the rules count on
or off, at any confidence, and every name counts as offered, except in cases with the tag \`edge\`, which are about what an
engine decides. Ten cases agree with their engine only this way: it calls a tool that the request doesn't offer, because it
doesn't compare names. Under the normal policy (\`--rules all\`), Dragoman never calls such a tool. No case without calls
gets one this way.

| case | reason |
|---|---|
${rows.join("\n")}

## Suites of other libraries

Five more suites (smg, Xinference, LocalAI, Rapid-MLX, and the newest tests of vLLM and SGLang) were written for other
libraries, with other policies. Under the normal policy, the calls of these cases differ
(\`tests/analysis/conformance/foreign.json\` lists them; a test compares).

| kind | reason | cases |
|---|---|---|
${kinds.join("\n")}
`;
}

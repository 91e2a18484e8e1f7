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
  /** Whether each is half a call, of which nothing may be made. */
  readonly isHalf?: boolean;
  /** Their ids. */
  readonly cases: readonly string[];
}

export const QUIRKS: readonly Quirk[] = quirks;

/** The ids of all of them. */
export const QUIRK_CASES: readonly string[] = QUIRKS.flatMap(({ cases }) => cases);

/** The ids of those that are half a call. */
export const HALF_CASES: readonly string[] = QUIRKS.flatMap(({ isHalf, cases }) => isHalf ? cases : []);

/** Cases of suites that others wrote whose calls Dragoman reads differently, by kind. */
export const FOREIGN: readonly (Quirk & { readonly kind: string })[] = foreign;

/** The full page `rules/quirks.md`. */
export function quirksPage(): string {
  const rows = QUIRKS.flatMap(({ cases, reason }) => cases.map((id) => `| \`${id}\` | ${reason} |`));
  const kinds = FOREIGN.map(({ kind, reason, cases }) => `| ${kind} | ${reason} | ${cases.length} |`);
  return `# Recorded cases that Dragoman reads differently

Dragoman reads most recorded cases of plain use (tier A) the same way as the engine that recorded them. The following table lists the
exceptions. \`deno task generate\` writes this page from \`tests/analysis/conformance/quirks.json\`. A test runs all cases. The test fails
if a case differs without a reason, or if a case in this table doesn't differ.

The command \`dragoman conformance --rules dialect\` measures how Dragoman reads a dialect, without the policy that decides which calls to
make. All rules count, on or off, at any confidence, and every name counts as an offered tool. The exceptions are cases tagged \`edge\`,
which test the engine's decisions. Ten cases match their engine only in this mode: because the engine doesn't compare names, it calls a
tool that the request doesn't offer. Under the normal policy (\`--rules all\`), Dragoman never calls such a tool. If a case contains no
calls, Dragoman doesn't make any in this mode either.

| case | reason |
|---|---|
${rows.join("\n")}

## Suites of other libraries

Five more suites (smg, Xinference, LocalAI, Rapid-MLX, and the newest tests of vLLM and SGLang) were written for other libraries, which
have different policies. Under the normal policy, Dragoman's calls differ in the following cases. They are listed in
\`tests/analysis/conformance/foreign.json\`, and a test compares them.

| kind | reason | cases |
|---|---|---|
${kinds.join("\n")}
`;
}

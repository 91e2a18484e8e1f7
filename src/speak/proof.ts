/**
 * Checks that what a rule speaks is what Dragoman reads: writes calls as `speak` states and reads them again.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import { compileRules } from "../rule/compile.ts";
import type { LoadedRules } from "../rule/read.ts";
import type { Rule } from "../rule/schema.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { Speaker, speaks, type SpokenCall } from "./speaker.ts";

const TOOLS: readonly OfferedTool[] = [
  {
    name: "write_file",
    schema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  },
  {
    name: "configure",
    schema: {
      type: "object",
      properties: {
        count: { type: "integer" },
        on: { type: "boolean" },
        names: { type: "array", items: { type: "string" } },
        more: { type: "object" },
      },
    },
  },
];

const CALLS: readonly SpokenCall[] = [
  { tool: "write_file", arguments: { path: "src/a.ts", content: "two lines,\none 'quoted'" }, index: 0 },
  { tool: "configure", arguments: { count: 5, on: true, names: ["a", "b"], more: { key: "x" } }, index: 1 },
];

/** A diagnostic for each rule that doesn't read the calls that it speaks. */
export function proveSpeech(
  { rules, program, locate }: LoadedRules,
  { only }: { readonly only: (rule: Rule) => boolean },
): Diagnostic[] {
  return rules.filter(only).filter(speaks).flatMap((rule): Diagnostic[] => {
    const own = { ...rule, enabled: true };
    const read = rule.enabled
      ? program
      : compileRules(rules.map((one) => one === rule ? own : one).filter(({ enabled }) => enabled)).program;
    const speaker = new Speaker(rule, { program: read, minimumConfidence: 0 });
    const failed = [[CALLS[0]!], [CALLS[1]!], CALLS].map((calls) => speaker.writeCalls(calls, TOOLS))
      .find((written) => "tool" in written);
    if (failed === undefined || !("tool" in failed)) return [];
    const location = locate(rule.rule, ["speak", "call"]);
    const what = failed.parameter === undefined ? "" : `, parameter \`${failed.parameter}\``;
    return [{
      code: "speak_unread",
      severity: "error",
      message: `Rule "${rule.rule}" does not read the call of \`${failed.tool}\` that it speaks${what}`,
      ...present({ location }),
      expected: "a call that `pattern` and `item` read unchanged",
      help: `compare it with what is written: ${JSON.stringify(failed.text)}`,
    }];
  });
}

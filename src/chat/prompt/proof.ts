/** Checks that what a rule speaks is what Dragoman reads: writes calls as `speak` states and reads them again. @module */
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { present } from "../../engine/object/present.ts";
import { compileRules } from "../../engine/rule/compile.ts";
import type { LoadedRules } from "../../engine/rule/read.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { Speaker, speaks, type SpokenRule } from "./speaker.ts";
import type { SpokenCall } from "./spoken.ts";

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

/** What is wrong with how rules speak: calls that they don't read, and a rule under `otherwise` that can't speak. */
export function proveSpeech(
  loaded: LoadedRules,
  { only }: { readonly only: (rule: Rule) => boolean },
): Diagnostic[] {
  return loaded.rules.filter(only).filter(speaks).flatMap((rule) => [
    ...unread(rule, loaded),
    ...silentOther(rule, loaded),
  ]);
}

function unread(rule: SpokenRule, { rules, program, locate }: LoadedRules): Diagnostic[] {
  const own = { ...rule, enabled: true };
  const read = rule.enabled
    ? program
    : compileRules(rules.map((one) => one === rule ? own : one).filter(({ enabled }) => enabled)).program;
  const speaker = new Speaker(rule, { program: read, minimumConfidence: 0 });
  const [failed] = [[CALLS[0]!], [CALLS[1]!], CALLS].flatMap((calls) => {
    const written = speaker.writeCalls(calls, TOOLS);
    return "tool" in written ? [written] : [];
  });
  if (failed === undefined) return [];
  const location = locate(rule.rule, ["speak", "call"]);
  const what = failed.parameter === undefined ? "" : `, parameter \`${failed.parameter}\``;
  return [{
    code: "speak_unread",
    severity: "error",
    message: `Rule "${rule.rule}" does not read the call to \`${failed.tool}\` that it writes${what}`,
    ...present({ location }),
    expected: "a call that `pattern` and `item` read back unchanged",
    help: `compare it with the written call: ${JSON.stringify(failed.text)}`,
  }];
}

function silentOther(
  { rule, speak: { otherwise } }: SpokenRule,
  { rules, locate }: LoadedRules,
): Diagnostic[] {
  const found = rules.find((one) => one.rule === otherwise);
  if (otherwise === undefined || found?.speak !== undefined) return [];
  const location = locate(rule, ["speak", "otherwise"]);
  const spoken = rules.filter(speaks).map((one) => one.rule);
  return [{
    code: "dialect_unspoken",
    severity: "error",
    message: found === undefined
      ? `Rule "${rule}" names "${otherwise}" under \`otherwise\`, which does not exist`
      : `Rule "${rule}" names "${otherwise}" under \`otherwise\`, which has no \`speak\``,
    ...present({ location }),
    expected: "a rule with `speak`",
    ...present({ help: found === undefined ? didYouMean(otherwise, spoken) : undefined }),
  }];
}

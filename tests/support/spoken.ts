/**
 * Speakers of small rules and of those that ship.
 *
 * @module
 */
import { loadRules } from "../../src/engine/rule/load.ts";
import { compileRules } from "../../src/engine/rule/compile.ts";
import { noSettings } from "../../src/engine/rule/read.ts";
import { type Rule, ruleSchema } from "../../src/engine/rule/schema.ts";
import { Speaker, speaks } from "../../src/chat/prompt/speaker.ts";

/** A rule with tags, whose values end at their closing tag, and one with JSON. */
export const SMALL_RULES: readonly Rule[] = [
  {
    rule: "tags",
    pattern: "<call {tool}>(?<body>…)</call>",
    body: "tagged",
    tagged: { item: "<arg (?<key>\\w{1,64})>(?<value>…)</arg>" },
    speak: {
      announce: "Tools: {tools}",
      call: "<call {name}>{items}</call>",
      item: "<arg {key}>{value}</arg>",
      result: "<result {name}>{content}</result>",
      otherwise: "object",
    },
  },
  {
    rule: "object",
    pattern: "<object {tool}>(?=\\{)(?<body>…)</object>",
    body: "json",
    speak: { announce: "Tools: {tools}", call: "<object {name}>{arguments}</object>", result: "{content}" },
  },
].map((rule) => ruleSchema.parse(rule));

/** A speaker of one of some rules; all of them read. */
export function speakerOf(name: string, rules: readonly Rule[] = SMALL_RULES): Speaker {
  const { program } = compileRules(rules);
  const options = { program, minimumConfidence: 0 };
  const spoken = rules.filter(speaks);
  const rule = spoken.find((one) => one.rule === name)!;
  const other = spoken.find((one) => one.rule === rule.speak.otherwise);
  return new Speaker(rule, { ...options, otherwise: other && new Speaker(other, options) });
}

let shipped: Promise<readonly Rule[]> | undefined;

export async function shippedRules(): Promise<readonly Rule[]> {
  shipped ??= loadRules({ folders: [], settings: noSettings, workingDirectory: Deno.cwd() })
    .then(({ rules }) => rules.filter(({ enabled }) => enabled));
  return await shipped;
}

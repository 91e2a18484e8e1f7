/** Whether calls are shown, not meant, at a place: in a fence, a code span, a quotation, or the model's reasoning. @module */
import { collect, textAnswer } from "../../engine/event/stage.ts";
import { Matcher, type Program, rankRules, USUAL_FIELDS, type WeightedRule } from "../../engine/mod.ts";
import { literal } from "../../engine/pattern/node.ts";
import { offer } from "../../engine/tool/offered.ts";

/** A call that no model writes: it is made of characters for private use. */
const PROBE = { opener: "\uE0F0", body: "{}", closer: "\uE0F1" };

const PROBE_RULE: WeightedRule = {
  ...USUAL_FIELDS,
  name: "probe",
  opener: literal(PROBE.opener),
  closer: literal(PROBE.closer),
  body: { kind: "json", stringMark: undefined },
  tools: ["probe"],
  weight: 1,
};

const OFFERED = offer([{ name: "probe" }]);

export interface TextPart {
  /** The text from the answer's beginning. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the answer begins inside the model's reasoning. */
  readonly beginsInReasoning: boolean;
}

/** A function that decides with the regions that a program's rules describe. */
export function createShownCheck({ rules, entries }: Program): (part: TextPart) => boolean {
  const on = new Set(rules.map(({ name }) => name));
  const regions = entries.filter(({ name, body }) => body.kind === "opaque" && on.has(name));
  const program = rankRules([PROBE_RULE, ...regions]);
  const isShown = ({ text, start, end, beginsInReasoning }: TextPart) => {
    const matcher = new Matcher(program, {
      offered: OFFERED,
      minimumConfidence: 0,
      wholeCalls: true,
      beginsInReasoning,
    });
    const pieces = [text.slice(0, start) + PROBE.opener + PROBE.body + PROBE.closer + text.slice(end)];
    return !collect(matcher, textAnswer(pieces)).some(({ kind }) => kind === "call_end");
  };
  return (part) => {
    if (!isShown(part)) return false;
    const { text, beginsInReasoning } = part;
    if (!beginsInReasoning) return true;
    // Reasoning that nothing closes was none: the answer didn't begin inside.
    const isOpen = isShown({ text, start: text.length, end: text.length, beginsInReasoning });
    return !isOpen || isShown({ ...part, beginsInReasoning: false });
  };
}

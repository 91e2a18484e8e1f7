/**
 * Whether a place of an answer is one where calls are shown, not meant: a fence, a code span, a quotation, the model's
 * reasoning. A call of a rule of its own takes the place of the text, and the matcher decides about it as about any.
 *
 * @module
 */
import { collect, textAnswer } from "../../engine/event/stage.ts";
import defer * as compiling from "../../engine/rule/compile.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import defer * as schema from "../../engine/rule/schema.ts";
import { Matcher } from "../../engine/mod.ts";
import { offer } from "../../engine/tool/offered.ts";

/** A call that no model writes: it is made of characters for private use. */
const PROBE = "\uE0F0probe\uE0F1{}\uE0F2";

const PROBE_RULE = {
  rule: "probe",
  pattern: "\uE0F0{tool}\uE0F1(?<body>…)\uE0F2",
  body: "json",
  confidence: 1,
};

const OFFERED = offer([{ name: "probe" }]);

/** An answer's text and a part of it. */
export interface TextPart {
  /** The text from the answer's beginning. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether the answer begins inside the model's reasoning. */
  readonly beginsInReasoning: boolean;
}

/** A function that decides with the regions that some rules describe; the rules are compiled when it is first called. */
export function createShownCheck(rules: readonly Rule[]): (part: TextPart) => boolean {
  const compile = () =>
    compiling.compileRules([
      schema.ruleSchema.parse(PROBE_RULE),
      ...rules.filter(({ body, enabled }) => body === "opaque" && enabled),
    ]).program;
  let program: ReturnType<typeof compile> | undefined;
  return ({ text, start, end, beginsInReasoning }) => {
    program ??= compile();
    const matcher = new Matcher(program, {
      offered: OFFERED,
      minimumConfidence: 0,
      wholeCalls: true,
      beginsInReasoning,
    });
    const pieces = [text.slice(0, start) + PROBE + text.slice(end)];
    return !collect(matcher, textAnswer(pieces)).some(({ kind }) => kind === "call_end");
  };
}

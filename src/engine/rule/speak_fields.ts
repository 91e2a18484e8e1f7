/** Checks `speak` of a rule: unknown placeholders, missing parts, and parts that have no effect. @module */
import { didYouMean } from "../diagnostic/suggest.ts";
import { placeholdersIn } from "./placeholder.ts";
import type { RuleProblem } from "./problem.ts";
import type { Rule } from "./schema.ts";
import { PLACEHOLDERS, type Speak, type SpokenField } from "./speak_schema.ts";

type Finding = Omit<RuleProblem, "rule">;

/** Templates, and the placeholders of which they need one, or what they are for is lost. */
const NEEDED: Partial<Record<SpokenField, readonly string[]>> = {
  announce: ["tools"],
  call: ["name"],
  calls: ["calls"],
  result: ["content", "content_json"],
  results: ["results"],
};

/** A placeholder, the field that writes it, and the field that contains it. */
const WRITTEN_BY = [
  ["each_parameter", "parameter", "tool"],
  ["fields", "field", "tool"],
  ["items", "item", "call"],
] as const;

export function checkSpeak(rule: Rule): Finding[] {
  const { speak, body } = rule;
  if (speak === undefined) return [];
  if (body === "opaque" || body === "group") {
    return [{
      code: "field_conflict",
      path: ["speak"],
      message: `\`speak\` has no effect with \`body: ${body}\``,
      expected: "a rule that reads calls",
      help: "leave `speak` out, or change `body`",
    }];
  }
  return [
    ...unknownPlaceholders(speak),
    ...missingPlaceholders(speak),
    ...missingParts(speak),
    ...checkMark(rule, speak),
  ];
}

function* templates(speak: Speak): Generator<readonly [SpokenField, string]> {
  for (const field of Object.keys(PLACEHOLDERS) as SpokenField[]) {
    for (const template of [speak[field] ?? []].flat()) yield [field, template];
  }
}

function unknownPlaceholders(speak: Speak): Finding[] {
  return [...templates(speak)].flatMap(([field, template]) => {
    const known: readonly string[] = PLACEHOLDERS[field];
    return placeholdersIn(template).filter((word) => !known.includes(word)).map((word) => ({
      code: "speak_placeholder" as const,
      path: ["speak", field],
      message: `\`{${word}}\` is not a placeholder of \`${field}\``,
      expected: known.map((one) => `{${one}}`).join(", "),
      help: didYouMean(word, known) ?? `for the characters themselves, write \\{${word}}`,
    }));
  });
}

function missingPlaceholders(speak: Speak): Finding[] {
  const needed = Object.entries(NEEDED) as [SpokenField, readonly string[]][];
  return needed.filter(([field, words]) => !words.some((word) => has(speak[field], word)))
    .map(([field, words]) => ({
      code: "speak_placeholder" as const,
      path: ["speak", field],
      message: `\`${field}\` has no \`{${words[0]}}\``,
      expected: words.map((word) => `\`{${word}}\``).join(" or "),
    }));
}

function missingParts(speak: Speak): Finding[] {
  return WRITTEN_BY.flatMap(([word, part, field]): Finding[] => {
    const isUsed = has(speak[field], word) || (word === "fields" && has(speak.parameter, word));
    if (isUsed === (speak[part] !== undefined)) return [];
    return [{
      code: "speak_part",
      path: isUsed ? ["speak", field] : ["speak", part],
      message: isUsed ? `\`{${word}}\` needs \`${part}\`` : `\`${part}\` has no effect without \`{${word}}\``,
      expected: isUsed ? `\`${part}\`, which writes each of them` : `\`{${word}}\` in \`${field}\``,
    }];
  });
}

function checkMark({ body, json, envelope }: Rule, { values }: Speak): Finding[] {
  const mark = body === "json" ? json.string_mark : envelope.string_mark;
  if (values !== "marked" || mark !== undefined) return [];
  return [{
    code: "speak_part",
    path: ["speak", "values"],
    message: "`values: marked` needs the rule's `string_mark`",
    expected: "`string_mark`, the delimiter around strings",
  }];
}

function has(template: string | readonly string[] | undefined, word: string): boolean {
  return [template ?? []].flat().some((one) => placeholdersIn(one).includes(word));
}

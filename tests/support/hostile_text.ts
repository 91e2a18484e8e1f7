/**
 * Units of texts that are written to be slow to read: parts of every shipped dialect, of Markdown and of JSON, and
 * mixtures of them. A text repeats one unit.
 *
 * @module
 */
import type { Rule } from "../../src/engine/rule/schema.ts";
import type { Random } from "./mutate.ts";

/** What is before, and what is repeated. */
export interface HostileText {
  readonly head: string;
  readonly unit: string;
}

/** Marks of Markdown and of HTML. */
const MARKS = [
  ..."` `` ``` ~~~~ [ ] ]( [a]( [a](b) ![ \\ \\` ** * _ < > ( ) # | \" ' “ <b> </b> <pre> <code> </code>"
    .split(" "),
  ...'<!-- --> <http://x> <a><x "y <think> </think> <details> <?php <![CDATA[ &lt; 😀 a'.split(" "),
  ..."\n|\n\n|    |\t| |- |* |1. |> |>> |word |---\n|===\n|```json\n|[x]: y\n".split("|"),
  "| a | b |\n",
  "|---|---|\n",
  '<a href="x">',
];

/** Pieces of JSON and of Python's literals. */
const JSON_PIECES = [
  ...'{ } [ ] " \\ \\" : , }} [{"a": {"a": "a":1, \\u00 // /* */ True (1, f(a='.split(" "),
  "'''",
  '"""',
  '{"name": "write_file", "arguments": {',
  '{"name": "write_file", "arguments": {"path": "a"}}',
  '{"tool": "f"',
];

/** Characters after which a part of a dialect ends. */
const BOUNDARIES = '>]}{([:="\n';

/** How many of an example's beginnings, from its first boundary on, are units. */
const BEGINNINGS_MAXIMUM = 10;

/** The parts of a text between two boundaries, and what the text is up to each of the first ones. */
function partsOf(text: string): string[] {
  const parts = [text];
  let from = 0;
  let beginnings = 0;
  for (let at = 0; at < text.length; at++) {
    if (!BOUNDARIES.includes(text[at]!)) continue;
    parts.push(text.slice(from, at + 1));
    if (beginnings++ < BEGINNINGS_MAXIMUM) parts.push(text.slice(0, at + 1));
    from = at + 1;
  }
  return parts;
}

/** All units of one part: marks, pieces of JSON, and the parts of the rules' own examples. */
export function hostileUnits(
  rules: readonly Rule[],
): { marks: string[]; json: string[]; dialects: string[] } {
  const dialects = new Set<string>();
  for (const { examples, untouched } of rules) {
    for (const { input } of [...examples ?? [], ...untouched ?? []]) {
      for (const part of partsOf(input)) dialects.add(part);
    }
  }
  return { marks: MARKS, json: JSON_PIECES, dialects: [...dialects] };
}

/** A mixture of up to three units, perhaps after another one. */
export function mixedText(units: ReturnType<typeof hostileUnits>, random: Random): HostileText {
  const kinds = [units.marks, units.json, units.dialects];
  const pick = () => {
    const all = kinds[random(kinds.length)]!;
    return all[random(all.length)]!;
  };
  const unit = Array.from({ length: 1 + random(3) }, pick).join("");
  return { head: random(2) === 0 ? pick() : "", unit };
}

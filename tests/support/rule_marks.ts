/**
 * The texts that the marks of a rule of reasoning match, from its compiled patterns.
 *
 * @module
 */
import type { Node, Ranges } from "../../src/engine/pattern/node.ts";
import type { Program } from "../../src/engine/scan/program.ts";

/** An opener and one of its closers. */
export interface MarkPair {
  readonly rule: string;
  readonly opener: string;
  readonly closer: string;
}

type Groups = Readonly<Record<string, string>>;

/** Every pair of marks around reasoning that leaves the text, with each closer after at least one of its openers. */
export function reasoningMarks({ rules }: Program, isIncluded: (rule: string) => boolean): MarkPair[] {
  return rules.flatMap(({ name, body, opener, closer }) => {
    const isThought = body.kind === "opaque" && body.region === "reasoning" && body.sendsAs === "reasoning";
    if (!isThought || !isIncluded(name)) return [];
    return [...textsOf(opener, {})].flatMap(([open, groups], at, openers) => {
      const closers = [...textsOf(closer, groups)].map(([close]) => close);
      return closers.filter((_, index) => index % openers.length === at % closers.length)
        .map((close) => ({ rule: name, opener: open, closer: close }));
    });
  });
}

const APOSTROPHE = 0x27;

/** The texts that a node matches: each repetition at most once, and of any character an apostrophe. */
function* textsOf(node: Node, groups: Groups): Generator<[text: string, groups: Groups]> {
  switch (node.type) {
    case "characters":
      for (const unit of unitsOf(node.ranges)) yield [String.fromCharCode(unit), groups];
      return;
    case "choice":
      for (const item of node.items) yield* textsOf(item, groups);
      return;
    case "group":
      for (const [text, inner] of textsOf(node.item, groups)) yield [text, { ...inner, [node.name]: text }];
      return;
    case "reference":
      yield [groups[node.name] ?? "", groups];
      return;
    case "repeat":
      if (node.minimum === 0) yield ["", groups];
      if (node.maximum > 0) yield* textsOf(node.item, groups);
      return;
    case "sequence": {
      const [first, ...rest] = node.items;
      if (first === undefined) yield ["", groups];
      else {
        for (const [text, inner] of textsOf(first, groups)) {
          for (const [more, all] of textsOf({ type: "sequence", items: rest }, inner)) {
            yield [text + more, all];
          }
        }
      }
      return;
    }
    default:
      yield ["", groups];
  }
}

function unitsOf(ranges: Ranges): number[] {
  const hasAny = ranges.some(([from, to]) => from <= APOSTROPHE && APOSTROPHE <= to);
  return hasAny ? [APOSTROPHE] : ranges.map(([from]) => from);
}

/** The tree of a pattern, in UTF-16 units: a subset of regular expressions, and our own `mark`, `end` and `hole`. @module */

/** The symbol for the end of the answer, one more than the last UTF-16 code unit. */
export const END = 0x10000;

/** The group that captures an opener's optional wrapper. The space keeps it apart from the groups of a rule. */
export const WRAPPER = " wrapper";

/** Ranges of code units, both ends included, sorted and disjoint. */
export type Ranges = readonly (readonly [from: number, to: number])[];

/** One node of a pattern. */
export type Node =
  /** One code unit of a set. */
  | { readonly type: "characters"; readonly ranges: Ranges }
  | { readonly type: "sequence"; readonly items: readonly Node[] }
  | { readonly type: "choice"; readonly items: readonly Node[] }
  | {
    readonly type: "repeat";
    readonly item: Node;
    readonly minimum: number;
    readonly maximum: number;
    readonly greedy: boolean;
  }
  /** A named group, whose match can be captured. */
  | { readonly type: "group"; readonly name: string; readonly item: Node }
  /** Matches at the start of a line; always the first node. */
  | { readonly type: "line_start" }
  /** The text that a group of the opener matched; `bind` replaces it before compiling. */
  | { readonly type: "reference"; readonly name: string }
  /** The match ends here; the rest is a look-ahead. */
  | { readonly type: "mark" }
  | { readonly type: "end" }
  /** The position of the body or the value: `(?<body>…)`. */
  | { readonly type: "hole"; readonly name: string };

/** The match ends here. */
export const MARK: Node = { type: "mark" };

/** Matches at the end of the answer. */
export const ANSWER_END: Node = { type: "end" };

/** Never matches. */
export const NEVER: Node = { type: "characters", ranges: [] };

/** Matches all items in order. */
export function sequence(...items: readonly Node[]): Node {
  return items.length === 1 ? items[0]! : { type: "sequence", items };
}

/** Matches one of the items. */
export function choice(...items: readonly Node[]): Node {
  return items.length === 1 ? items[0]! : { type: "choice", items };
}

/** Matches an item or nothing. */
export function optional(item: Node): Node {
  return { type: "repeat", item, minimum: 0, maximum: 1, greedy: true };
}

/** Matches exactly this text. */
export function literal(text: string): Node {
  return sequence(
    ...Array.from({ length: text.length }, (_, index): Node => {
      const unit = text.charCodeAt(index);
      return { type: "characters", ranges: [[unit, unit]] };
    }),
  );
}

/** The whitespace that `\s` matches in JavaScript. */
export const SPACE: Ranges = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** Matches any amount of whitespace, including none. */
export const spaces: Node = {
  type: "repeat",
  item: { type: "characters", ranges: SPACE },
  minimum: 0,
  maximum: Infinity,
  greedy: true,
};

/** Matches the end of a line. */
export const lineBreak: Node = sequence(optional(literal("\r")), literal("\n"));

/** Whether a code unit is whitespace. */
export function isSpace(unit: number): boolean {
  if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)) return true;
  return unit >= 0xa0 && SPACE.some(([from, to]) => unit >= from && unit <= to);
}

/** The end of the whitespace at an index. */
export function spaceEnd(text: string, from = 0, limit = text.length): number {
  let end = from;
  while (end < limit && isSpace(text.charCodeAt(end))) end++;
  return end;
}

/** Whether a text is empty or whitespace. */
export function isBlank(text: string): boolean {
  return spaceEnd(text) === text.length;
}

/** Sorts ranges and merges those that overlap or touch. */
export function normalize(ranges: Ranges): Ranges {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The code units that are not in the set. */
export function complement(ranges: Ranges): Ranges {
  const rest: [number, number][] = [];
  let next = 0;
  for (const [from, to] of normalize(ranges)) {
    if (from > next) rest.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= 0xffff) rest.push([next, 0xffff]);
  return rest;
}

/** The nodes directly in a node. */
export function innerNodes(node: Node): readonly Node[] {
  switch (node.type) {
    case "sequence":
    case "choice":
      return node.items;
    case "repeat":
    case "group":
      return [node.item];
    default:
      return [];
  }
}

/** The same node with each of the nodes directly in it changed. */
export function changeInner(node: Node, change: (inner: Node) => Node): Node {
  switch (node.type) {
    case "sequence":
    case "choice":
      return { type: node.type, items: node.items.map(change) };
    case "repeat":
    case "group":
      return { ...node, item: change(node.item) };
    default:
      return node;
  }
}

/** Replaces references with their texts; a reference without a text remains. */
export function bind(node: Node, texts: Readonly<Record<string, string>>): Node {
  if (node.type !== "reference") return changeInner(node, (inner) => bind(inner, texts));
  return texts[node.name] === undefined ? node : literal(texts[node.name]!);
}

/** The names of all groups in a node, or of all references. */
export function namesIn(node: Node, type: "group" | "reference"): string[] {
  const names: string[] = [];
  addNames(node, type, names);
  return names;
}

/** One list for all nodes, because a start with many rules asks for the names of each pattern several times. */
function addNames(node: Node, type: "group" | "reference", names: string[]): void {
  if (node.type === type) names.push(node.name);
  for (const inner of innerNodes(node)) addNames(inner, type, names);
}

/** The least number of code units that a node matches. A reference counts as one, because no group is empty. */
export function minimumLength(node: Node): number {
  switch (node.type) {
    case "characters":
    case "reference":
      return 1;
    case "sequence": {
      let length = 0;
      for (const item of node.items) {
        if (item.type === "mark") break;
        length += minimumLength(item);
      }
      return length;
    }
    case "choice":
      return Math.min(...node.items.map(minimumLength));
    case "repeat":
      return node.minimum * minimumLength(node.item);
    case "group":
      return minimumLength(node.item);
    default:
      return 0;
  }
}

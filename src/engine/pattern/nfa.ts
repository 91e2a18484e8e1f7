/**
 * Compiles patterns to the instructions of one machine that follows all of them at once. Each place of a rule is
 * compiled once; the texts that its references stand in for are bound later (`machine.ts`).
 *
 *     <(?<tool>\w+)>     0 accept 0   1 <, then 4   4 save tool start, then 5   5 <characters \w>, then …   …
 *     </\k<tool>>        2 accept 1   3 <, then …   …   text tool, then …
 *
 * An instruction is written when a text first comes to it: most rules never see more than the first character of their
 * pattern, and a class that repeats 127 times has hundreds of instructions.
 *
 * @module
 */
import { END, innerNodes, type Node, type Ranges } from "./node.ts";

/** One pattern of a machine. */
export interface Alternative {
  /** The pattern. */
  readonly node: Node;
  /** The priority among alternatives with the same start: a lower number wins, then the longer match. */
  readonly priority: number;
  /** Whether it counts only at the start of the answer. */
  readonly isFirst?: boolean;
}

/** One instruction, and the index of the one after it. */
export type Instruction =
  | { readonly op: "characters"; readonly ranges: Ranges; readonly next: number }
  /** Matches one of the texts that are bound to a name. */
  | { readonly op: "text"; readonly name: string; readonly next: number }
  /** Goes on at both; a regular expression prefers the first. */
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly next: number }
  | { readonly op: "save"; readonly slot: string; readonly to: "start" | "end"; readonly next: number }
  | { readonly op: "line_start"; readonly next: number }
  | { readonly op: "accept"; readonly alternative: number };

/** What isn't written yet: a node without its first items or repeats, and the index of the instruction after it. */
interface Rest {
  readonly op: "rest";
  readonly node: Node;
  readonly written: number;
  readonly next: number;
}

/** The name of the slot that saves a pattern's mark. */
export const MARK = " mark";

/** Compiled patterns. The index in the list identifies an alternative. */
export class Nfa {
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  /** The index of each alternative's first instruction. */
  readonly entries: readonly number[];
  /** The same without the alternatives that count only at the start of the answer. */
  readonly laterEntries: readonly number[];
  /** The names that need texts. */
  readonly names: readonly string[];
  /** The code units at which a set of characters begins or ends; all characters between two of them are equivalent. */
  readonly bounds: ReadonlySet<number>;
  readonly #alternatives: readonly Alternative[];
  readonly #instructions: (Instruction | Rest)[] = [];
  readonly #owners: number[] = [];
  readonly #saves: (boolean | undefined)[] = [];

  /** Compiles patterns; a reference becomes an instruction that matches a bound text. */
  constructor(alternatives: readonly Alternative[]) {
    this.#alternatives = alternatives;
    this.priorities = alternatives.map(({ priority }) => priority);
    this.entries = alternatives.map(({ node }, alternative) => {
      const next = this.#add(alternative, { op: "accept", alternative });
      return this.#add(alternative, restOf(node, next));
    });
    this.laterEntries = this.entries.filter((_, index) => !alternatives[index]!.isFirst);
    const { names, bounds } = contentsOf(alternatives);
    this.names = [...names];
    this.bounds = bounds;
  }

  /** The instruction at an index. */
  at(index: number): Instruction {
    const instruction = this.#instructions[index]!;
    if (instruction.op !== "rest") return instruction;
    return this.#instructions[index] = this.#write(index, instruction);
  }

  /** The alternative of an instruction. */
  owner(index: number): number {
    return this.#owners[index]!;
  }

  /** Whether an alternative has groups or a mark, so that its match contains more than its end. */
  saves(alternative: number): boolean {
    return this.#saves[alternative] ??= hasSaves(this.#alternatives[alternative]!.node);
  }

  #add(owner: number, instruction: Instruction | Rest): number {
    this.#owners.push(owner);
    return this.#instructions.push(instruction) - 1;
  }

  /** The first instruction of a node; what comes after it is left for later. */
  #write(index: number, { node, written, next }: Rest): Instruction {
    const owner = this.#owners[index]!;
    switch (node.type) {
      case "characters":
        return { op: "characters", ranges: node.ranges, next };
      case "end":
        return { op: "characters", ranges: AT_END, next };
      case "reference":
        return { op: "text", name: node.name, next };
      case "line_start":
        return { op: "line_start", next };
      case "mark":
        return { op: "save", slot: MARK, to: "start", next };
      case "group": {
        const end = this.#add(owner, { op: "save", slot: node.name, to: "end", next });
        return { op: "save", slot: node.name, to: "start", next: this.#add(owner, restOf(node.item, end)) };
      }
      case "sequence": {
        const item = node.items[written];
        if (item === undefined) return { op: "jump", next };
        const isLast = written === node.items.length - 1;
        const after = isLast ? next : this.#add(owner, restOf(node, next, written + 1));
        return this.#write(index, restOf(item, after));
      }
      case "choice": {
        const item = node.items[written];
        if (item === undefined) return { op: "jump", next };
        if (written === node.items.length - 1) return this.#write(index, restOf(item, next));
        const first = this.#add(owner, restOf(item, next));
        return { op: "split", first, second: this.#add(owner, restOf(node, next, written + 1)) };
      }
      case "repeat":
        return this.#writeRepeat(index, { node, written, next });
      case "hole":
        throw new Error("a hole is left");
    }
  }

  /** The first instruction of a repeat, some of whose repeats are written. */
  #writeRepeat(
    index: number,
    { node, written, next }: { readonly node: Repeat; readonly written: number; readonly next: number },
  ): Instruction {
    const { item, minimum, maximum, greedy } = node;
    if (written === maximum) return { op: "jump", next };
    const owner = this.#owners[index]!;
    const isLoop = written >= minimum && maximum === Infinity;
    const isLast = written + 1 === maximum;
    const again = isLoop ? index : isLast ? next : this.#add(owner, restOf(node, next, written + 1));
    if (written < minimum) return this.#write(index, restOf(item, again));
    const once = this.#add(owner, restOf(item, again));
    return greedy ? { op: "split", first: once, second: next } : { op: "split", first: next, second: once };
  }
}

type Repeat = Extract<Node, { type: "repeat" }>;

const AT_END: Ranges = [[END, END]];

function restOf(node: Node, next: number, written = 0): Rest {
  return { op: "rest", node, written, next };
}

/** The names in patterns, and the bounds of their sets of characters. */
function contentsOf(alternatives: readonly Alternative[]): { names: Set<string>; bounds: Set<number> } {
  const names = new Set<string>();
  const bounds = new Set<number>();
  // The loop also comes to the nodes that it adds; patterns share most of theirs.
  const nodes = new Set(alternatives.map(({ node }) => node));
  for (const node of nodes) {
    switch (node.type) {
      case "characters":
        node.ranges.forEach(({ 0: from, 1: to }) => bounds.add(from).add(to + 1));
        break;
      case "end":
        bounds.add(END).add(END + 1);
        break;
      case "reference":
        names.add(node.name);
        break;
      case "hole":
        throw new Error("a hole is left");
      default:
        reachedNodes(node).forEach((inner) => nodes.add(inner));
    }
  }
  return { names, bounds };
}

function hasSaves(node: Node): boolean {
  return node.type === "group" || node.type === "mark" || reachedNodes(node).some(hasSaves);
}

/** The nodes in a node that can match: none in one that never repeats. */
function reachedNodes(node: Node): readonly Node[] {
  return node.type === "repeat" && node.maximum === 0 ? [] : innerNodes(node);
}

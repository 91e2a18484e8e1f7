/**
 * Compiles patterns to the instructions of one machine that follows all of them at once. Each place of a rule is
 * compiled once; the texts that its references stand in for are bound later (`machine.ts`).
 *
 *     <(?<tool>\w+)>     0 save tool start   1 <characters \w>   2 split 1, 3   3 save tool end   …   accept 0
 *     </\k<tool>>        …   text tool   …   accept 1
 *
 * @module
 */
import { END, type Node, type Ranges } from "./node.ts";

/** One pattern of a machine. */
export interface Alternative {
  /** The pattern. */
  readonly node: Node;
  /** The priority among alternatives with the same start: a lower number wins, then the longer match. */
  readonly priority: number;
}

/** One instruction. */
export type Instruction =
  | { readonly op: "characters"; readonly ranges: Ranges }
  /** Matches one of the texts that are bound to a name. */
  | { readonly op: "text"; readonly name: string }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "save"; readonly slot: string; readonly to: "start" | "end" }
  | { readonly op: "line_start" }
  | { readonly op: "accept"; readonly alternative: number };

/** The name of the slot that saves a pattern's mark. */
export const MARK = " mark";

/** Compiled patterns. The index in the list identifies an alternative. */
export interface Nfa {
  /** The instructions of all alternatives, in order. */
  readonly instructions: readonly Instruction[];
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  /** The index of each alternative's first instruction. */
  readonly entries: readonly number[];
  /** The alternative of each instruction. */
  readonly owners: readonly number[];
  /** Whether each alternative has groups or a mark, so that its match contains more than its end. */
  readonly saves: readonly boolean[];
  /** The names that need texts. */
  readonly names: readonly string[];
  /** The code units at which a set of characters begins or ends; all characters between two of them are equivalent. */
  readonly bounds: readonly number[];
}

/** Compiles patterns; a reference becomes an instruction that matches a bound text. */
export function compile(alternatives: readonly Alternative[]): Nfa {
  const instructions: Instruction[] = [];
  const entries: number[] = [];
  const owners: number[] = [];
  const saves: boolean[] = [];
  alternatives.forEach(({ node }, index) => {
    const entry = instructions.length;
    entries.push(entry);
    emit(instructions, node);
    instructions.push({ op: "accept", alternative: index });
    while (owners.length < instructions.length) owners.push(index);
    saves.push(instructions.slice(entry).some(({ op }) => op === "save"));
  });
  return {
    instructions,
    priorities: alternatives.map(({ priority }) => priority),
    entries,
    owners,
    saves,
    names: [...new Set(instructions.flatMap((one) => one.op === "text" ? [one.name] : []))],
    bounds: boundsOf(instructions),
  };
}

/** Writes a pattern as instructions, in a regular expression's order of preference. */
function emit(code: Instruction[], node: Node): void {
  switch (node.type) {
    case "characters":
      code.push({ op: "characters", ranges: node.ranges });
      break;
    case "sequence":
      for (const item of node.items) emit(code, item);
      break;
    case "choice":
      emitChoice(code, node.items);
      break;
    case "repeat":
      emitRepeat(code, node);
      break;
    case "group":
      code.push({ op: "save", slot: node.name, to: "start" });
      emit(code, node.item);
      code.push({ op: "save", slot: node.name, to: "end" });
      break;
    case "line_start":
      code.push({ op: "line_start" });
      break;
    case "mark":
      code.push({ op: "save", slot: MARK, to: "start" });
      break;
    case "end":
      code.push({ op: "characters", ranges: [[END, END]] });
      break;
    case "reference":
      code.push({ op: "text", name: node.name });
      break;
    case "hole":
      throw new Error("Cannot compile a hole: split the pattern first");
  }
}

function emitChoice(code: Instruction[], items: readonly Node[]): void {
  const jumps: number[] = [];
  items.forEach((item, index) => {
    if (index === items.length - 1) return emit(code, item);
    const split = code.length;
    code.push({ op: "jump", to: 0 });
    emit(code, item);
    jumps.push(code.length);
    code.push({ op: "jump", to: 0 });
    code[split] = { op: "split", first: split + 1, second: code.length };
  });
  for (const jump of jumps) code[jump] = { op: "jump", to: code.length };
}

function emitRepeat(code: Instruction[], node: Extract<Node, { type: "repeat" }>): void {
  // A class that repeats 127 times is one object, of which there are tens of thousands otherwise.
  const { item } = node;
  const shared: Instruction | undefined = item.type === "characters"
    ? { op: "characters", ranges: item.ranges }
    : undefined;
  const emitItem = () => void (shared === undefined ? emit(code, item) : code.push(shared));
  const split = (first: number, second: number): Instruction =>
    node.greedy ? { op: "split", first, second } : { op: "split", first: second, second: first };
  for (let count = 0; count < node.minimum; count++) emitItem();
  if (node.maximum === Infinity) {
    const loop = code.length;
    code.push({ op: "jump", to: 0 });
    emitItem();
    code.push({ op: "jump", to: loop });
    code[loop] = split(loop + 1, code.length);
    return;
  }
  const skips: number[] = [];
  for (let count = node.minimum; count < node.maximum; count++) {
    skips.push(code.length);
    code.push({ op: "jump", to: 0 });
    emitItem();
  }
  for (const skip of skips) code[skip] = split(skip + 1, code.length);
}

function boundsOf(code: readonly Instruction[]): number[] {
  const bounds = new Set<number>();
  const seen = new Set<Ranges>();
  for (const instruction of code) {
    if (instruction.op !== "characters" || seen.has(instruction.ranges)) continue;
    seen.add(instruction.ranges);
    for (const [from, to] of instruction.ranges) bounds.add(from).add(to + 1);
  }
  return [...bounds].sort((a, b) => a - b);
}

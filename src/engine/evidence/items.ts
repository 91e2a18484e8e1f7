/**
 * Reads the parameters of a call in tags, every way at once. A reading is between two items or in a value; at each mark it
 * takes the mark as structure, or as a part of the value. What doesn't fit costs damage, and the readings with the least
 * damage live on.
 *
 *     <parameter=path>a.md</parameter><parameter=content>It ends with </parameter>.</parameter></function>
 *                                                                     ^ structure: then ".</parameter>" is left over
 *                                                                       content: a closer without an opener, 1
 *
 * @module
 */
import type { OfferedTool } from "../tool/offered.ts";
import { parameterTypes } from "../tool/schema.ts";
import { isBlankBetween, skipBlank } from "./characters.ts";
import { type Item, readItems } from "./item_values.ts";
import type { Mark } from "./mark.ts";
import { type ParameterMark, ParameterMarks } from "./parameter_mark.ts";
import type { Arguments } from "./tool_fit.ts";

interface TaggedReading {
  /** Absent if a law of values refuses one of them. */
  readonly arguments: Arguments | undefined;
  readonly end: number;
  readonly damage: number;
  /** The number of closers of the call after its last item. */
  readonly closers: number;
  readonly items: readonly Item[];
}

/** What surrounds the items. */
interface TaggedPlace {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly tool: OfferedTool;
  /** The index of the first mark of the items. */
  readonly first: number;
  /** Where the name or its mark ends. */
  readonly from: number;
  /** The mark with the name. */
  readonly mark: Mark | undefined;
  /** The words of the marks around the call. */
  readonly wrappers: readonly string[];
  /** Whether another call can begin at the mark of this index. */
  readonly isCall: (index: number) => boolean;
}

/** What the damages are; see the page of the engine. */
const COST = {
  noCloser: 1.5,
  noCloserOfOwn: 0.2,
  otherCloser: 1.5,
  relatedCloser: 1,
  repeated: 2,
  repeatedInList: 0.5,
  structureInValue: 1,
  openInValue: 1.2,
  textBetween: 3,
  leftCloser: 1,
  leftParameter: 2,
  unknownMark: 1,
  unknownWrapper: 0.5,
  unsure: 1,
};

const MARKS_MAXIMUM = 250;
const READINGS_MAXIMUM = 16;
const DAMAGE_MAXIMUM = 8;

const CALL_WORDS: ReadonlySet<string> = new Set([
  ...[
    "function",
    "invoke",
    "tool",
    "call",
    "calls",
    "tool_call",
    "tool_calls",
    "function_call",
    "function_calls",
    "tools",
  ],
  ...["tool_use", "arguments", "parameters", "args", "params", "input", "inputs"],
]);
const ARGUMENT_WORDS: ReadonlySet<string> = new Set([
  ...[
    "argument",
    "arguments",
    "parameters",
    "args",
    "params",
    "input",
    "inputs",
    "tool_input",
    "tool_call_argument",
  ],
  ...["tool_sep", "sep", "message"],
]);
const ITEM_WORDS: ReadonlySet<string> = new Set([
  ...[
    "param",
    "parameter",
    "arg_value",
    "arg_key",
    "arg",
    "argument",
    "value",
    "invoke",
    "function",
    "tool_call",
  ],
  ...["params", "parameters", "args", "arguments", "values", "invokes", "functions", "tool_calls"],
]);

interface State {
  readonly isInValue: boolean;
  readonly key: string;
  readonly closer: string;
  /** Where the value begins. */
  readonly from: number;
  /** What the value opened and hasn't closed, by word. */
  readonly open: ReadonlyMap<string, number>;
  /** Where the last structure ends. */
  readonly last: number;
  readonly closers: number;
  readonly damage: number;
  readonly items: readonly Item[];
}

export function readTagged(place: TaggedPlace): TaggedReading[] {
  return new TaggedReader(place).read();
}

class TaggedReader {
  readonly #place: TaggedPlace;
  readonly #parameters: ParameterMarks;
  readonly #words: ReadonlySet<string>;
  readonly #end: number;
  readonly #states: State[][] = [];
  readonly #readings: TaggedReading[] = [];

  constructor(place: TaggedPlace) {
    this.#place = place;
    this.#parameters = new ParameterMarks(place.text, place.marks, place.tool);
    this.#words = new Set([...(place.mark ? [place.mark.word] : []), ...place.wrappers]);
    this.#end = Math.min(place.marks.length, place.first + MARKS_MAXIMUM);
  }

  read(): TaggedReading[] {
    const { first, from, mark, marks, isCall } = this.#place;
    const begin = { isInValue: false, key: "", closer: "", from: 0, open: new Map(), last: from, closers: 0 };
    this.#add(first, { ...begin, damage: 0, items: [] });
    for (let index = first; index < this.#end; index++) {
      const states = leastDamaged(this.#states[index] ?? []);
      delete this.#states[index];
      const isOther = mark?.isPrefixed && !marks[index]!.isPrefixed && !isCall(index);
      for (const state of states) {
        if (isOther) this.#add(index + 1, state);
        else if (state.isInValue) this.#inValue(index, state);
        else this.#between(index, state);
      }
    }
    for (const state of leastDamaged(this.#states[this.#end] ?? [])) {
      if (!state.isInValue) this.#finish(state, this.#end);
    }
    return this.#readings;
  }

  #add(index: number, state: State): void {
    if (state.damage > DAMAGE_MAXIMUM) return;
    (this.#states[index] ??= []).push(state);
  }

  #between(index: number, state: State): void {
    const { text, marks, isCall } = this.#place;
    const mark = marks[index]!;
    const hasItems = state.items.length > 0;
    if (mark.start < state.last) return this.#add(index + 1, state);
    const parameter = this.#parameters.at(index);
    const isKeyBefore = mark.isCloser && parameter !== undefined && !hasItems;
    const isBlank = isKeyBefore || isBlankBetween(text, state.last, mark.start);
    if (hasItems) this.#finish(state, index);
    if (isCall(index) && hasItems) return;
    if (!isBlank && (hasItems ? state.closers > 0 : !isSeparator(text.slice(state.last, mark.start)))) return;
    const damage = state.damage + (isBlank ? 0 : COST.textBetween);
    if (parameter !== undefined) this.#beginItem(index, { ...state, damage }, parameter);
    if (isKeyBefore) return;
    if (mark.isCloser) {
      const known = this.#words.has(mark.word) || CALL_WORDS.has(mark.word);
      const cost = known ? 0 : mark.word === state.closer ? COST.leftCloser : 0.5;
      const closers = state.closers + (hasItems ? 1 : 0);
      this.#add(index + 1, { ...state, last: mark.end, closers, damage: damage + cost });
    } else if (parameter === undefined && !(mark.isBroken && hasItems)) {
      const cost = hasItems ? COST.unknownMark : ARGUMENT_WORDS.has(mark.word) ? 0 : COST.unknownWrapper;
      this.#add(index + 1, { ...state, last: mark.end, damage: damage + cost });
    }
  }

  #beginItem(index: number, state: State, { key, closer, next, from, damage }: ParameterMark): void {
    const mark = this.#place.marks[index]!;
    const isAgain = state.items.some((item) => item.key === key);
    const again = isAgain ? this.#isList(key) ? COST.repeatedInList : COST.repeated : 0;
    if (mark.isEmpty) {
      const item = { key, closer, start: mark.end, end: mark.end, isOpen: false };
      const cost = again + 0.5;
      this.#add(index + 1, {
        ...state,
        last: mark.end,
        closer,
        damage: state.damage + cost,
        items: [...state.items, item],
      });
      return;
    }
    const cost = damage + again + (state.closers > 0 ? 1 : 0);
    this.#add(next, {
      ...state,
      isInValue: true,
      key,
      closer,
      from,
      open: new Map(),
      damage: state.damage + cost,
    });
  }

  #isList(key: string): boolean {
    const { schema } = this.#place.tool;
    return parameterTypes(schema, key).has("array");
  }

  #inValue(index: number, state: State): void {
    const { marks, isCall, first } = this.#place;
    const mark = marks[index]!;
    const parameter = this.#parameters.at(index);
    const isNew = parameter !== undefined && parameter.key !== state.key &&
      !state.items.some(({ key }) => key === parameter.key);
    if (mark.isCloser) this.#closeValue(index, state);
    else if (isNew && !mark.isEmpty) this.#endByParameter(index, state, parameter);
    if (isCall(index) && !mark.isCloser && index > first) this.#endByCall(index, state);
    this.#add(index + 1, this.#withContent(state, mark, isNew ? parameter : undefined));
  }

  /** The value ends at a closer: its own, the call's, or another's that only makes sense here. */
  #closeValue(index: number, state: State): void {
    const { marks } = this.#place;
    const mark = marks[index]!;
    const { word } = mark;
    const open = openIn(state);
    if (word === state.closer) {
      this.#endValue(index, state, { damage: open + (mark.isBroken ? 1 : 0) });
    } else if (state.open.get(word) || mark.isBroken) {
      return;
    } else if (this.#words.has(word)) {
      const before = marks[index - 1];
      const isTwice = before?.isCloser && before.word === state.closer && before.start >= state.from &&
        isBlankBetween(this.#place.text, before.end, mark.start);
      const cost = state.closer === "" ? COST.noCloserOfOwn : COST.noCloser;
      this.#endValue(index, state, { damage: open + cost + (isTwice ? 1 : 0), closers: 1, isOpen: true });
    } else if (this.#goesOn(index)) {
      if (this.#closesInside(state, index)) return;
      const isRelated = ITEM_WORDS.has(word) || word === state.key || this.#isOfSameNamespace(state, mark);
      this.#endValue(index, state, { damage: isRelated ? COST.relatedCloser : COST.otherCloser });
    }
  }

  #endValue(
    index: number,
    state: State,
    { damage, closers = 0, isOpen = false }: {
      readonly damage: number;
      readonly closers?: number;
      readonly isOpen?: boolean;
    },
  ): void {
    const mark = this.#place.marks[index]!;
    const item = { key: state.key, closer: state.closer, start: state.from, end: mark.start, isOpen };
    this.#add(index + 1, {
      ...state,
      isInValue: false,
      last: mark.end,
      closers,
      damage: state.damage + damage,
      items: [...state.items, item],
    });
  }

  /** Whether only structure can follow a closer: the next mark follows at once and is a closer, a parameter or a call. */
  #goesOn(index: number): boolean {
    const { text, marks, isCall } = this.#place;
    const after = marks[index + 1];
    if (!isBlankBetween(text, marks[index]!.end, after?.start ?? text.length)) return false;
    return after === undefined || after.isCloser || isCall(index + 1) ||
      this.#parameters.at(index + 1) !== undefined;
  }

  /** `</atem:p>` after `<atem:parameter …>`. */
  #isOfSameNamespace({ from }: State, mark: Mark): boolean {
    const { text } = this.#place;
    const colon = text.indexOf(":", mark.start);
    const slash = text.indexOf("/", mark.start);
    if (colon < 0 || colon > mark.end || slash > colon) return false;
    const namespace = text.slice(slash + 1, colon);
    return namespace.length >= 2 && text.slice(Math.max(0, from - 80), from).includes(`<${namespace}:`);
  }

  /** Whether a closer closes what the value opens. */
  #closesInside({ from }: State, index: number): boolean {
    const { marks } = this.#place;
    const { word } = marks[index]!;
    let open = 0;
    for (let at = index - 1; at >= 0 && marks[at]!.start >= from; at--) {
      const mark = marks[at]!;
      if (mark.word === word && !mark.isEmpty) open += mark.isCloser ? -1 : 1;
    }
    return open > 0;
  }

  /** The value ends where another parameter begins, without a closer. */
  #endByParameter(index: number, state: State, { key, closer, next, from, damage }: ParameterMark): void {
    const { text, marks } = this.#place;
    const end = marks[index]!.start;
    const value = text.slice(state.from, end);
    const isSure = !value.includes("\n") || value.slice(value.trimEnd().length).includes("\n");
    const cost = openIn(state) + (state.closer === "" ? COST.noCloserOfOwn : COST.noCloser + damage) +
      (isSure ? 0 : COST.unsure);
    const item = { key: state.key, closer: state.closer, start: state.from, end, isOpen: true };
    const items = [...state.items, item];
    this.#add(next, { ...state, key, closer, from, open: new Map(), damage: state.damage + cost, items });
  }

  /** The value and its call end where another call begins. */
  #endByCall(index: number, state: State): void {
    const { marks, first } = this.#place;
    let at = index;
    while (at > first && marks[at - 1]!.start >= state.from && this.#isWrapperBefore(at)) at--;
    const end = marks[at]!.start;
    const item = { key: state.key, closer: state.closer, start: state.from, end, isOpen: true };
    const damage = state.damage + COST.noCloser + 0.7;
    this.#finish(
      { ...state, isInValue: false, last: end, closers: 0, damage, items: [...state.items, item] },
      index,
    );
  }

  #isWrapperBefore(index: number): boolean {
    const { text, marks } = this.#place;
    const before = marks[index - 1]!;
    return !before.isCloser && this.#words.has(before.word) &&
      isBlankBetween(text, before.end, marks[index]!.start);
  }

  /** The mark is a part of the value. */
  #withContent(state: State, mark: Mark, parameter: ParameterMark | undefined): State {
    const { word } = mark;
    const isStructure = word === state.closer || this.#words.has(word) || word === state.key;
    const depth = state.open.get(word) ?? 0;
    let { open, damage } = state;
    if (mark.isCloser) {
      const isToken = mark.isSpecial && this.#place.mark?.isSpecial;
      if (depth > 0) open = new Map(open).set(word, depth - 1);
      else if (isStructure || isToken) damage += COST.structureInValue;
    } else {
      if (!mark.isEmpty && isStructure) open = new Map(open).set(word, depth + 1);
      if (parameter !== undefined && (isStructure || parameter.closer !== parameter.key)) {
        damage += COST.structureInValue;
      }
    }
    return { ...state, open, damage };
  }

  /** A reading ends: what it leaves over counts, too. */
  #finish(state: State, index: number): void {
    if (state.items.length === 0) return;
    const damage = state.damage + this.#leftBehind(state, index);
    const read = readItems(this.#place, state.items, damage);
    const { last: end, closers, items } = state;
    this.#readings.push({ arguments: read, end, damage, closers, items });
  }

  /** Closers of this call that nothing opens, and a parameter that no one took. */
  #leftBehind(state: State, from: number): number {
    const { text, marks, isCall } = this.#place;
    const open = new Map<string, number>();
    let damage = 0;
    for (let index = from; index < this.#end; index++) {
      const mark = marks[index]!;
      if (mark.start < state.last) continue;
      if (isCall(index)) break;
      const { word } = mark;
      const depth = open.get(word) ?? 0;
      if (!mark.isCloser) {
        const parameter = skipBlank(text, state.last) >= mark.start ? this.#parameters.at(index) : undefined;
        if (parameter !== undefined) {
          const isAgain = state.items.some(({ key }) => key === parameter.key);
          damage += isAgain ? COST.leftCloser : COST.leftParameter;
        }
        open.set(word, depth + 1);
      } else if (word === state.closer || this.#words.has(word)) {
        if (depth > 0) open.set(word, depth - 1);
        else damage += COST.leftCloser;
      }
      if (damage > DAMAGE_MAXIMUM) break;
    }
    return damage;
  }
}

function openIn({ open }: State): number {
  let count = 0;
  for (const depth of open.values()) count += depth;
  return count * COST.openInValue;
}

/** What may stand between a name and its first parameter. */
function isSeparator(text: string): boolean {
  return [...text].every((sign) => sign.trim() === "" || ":,-".includes(sign));
}

/** The states with the least damage; of equal ones, one. */
function leastDamaged(states: readonly State[]): State[] {
  const best = new Map<string, State>();
  for (const state of states) {
    const items = state.items.map(({ key, start, end }) => `${key} ${start} ${end}`).join();
    const open = [...state.open].filter(([, depth]) => depth > 0).sort().join();
    const id = `${state.isInValue} ${state.key} ${state.from} ${state.last} ${items} ${open}`;
    const other = best.get(id);
    if (other === undefined || other.damage > state.damage) best.set(id, state);
  }
  return [...best.values()].sort((a, b) => a.damage - b.damage).slice(0, READINGS_MAXIMUM);
}

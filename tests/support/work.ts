/**
 * Counts the work that code does on text, whoever does it: the engine's own functions that look at characters count
 * each character they may look at, and a step of an automaton counts one, a new state one for each of its threads.
 *
 * @module
 */
import { States } from "../../src/engine/pattern/determinize.ts";
import { Machine } from "../../src/engine/pattern/machine.ts";
import { Cursor } from "../../src/engine/scan/cursor.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** A function that works on text, and how much one call works. */
interface Counted {
  readonly owner: object;
  readonly name: string;
  work(self: unknown, result: unknown, args: readonly unknown[], before: unknown): number;
}

const lengthOf = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : 0;

const one = () => 1;
const ofSelf = (self: unknown) => 1 + String(self).length;
const ofResult = (_: unknown, result: unknown) => 1 + lengthOf(result);
/** What a search may have looked at: up to what it found, or all. */
const upToResult = (self: unknown, result: unknown, args: readonly unknown[]) =>
  1 + (Number(result) < 0 ? String(self).length : Number(result)) - Number(args[1] ?? 0);
const ofBoth = (self: unknown, _: unknown, args: readonly unknown[]) =>
  Math.min(String(self).length, lengthOf(args[0])) + 1;
const ofKey = (_self: unknown, _result: unknown, args: readonly unknown[]) => 1 + lengthOf(args[0]);
const ofText = (_self: unknown, result: unknown, args: readonly unknown[]) => 1 + lengthOf(args[0] ?? result);
/** A sticky pattern, as `split` makes one, looks at one position. */
const ofPattern = (self: unknown, result: unknown, args: readonly unknown[]) =>
  (self as RegExp).sticky ? 1 : ofText(self, result, args);

const COUNTED: readonly Counted[] = [
  ...["charCodeAt", "codePointAt", "charAt", "at"].map((name) => ({
    owner: String.prototype,
    name,
    work: one,
  })),
  ...["slice", "substring", "repeat", "padStart"].map((name) => ({
    owner: String.prototype,
    name,
    work: ofResult,
  })),
  ...["indexOf", "search"].map((name) => ({ owner: String.prototype, name, work: upToResult })),
  ...["startsWith", "endsWith"].map((name) => ({ owner: String.prototype, name, work: ofBoth })),
  ...[
    "includes",
    "lastIndexOf",
    "trim",
    "trimStart",
    "trimEnd",
    "split",
    "replace",
    "replaceAll",
    "match",
    "matchAll",
    "normalize",
    "toLowerCase",
    "toUpperCase",
    "localeCompare",
  ].map((name) => ({ owner: String.prototype, name, work: ofSelf })),
  ...["test", "exec"].map((name) => ({ owner: RegExp.prototype, name, work: ofPattern })),
  ...["get", "has", "set", "delete"].map((name) => ({ owner: Map.prototype, name, work: ofKey })),
  ...["has", "add", "delete"].map((name) => ({ owner: Set.prototype, name, work: ofKey })),
  ...["includes", "indexOf", "find", "findIndex", "filter", "map", "some", "every", "join"].map((name) => ({
    owner: Array.prototype,
    name,
    work: ofSelfItems,
  })),
  { owner: JSON, name: "parse", work: ofText },
  { owner: JSON, name: "stringify", work: ofText },
  { owner: States.prototype, name: "step", work: one },
  { owner: Machine.prototype, name: "read", work: one },
  { owner: Cursor.prototype, name: "append", work: ofJoined },
  { owner: Cursor.prototype, name: "restore", work: ofJoined },
];

/** A text that is joined to another is copied, sooner or later; one that stays as it was is not. */
function ofJoined(self: unknown, _result: unknown, _args: readonly unknown[], before: unknown): number {
  const { text } = self as Cursor;
  return text === before ? 0 : text.length;
}

function ofSelfItems(self: unknown): number {
  return 1 + lengthOf(self);
}

/** Runs something and gives the work that it does on text. */
export function countWork(run: () => void): number {
  let work = 0;
  let isCounting = true;
  const originals = COUNTED.map(({ owner, name }) => Object.getOwnPropertyDescriptor(owner, name)!);
  COUNTED.forEach((counted, index) => {
    const original = originals[index]!.value as Method;
    Object.defineProperty(counted.owner, counted.name, {
      ...originals[index],
      value: function (this: unknown, ...args: unknown[]) {
        const before = this instanceof Cursor ? this.text : undefined;
        const result = Reflect.apply(original, this, args);
        if (isCounting) {
          isCounting = false;
          work += counted.work(this, result, args, before);
          isCounting = true;
        }
        return result;
      },
    });
  });
  try {
    run();
  } finally {
    COUNTED.forEach(({ owner, name }, index) => Object.defineProperty(owner, name, originals[index]!));
  }
  return work;
}

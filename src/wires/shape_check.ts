/**
 * States what a client's JSON has to be at each place that a wire reads. It is checked once, before it is read, so that
 * the error names the wrong place. Other fields can be anything, and a field that is null counts as missing.
 *
 *     fields({ role: text, content: either(text, list(block)) })
 *     {"role":"user","content":[{"text":5}]}   ─▶   `content[0].text`: expected a text, found a number
 *
 * @module
 */
import { pathOf } from "../engine/object/nesting.ts";
import { isRecord } from "../engine/object/record.ts";
import type { WireRefusal } from "./wire.ts";

export interface Expectation {
  /** Its name in messages: `a text`. */
  readonly name: string;
  /** What is wrong with a value; undefined if it is as expected. */
  find(value: unknown): Mismatch | undefined;
  /** Whether a field must not be missing. */
  readonly isRequired?: boolean;
}

interface Mismatch {
  readonly expected: string;
  readonly found: string;
  /** The steps to the place, the last one first. */
  readonly steps: (string | number)[];
}

/** The refusal of a value that isn't as expected; undefined if it is. */
export function refuseMismatch(value: unknown, expectation: Expectation): WireRefusal | undefined {
  const wrong = expectation.find(value);
  if (wrong === undefined) return undefined;
  const param = pathOf(wrong.steps.toReversed());
  const message = `\`${param}\` is wrong: expected ${wrong.expected}, found ${wrong.found}`;
  return { refusal: { status: 400, type: "invalid_request_error", code: "invalid_request", param, message } };
}

export const text: Expectation = basic("a text", (value) => typeof value === "string");

export const flag: Expectation = basic("true or false", (value) => typeof value === "boolean");

export const object: Expectation = basic("an object", isRecord);

/** Anything but null. */
export const anything: Expectation = basic("a value", () => true);

function basic(name: string, is: (value: unknown) => boolean): Expectation {
  return { name, find: (value) => is(value) ? undefined : mismatch(name, value) };
}

export function required(expectation: Expectation): Expectation {
  return { ...expectation, isRequired: true };
}

export function list(entry: Expectation): Expectation {
  const name = "a list";
  return {
    name,
    find(value) {
      if (!Array.isArray(value)) return mismatch(name, value);
      for (let index = 0; index < value.length; index++) {
        const wrong = entry.find(value[index]);
        if (wrong !== undefined) return inside(index, wrong);
      }
      return undefined;
    },
  };
}

/** An object with expected fields, and any others. */
export function fields(expected: Readonly<Record<string, Expectation>>): Expectation {
  const name = "an object";
  const all = Object.entries(expected);
  return {
    name,
    find(value) {
      if (!isRecord(value)) return mismatch(name, value);
      for (const [field, expectation] of all) {
        const given = value[field];
        const isMissing = given === undefined || given === null;
        if (isMissing && !expectation.isRequired) continue;
        const wrong = isMissing ? mismatch(expectation.name, given) : expectation.find(given);
        if (wrong !== undefined) return inside(field, wrong);
      }
      return undefined;
    },
  };
}

/** An object of one of several kinds, which its `type` names. An object of another kind may have any fields. */
export function kinds(
  expected: Readonly<Record<string, Expectation>>,
  { usual }: { readonly usual?: string } = {},
): Expectation {
  const name = "an object";
  return {
    name,
    find(value) {
      if (!isRecord(value)) return mismatch(name, value);
      const kind = value["type"] ?? usual;
      if (typeof kind !== "string") return inside("type", mismatch("a text", kind));
      return Object.hasOwn(expected, kind) ? expected[kind]!.find(value) : undefined;
    },
  };
}

/** One of two. An error inside a value is reported for the alternative whose outer form matches. */
export function either(one: Expectation, other: Expectation): Expectation {
  const name = `${one.name} or ${other.name}`;
  return {
    name,
    find(value) {
      const wrong = one.find(value);
      const otherwise = wrong && other.find(value);
      if (wrong === undefined || otherwise === undefined) return undefined;
      return [wrong, otherwise].find(({ steps }) => steps.length > 0) ?? mismatch(name, value);
    },
  };
}

/** An expectation that is defined later, for recursive values. */
export function later(name: string, find: () => Expectation): Expectation {
  return { name, find: (value) => find().find(value) };
}

function inside(step: string | number, wrong: Mismatch): Mismatch {
  wrong.steps.push(step);
  return wrong;
}

function mismatch(expected: string, value: unknown): Mismatch {
  return { expected, found: nameOf(value), steps: [] };
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return "a text";
    case "object":
      return "an object";
    default:
      return `the ${typeof value} ${value}`;
  }
}

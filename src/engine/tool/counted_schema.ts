/**
 * A schema for the validator that pays for each visit: the validator reads every keyword of a schema whenever it applies
 * it, also one that no schema has, which is where the payment is.
 *
 * @module
 */
import { isRecord } from "../object/record.ts";
import { SchemaBudget } from "./schema_budget.ts";

/** The most parts of a schema for the validator, and the most schemas that are applied to one value: the event loop waits. */
export const CHECKED_NODES_MAXIMUM = 5000;

/** How much longer measuring a character takes than reading one. */
const MEASURING = 4;

/** How large a value is, as far as it decides what checking it costs. */
interface ValueSize {
  values: number;
  longestKey: number;
  longestText: number;
  longestList: number;
}

/** What one validator pays from: a new budget for each value. */
export class Payer {
  #budget = new SchemaBudget(CHECKED_NODES_MAXIMUM);
  #size: ValueSize = { values: 0, longestKey: 0, longestText: 0, longestList: 0 };

  begin(value: unknown): void {
    this.#budget = new SchemaBudget(CHECKED_NODES_MAXIMUM);
    this.#size = { values: 0, longestKey: 0, longestText: 0, longestList: 0 };
    measure(value, this.#size);
  }

  /** Pays for the visit of a schema of this length that has these keywords. */
  pay(length: number, { minLength, maxLength, uniqueItems }: Readonly<Record<string, unknown>>): void {
    const { values, longestKey, longestText, longestList } = this.#size;
    const text = minLength === undefined && maxLength === undefined ? 0 : MEASURING * longestText;
    // Every element is compared with every other.
    const pairs = uniqueItems === undefined ? 0 : longestList * values;
    this.#budget.spend(length + longestKey + text + pairs);
  }
}

function measure(value: unknown, size: ValueSize): void {
  size.values++;
  if (typeof value === "string") size.longestText = Math.max(size.longestText, value.length);
  if (Array.isArray(value)) {
    size.longestList = Math.max(size.longestList, value.length);
    for (const element of value) measure(element, size);
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) {
      size.longestKey = Math.max(size.longestKey, key.length);
      measure(value[key], size);
    }
  }
}

/** The keywords of one schema. */
export class CountedSchema {
  readonly #payer: Payer;
  readonly #length: number;

  /** @param length the characters of the keywords without the schemas in them */
  constructor(words: Readonly<Record<string, unknown>>, length: number, payer: Payer) {
    this.#payer = payer;
    this.#length = length;
    Object.assign(this, words);
  }

  get $recursiveAnchor(): undefined {
    this.#payer.pay(this.#length, this as unknown as Readonly<Record<string, unknown>>);
    return undefined;
  }
}

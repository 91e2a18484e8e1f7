/**
 * What reading a tool's schema may cost. A schema comes out of a request, perhaps from a server that the agent asked for
 * its tools: a few references in it unfold into more than any machine can read. Whoever follows a schema pays for each
 * step, and gives up when the budget is spent: then the schema allows everything.
 *
 * @module
 */

/** The most objects, lists and values that are read of one schema, each as often as it is reached. */
const SCHEMA_NODES_MAXIMUM = 50_000;

/** The most characters that are read of one schema: texts, keys, and the path to each node. */
const SCHEMA_CHARACTERS_MAXIMUM = 16 * 1024 * 1024;

export class SchemaOverBudget extends Error {}

/** The steps that are left for one schema. */
export class SchemaBudget {
  #nodes: number;
  #characters: number;

  constructor(nodes = SCHEMA_NODES_MAXIMUM, characters = SCHEMA_CHARACTERS_MAXIMUM) {
    this.#nodes = nodes;
    this.#characters = characters;
  }

  /** Pays for a node and for characters that are read with it; throws `SchemaOverBudget`. */
  spend(characters = 0): void {
    this.#nodes--;
    this.#characters -= characters;
    if (this.#nodes < 0 || this.#characters < 0) throw new SchemaOverBudget();
  }
}

/**
 * Whether a schema is small enough to be read, each part of it once.
 *
 * @example
 * ```ts
 * import { isWithinBudget } from "./schema_budget.ts";
 * console.assert(isWithinBudget({ type: "object", properties: { a: { type: "string" } } }));
 * console.assert(!isWithinBudget({ enum: Array(60_000).fill("a") }));
 * ```
 */
export function isWithinBudget(schema: unknown, nodes = SCHEMA_NODES_MAXIMUM): boolean {
  return withinBudget(() => pay(schema, { budget: new SchemaBudget(nodes), path: 0 }) ?? true) ?? false;
}

/** The result of work that pays; undefined if it spends the whole budget. */
export function withinBudget<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof SchemaOverBudget) return undefined;
    throw cause;
  }
}

/** Pays for a value and everything in it. JSON of a request is nested no deeper than `NESTING_MAXIMUM`. */
function pay(value: unknown, { budget, path }: { budget: SchemaBudget; path: number }): void {
  budget.spend(path + (typeof value === "string" ? value.length : 0));
  if (typeof value !== "object" || value === null) return;
  for (const [key, inside] of Object.entries(value)) pay(inside, { budget, path: path + key.length + 1 });
}

/**
 * Simplifies the schemas of tools for a server that refuses some of JSON Schema. A simplified schema allows whatever the
 * original allows; what is left out is in the description, so the model still knows it.
 *
 *     {"type": "string", "pattern": "\\S"}  ─▶  {"type": "string", "description": "pattern: \"\\\\S\""}
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import { own } from "../../engine/object/own.ts";
import { isRecord } from "../../engine/object/record.ts";
import { SchemaBudget, withinBudget } from "../../engine/tool/schema_budget.ts";
import { OTHER_NAMES, VALUE_TYPES } from "../../engine/tool/schema.ts";
import type { SchemaRules } from "./refused_forms.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The most references inside each other; what is deeper allows everything. */
const OPEN_MAXIMUM = 64;

/** The most schemas of one request that take the place of references; further ones allow everything. */
const REQUEST_NODES_MAXIMUM = 20_000;
const REQUEST_CHARACTERS_MAXIMUM = 4 * 1024 * 1024;

const ONE: readonly string[] = [
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
];

/** Keywords with schemas under names. */
const NAMED: readonly string[] = [
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
];

/** Keywords with a list of schemas; `items` can have one schema instead. */
const LISTED: readonly string[] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];

/** Keywords under which a schema that allows more would forbid more. */
const OPPOSITE: readonly string[] = ["not", "if"];

/** Keywords that mean something else without another one. */
const DEPENDENT: Readonly<Record<string, readonly string[]>> = {
  contains: ["minContains", "maxContains"],
  if: ["then", "else"],
  patternProperties: ["additionalProperties", "unevaluatedProperties"],
};

const REPETITIONS: readonly string[] = ["minLength", "maxLength", "minItems", "maxItems"];

/** What was changed in a schema: keywords, and `$ref`. */
interface SimplifiedSchema {
  readonly schema: unknown;
  readonly changed: readonly string[];
}

/** What simplifying the schemas of one request may cost. */
export function simplifyingBudget(): SchemaBudget {
  return new SchemaBudget(REQUEST_NODES_MAXIMUM, REQUEST_CHARACTERS_MAXIMUM);
}

/**
 * Simplifies the schema of a tool's parameters. Over the budget, which the schemas of a request can share, it allows
 * everything.
 *
 * @example
 * ```ts
 * import { simplifySchema } from "./schema.ts";
 * const { schema, changed } = simplifySchema({ type: "string", pattern: "a" }, { drop: ["pattern"] });
 * console.assert(JSON.stringify(schema) === '{"type":"string","description":"pattern: \\"a\\""}');
 * console.assert(changed.join() === "pattern");
 * ```
 */
export function simplifySchema(
  schema: unknown,
  rules: SchemaRules,
  budget: SchemaBudget = simplifyingBudget(),
): SimplifiedSchema {
  const simplifier = new Simplifier(schema, { rules, budget });
  const simplified = withinBudget(() => simplifier.simplify(schema, ["#"]));
  if (simplified === undefined) {
    return { schema: { type: "object" }, changed: ["all of it: it is too large when expanded"] };
  }
  const changed = [...simplifier.changed].sort();
  if (rules.refs !== "inline" || !changed.includes("$ref") || !isRecord(simplified)) {
    return { schema: simplified, changed };
  }
  // Nothing names them any more.
  const { $defs: _, definitions: __, ...rest } = simplified;
  return { schema: rest, changed };
}

class Simplifier {
  readonly changed = new Set<string>();
  readonly #root: unknown;
  readonly #rules: SchemaRules;
  readonly #budget: SchemaBudget;

  constructor(root: unknown, { rules, budget }: { rules: SchemaRules; budget: SchemaBudget }) {
    this.#root = root;
    this.#rules = rules;
    this.#budget = budget;
  }

  /** The simplified schema, or the same object; `open`: the references that are being replaced around it. */
  simplify(schema: unknown, open: readonly string[]): unknown {
    if (!isRecord(schema)) return schema;
    // What is there once is as long as the request.
    if (open.length > 1) this.#budget.spend(ownLength(schema));
    if (typeof schema.$ref === "string") {
      const target = this.#follow(schema, { ref: schema.$ref, open });
      if (target !== schema) return target;
    }
    const entries = Object.entries(schema).map(([key, value]) =>
      [key, this.#inner(key, value, open)] as const
    );
    const others = entries.filter(([key, value]) => value !== schema[key]).map(([key]) => key);
    if (others.length === 0) return this.#leaveOut(this.#reword(schema, schema));
    const opposite = OPPOSITE.filter((key) => others.includes(key));
    const inner: Fields = { ...Object.fromEntries(entries), ...pick(schema, opposite) };
    return this.#leaveOut(this.#reword(inner, schema), opposite);
  }

  #inner(key: string, value: unknown, open: readonly string[]): unknown {
    if (LISTED.includes(key) && Array.isArray(value)) {
      const list = value.map((entry) => this.#member(entry, open));
      return list.every((entry, index) => entry === value[index]) ? value : list;
    }
    if (this.#rules.refs === "inline" && (key === "$defs" || key === "definitions")) return value;
    if (NAMED.includes(key) && isRecord(value)) {
      const entries = Object.entries(value).map(([name, entry]) =>
        [name, this.#member(entry, open)] as const
      );
      return entries.every(([name, entry]) => entry === value[name]) ? value : Object.fromEntries(entries);
    }
    return ONE.includes(key) || key === "items" ? this.simplify(value, open) : value;
  }

  /** A schema in a list or under a name, where some servers don't know `true`. */
  #member(schema: unknown, open: readonly string[]): unknown {
    if (schema !== true || this.#rules.unknown_types !== true) return this.simplify(schema, open);
    this.changed.add("true");
    return {};
  }

  /** What a reference names, with the words next to it; the same schema if the server can follow the reference itself. */
  #follow(
    schema: Fields,
    { ref, open }: { readonly ref: string; readonly open: readonly string[] },
  ): unknown {
    const { refs } = this.#rules;
    const target = refs === undefined ? undefined : pointed(this.#root, ref);
    if (refs === undefined || (refs === "unsupported" && ref.startsWith("#/") && target !== undefined)) {
      return schema;
    }
    this.changed.add("$ref");
    const { $ref: _, ...beside } = schema;
    const isCut = target === undefined || open.includes(ref) || open.length > OPEN_MAXIMUM;
    const named = isCut ? {} : this.simplify(target, [...open, ref]);
    return isRecord(named) ? { ...named, ...this.simplify(beside, open) as Fields } : named;
  }

  /** Writes keywords in other words that mean the same or allow more. */
  #reword(schema: Fields, original: Fields): Fields {
    const { unknown_types: hasTypes, plain_words: isPlain } = this.#rules;
    let reworded = schema;
    // Branches that allow more can overlap, and `oneOf` forbids that.
    const overlaps = Array.isArray(schema.oneOf) && schema.oneOf !== original.oneOf;
    if (Array.isArray(schema.oneOf) && (isPlain || overlaps) && !("anyOf" in schema)) {
      reworded = this.#rename(reworded, "oneOf", { anyOf: schema.oneOf });
    }
    if (isPlain && "const" in schema && !("enum" in schema)) {
      reworded = this.#rename(reworded, "const", { enum: [schema.const] });
    }
    if (isPlain) reworded = this.#mergeAll(reworded);
    if (!hasTypes || !("type" in reworded)) return reworded;
    const type = knownTypes(reworded.type);
    if (isJsonEqual(type ?? null, reworded.type ?? null)) return reworded;
    this.changed.add("type");
    const { type: _, ...rest } = reworded;
    return type === undefined ? rest : { ...reworded, type };
  }

  #rename(schema: Fields, key: string, renamed: Fields): Fields {
    this.changed.add(key);
    return Object.fromEntries(
      Object.entries(schema).flatMap(([name, value]) =>
        name === key ? Object.entries(renamed) : [[name, value]]
      ),
    );
  }

  /** Merges the parts of `allOf` into the schema, unless two of them state different things under one keyword. */
  #mergeAll(schema: Fields): Fields {
    const { allOf: parts, ...rest } = schema;
    if (!Array.isArray(parts) || !parts.every(isRecord)) return schema;
    let merged: Fields = rest;
    for (const part of parts) {
      const clash = Object.entries(part).some(([key, value]) =>
        key in merged && !["properties", "required", "description", "title"].includes(key) &&
        !isJsonEqual(merged[key] ?? null, value ?? null)
      );
      const properties = { ...fieldsOf(part.properties), ...fieldsOf(merged.properties) };
      const names = Object.keys(fieldsOf(part.properties));
      if (clash || names.some((name) => Object.hasOwn(fieldsOf(merged.properties), name))) return schema;
      const required = [...new Set([...listOf(merged.required), ...listOf(part.required)])];
      merged = {
        ...part,
        ...merged,
        ...Object.keys(properties).length === 0 ? {} : { properties },
        ...required.length === 0 ? {} : { required },
      };
    }
    this.changed.add("allOf");
    return merged;
  }

  #leaveOut(schema: Fields, also: readonly string[] = []): Fields {
    const left = Object.keys(schema).filter((key) => also.includes(key) || this.#isLeftOut(key, schema));
    if (left.length === 0) return schema;
    for (const key of left) this.changed.add(key);
    const others = left.flatMap((key) => own(DEPENDENT, key) ?? []);
    const kept = Object.entries(schema).filter(([key]) => !left.includes(key) && !others.includes(key));
    const words = left.map((key) => `${key}: ${JSON.stringify(schema[key])}`).join(", ");
    // What is left out of a schema is quoted in the one around it, if that is left out, too.
    this.#budget.spend(words.length);
    const { description } = schema;
    const described = typeof description === "string" && description !== ""
      ? `${description} (${words})`
      : words;
    return { ...Object.fromEntries(kept), description: described };
  }

  #isLeftOut(key: string, schema: Fields): boolean {
    const { drop = [], repetition_max: max, formats, combinations, invalid_patterns } = this.#rules;
    const value = schema[key];
    if (drop.includes(key)) return true;
    if (max !== undefined && REPETITIONS.includes(key) && Number(JSON.stringify(value)) > max) return true;
    if (key === "format" && formats !== undefined && !formats.some((format) => format === value)) return true;
    if (key === "pattern" && invalid_patterns && !isPattern(value)) return true;
    if (combinations !== true) return false;
    if (key === "minLength" || key === "maxLength") return "pattern" in schema || "format" in schema;
    if (key === "propertyNames") return "properties" in schema;
    return key === "patternProperties" && isRecord(value) && Object.keys(value).length > 1;
  }
}

/** The characters of a schema's keys, and of its values that aren't schemas. */
function ownLength(schema: Fields): number {
  let length = 0;
  for (const [key, value] of Object.entries(schema)) {
    length += key.length;
    const isSchemas = LISTED.includes(key) || NAMED.includes(key) || ONE.includes(key);
    if (typeof value === "string") length += value.length;
    else if (NAMED.includes(key) && isRecord(value)) length += Object.keys(value).join("").length;
    else if (!isSchemas && typeof value === "object") length += JSON.stringify(value).length;
  }
  return length;
}

/** The target of a reference inside the schema; undefined if it leads nowhere. */
function pointed(root: unknown, ref: string): unknown {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  let target = root;
  for (const step of ref.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(target)) target = target[Number(name)];
    else if (isRecord(target) && Object.hasOwn(target, name)) target = target[name];
    else return undefined;
  }
  return isRecord(target) || typeof target === "boolean" ? target : undefined;
}

/** The types with JSON Schema's names; undefined if none is known. */
function knownTypes(type: unknown): unknown {
  const nameOf = (name: unknown) => {
    if (name !== null && typeof name !== "string") return undefined;
    const lower = (name ?? "null").toLowerCase();
    const known = own(OTHER_NAMES, lower) ?? lower;
    return VALUE_TYPES.find((value) => value === known);
  };
  if (!Array.isArray(type)) return nameOf(type);
  const names = type.map(nameOf);
  return names.includes(undefined) || names.length === 0 ? undefined : names;
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    new RegExp(value);
    return true;
  } catch {
    return false;
  }
}

function pick(schema: Fields, keys: readonly string[]): Fields {
  return Object.fromEntries(keys.map((key) => [key, schema[key]]));
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

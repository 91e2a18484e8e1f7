/** Loads compiled rules that anyone can have written. @module */
import { isRecord } from "../object/record.ts";
import { type CompiledRules, FORMAT, type WeightedRule } from "./format.ts";
import { unpackRules } from "./unpack.ts";

export class CompiledRulesError extends Error {
  override readonly name = "CompiledRulesError";
  /** `format`: they have another format; `damaged`: they aren't compiled rules. */
  readonly code: "format" | "damaged";

  /** @param code what is wrong */
  constructor(code: "format" | "damaged", message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The rules in compiled ones, all of which is read.
 *
 * @throws CompiledRulesError if they have another format, or aren't compiled rules
 */
export function loadCompiled(compiled: CompiledRules): WeightedRule[] {
  checkFormat(compiled);
  try {
    const rules = unpackRules(compiled);
    readAll(rules, new Set());
    return rules;
  } catch (cause) {
    throw new CompiledRulesError("damaged", `Cannot load compiled rules: they are damaged (${cause})`);
  }
}

function checkFormat(compiled: CompiledRules): void {
  if (!isRecord(compiled) || typeof compiled.v !== "number") {
    throw new CompiledRulesError(
      "damaged",
      "Cannot load compiled rules: they have no format number `v`; `dragoman rules compile` writes it",
    );
  }
  const { v, by } = compiled;
  if (v === FORMAT) return;
  throw new CompiledRulesError(
    "format",
    `Cannot load compiled rules of format ${v}, written by ${by}: this reader reads format ${FORMAT}. ` +
      "Compile them again with its `dragoman rules compile`",
  );
}

/** Reads everything in a value. The items of a sequence aren't its own field, because they are read when they are needed. */
function readAll(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  if ("items" in value) readAll(value.items, seen);
  for (const one of Object.values(value)) readAll(one, seen);
}

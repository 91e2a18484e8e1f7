/**
 * The rules that ship with Dragoman, compiled: `dragoman-engine/rules`.
 *
 * @module
 */
import compiled from "../../rules/compiled.json" with { type: "json" };
import { loadRules } from "./rules.ts";
import type { CompiledRules, Rules } from "./types.ts";

/** The shipped rules as plain data, for example for a worker. */
export const compiledRules: CompiledRules = compiled;

/** The shipped rules. */
export const shippedRules: Rules = loadRules(compiledRules);

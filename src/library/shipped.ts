/** The rules that ship with Dragoman, compiled: `dragoman-engine/rules`. @module */
import compiled from "../../rules/compiled.json" with { type: "json" };
import { type CompiledRules as Packed, unpackRules } from "../engine/mod.ts";
import { makeRules } from "./loaded.ts";
import type { CompiledRules, Rules } from "./types.ts";

/** The shipped rules as plain data, for example for a worker. */
export const compiledRules: CompiledRules = compiled;

/** The shipped rules. */
export const shippedRules: Rules = makeRules(unpackRules(compiledRules as Packed));

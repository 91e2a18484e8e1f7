/** Checks whether a module's default export is a plugin; errors state what is missing. @module */
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Plugin } from "./mod.ts";

const HOOKS = ["onEvent", "onCall", "onGroup", "onAnswerEnd", "onAnswerJudged", "onRequest"] as const;
const FIELDS: readonly string[] = ["name", "description", "options", "requires", ...HOOKS];
const TYPES: readonly string[] = ["text", "texts", "number", "boolean", "mapping"];

/** The plugin, or the error as the end of a sentence that begins with the file's name. */
export function readPlugin(
  exported: unknown,
): { readonly plugin: Plugin<unknown> } | { readonly wrong: string; readonly help?: string } {
  if (!isRecord(exported)) return { wrong: "has no plugin as its default export" };
  const { name, requires, options } = exported;
  if (typeof name !== "string" || !/^[a-z][a-z0-9_]*$/.test(name)) {
    return { wrong: "has a plugin without a `name` of lowercase letters, digits, and _" };
  }
  const unknown = Object.keys(exported).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) {
    const help = didYouMean(unknown, FIELDS) ?? `a plugin can have ${FIELDS.join(", ")}`;
    return { wrong: `has an unknown field or hook \`${unknown}\``, help };
  }
  if (requires !== undefined && !isTexts(requires)) {
    return { wrong: "has `requires` that is not a list of names" };
  }
  const hook = HOOKS.find((hook) => exported[hook] !== undefined && typeof exported[hook] !== "function");
  if (hook !== undefined) return { wrong: `has a hook \`${hook}\` that is not a function` };
  if (HOOKS.every((hook) => exported[hook] === undefined)) return { wrong: "has a plugin without any hook" };
  if (options !== undefined && !isFields(options)) {
    return { wrong: `has \`options\` without a \`type\` (${TYPES.join(", ")}) for each` };
  }
  return { plugin: exported as unknown as Plugin<unknown> };
}

function isFields(value: unknown): boolean {
  return isRecord(value) &&
    Object.values(value).every((field) =>
      isRecord(field) && typeof field["type"] === "string" && TYPES.includes(field["type"])
    );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

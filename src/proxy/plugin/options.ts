/** Reads a plugin's options with the defaults that it declares, and reports every error with its location. @module */
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { OptionField } from "./mod.ts";

interface GivenOptions {
  readonly plugin: string;
  readonly fields: Readonly<Record<string, OptionField>>;
  readonly given: Readonly<Record<string, unknown>>;
  /** Where an option is: its key or its value; without a name, where the plugin is named. */
  readonly locate: (option?: string, part?: "key" | "value") => Location | undefined;
}

const PHRASES: Readonly<Record<OptionField["type"], string>> = {
  text: "a text",
  texts: "a list of texts",
  number: "a number",
  boolean: "true or false",
  mapping: "a mapping",
};

export function readOptions(
  options: GivenOptions,
): { readonly value: Record<string, unknown>; readonly diagnostics: readonly Diagnostic[] } {
  const { plugin, fields, given, locate } = options;
  const value: Record<string, unknown> = {};
  const diagnostics: Diagnostic[] = [];
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(fields, name)) continue;
    const help = didYouMean(name, Object.keys(fields));
    diagnostics.push({
      ...mistake("unknown_field", `Plugin "${plugin}" has no option \`${name}\``, locate(name, "key")),
      ...present({ help }),
    });
  }
  for (const [name, field] of Object.entries(fields)) {
    const written = given[name];
    if (written === undefined) {
      value[name] = field.default;
      if (field.default !== undefined) continue;
      const message = `Plugin "${plugin}" needs the option \`${name}\``;
      diagnostics.push({ ...mistake("missing_field", message, locate()), expected: phrase(field) });
    } else if (!hasType(written, field.type)) {
      const message = `Option \`${name}\` of plugin "${plugin}" has the wrong type`;
      diagnostics.push({ ...mistake("wrong_type", message, locate(name)), expected: phrase(field) });
    } else if (!isAllowed(written, field)) {
      const message = `Option \`${name}\` of plugin "${plugin}" has a value that is not allowed`;
      const help = typeof written === "string" ? didYouMean(written, field.values ?? []) : undefined;
      diagnostics.push({
        ...mistake("wrong_value", message, locate(name)),
        expected: phrase(field),
        ...present({ help }),
      });
    } else value[name] = written;
  }
  return { value, diagnostics };
}

function mistake(code: Diagnostic["code"], message: string, location: Location | undefined): Diagnostic {
  return { code, severity: "error", message, ...present({ location }) };
}

function phrase({ type, values, minimum }: OptionField): string {
  if (values !== undefined) return `one of ${values.map((value) => `\`${value}\``).join(", ")}`;
  return minimum === undefined ? PHRASES[type] : `${PHRASES[type]}, at least ${minimum}`;
}

function hasType(value: unknown, type: OptionField["type"]): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "texts":
      return Array.isArray(value) && value.every((entry) => typeof entry === "string");
    case "mapping":
      return isRecord(value);
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
  }
}

function isAllowed(value: unknown, { values, minimum }: OptionField): boolean {
  if (typeof value === "string" && values !== undefined) return values.includes(value);
  return typeof value !== "number" || minimum === undefined || value >= minimum;
}

/**
 * What a rule's author can write at a place: the keys of a mapping, or the values of a field, as the schema states them.
 *
 * @module
 */
import { writeJsonSchema } from "../../../engine/document/json_schema.ts";
import { fieldAt, type Path, type Schema } from "../../../engine/document/field.ts";
import { ruleFileSchema } from "../../../engine/rule/schema.ts";
import type { Choice, Choices } from "./protocol.ts";

let schema: Schema | undefined;

/** The choices at a place of a rule. */
export function choicesAt(path: Path, isValue: boolean): Choices {
  schema ??= JSON.parse(writeJsonSchema(ruleFileSchema, { title: "rule" })) as Schema;
  const root = schema;
  const field = fieldAt(root, path);
  if (isValue) {
    const values = field.expected === "true or false" ? ["true", "false"] : field.values;
    return { choices: values.map((label) => ({ label, detail: "", description: field.description ?? "" })) };
  }
  const keys = [...new Set(field.keys)];
  return {
    choices: keys.map((label): Choice => {
      const { expected, description = "" } = fieldAt(root, [...path, label]);
      return { label, detail: expected, description };
    }),
  };
}

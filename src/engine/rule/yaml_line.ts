/** Writes a value as one line of YAML, for a fix that can be pasted. @module */
import { isRecord } from "../object/record.ts";

/** A value in the flow style of YAML; a text gets quotes if it needs them. */
export function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(", ")}]`;
  if (isRecord(value)) {
    return `{ ${Object.entries(value).map(([key, one]) => `${yamlOf(key)}: ${yamlOf(one)}`).join(", ")} }`;
  }
  if (typeof value !== "string") return JSON.stringify(value);
  if (/^[A-Za-z_$][\w$]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off)$/i.test(value)) return value;
  return /\p{Cc}/u.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}

/**
 * The values of the shipped YAML files as JSON, because parsing them as YAML is a third of the time to start, and as JSON
 * a hundredth. Each value is listed under the hash of the text that it was parsed from: a file that someone edits has
 * another hash and is parsed as YAML, so the edit applies and a stale value is never used. The values are plain ones,
 * before any schema: the schema checks them at each start as it checks YAML.
 *
 * `deno task generate` writes the files with `prepare.ts`; a test compares them.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { present } from "../object/present.ts";
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";
import type { TextFile } from "./text_file.ts";

/** The name of the JSON file, which lies in the folder of its YAML files. */
export const PREPARED_FILE = "prepared.json";

/** Adds the values that the JSON has to files whose text is still the same. JSON that cannot be read adds none. */
export function withPrepared(files: readonly TextFile[], json: string): TextFile[] {
  const parsed = parseJson(json);
  const values = isRecord(parsed) ? parsed : {};
  return files.map((file) => ({ ...file, ...present({ known: values[hashOf(file.text)] }) }));
}

/** The name of a text in the JSON. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** One hash of all texts and names, in their order. */
export function hashOfAll(files: readonly TextFile[]): string {
  const hash = createHash("sha256");
  for (const { file, text } of files) hash.update(`${nameOf(file)} ${text.length}\n${text}`);
  return hash.digest("base64url");
}

/** `rules/mine.yaml` → `mine.yaml`. */
export function nameOf(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

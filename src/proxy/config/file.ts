/**
 * Reads the text of `dragoman.yaml` by its schema.
 *
 * @module
 */
import { readDocument } from "../../engine/document/document.ts";
import type { ConfigDocument } from "./config.ts";
import { configSchema } from "./schema.ts";

/** Reads a configuration file; the document has its values and every error. */
export function readConfigFile(file: { readonly file: string; readonly text: string }): ConfigDocument {
  return readDocument({ ...file, schema: configSchema.nullable() });
}

/**
 * The chat templates next to the project, for tests that skip where they are absent.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { ChatTemplate } from "../../src/analysis/derive/template.ts";

const FOLDER = "../shared/templates";

/** Whether the folder is absent: then the tests skip. */
export const areTemplatesAbsent = !existsSync(FOLDER);

export function sharedTemplate(file: string): ChatTemplate {
  return new ChatTemplate(Deno.readTextFileSync(`${FOLDER}/${file}.jinja`));
}

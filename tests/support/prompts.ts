/**
 * System prompts in the structure that Roo Code and Cline send, written for the tests; `prompts` has their texts.
 *
 * @module
 */

const read = (name: string) => Deno.readTextFileSync(new URL(`./prompts/${name}.txt`, import.meta.url));

const ROO_PROMPT = read("roo");

/** Which version of Roo's prompt. */
export interface RooPromptOptions {
  /** The multi-file form of read_file, from 3.19. */
  readonly hasArgs: boolean;
  /** Whether write_to_file asks for a line count, up to 3.35. */
  readonly hasLineCount: boolean;
}

/** Roo Code's system prompt in XML mode. */
export function rooPrompt({ hasArgs, hasLineCount }: RooPromptOptions): string {
  const [before = "", readFile = "", write = "", after = ""] = ROO_PROMPT.split(
    /(?=^## (?:read_file|write_to_file|apply_diff)$)/m,
  );
  const counted = write
    .replace("Usage:", "- line_count: (required) The number of lines\nUsage:")
    .replace("</content>\n", "</content>\n<line_count>total number of lines</line_count>\n");
  return before + (hasArgs ? read("roo_read_files") : readFile) + (hasLineCount ? counted : write) + after;
}

/** The tools that `rooPrompt` lists and that are known, in its order. */
export const ROO_TOOLS = [
  "read_file",
  "write_to_file",
  "apply_diff",
  "execute_command",
  "ask_followup_question",
  "attempt_completion",
  "switch_mode",
];

/** Cline's long system prompt. */
export const CLINE_PROMPT = read("cline");

/** The tools that `CLINE_PROMPT` lists. */
export const CLINE_TOOLS = ["execute_command", "read_file", "replace_in_file"];

/** Cline's compact prompt for local models. */
export const CLINE_COMPACT_PROMPT = read("cline_compact");

/** The tools that `CLINE_COMPACT_PROMPT` lists. */
export const CLINE_COMPACT_TOOLS = ["execute_command", "read_file", "ask_followup_question"];

/** The least that Roo Code is recognized by, with two tools. */
export const SMALL_ROO_PROMPT = read("roo_small");

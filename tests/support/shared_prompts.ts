/**
 * The real system prompts next to the project, for tests that skip where they are absent.
 *
 * @module
 */
import { existsSync } from "node:fs";

const FOLDER = "../shared/prompts";

/** A prompt with the tools that it offers. */
export interface SharedPrompt {
  readonly file: string;
  readonly client: "roo" | "cline";
  readonly text: string;
  readonly tools: readonly string[];
}

/** Whether the folder is absent: then the tests skip. */
export const isSharedAbsent = !existsSync(`${FOLDER}/tools.json`);

export function sharedPrompts(): SharedPrompt[] {
  const tools = JSON.parse(read("tools.json")) as Record<string, string[]>;
  return Object.entries(tools).map(([file, names]) => ({
    file,
    client: file.startsWith("cline") ? "cline" : "roo",
    text: read(file),
    tools: names,
  }));
}

function read(file: string): string {
  return Deno.readTextFileSync(`${FOLDER}/${file}`);
}

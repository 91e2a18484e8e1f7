/**
 * The line about a model that gets its tools in the prompt from now on, because of `tools: auto`.
 *
 * @module
 */
import { escaped } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { LearnedReason, LearnedTools } from "../../proxy/upstream/learned_tools.ts";

const WHY: Readonly<Record<LearnedReason, string>> = {
  refused: "refuses `tools`",
  leaked: "prints all its calls as text",
};

/** The line, which ends with a line break. */
export function learnedToolsLine({ upstream, model, reason, dialect }: LearnedTools, date: Date): string {
  const what = model === "" ? "" : ` with the model "${model}"`;
  const text = `Upstream "${upstream}"${what} ${WHY[reason]}. From now on it gets tools in the prompt, ` +
    `in the dialect of rule "${dialect}" (tools: auto)`;
  return `${clock(date.getTime())}  ${escaped(text)}\n`;
}

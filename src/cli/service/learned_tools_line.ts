/**
 * The line about a model that gets its tools in the prompt, or is read raw, from now on, because of `tools: auto`.
 *
 * @module
 */
import { escaped } from "../../engine/diagnostic/visible.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import type { LearnedReason, LearnedTools } from "../../proxy/upstream/learned_tools.ts";

const WHY: Readonly<Record<LearnedReason, string>> = {
  refused: "refuses `tools`",
  leaked: "prints all its calls as text",
  unparsed: "has calls or tools that the server's own parser can't read",
};

export function learnedToolsLine({ upstream, model, reason, dialect }: LearnedTools, date: Date): string {
  const what = model === "" ? "" : ` with the model "${model}"`;
  const then = reason === "unparsed"
    ? "From now on that parser is off, and Dragoman reads the model's own text"
    : `From now on it gets tools in the prompt, in the dialect of rule "${dialect}"`;
  const text = `Upstream "${upstream}"${what} ${WHY[reason]}. ${then} (tools: auto)`;
  return `${clock(date.getTime())}  ${escaped(text)}\n`;
}

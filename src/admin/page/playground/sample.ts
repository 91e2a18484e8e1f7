/** What the playground begins with: an answer with a call that no rule reads, and the tools of its request. @module */
import { EMPTY, type PlayState } from "./state.ts";

/** Tools as many agents have them, in the short form of a rule's examples. */
export const SAMPLE_TOOLS = `read_file: { path: string, line: integer? }
write_file: { path: string, content: string }
list_files: { path: string, recursive: boolean? }
run_command: { command: string }
`;

export const SAMPLE: PlayState = {
  ...EMPTY,
  text: `I'll look at the file first.
@@invoke read_file
@arg path = src/main.ts
@@end
`,
  tools: SAMPLE_TOOLS,
};

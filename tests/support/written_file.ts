/**
 * One call that writes a nasty file, in several dialects as models print them.
 *
 * @module
 */

/** What the file has to hold in the end, to the last byte. */
export const FILE_PATH = "docs/tool <calls> & more.md";
export const FILE_CONTENT = [
  "# How a call is written",
  "",
  'if (a < b && c > d) { say("it\'s \\"done\\"\\n"); }\t// tab\ttab',
  "<parameter=path>",
  "an example </parameter",
  "</parameter>",
  "```json",
  '{ "name": "write_file", "arguments": {} }',
  "```",
  "`back` &amp; &lt; 漢字 é 😀🏳️‍🌈 \u00a0 $& $1 {tool}",
  "    indented, and a trailing blank ",
  "",
].join("\n");

const CALL = { name: "write_file", arguments: { path: FILE_PATH, content: FILE_CONTENT } };

/** The text before and after the call, as it reaches the client. */
export const BEFORE = "I'll write the file.\n\n";

/** Dialect → what the model prints. */
export const PRINTED: Readonly<Record<string, string>> = {
  "Qwen XML": `${BEFORE}<tool_call>\n<function=write_file>\n<parameter=path>\n${FILE_PATH}\n</parameter>\n` +
    `<parameter=content>\n${FILE_CONTENT}\n</parameter>\n</function>\n</tool_call>`,
  "Hermes": `${BEFORE}<tool_call>\n${JSON.stringify(CALL)}\n</tool_call>`,
  "fenced JSON": `${BEFORE}\`\`\`json\n${JSON.stringify(CALL, null, 2)}\n\`\`\``,
};

/** The schema of the tool's arguments. */
export const WRITE_FILE_SCHEMA = {
  type: "object" as const,
  properties: { path: { type: "string" as const }, content: { type: "string" as const } },
  required: ["path", "content"],
  additionalProperties: false,
};

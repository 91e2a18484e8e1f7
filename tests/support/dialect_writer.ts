/**
 * Writes a call as a model would, in the dialects that ship, and makes values that hurt whoever reads it back.
 *
 * @module
 */
import fc from "fast-check";
import { anyText } from "./any_text.ts";

export interface WrittenCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface DialectWriter {
  readonly rule: string;
  /** Whether values are JSON; else they are text. */
  readonly isJson: boolean;
  /** Whether only calls may follow the call: before prose it is an example. */
  readonly isLast?: boolean;
  write(call: WrittenCall): string;
  /** Whether a value ends with what closes it, unless values are JSON. */
  endsWithCloser?(value: string, key: string): boolean;
  /** Whether no one can distinguish a text from the dialect's own structure. */
  isAmbiguous(value: string): boolean;
}

/** The parameters that calls have; each is declared. */
export const KEYS = ["a", "path", "content"] as const;

export const TOOL = "write_file";

const NEVER = () => false;
const item = `<(?:${
  [...KEYS, "args", "file", "requires_approval", "task_progress", "line_count"].join("|")
})>`;

/** Two readings of one text: its own closer with an item or the frame's closer after it, or half an example. */
const QWEN_AMBIGUOUS = [
  /<\/parameter>\s*<parameter=[^>\s]{1,64}>/,
  /<\/parameter>\s*<\/function>\s*(?:<\/?tool_call>|<function=|<parameter=)/,
  // An opener with the beginning of its body is an example of a call, which is balanced.
  new RegExp(`<(?:function=[\\w.:/-]+|${TOOL})>\\s*(?:<parameter=|</function>)`),
  // A declared parameter's opener at the start of a line: the closer before it was forgotten.
  /(?:^|\n)\s*<parameter=/,
  // The dialect's own newline follows, and \r\n is one newline.
  /\r$/,
];

const ROO_AMBIGUOUS = [
  new RegExp(`</\\w+>\\s*(?:${item}|</(?:args|file|${TOOL})>)`),
  new RegExp(`<${TOOL}>\\s*${item}`),
  /\r$/,
];

/** All dialects that write calls of any tool. */
export const DIALECTS: readonly DialectWriter[] = [
  {
    rule: "qwen_xml",
    isJson: false,
    write: ({ tool, arguments: all }) => {
      const items = Object.entries(all).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`);
      return `<tool_call>\n<function=${tool}>\n${items.join("")}</function>\n</tool_call>`;
    },
    endsWithCloser: (value) => /<\/parameter[/\d]?>\s*$/.test(value),
    isAmbiguous: (value) => QWEN_AMBIGUOUS.some((pattern) => pattern.test(value)),
  },
  {
    rule: "roo_xml",
    isJson: false,
    write: ({ tool, arguments: all }) => {
      const items = Object.entries(all).map(([key, value]) => `<${key}>\n${value}\n</${key}>\n`);
      return `<${tool}>\n${items.join("")}</${tool}>`;
    },
    endsWithCloser: (value, key) => value.trimEnd().endsWith(`</${key}>`),
    isAmbiguous: (value) => ROO_AMBIGUOUS.some((pattern) => pattern.test(value)),
  },
  {
    rule: "strict_xml",
    isJson: true,
    write: ({ tool, arguments: all }) => `<${tool}>\n${JSON.stringify(all)}\n</${tool}>`,
    isAmbiguous: NEVER,
  },
  {
    rule: "hermes",
    isJson: true,
    write: ({ tool, arguments: all }) =>
      `<tool_call>\n${JSON.stringify({ name: tool, arguments: all }, null, 1)}\n</tool_call>`,
    isAmbiguous: NEVER,
  },
  {
    rule: "json_block",
    isJson: true,
    isLast: true,
    write: ({ tool, arguments: all }) => `\`\`\`json\n${JSON.stringify({ tool, arguments: all })}\n\`\`\``,
    isAmbiguous: NEVER,
  },
];

const PIECES = [
  ...`a word {} [] {"name":"f"} " ' \\ / & &lt; &amp; <b> </b> < </ > <! ]]> 😀 é \u2028`.split(" "),
  ..."<tool_call> </tool_call> <function=f> <function=write_file> </function> <parameter=a> <parameter=x>"
    .split(" "),
  ..."</parameter> </parameter </paramete <write_file> </write_file> </write_file <a> </a> <path> </path>"
    .split(" "),
  ..."<content> </content> </content <args> </args> <file> ``` ```json ` > <think> <multi_tool_use>".split(
    " ",
  ),
  ..."\n|\n\n|\r\n|\r|\t| |  |\u0000|\u00a0|\\n|\\u0041".split("|"),
];

/** Text put together from the dialects' own tags. */
export const nastyValue: fc.Arbitrary<string> = fc.array(
  fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...PIECES) }, anyText(4)),
  { maxLength: 10 },
).map((pieces) => pieces.join(""));

/**
 * Texts that are written to be slow to read: each repeats what a matcher might look at again and again.
 *
 * @module
 */

/** What is before, what is repeated, what is after. */
interface Shape {
  readonly head?: string;
  /** Where each repetition differs, the unit by its number. */
  readonly unit: string | ((index: number) => string);
  readonly tail?: string;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  "openers without a body": { unit: "<tool_call>" },
  "openers of functions": { unit: "<function=write_file>" },
  "openers of functions in tags": { unit: "<tool_call>\n<function=write_file>\n" },
  "angle brackets": { unit: "<" },
  "beginnings of an opener": { unit: "<function=" },
  "backticks": { unit: "`" },
  "backticks and letters": { unit: "`a" },
  "fences on every line": { unit: "```json\n" },
  "fences that hold a brace": { unit: '```json\n{"tool": ' },
  "tildes": { unit: "~~~~\n" },
  "whitespace": { unit: " " },
  "whitespace after an opener": { head: "<tool_call>", unit: " \n" },
  "openers and whitespace": { unit: "<read_file>          \n" },
  "quoted lines": { unit: "> <tool_call>\n" },
  "an unclosed call": { head: "<function=write_file>\n<parameter=content>", unit: "word <b> " },
  "closers in a value": {
    head: "<function=write_file><parameter=content>",
    unit: "</parameter>\n</function ",
  },
  "beginnings of a closer in a value": {
    head: "<function=write_file><parameter=content>",
    unit: "</paramete",
  },
  "examples of calls in a value": {
    head: "<function=write_file><parameter=content>",
    unit: "<function=f><parameter=path>x</parameter></function>",
  },
  "nested examples in a value": {
    head: "<function=write_file><parameter=content>",
    unit: "<function=f><parameter=path>",
  },
  "unique keys": { head: "<function=write_file>", unit: (index) => `<parameter=k${index}>v</parameter>` },
  "unique keys that are never closed": {
    head: "<function=write_file>",
    unit: (index) => `<parameter=content>v</parameter><parameter=k${index}>`,
  },
  "unique elements": { head: "<write_file><path>", unit: (index) => `</path><k${index}>v</k${index}>` },
  "unique fences": { unit: (index) => `${"`".repeat(3 + index % 5)}n${index}\n` },
  "newlines in a value": { head: "<function=write_file><parameter=content>", unit: "\n\n<parameter=x" },
  "deep JSON": { head: '<tool_call>{"name": "f", "arguments": {"a": ', unit: "[" },
  "deep JSON before its name": { head: '<tool_call>{"arguments": {"a": ', unit: '{"a":' },
  "backslashes in JSON": { head: '<tool_call>{"name": "f", "arguments": {"a": "', unit: '\\"' },
  "a comment in JSON": { head: '<tool_call>{"name": "f", /*', unit: "* " },
  "closers in a JSON string": { head: '<tool_call>{"name": "f", "arguments": {"a": "', unit: "</tool_call>" },
  "refused calls": { unit: '<tool_call>{"name": "ghost", "arguments": {}}</tool_call>\n' },
  "calls that aren't JSON": { unit: '<tool_call>{"name": "f", "arguments": {"a": 1 "b"}}</tool_call>\n' },
  "calls with text after the JSON": { unit: '<tool_call>{"name": "f"} no </tool_call>\n' },
  "markup that has the name of a tool": { unit: "<write_file><b>x</b></write_file>" },
  "empty wrappers": { unit: "<multi_tool_use></multi_tool_use>" },
  "wrappers in wrappers": { unit: "<multi_tool_use>" },
  "shell blocks that text follows": { unit: "```bash\nls -la\n```\nand\n" },
  "openers after brackets": { unit: "[TOOL_CALLS]write_file[ARGS]{" },
  "lists of calls after brackets": { unit: "[TOOL_CALLS] [{" },
  "calls in a link": { head: "[", unit: "<read_file><path>a</path></read_file> [" },
  "calls in a code span": { head: "`a ", unit: "[<read_file><path>a</path></read_file>] " },
  "whole calls": { unit: "<read_file><path>a</path></read_file>\n" },
  "reasoning": { unit: "<think>\n" },
};

export const ADVERSARIAL: readonly string[] = Object.keys(SHAPES);

/** A text of a shape, about so long. */
export function adversarial(name: string, length: number): string {
  const { head = "", unit, tail = "" } = SHAPES[name] ?? { unit: name };
  if (typeof unit === "string") return head + unit.repeat(Math.ceil(length / unit.length)) + tail;
  let text = head;
  for (let index = 0; text.length < length; index++) text += unit(index);
  return text + tail;
}

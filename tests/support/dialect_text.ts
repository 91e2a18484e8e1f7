/**
 * Texts put together from the fragments of all shipped dialects: mostly broken, now and then a whole call.
 *
 * @module
 */
import fc from "fast-check";
import { offer } from "../../src/engine/tool/offered.ts";

const string = { type: "string" };

/** The tools that the texts mention; `zzz` and `ghost` are never among them. */
export const OFFERED = offer([
  {
    name: "write_file",
    schema: {
      type: "object",
      properties: {
        path: string,
        content: string,
        count: { type: "integer" },
        list: { type: "array" },
        maybe: { type: ["string", "null"] },
      },
      required: ["path"],
    },
  },
  { name: "read_file", schema: { type: "object", properties: { path: string } } },
  { name: "execute_command" },
  { name: "f" },
], { create_file: "write_file" });

const TAGS = [
  ..."<tool_call> </tool_call> <function=write_file> <function=f> <function=zzz> </function>".split(" "),
  ..."<parameter=path> <parameter=content> <parameter=count> <parameter=maybe> <parameter=list>".split(" "),
  ..."</parameter> <write_file> </write_file> <create_file> </create_file> <read_file> </read_file>".split(
    " ",
  ),
  ..."<path> </path> <content> </content> <args> </args> <file> </file> <toolId>1</toolId>".split(" "),
  ..."<think> </think> <multi_tool_use> </multi_tool_use> <f> </f>".split(" "),
  '<multi_tool_use mode="parallel">',
];

const JSON_PIECES = [
  ...'{ } [ ] }} " : , \\ \\n \\u00e9 True null nul 5 "a": "name": "arguments": {"name":"f"} "tool":'.split(
    " ",
  ),
  '{"name": "f", "arguments": {',
  '"a": 1',
  '"path": "x"',
  '{"tool": "write_file", ',
  '{"name": "ghost", "arguments": {}}',
  "// c\n",
  "/* c */",
  "'k': 'v'",
];

const TEXT_PIECES = [
  ..."a é 😀 \ud83d \ude00 < </ > ' ` ``` ```` ~~~ &lt; text word".split(" "),
  ..."\n|\n\n|\r\n| |  |\t|> |> x\n|ls -la|\u00a0".split("|"),
  "```json\n",
  "```tool_code\n",
  "```tool_call\n",
  "```bash\n",
  "```xml\n",
  "~~~~\n",
  "\n```\n",
  "`code`",
];

const CALLS = [
  "<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nhello\n</parameter>\n</function>\n</tool_call>",
  "<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n</function>",
  '<tool_call>\n{"name": "f", "arguments": {"x": "y"}}\n</tool_call>',
  '<tool_call>[{"name": "f"}, {"name": "read_file", "arguments": {"path": "p"}}]</tool_call>',
  "<read_file>\n<path>a</path>\n</read_file>",
  '<write_file>{"path": "a"}</write_file>',
  '```json\n{"tool": "f", "x": [1]}\n```',
  '```tool_code\n{"name": "f", "x": [1]}\n```',
  "```bash\nls -la\n```",
];

/** Any fragment; calls come whole now and then. */
export const fragment: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...TAGS) },
  { weight: 6, arbitrary: fc.constantFrom(...JSON_PIECES) },
  { weight: 8, arbitrary: fc.constantFrom(...TEXT_PIECES) },
  { weight: 2, arbitrary: fc.constantFrom(...CALLS) },
);

export const dialectText: fc.Arbitrary<string> = fc.array(fragment, {
  minLength: 1,
  maxLength: 24,
  size: "max",
})
  .map((pieces) => pieces.join(""));

/** How a text is cut and read. */
export interface Circumstances {
  readonly wholeCalls: boolean;
  readonly truncated: boolean;
}

/** Every way to read an answer. */
export const CIRCUMSTANCES: readonly Circumstances[] = [false, true].flatMap((wholeCalls) =>
  [false, true].map((truncated) => ({ wholeCalls, truncated }))
);

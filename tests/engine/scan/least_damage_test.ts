/** Of all readings of a text, the one that needs the fewest repairs counts, in the dialects that ship, at every cut. */
import assert from "node:assert/strict";
import { offer } from "../../../src/engine/tool/offered.ts";
import { eventsOf, shippedProgram, told, toldInEveryCut } from "../../support/matcher_events.ts";

const program = shippedProgram();
const string = { type: "string" };
const write = {
  type: "object",
  properties: { path: string, content: string },
  required: ["path", "content"],
};
const offered = offer([
  { name: "write_to_file", schema: write },
  { name: "read_file", schema: { type: "object", properties: { path: string, args: string } } },
  {
    name: "execute_command",
    schema: { type: "object", properties: { command: string }, required: ["command"] },
  },
  { name: "f", schema: { type: "object", properties: { a: string, b: string, n: { type: "integer" } } } },
]);
const OK = "note transformed";

const toldOf = (text: string) => toldInEveryCut(text, { program, offered, minimumConfidence: 0.9 });

const elements = (content: string) =>
  `<write_to_file>\n<path>g.md</path>\n<content>${content}</content>\n</write_to_file>`;
const parameters = (content: string) =>
  "<tool_call>\n<function=write_to_file>\n<parameter=path>\ng.md\n</parameter>\n<parameter=content>\n" +
  `${content}\n</parameter>\n</function>\n</tool_call>`;
const keys = (content: string) =>
  "<tool_call>write_to_file\n<arg_key>path</arg_key>\n<arg_value>g.md</arg_value>\n<arg_key>content</arg_key>\n" +
  `<arg_value>${content}</arg_value>\n</tool_call>`;

/** Contents of a well-formed call. */
const CONTENTS: readonly [name: string, write: (content: string) => string, content: string][] = [
  ["another tool with a parameter", elements, "# Doc\n<read_file>\n<path>a</path>\n\nis how you read.\n"],
  ["another tool with an open parameter", elements, "# Doc\n<read_file>\n<path>a\n\nis how you read.\n"],
  ["another tool with containers", elements, "x\n<read_file>\n<args>\n<file>\n<path>a\ny\n"],
  ["a command", elements, "# Doc\n<execute_command><command>ls\n"],
  ["the same tool", elements, "# Doc\n<write_to_file>\n<path>a</path>\nx\n"],
  [
    "a whole call of the same tool, which mentions another",
    elements,
    `x\n${elements("see <read_file>\n<path>b\n")}\ny\n`,
  ],
  ["its own element in another", elements, "<file><content>x</content></file>"],
  ["its own element in two others", elements, "<args>\n<file>\n<content>x</content>\n</file>\n</args>"],
  ["its closer before that of a container", elements, "see </content></args> x"],
  ["another call's opener", parameters, "see\n<function=f>\n<parameter=a>\nx"],
  ["another call's opener and its wrapper", parameters, "see\n<tool_call>\n<function=f>\n<parameter=a>\nx"],
  ["half a call", parameters, "see\n<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>"],
  ["a whole call", parameters, `see\n${parameters("x")}\n`],
  ["another call's key", keys, "see\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x"],
  ["a half tag", parameters, "<parameter="],
  ["the closers of the call", parameters, "see\n</function>\n</tool_call>\nabove"],
];

for (const [name, write, content] of CONTENTS) {
  // Before text, a call without names in its closers can also be an example in a torn value.
  const mayBeTorn = write !== elements && /<(?:function|tool_call)/.test(content) && content.includes("\n<");
  for (const after of mayBeTorn ? [""] : ["", "\nDone."]) {
    Deno.test(`a ${write.name} call whose content holds ${name} is exact, before ${JSON.stringify(after)}`, () => {
      const text = after === "" ? [] : ['text "Done."'];
      const call = `write_to_file ${JSON.stringify({ path: "g.md", content })}`;
      assert.deepEqual(toldOf(write(content) + after), [call, OK, ...text]);
    });
  }
}

const READ: readonly [name: string, text: string, lines: string[]][] = [
  [
    "a value that mentions the next item, which follows it",
    "<tool_call>\n<function=write_to_file>\n<parameter=path>\nsee\n<parameter=content>\nx\n</parameter>\n" +
    "<parameter=content>\ny\n</parameter>\n</function>\n</tool_call>",
    ['write_to_file {"path":"see\\n<parameter=content>\\nx","content":"y"}', OK],
  ],
  [
    "a value that mentions two items, of which one follows later",
    "<function=f>\n<parameter=a>\nx\n<parameter=n>\ny\n</parameter>\n<parameter=b>\nz\n</parameter>\n" +
    "<parameter=n>\n1\n</parameter>\n</function>",
    ['f {"a":"x\\n<parameter=n>\\ny","b":"z","n":1}', OK],
  ],
  [
    "a value that mentions a call with another tool's parameter",
    "<function=write_to_file>\n<parameter=path>\n# Doc\n<function=f>\n<parameter=path>\np\n</parameter>\n" +
    "<parameter=content>\nx\n</parameter>\n</function>",
    ['write_to_file {"path":"# Doc\\n<function=f>\\n<parameter=path>\\np","content":"x"}', OK],
  ],
  [
    "a value with its own item and both closers, after a closer",
    "<function=f>\n<parameter=a>\nx <b>\n</parameter>\n<parameter=a>\ny\n</parameter>\n</parameter>\n" +
    "<parameter=b>\nz\n</parameter>\n</function>",
    ['f {"a":"x <b>\\n</parameter>\\n<parameter=a>\\ny\\n</parameter>","b":"z"}', OK],
  ],
  [
    "a value that begins with its own item in another form",
    '<function name="f"><param name="a"><parameter=a>x</parameter></param></function>',
    ['f {"a":"<parameter=a>x</parameter>"}', OK],
  ],
  [
    "a value with a whole item and half of one",
    "<function=f>\n<parameter=a>\nx <parameter=b>y </parameter> <parameter=\n\n\n</parameter>\n</function>",
    ['f {"a":"x <parameter=b>y </parameter> <parameter=\\n\\n"}', OK],
  ],
  [
    "a value that holds a closer and half of an item that no parameter is called like",
    '<｜DSML｜invoke name="f"><｜DSML｜parameter name="a" string="true"></parameter> <｜DSML｜parameter name="c word <x>' +
    "</｜DSML｜parameter></｜DSML｜invoke>",
    ['f {"a":"</parameter> <｜DSML｜parameter name=\\"c word <x>"}', OK],
  ],
  [
    "a value that ends with half of an item after a call's opener",
    '<function name="f"><param name="a">see <function name="f"><parameter=</param><param name="b"></param></function>\nDone.',
    ['f {"a":"see <function name=\\"f\\"><parameter=","b":""}', OK, 'text "Done."'],
  ],
  [
    "a value that holds its closer and the beginning of a call",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value><tool_call>f\n</arg_value>\n</tool_call>",
    ['f {"a":"x</arg_value><tool_call>f\\n"}', OK],
  ],
  [
    "a value that mentions a call with a whole item, before text",
    "<tool_calls><tool_call>f<tool_sep><arg_key>a</arg_key><arg_value>see\n<tool_call>f<tool_sep>\n" +
    "<arg_key>b</arg_key><arg_value>x </arg_value></arg_value></tool_call></tool_calls>\nDone.",
    [
      'f {"a":"see\\n<tool_call>f<tool_sep>\\n<arg_key>b</arg_key><arg_value>x </arg_value>"}',
      OK,
      'text "Done."',
    ],
  ],
  [
    "a value that holds a stray closer and a call with another tool's parameter on lines of its own",
    '<invoke name="f">\n<parameter name="a">x</minimax:tool_call><invoke name="f"><parameter name="c">\ny\n</parameter>\n</invoke>',
    ['f {"a":"x</minimax:tool_call><invoke name=\\"f\\"><parameter name=\\"c\\">\\ny\\n"}', OK],
  ],
  [
    "a second parameter whose value mentions a call that begins with it",
    elements("x\n<write_to_file><content>\ny"),
    ['write_to_file {"path":"g.md","content":"x\\n<write_to_file><content>\\ny"}', OK],
  ],
  [
    "a value that opens a tag of its closer's name, before a parameter that no tool declares",
    '<function=f><parameter=a><parameter name="b">\nx</parameter><parameter=c>x</parameter></function>',
    [
      'f {"a":"<parameter name=\\"b\\">\\nx</parameter><parameter=c>x" … abort malformed',
      "note malformed: `a` may end before another item",
      'text "</function>"',
    ],
  ],
  [
    "an undeclared parameter where an item of the call would be",
    "<function=write_to_file>\n<parameter=path>\np\n</parameter>\n<parameter=content>\nx\n</parameter>\n" +
    "<parameter=line_count>\n1\n</parameter>\n</function>",
    [
      'write_to_file {"path":"p","content":"x","line_count":"1"}',
      OK,
      "note unknown_parameter: line_count",
    ],
  ],
  [
    "a mention, and the next call",
    `${elements("# Doc\n<read_file>\n<path>a\n")}\n\nNow.\n<read_file>\n<path>b</path>\n</read_file>`,
    [
      'write_to_file {"path":"g.md","content":"# Doc\\n<read_file>\\n<path>a\\n"}',
      OK,
      'text "Now.\\n"',
      'read_file {"path":"b"}',
      OK,
    ],
  ],
  [
    "two calls in one wrapper that holds one",
    "<seed:tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n<function=f>\n<parameter=b>y</parameter>\n</function>\n</seed:tool_call>",
    ['f {"a":"x"}', OK, 'f {"b":"y"}', OK],
  ],
  [
    "a call without its wrapper's closer, and the next",
    "<seed:tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</function>\n<seed:tool_call>\n<function=f>\n<parameter=a>y</parameter>\n</function>\n</seed:tool_call>",
    ['f {"a":"x"}', OK, 'f {"a":"y"}', OK],
  ],
  [
    "a value without its closer, and the next call",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x\n</tool_call>\n<tool_call>f\n<arg_key>b</arg_key>\n<arg_value>y</arg_value>\n</tool_call>",
    ['f {"a":"x"}', OK, "note value_closer_missing: a", 'f {"b":"y"}', OK],
  ],
  [
    "a call without its closer, text, and the next call with another parameter",
    "<function=f>\n<parameter=a>\nx\n</parameter>\n\nNow.\n<function=f>\n<parameter=b>\ny\n</parameter>\n</function>",
    ['f {"a":"x"}', OK, "note closer_missing", 'text "Now.\\n"', 'f {"b":"y"}', OK],
  ],
  [
    "another tag in the place of the call's closer, and the next call with another parameter",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</invoked>\n<tool_call>f\n<arg_key>b</arg_key>\n" +
    "<arg_value>y</arg_value>\n</tool_call>",
    ['f {"a":"x"}', OK, "note closer_missing", 'text "</invoked>\\n"', 'f {"b":"y"}', OK],
  ],
  [
    "another tag in the place of the call's closer, and the next call on the same line",
    "<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></invoked><tool_call>f<arg_key>b</arg_key>" +
    "<arg_value>y</arg_value></tool_call>",
    [
      'f {"a":"x" … abort malformed',
      "note malformed: neither an item nor the closing tag",
      'text "</invoked>"',
      'f {"b":"y"}',
      OK,
    ],
  ],
  [
    "another tag in the place of the call's closer",
    '<function_calls>\n<invoke name="f">\n<parameter name="a">x</parameter>\n</function_invocation>\n</function_calls>',
    ['f {"a":"x"}', OK, "note closer_replaced"],
  ],
  [
    "another tag in the place of the call's closer, at the end",
    "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</call>",
    ['f {"a":"x"}', OK, "note closer_replaced"],
  ],
  [
    "a string that takes in the next call",
    '<tool_call>\n{"name": "f", "arguments": {"a": "x}}\n</tool_call>\n<tool_call>\n{"name": "f", "arguments": {"a": "y"}}\n</tool_call>',
    [
      'f {"a":"x}}\\n</tool_call>\\n<tool_call>\\n{ … abort invalid_arguments',
      "note invalid_arguments: not JSON",
      'f {"a":"y"}',
      OK,
    ],
  ],
  [
    "JSON that ends after a key",
    '[TOOL_CALLS]write_to_file[ARGS]{"path":"p","content":"hello","mode"',
    [
      'write_to_file {"path":"p","content":"hello" … abort truncated',
      "note truncated",
      'text ",\\"mode\\""',
    ],
  ],
];

for (const [name, text, lines] of READ) {
  Deno.test(`a text with ${name}`, () => {
    assert.deepEqual(toldOf(text).filter((line) => line !== 'text "</seed:tool_call>"'), lines);
  });
}

/** Texts of which two readings tie. */
const TIES: readonly [name: string, text: string][] = [
  [
    "a call in a value, after a value that may end early",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value><arg_key>a</arg_key><arg_value>x</arg_value>\n" +
    "<arg_key>b</arg_key>\n<arg_value>y <tool_call>f<arg_key>a</arg_key><arg_value>z</arg_value>\n</tool_call>",
  ],
  [
    "an undeclared parameter that is laid out otherwise",
    "<function=f>\n<parameter=a>\nx</parameter><parameter=c>\ny\n</parameter>\n</function>",
  ],
  [
    "a repeated parameter that is laid out otherwise",
    "<function=f>\n<parameter=a>\nx</parameter><parameter=a>\ny\n</parameter>\n</function>",
  ],
  [
    "a key without a value between two items",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n<arg_key>b</arg_key>\ny</arg_value>\n</tool_call>",
  ],
  [
    "a key that comes again after another value",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n<arg_key>b</arg_key>\n<arg_value>y</arg_value>\n" +
    "<arg_key>a</arg_key>\n<arg_value>z</arg_value>\n</tool_call>",
  ],
  [
    "a key that comes twice before one value",
    "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value><arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
  ],
  [
    "a key without its value at the end of JSON",
    '<tool_call>\n{"name": "f", "arguments": {"a": "p", "b": "hello","mode"}}\n</tool_call>',
  ],
  [
    "half of the next item's opener",
    "<function=f>\n<parameter=a>\nx\n</parameter>\n<parameter=b\ny\n</parameter>\n</function>",
  ],
  [
    "the next item's opener without its name",
    "<function=f>\n<parameter=a>\nx\n</parameter>\n<parameter=>\ny\n</parameter>\n</function>",
  ],
  [
    "the next item's opener with another sign",
    "<function=f>\n<parameter=a>\nx\n</parameter>\n<parameter=b: y</parameter>\n</function>",
  ],
  [
    "a closer that comes twice where another is missing",
    "<tool_call>\n<function=f>\n<parameter=a>x</parameter>\n</parameter>\n</tool_call>",
  ],
];

/** A call whose last value opens what only one closer follows: the value is torn, or mentions an item, and the call's closer is missing. */
const OPEN_ITEMS: readonly [name: string, opener: string, item: (key: string) => string, closer: string][] = [
  ["Qwen", "<function=NAME>\n", (key) => `<parameter=${key}>\n`, "\n</parameter>\n"],
  ["Seed", "<seed:tool_call><function=NAME>", (key) => `<parameter=${key}>`, "</parameter>"],
  [
    "invoke",
    '<function_calls>\n<invoke name="NAME">\n',
    (key) => `<parameter name="${key}">`,
    "</parameter>\n",
  ],
  ["GLM", "<tool_call>NAME\n", (key) => `<arg_key>${key}</arg_key>\n<arg_value>`, "</arg_value>\n"],
  [
    "DSML",
    '<｜DSML｜invoke name="NAME">\n',
    (key) => `<｜DSML｜parameter name="${key}">`,
    "</｜DSML｜parameter>\n",
  ],
  ["function", '<function name="NAME">\n', (key) => `<param name="${key}">`, "</param>\n"],
];

for (const [name, opener, item, closer] of OPEN_ITEMS) {
  Deno.test(`no call is made of a ${name} value that opens an item before the end of the answer`, () => {
    const call = (tool: string) => opener.replace("NAME", tool);
    const head = `${call("write_to_file")}${item("path")}g.md${closer}${item("content")}# Doc\n\n`;
    const contents = [`Use ${item("a")}`, item("a"), call("f") + item("a"), `Use ${call("f")}${item("a")}`];
    for (const text of contents.map((content) => `${head}${content}x${closer}`)) {
      assert.deepEqual(toldOf(text).filter((line) => line === OK), [], toldOf(text).join("\n"));
      const foreign = `${text}</b>\n`;
      assert.deepEqual(toldOf(foreign).filter((line) => line === OK), [], toldOf(foreign).join("\n"));
    }
    assert.ok(toldOf(`${head}x${closer}`).includes(OK), "nothing opens in the value");
  });
}

Deno.test("no call is made of an example in a torn value, where nothing is announced", () => {
  const torn = "<write_to_file>\n<path>g.md</path>\n<content>\n# Doc\n\n<f>\n<a>x</a>\n</f>\n\nAnd th";
  for (const truncated of [false, true]) {
    const reading = { program, offered, minimumConfidence: 0.9, wholeCalls: true, truncated };
    assert.deepEqual(told(eventsOf([torn], reading)), ["note truncated", `text ${JSON.stringify(torn)}`]);
  }
});

for (const [name, text] of TIES) {
  Deno.test(`no call is made of ${name}`, () => {
    assert.deepEqual(toldOf(text).filter((line) => line === OK), [], toldOf(text).join("\n"));
  });
}

import assert from "node:assert/strict";
import { callableTools, readEvidence } from "../../../src/engine/evidence/evidence.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

const string = { type: "string" };
const tools = callableTools(offer([
  {
    name: "read",
    schema: { type: "object", properties: { path: string, limit: { type: "integer" } }, required: ["path"] },
  },
  {
    name: "write",
    schema: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
  { name: "list", schema: { type: "object", properties: {} } },
]));

function read(text: string, { isCut = false } = {}): string {
  const { calls, refusal } = readEvidence(text, { tools, isCut, isShown: () => false });
  if (refusal !== undefined) return refusal.law;
  return calls.map(({ tool, arguments: given }) => `${tool.name} ${JSON.stringify(given)}`).join("; ");
}

Deno.test("readEvidence reads notations that no one told it", () => {
  const one = 'read {"path":"a.txt"}';
  const notations = [
    "<action>\n<tool>read</tool>\n<path>a.txt</path>\n</action>",
    '<call tool="read"><arg name="path">a.txt</arg></call>',
    '<｜x▁call▁begin｜>read<｜x▁sep｜>{"path": "a.txt"}<｜x▁call▁end｜>',
    '<|run|>read{"path": "a.txt"}<|/run|>',
    "[TOOL] read(path='a.txt')",
    'Action: read {"path": "a.txt"}',
    '<tool_call>\nread", "path": "a.txt"}\n</tool_call>',
    '{"tool_calls": [{"function": {"name": "read", "arguments": "{\\"path\\": \\"a.txt\\"}"}}]}',
    '<read path="a.txt"/>',
    '<tool_call>\n{"name": "read", "args": {path: "a.txt",}}\n</tool_call>',
    '<function=read>\n<parameter=arguments>\n{"path": "a.txt"}\n</parameter>\n</function>',
    '{"thought": "I look.", "action": "read", "action_input": {"path": "a.txt"}}',
    '{"thoughts": {"plan": "Look."}, "command": {"name": "read", "args": {"path": "a.txt"}}}',
    "<read>a.txt</read>",
    '<call name="read">\na.txt\n</call>',
    '[[TOOL]]{"name": "read", "arguments": {"path": "a.txt"}}[[/TOOL]]',
    '<tool_call>{"name": "read", "arguments": {"path": ""}}<path>a.txt</path></tool_call>',
  ];
  for (const text of notations) assert.equal(read(text), one, text);
});

Deno.test("readEvidence decodes every form of an entity in an attribute", () => {
  for (const lineBreak of ["&#10;", "&#xA;", "\n"]) {
    const text = `<write path="a.txt" content="x &lt;&amp;&quot;${lineBreak}&#39;y&apos;"/>`;
    const expected = lineBreak === "\n"
      ? "no_arguments"
      : `write ${JSON.stringify({ path: "a.txt", content: "x <&\"\n'y'" })}`;
    assert.equal(read(text), expected, text);
  }
});

Deno.test("readEvidence reads a call whose mark is lost, renamed or doubled", () => {
  const whole =
    "<function=write>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nHi\n</parameter>\n</function>";
  const damaged = [
    whole,
    whole.replace("</parameter>\n<parameter=content>", "</paramter>\n<parameter=content>"),
    whole.replace("\n</function>", ""),
    whole.replace("</function>", "</invoke>"),
    whole.replace("<function=write>", "<function=write>\n<function=write>"),
  ];
  for (const text of damaged) assert.equal(read(text), 'write {"path":"a.txt","content":"Hi"}', text);
});

Deno.test("readEvidence makes no call against a law", () => {
  const laws: readonly (readonly [law: string, text: string])[] = [
    // A text without its closer may be half of one.
    [
      "value",
      "<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nHi\nall\n</function>",
    ],
    ["value", "<function=write>\n<parameter=path>\na\n</parameter>\n<parameter=content>Hi\nall</function>"],
    ["value", "<function=write>\n<parameter=path>\na=\n<parameter=content>\nHi\n</parameter>\n</function>"],
    // The value would hold a closer that it doesn't open.
    ["value", "<function=read>\n<parameter=path>\n<b>a</b></b>\n</parameter>\n</function>"],
    ["no_arguments", "<function=read>\n<parameter=file>\na\n</parameter>\n</function>"],
    ["sentence", 'Use <tool_call>read{"path": "a"}</tool_call> to read it.'],
    ["shown", 'A call looks like this:\n<tool_call>read{"path": "a"}</tool_call>'],
    ["shown", '- <tool_call>read{"path": "a"}</tool_call>'],
    ["shown", '<pre>\n<tool_call>read{"path": "a"}</tool_call>\n</pre>'],
    ["text_follows", 'read {"path": "a"}\n\nThat is how it works.'],
    ["no_arguments", 'Run this:\n\nread path="a"'],
    ["no_arguments", 'read path="a" or file="b"'],
    ["sentence", 'Its label is function_call:{"name": "read", "arguments": {"path": "a"}}'],
    ["mark_left", '<tool_call>read{"path": "a"}</tool_call>\n<tool_call>write{"path": "a"}</tool_call>'],
    // What has a result tells of a call; thoughts and a call are the whole answer.
    ["shown", '{"tool": "read", "args": {"path": "a"}, "result": "x"}'],
    ["shown", '[{"name": "read", "arguments": {"path": "a"}, "tool_output": "x"}]'],
    ["text_follows", '{"thought": "I look.", "tool": "read", "args": {"path": "a"}}\n\nThat reads it.'],
    ["no_name_first", 'I look.\n\n{"thought": "So.", "tool": "read", "args": {"path": "a"}}'],
    // Text alone is a parameter's only where nothing else can be meant: not a tool that is described, half a value, or another notation.
    ["no_arguments", "I looked.\n\n<read>a.txt</read>"],
    ["no_arguments", '<tool name="read">Reads a file.</tool>'],
    ["no_arguments", '<call name="read">a.txt</call>\n\nThat reads it.'],
    ["part", '<call name="read">a.txt</call>\n<call name="read">b.txt</call>'],
    ["no_arguments", '<call name="read">a.txt'],
    ["no_arguments", '<call name="read">path: a.txt</call>'],
    ["no_arguments", '<call name="read">file="a.txt"</call>'],
    ["no_arguments", '<call name="read">\n\na.txt\n</call>'],
    ["no_arguments", '<call name="write">a.txt</call>'],
    ["two_readings", '<tool_call>{"name": "read", "arguments": {"path": "a"}}<path>b</path></tool_call>'],
  ];
  for (const [law, text] of laws) assert.equal(read(text), law, text);
});

Deno.test("readEvidence takes an element for a call's only by a whole word of its name", () => {
  const within = (name: string) => read(`<${name}>\n<tool_call>read{"path": "a"}</tool_call>\n</${name}>`);
  for (const name of ["function_calls", "toolcalls", "assistant_action", "mcpToolCall", "computer_use"]) {
    assert.equal(within(name), 'read {"path":"a"}', name);
  }
  for (const name of ["interaction", "transaction", "rename", "filename", "because", "house", "user"]) {
    assert.equal(within(name), "shown", name);
  }
});

Deno.test("readEvidence completes nothing that was cut off", () => {
  const text = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
  for (let end = 0; end < text.length; end++) {
    for (const isCut of [true, false]) {
      const calls = read(text.slice(0, end), { isCut });
      assert.ok(!calls.startsWith("read ") || calls === 'read {"path":"a.txt"}', `${end}: ${calls}`);
      if (isCut && end < text.indexOf("}}")) assert.ok(!calls.startsWith("read "), `${end}: ${calls}`);
    }
  }
});

Deno.test("readEvidence needs the arguments that a tool requires, and calls one without any only in its own marks", () => {
  assert.equal(read("<list></list>"), "list {}");
  assert.equal(read("<list/>"), "list {}");
  assert.equal(read("<list>"), "no_arguments");
  assert.equal(read("list"), "no_arguments");
});

Deno.test("readEvidence fits values to their types, and refuses those that don't fit", () => {
  const call = (limit: string) => `<read>\n<path>a</path>\n<limit>${limit}</limit>\n</read>`;
  assert.equal(read(call("20")), 'read {"path":"a","limit":20}');
  assert.equal(read(call("many")), "value");
});

import assert from "node:assert/strict";
import { callableTools } from "../../../src/engine/evidence/evidence.ts";
import { readRepaired } from "../../../src/engine/evidence/repaired.ts";
import { offer } from "../../../src/engine/tool/offered.ts";

const string = { type: "string" };
const tools = callableTools(offer([
  { name: "read", schema: { properties: { path: string, mode: string }, required: ["path"] } },
  { name: "list", schema: { properties: { path: string } } },
]));

function read(text: string, isShown = false): string {
  const { calls } = readRepaired(text, { tools, isCut: false, isShown: () => isShown });
  return calls.map((call) => `${call.tool.name} ${JSON.stringify(call.arguments)}`).join("; ");
}

const WHOLE = 'read {"path":"a.txt","mode":"b"}';
const JSON_CALL = '<tool_call>{"name": "read", "arguments": {"path": "a.txt", "mode": "b"}}</tool_call>';
const TAGS = "<tool_call>read\n<arg_key>path</arg_key><arg_value>a.txt</arg_value>\n" +
  "<arg_key>mode</arg_key><arg_value>b</arg_value></tool_call>";

Deno.test("readRepaired reads a call in which one sign is lost, doubled, misspelled or replaced", () => {
  const damages: readonly (readonly [string, string])[] = [
    ['"read"', 'read"'],
    ['"read"', '""read"'],
    ['"a.txt",', 'a.txt",'],
    ['"a.txt", ', '"a.txt, '],
    ['{"path"', '"path"'],
    ['{"path"', '{{"path"'],
    ['"mode": ', '"mode"" '],
    ["}}<", "}<"],
    ['"a.txt", "', '"a.txt" "'],
  ];
  for (const [whole, damaged] of damages) {
    assert.equal(read(JSON_CALL.replace(whole, damaged)), WHOLE, damaged);
  }
  const marks: readonly (readonly [string, string])[] = [
    ["path</arg_key>", "path<arg_key>"],
    ["</arg_value>\n", "</ag_value>\n"],
    ["<arg_value>b", "<arg_value><arg_value>b"],
    ["</arg_value></tool_call>", "</arg_value>/tool_call>"],
  ];
  for (const [whole, damaged] of marks) assert.equal(read(TAGS.replace(whole, damaged)), WHOLE, damaged);
});

Deno.test("readRepaired reads a name in a mark that lost its sign, and a mark in the place of a sign", () => {
  const texts = [
    "<function=read>\n<parameterpath>\na.txt\n</parameter>\n<parameter=mode>\nb\n</parameter>\n</function>",
    "<functionread>\n<parameter=path>\na.txt\n</parameter>\n<parameter=mode>\nb\n</parameter>\n</function>",
    '<function=read>\n<parameter nam="path">a.txt</parameter>\n<parameter=mode>b</parameter>\n</function>',
    "<tool_call>read\n<arg_key>path</arg_key></arg_value>a.txt</arg_value>\n" +
    "<arg_key>mode</arg_key><arg_value>b</arg_value></tool_call>",
    JSON_CALL.replace(', "mode"', '<tool_call> "mode"'),
  ];
  for (const text of texts) assert.equal(read(text), WHOLE, text);
});

Deno.test("readRepaired makes no call where two edits give other ones, or nothing shows where a value ends", () => {
  const texts = [
    '{"name": "read", "arguments": {"path": a, b, "mode": "c"}}',
    '<tool_call>{"name": "read", "arguments": {"path": "a.t',
    "<tool_call>list<arg_key>{bad json}</tool_call>",
    "<tool_call>read\n<arg_key>path</arg_key>a.txt and more\n",
    "I call read with a path, for example.",
    // An answer that ends in a mark can have another parameter there.
    "<function=read>\n<parameter=path>\na.txt\n</parameter>\n<parameter=mo",
    "<function=read>\n<parameter=path>\na.txt\n</parameter",
    "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n<arg_key>",
    "<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.txt<arg_key>mode</arg_key>\n",
    '<tool_call>read\n{"path": "a.txt"',
    "<tool_call>list",
    // What is added isn't a part of a value, and no call is lost by it.
    '<tool_call>{"name": "list", "arguments": {"path": ""a.txt", "mode": b"}}</tool_call>',
    "<function=read>\n\na.md\n</parameter>\n<function=read>\n<parameter=path>\nb\n</parameter>\n</function>",
    // A sign that changed places with another one is in the value.
    JSON_CALL.replace('"a.txt", ', '"a.txt," '),
    JSON_CALL.replace('"b"}}', '"b}"}'),
    JSON_CALL.replace('"a.txt"', '\\"a.txt"'),
    TAGS.replace("><arg_value>a", "><\narg_value>a"),
    TAGS.replace("<arg_value>b", "\\<arg_value>b"),
    // What is removed isn't the whole value.
    "<invoke name=read>\n<parameter name=path>a</parameter>\n<parameter name=mode></div></parameter>\n</invoke\n",
  ];
  for (const text of texts) assert.equal(read(text), "", text);
  assert.equal(read(JSON_CALL.replace('"read"', 'read"'), true), "");
});

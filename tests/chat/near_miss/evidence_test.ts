import assert from "node:assert/strict";
import { findEvidence } from "../../../src/chat/near_miss/evidence.ts";
import { ToolNames } from "../../../src/chat/near_miss/tool_names.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { OFFERED_NAMES, ordinaryText } from "../../support/ordinary_text.ts";
import { countWork } from "../../support/work.ts";

/** Of the names in a text this long, only some are looked at, so that work for each name does not hide other work. */
const LENGTH = 32 * 1024;
const GROWTH_MAXIMUM = 2.5;

const string = { type: "string" };
const TOOLS = [
  { name: "write_file", schema: { type: "object", properties: { path: string, content: string } } },
  { name: "read_file", schema: { type: "object", properties: { path: string } } },
];

Deno.test("findEvidence takes a call without a required parameter for a call only after a sign", () => {
  const tools = TOOLS.map(({ name, schema }) => ({
    name,
    schema: { ...schema, required: ["path", "content"] },
  }));
  assert.equal(evidence("@@invoke write_file\n@arg path = a\n@@end", tools).length, 1);
  assert.deepEqual(evidence("### write_file\n- path: a.ts", tools), []);
});

Deno.test("findEvidence says which law refused a call", () => {
  const names = new ToolNames(offer(TOOLS));
  const detailOf = (text: string) => findEvidence(text, names)[0]?.detail;
  assert.equal(detailOf("<t>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n"), "truncated");
  assert.equal(detailOf("@@invoke write_file\n@arg path = a"), undefined);
});

function evidence(text: string, tools: Parameters<typeof offer>[0] = TOOLS): string[] {
  return [...findEvidence(text, new ToolNames(offer(tools)))].map(({ start, end }) => text.slice(start, end));
}

const CALLS: readonly string[] = [
  "@@invoke write_file\n@arg path = a",
  "<<TOOL:write_file>>\n<<ARG path>>a<</ARG>>",
  '{%tool%}{"do": "write_file", "with": {"path": "a"}}{%end%}',
  "⟦call:write_file⟧\n⟦path⟧a⟦/path⟧",
  '!run write_file {"path": "a"} !done',
  '{"input": {"path": "a"}, "tool": "read_file"}',
  '{"action": "write_file", "action_input": {"path": "a"}}',
  'Action: write_file\nAction Input: {"path": "a"}',
  "tool: read_file\npath: a",
  '<|x|>functions.read_file:0<|y|>{"path": "a"}',
  'call:read_file{path:<|"|>a<|"|>}',
  '[read_file(path="a")]',
  '<t>{"n": "read_file", "a": "{\\"path\\": 1}"}',
  '<invoke name="read_file"><parameter name="path">a',
  ...[
    // Signs and labels in lines.
    ">> OPERATION: write_file\n>> path: a\n>> content: b\n>> END",
    "@tool(write_file)\n@arg(path): a\n@arg(content): b",
    "write_file\npath → a\ncontent → b",
    "Sure. ⚙️ write_file\n  ▸ path: a\n  ▸ content: b\n✅",
    "### CALL write_file\n#### path\na.ts\n#### content\nb",
    "LLAMAR herramienta write_file\nDATO path: a\nDATO content: b\nFIN",
    "* **tool**: write_file\n* **path**: a\n* **content**: two words",
    "1. Tool: write_file\n2. path: a\n3. content: b",
    "%tool write_file\n%path a.ts\n%content let x",
    "run write_file <<ARGS\npath<<EOT\na\nEOT\ncontent<<EOT\nb\nEOT\nARGS",
    '[[call]]\nname = "write_file"\n[call.args]\npath = "a"\ncontent = "b"',
    // Signs in a line.
    '(call \'write_file :path "a" :content "b")',
    'write_file -> path="a" -> content="b" -> run',
    'RUN write_file WITH path = "a" AND content = "b" GO',
    "tool://write_file?path=a&content=b",
    // One line, without quotes.
    "write_file path=src/a.ts content=b",
    "/write_file path:src/a.ts content:b",
    "$ write_file --path src/a.ts --content b",
    "call write_file path:a content:b endcall",
    "(call write_file :path a :content b)",
    "🌤 write_file » path » a » content » b",
    "write_file path → a content → b",
    // Values without names, at the end.
    "I look.\nread_file src/a.ts",
    "read_file: src/a.ts",
    'read_file("src/a.ts")',
    'write_file("a", "b")\n',
    "Action: read_file[src/a.ts]",
    "Tool name: read_file\nTool input: src/a.ts",
    // JSON that is damaged.
    '{"action": "read_file", "path": "src/a.ts"',
    '{"tool": "read_file" "arguments": {"path": "src/a.ts"}}',
  ],
];

for (const text of CALLS) {
  Deno.test(`findEvidence takes for a call: ${JSON.stringify(text)}`, () =>
    assert.equal(evidence(text).length, 1));
}

const PROSE: readonly string[] = [
  "You can use write_file with a path and some content.",
  "Run read_file path=a.ts to see it.",
  "The flag of read_file path=a.ts is wrong.",
  "write_file takes:\n- path: where to write\n- content: what to write",
  "**write_file**\n- `path`: the path",
  "Call write_file(path, content) first.",
  "I called write_file because the path: a.txt was free.",
  'Please call:read_file{path:"a"} tomorrow.',
  '{"name": "read_file", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}',
  '{"steps": [{"name": "read_file", "parameters": {"path": "a"}}]}',
  '{"path": "a", "content": "b"}',
  'def read_file(path="a"):\n  pass',
  'const text = await read_file({ path: "a" });',
  "Use read_file. The answer is {path: 1}.",
  "| read_file | path | yes |",
  "| tool | value |\n|---|---|\n| read_file | path |",
  "### write_file\n- path: string\n- content: string, required",
  "To change it, call write_file:\n\n1. path: where it goes\n2. content: the new text",
  "I would use write_file and read_file.\n\npath: a.ts",
  'files = [read_file(path="a.ts")]\nprint(files)',
  'module.exports = { read_file: (path) => fs.readFileSync(path, "utf8") };',
  '- [x] read_file(path="a.ts") is done\n- [ ] path is open',
  "2. > read_file\n> path: a.ts\n\nis what you wrote.",
  "- read_file: src/a.ts",
  "read_file: done",
  "I used read_file src/a.ts",
  "read_file src/a.ts\nhas two lines.",
  "See read_file(path).",
  "`read_file src/a.ts`",
];

for (const text of PROSE) {
  Deno.test(`findEvidence finds no call in: ${JSON.stringify(text)}`, () =>
    assert.deepEqual(evidence(text), []));
}

Deno.test("findEvidence begins where the mark begins", () => {
  const text = 'I do. @@invoke read_file\n@arg path = a\nand <x>{"t": "read_file", "i": {"path": 1}}';
  assert.deepEqual(evidence(text), [
    "@@invoke read_file\n@arg path = a",
    '<x>{"t": "read_file", "i": {"path": 1}}',
  ]);
});

for (const piece of ["read_file ", '{"read_file": ', "<read_file path", "@read_file {{{", "read_file(("]) {
  Deno.test(`findEvidence takes at most two and a half times the work for twice as much of ${piece}`, () => {
    const [short, long] = [LENGTH, 2 * LENGTH].map((length) =>
      countWork(() => evidence(piece.repeat(length / piece.length)))
    );
    assert.ok(long! <= GROWTH_MAXIMUM * short!, `${short} → ${long}`);
  });
}

Deno.test("findEvidence finds little in ordinary answers, all of it quoted", () => {
  const tools = OFFERED_NAMES.map((name) => ({
    name,
    schema: { type: "object", properties: { path: string } },
  }));
  const found = Array.from({ length: 500 }, (_, number) => evidence(ordinaryText(number), tools).length);
  assert.ok(found.filter((count) => count > 0).length < 150);
});

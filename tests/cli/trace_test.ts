import assert from "node:assert/strict";
import { trace } from "../../src/cli/trace.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { runVerb } from "../support/run_verb.ts";

const ANSWER = 'Hi.\n<tool_call>\n{"name": "f", "arguments": {"a": 1,}}\n</tool_call>\n' +
  "`<function=g><parameter=a>1</parameter></function>`";

const run = (stdin: string, values: VerbInput["values"] = {}) => runVerb(trace, { stdin, values });

Deno.test("trace prints a table of every candidate and a summary", async () => {
  const { code, stdout } = await run(ANSWER);
  assert.equal(code, 0);
  const rows = stdout.split("\n").map((line) => line.split(/ {2,}/));
  assert.deepEqual(rows[0], ["place", "text", "rule", "tool", "decision", "reason", "arguments"]);
  assert.deepEqual(rows[1]?.slice(2), ["hermes", "f", "call", "transformed", '{"a":1}']);
  assert.deepEqual(rows[2]?.slice(2), ["hermes", "f", "note", "json_repaired (trailing comma)"]);
  assert.deepEqual(rows[3]?.slice(2), ["qwen_xml", "g", "text", "quoted"]);
  assert.deepEqual([rows[1]?.[0], rows[3]?.[0]], ["2:1", "5:2"]);
  assert.ok(
    stdout.includes("\n2 candidates: 1 made a call, 1 left as text; `dragoman explain json_repaired`"),
    stdout,
  );
});

Deno.test("trace --json prints offsets, line and column", async () => {
  const { stdout } = await run(ANSWER, { json: true });
  const [first] = JSON.parse(stdout);
  const { line, column, start, rule, tool, decision, reason } = first;
  assert.deepEqual(
    [line, column, start, rule, tool, decision, reason],
    [2, 1, 4, "hermes", "f", "call", "transformed"],
  );
  assert.deepEqual(JSON.parse((await run("Hi.", { json: true })).stdout), []);
});

Deno.test("trace shows a decision about what isn't JSON in a tool_code fence: broken, without quotes, or words", async () => {
  for (
    const [json, tool] of [['{"tool": "f", "a": ]]', "f"], ['{tool: "f", "a": ]]', "f"], [
      "{invalid json}",
      "-",
    ]]
  ) {
    const { stdout } = await run(`\`\`\`tool_code\n${json}\n\`\`\`\n`);
    assert.match(stdout, new RegExp(`tool_call_block +${tool} +text +(?:invalid_arguments|truncated)`));
  }
});

Deno.test("trace of plain text says that there is no candidate", async () => {
  assert.equal((await run("Hi.")).stdout, "Nothing looks like a call: everything is text\n");
});

Deno.test("trace names the marks of reasoning, and what opened or closed it without one", async () => {
  const table: readonly (readonly [string, RegExp])[] = [
    ["<think>\nHm.\n</think>\n\nHi.", /1:1 .* think +- +note +reasoning_in_text \(<think> … <\/think>\)\n/],
    ["[THINK]Hm.[/THINK]Hi.", /think_brackets +- +note +reasoning_in_text \(\[THINK\] … \[\/THINK\]\)\n/],
    ["Hm.\n</think>\n\nHi.", /1:1 .* think +- +note +reasoning_in_text \(the prompt … <\/think>\)\n/],
    ["<think>\nHm.", /think +- +note +reasoning_in_text \(<think> … the end\)\n/],
  ];
  for (const [text, row] of table) {
    const { stdout } = await run(text);
    assert.match(stdout, row);
    assert.match(stdout, /\nNothing looks like a call: everything is text or reasoning\n/);
  }
  const { stdout } = await run(`<think>Hm.</think>\n${ANSWER}`);
  assert.match(stdout, /2 candidates: .*explain json_repaired/);
  assert.doesNotMatch((await run("Write `<think>` and `</think>`.")).stdout, /reasoning/);
});

Deno.test("trace points at the place where JSON is broken, not at the end of the call", async () => {
  const lines = ["Sure.", "<tool_call>", '{"name": "f", "arguments": {"a": 01x, "b": 2}}', "</tool_call>"];
  const { stdout } = await run(lines.join("\n"));
  assert.doesNotMatch(stdout, /near_miss/);
  const [, near = ""] = stdout.split("\nThe nearest rules, and where each stops:\n\n");
  const at = lines[2]!.indexOf("01x") + "01x".length + 1;
  assert.ok(near.includes(`hermes\n --> -:3:${at}\n`), near);
});

const BROKEN = "Sure.\n<function=read_file><parameter=path>a.txt</parameter>functoin>";

Deno.test("trace shows where the nearest rule stops, what it expects and finds, and the arguments so far", async () => {
  const { stdout } = await run(BROKEN);
  const [, near = ""] = stdout.split("\nThe nearest rules, and where each stops:\n\n");
  const [first] = near.split("\n\n");
  assert.equal(
    first,
    `qwen_xml
 --> -:2:54
2 | <function=read_file><parameter=path>a.txt</parameter>functoin>
  |                                                      ^
  = expected: \`<parameter=KEY>…</parameter>\` or \`<parameter=KEY=…</parameter>\` or \`</function>\`
  = found: \`functoin>\`
  = reason: truncated
  = tool: read_file
  = arguments so far: {"path":"a.txt"`,
  );
});

Deno.test("trace shows what the opener of a near rule lacks", async () => {
  const { stdout } = await run('<function=read_file path="a">');
  assert.match(
    stdout,
    /qwen_xml\n.*\n1 \| <function=read_file path="a">\n {2}\| {21}\^\n {2}= expected: `>`\n {2}= found: `path="a">`/,
  );
});

Deno.test("trace names a rule that would read the text but is off or below the threshold", async () => {
  const { stdout } = await run("```bash\nls -la\n```\n");
  assert.match(
    stdout,
    /The rule shell_block would read a call here, but it is off .* and has the confidence 0\.8, below/,
  );
  const weak = await run(ANSWER, { "min-confidence": "0.99" });
  assert.match(
    weak.stdout,
    /The rule hermes would read a call here, but it has the confidence 0\.95, below the threshold/,
  );
});

Deno.test("trace reads a file of --record with its own tools and client", async () => {
  const parameters = { type: "object", properties: { path: { type: "string" } } };
  const capture = {
    v: 1,
    time: "2026-05-01T09:05:07.000Z",
    request: "r",
    client: "openai",
    model: "m",
    tools: [{ type: "function", function: { name: "read_file", parameters } }],
    system: null,
    text: "@@invoke read_file\n@arg path = a\n",
    calls: [],
    refused: ["near_miss"],
  };
  const healed = ["healed_ids for a server: nine_letters"];
  const changed = await run(JSON.stringify({ ...capture, healed }));
  assert.match(changed.stdout, /\nThe request was changed: healed_ids for a server: nine_letters\n/);
  const { stdout, stderr } = await run(JSON.stringify(capture));
  assert.doesNotMatch(stdout, /was changed/);
  assert.equal(stderr, "");
  assert.match(stdout, /^1:1 +@@invoke read_file.* +none +read_file +near miss +near_miss$/m);
  const foreign = await run(JSON.stringify({ ...capture, text: "<function=other></function>" }));
  assert.match(foreign.stdout, /unknown_tool/);
});

Deno.test("trace of a long text lists its candidates, and compares no rules", async () => {
  const { code, stdout } = await run("<tool_call>".repeat(20_000));
  assert.equal(code, 0);
  assert.match(stdout, /The nearest rules aren't shown for more than 65536 characters/);
});

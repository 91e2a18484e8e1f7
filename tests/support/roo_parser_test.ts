/** The model of Roo's parser against what Roo 3.41.3 itself made of the same texts. */
import assert from "node:assert/strict";
import { executeRoo, parseRoo } from "./roo_parser.ts";
import type { Block } from "./tag_parser.ts";

const MODEL = "qwen3";

interface RecordedRun {
  readonly name: string;
  readonly input: string;
  readonly blocks: readonly Block[];
  /** What the calls were executed with: the fields that were recorded. */
  readonly effective: readonly Record<string, unknown>[];
}

const DIFF = (old: string, fresh: string) =>
  `<<<<<<< SEARCH\n:start_line:3\n-------\n${old}\n=======\n${fresh}\n>>>>>>> REPLACE`;

const DIFF_ARGS = `<file>
  <path>a.html</path>
  <diff>
    <content>
${DIFF("<b>x &amp; y</b>", "<b>x && y</b>")}
    </content>
    <start_line>3</start_line>
  </diff>
</file>`;

const READ_ARGS = `<file>
    <path>src/a &amp; b.ts</path>
    <line_range>1-20</line_range>
    <line_range>40-50</line_range>
  </file>
  <file><path>R&D/x<y>.md</path></file>`;

const SUGGESTIONS =
  '<suggest mode="code">Use <b>bold</b> &amp; go</suggest>\n<suggest>plain &lt;tag&gt;</suggest>';

const RUNS: readonly RecordedRun[] = [
  {
    name: "1: a file, text around it",
    input: `I'll write it.

<write_to_file>
<path>src/a.ts</path>
<content>
if (a < b && c > d) return "x &lt; y"

</content>
</write_to_file>
trailing`,
    blocks: [
      { type: "text", content: "I'll write it." },
      {
        type: "tool_use",
        name: "write_to_file",
        params: { path: "src/a.ts", content: 'if (a < b && c > d) return "x &lt; y"\n' },
      },
      { type: "text", content: "trailing" },
    ],
    effective: [{ content: 'if (a < b && c > d) return "x < y"\n' }],
  },
  {
    name: "2: files in args, entities, a raw <",
    input: `<read_file>\n<args>\n  ${READ_ARGS}\n</args>\n</read_file>`,
    blocks: [{ type: "tool_use", name: "read_file", params: { args: READ_ARGS } }],
    effective: [{
      files: [
        { path: "src/a & b.ts", lineRanges: [{ start: 1, end: 20 }, { start: 40, end: 50 }] },
        { path: { y: ".md", "#text": "R&D/x" }, lineRanges: [] },
      ],
    }],
  },
  {
    name: "3: diffs in args",
    input: `<apply_diff>\n<args>\n${DIFF_ARGS}\n</args>\n</apply_diff>`,
    blocks: [{ type: "tool_use", name: "apply_diff", params: { args: DIFF_ARGS } }],
    effective: [{
      diff: [{ content: `\n${DIFF("<b>x & y</b>", "<b>x && y</b>")}\n    `, startLine: 3 }],
    }],
  },
  {
    name: "4: suggestions",
    input:
      `<ask_followup_question>\n<question>Is a < b && c?</question>\n<follow_up>\n${SUGGESTIONS}\n</follow_up>\n</ask_followup_question>`,
    blocks: [{
      type: "tool_use",
      name: "ask_followup_question",
      params: { question: "Is a < b && c?", follow_up: SUGGESTIONS },
    }],
    effective: [{
      question: "Is a < b && c?",
      follow_up: [{ text: "Use <b>bold</b> &amp; go", mode: "code" }, { text: "plain &lt;tag&gt;" }],
    }],
  },
  {
    name: "5: a command with entities, and a second call",
    input: `<execute_command>
<command>grep -n "a &lt; b" x.c && echo '&amp;' > out</command>
<cwd>sub</cwd>
</execute_command>
<read_file><args><file><path>x</path></file></args></read_file>`,
    blocks: [
      {
        type: "tool_use",
        name: "execute_command",
        params: { command: `grep -n "a &lt; b" x.c && echo '&amp;' > out`, cwd: "sub" },
      },
      { type: "tool_use", name: "read_file", params: { args: "<file><path>x</path></file>" } },
    ],
    effective: [
      { command: `grep -n "a < b" x.c && echo '&' > out`, cwd: "sub" },
      { files: [{ path: "x", lineRanges: [] }] },
    ],
  },
  {
    name: "6: a file that documents the dialect",
    input: `<write_to_file>
<path>doc.md</path>
<content>
Use \`<write_to_file>\` like:
<content>hello</content>
<path>evil.md</path>
</write_to_file>
tail
</content>
</write_to_file>`,
    blocks: [
      {
        type: "tool_use",
        name: "write_to_file",
        params: { path: "evil.md", content: "Use `<write_to_file>` like:\n<content>hello" },
      },
      { type: "text", content: "tail\n</content>\n</write_to_file>" },
    ],
    effective: [{ path: "evil.md", content: "Use `<write_to_file>` like:\n<content>hello" }],
  },
  {
    name: "7: one diff",
    input: `<apply_diff>\n<path>a.ts</path>\n<diff>\n${DIFF("a &lt; b", "a <= b")}\n</diff>\n</apply_diff>`,
    blocks: [{
      type: "tool_use",
      name: "apply_diff",
      params: { path: "a.ts", diff: DIFF("a &lt; b", "a <= b") },
    }],
    effective: [{ diff: { diff: DIFF("a < b", "a <= b"), start_line: 3 } }],
  },
];

for (const run of RUNS) {
  Deno.test(`parseRoo reads recorded run ${run.name}`, () => {
    const blocks = parseRoo(run.input);
    assert.deepEqual(blocks, run.blocks);
    const calls = blocks.filter((block) => block.type === "tool_use").map((block) =>
      executeRoo(block, MODEL)
    );
    for (const [index, expected] of run.effective.entries()) {
      const effective: Readonly<Record<string, unknown>> = calls[index]?.effective ?? {};
      const recorded = Object.fromEntries(Object.keys(expected).map((name) => [name, effective[name]]));
      assert.deepEqual(recorded, expected);
    }
  });
}

Deno.test("parseRoo takes only exact tags for calls", () => {
  for (const tag of ['<read_file id="1">', "<read_file >", "<Read_File>", "<read_file/>", "</read_file>"]) {
    assert.deepEqual(parseRoo(`see ${tag}`), [{ type: "text", content: `see ${tag}` }]);
  }
});

Deno.test("parseRoo runs a call that is only mentioned", () => {
  assert.deepEqual(parseRoo("Use `<read_file>`"), [
    { type: "text", content: "Use `" },
    { type: "tool_use", name: "read_file", params: {} },
  ]);
});

Deno.test("parseRoo keeps the raw tail of a call that was cut off", () => {
  const [block] = parseRoo("<execute_command>\n<command>npm test</comm");
  assert.deepEqual(block, {
    type: "tool_use",
    name: "execute_command",
    params: { command: "npm test</comm" },
  });
});

Deno.test("executeRoo empties a file whose content is missing", () => {
  const [block] = parseRoo("<write_to_file>\n<path>a</path>\n</write_to_file>");
  assert.ok(block);
  assert.equal(executeRoo(block, MODEL).effective.content, "");
});

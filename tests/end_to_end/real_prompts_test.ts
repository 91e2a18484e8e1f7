/** Calls in dialects that models write, as Roo and Cline get them with the prompts that they really send. */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, hear } from "../support/chunks.ts";
import { testConfig } from "../support/proxy.ts";
import { isSharedAbsent, sharedPrompts } from "../support/shared_prompts.ts";
import { answerToPrompt } from "../support/text_answer.ts";

const SERVICE = await builtInService(testConfig());

/** What the client gets for an answer of the model. */
function translate(prompt: string, text: string): string {
  const found = sharedPrompts().find(({ file }) => file === `${prompt}.txt`);
  assert.ok(found, prompt);
  const pipeline = answerToPrompt(SERVICE, found.text);
  const stream = chunkMessage({ content: text }) + chunkMessage({}, { finish: "stop" }) + "data: [DONE]\n\n";
  return hear(pipeline.push(stream) + pipeline.end()).choices[0]?.content ?? "";
}

function qwen(tool: string, values: Readonly<Record<string, string>>): string {
  const items = Object.entries(values).map(([key, value]) => `<parameter=${key}>\n${value}\n</parameter>\n`);
  return `<tool_call>\n<function=${tool}>\n${items.join("")}</function>\n</tool_call>`;
}

const hermes = (name: string, given: unknown) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;
const fenced = (call: unknown) => `\`\`\`json\n${JSON.stringify(call)}\n\`\`\``;

const ROO = "roo-3.41.3";
const CLINE = "cline-4.0.12-anthropic_claude_sonnet_4";
const TODOS = "<update_todo_list>\n<todos>\n[ ] one\n[ ] two\n</todos>\n</update_todo_list>";
const FILES =
  "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n</file>\n</args>\n</read_file>";
const BLOCK = (line: number) =>
  `<<<<<<< SEARCH\n:start_line:${line}\n-------\na\n=======\nb\n>>>>>>> REPLACE`;

const CASES: readonly (readonly [what: string, prompt: string, text: string, expected: string])[] = [
  ["todos as a JSON list", ROO, qwen("update_todo_list", { todos: '["one", "two"]' }), TODOS],
  [
    "todos as objects",
    ROO,
    qwen("update_todo_list", { todos: '[{"content":"one"},{"content":"two"}]' }),
    TODOS,
  ],
  ["todos as lines", ROO, qwen("update_todo_list", { todos: "one\n- two" }), TODOS],
  ["todos as text of a JSON call", ROO, hermes("update_todo_list", { todos: "one\ntwo" }), TODOS],
  [
    "todos as lines of the client's own dialect",
    ROO,
    "<update_todo_list>\n<todos>\none\ntwo\n</todos>\n</update_todo_list>",
    TODOS,
  ],
  ["args as JSON", ROO, qwen("read_file", { args: '{"file": [{"path": "a.ts"}, {"path": "b.ts"}]}' }), FILES],
  ["args as a list", ROO, qwen("read_file", { args: '[{"path": "a.ts"}, {"path": "b.ts"}]' }), FILES],
  [
    "args of a fenced call",
    ROO,
    fenced({ tool: "read_file", args: { file: [{ path: "a.ts" }, { path: "b.ts" }] } }),
    FILES,
  ],
  [
    "a message with an escaped mention",
    ROO,
    qwen("new_task", { mode: "code", message: "a\\@b \\\\@c" }),
    "<new_task>\n<mode>code</mode>\n<message>\na\\@b \\\\\\@c\n</message>\n</new_task>",
  ],
  [
    "no folder",
    ROO,
    fenced({ tool: "list_files" }),
    "<list_files>\n<path>.</path>\n<recursive>false</recursive>\n</list_files>",
  ],
  [
    "no folder to search",
    ROO,
    fenced({ tool: "search_files", regex: "x" }),
    "<search_files>\n<path>.</path>\n<regex>x</regex>\n</search_files>",
  ],
  [
    "suggestions as a list",
    ROO,
    qwen("ask_followup_question", { question: "Which?", follow_up: '["a","b"]' }),
    "<ask_followup_question>\n<question>Which?</question>\n<follow_up>\n<suggest>a</suggest>\n<suggest>b</suggest>\n</follow_up>\n</ask_followup_question>",
  ],
  [
    "options as a list",
    CLINE,
    qwen("ask_followup_question", { question: "Which?", options: '["a","b"]' }),
    '<ask_followup_question>\n<question>Which?</question>\n<options>["a","b"]</options>\n</ask_followup_question>',
  ],
  [
    "a coordinate as a list",
    CLINE,
    qwen("browser_action", { action: "click", coordinate: "[450, 300]" }),
    "<browser_action>\n<action>click</action>\n<coordinate>450,300</coordinate>\n</browser_action>",
  ],
  [
    "a diff as a list",
    "roo-3.41.3-diff",
    hermes("apply_diff", { path: "a", diff: [BLOCK(1), BLOCK(9)] }),
    `<apply_diff>\n<path>a</path>\n<diff>\n${BLOCK(1)}\n${BLOCK(9)}\n</diff>\n</apply_diff>`,
  ],
  [
    "a file for a client that counts lines",
    "roo-3.19.7-diff",
    hermes("write_to_file", { path: "a", content: "x\ny" }),
    "<write_to_file>\n<path>a</path>\n<content>\nx\ny\n</content>\n<line_count>2</line_count>\n</write_to_file>",
  ],
];

for (const [what, prompt, text, expected] of CASES) {
  Deno.test({
    name: `${prompt} gets ${what}`,
    ignore: isSharedAbsent,
    fn: () => assert.equal(translate(prompt, text), expected),
  });
}

Deno.test({
  name: "with every real prompt a file in the client's own dialect arrives while it is written",
  ignore: isSharedAbsent,
  fn() {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n");
    const call = `<write_to_file>\n<path>a.ts</path>\n<content>\n${lines}\n</content>\n</write_to_file>`;
    for (const { file, text: prompt } of sharedPrompts()) {
      const pipeline = answerToPrompt(SERVICE, prompt);
      const half = pipeline.push(chunkMessage({ content: call.slice(0, 800) }));
      assert.equal(hear(half).choices[0]?.content, call.slice(0, 800), file);
      const rest = pipeline.push(chunkMessage({ content: call.slice(800) })) + pipeline.end();
      const { choices: [choice], errors } = hear(half + rest);
      const counted = call.replace("</content>", "</content>\n<line_count>200</line_count>");
      assert.ok([call, counted].includes(choice?.content ?? ""), file);
      assert.deepEqual(errors, [], file);
    }
  },
});

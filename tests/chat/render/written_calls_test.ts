/** Calls as the shipped clients get them, one case for each way in which a model may give the values. */
import assert from "node:assert/strict";
import { renderCall, shippedClient } from "../../support/client_files.ts";

interface WrittenCase {
  readonly name: string;
  readonly client?: "roo" | "cline";
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly documented?: readonly string[];
  readonly text: string;
}

const WRITTEN: readonly WrittenCase[] = [
  {
    name: "several files with their lines",
    tool: "read_file",
    documented: ["args"],
    arguments: { files: [{ path: "a & b.ts", line_ranges: [[1, 20], "40-50"] }, "c.ts"] },
    text:
      "<read_file>\n<args>\n<file>\n<path>a &amp; b.ts</path>\n<line_range>1-20</line_range>\n<line_range>40-50</line_range>\n</file>\n<file>\n<path>c.ts</path>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "one file with its lines beside it",
    tool: "read_file",
    documented: ["args"],
    arguments: { path: "a.ts", start_line: 3, end_line: 9 },
    text:
      "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n<line_range>3-9</line_range>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "args as nested XML gives them",
    tool: "read_file",
    documented: ["args"],
    arguments: { args: { file: [{ path: "a" }, { path: "b" }] } },
    text:
      "<read_file>\n<args>\n<file>\n<path>a</path>\n</file>\n<file>\n<path>b</path>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "args as the client's own text",
    tool: "read_file",
    documented: ["args"],
    arguments: { args: "\n<file>\n<path>a</path>\n</file>\n" },
    text: "<read_file>\n<args>\n<file>\n<path>a</path>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "args for a prompt that knows only path",
    tool: "read_file",
    arguments: { args: { file: { path: "a" } } },
    text: "<read_file>\n<path>a</path>\n</read_file>",
  },
  {
    name: "suggestions of every kind",
    tool: "ask_followup_question",
    arguments: { question: "Which?", options: ["one", { answer: "two", mode: "code" }, { text: "a < b" }] },
    text:
      '<ask_followup_question>\n<question>Which?</question>\n<follow_up>\n<suggest>one</suggest>\n<suggest mode="code">two</suggest>\n<suggest>a &lt; b</suggest>\n</follow_up>\n</ask_followup_question>',
  },
  {
    name: "suggestions as the client's own text",
    tool: "ask_followup_question",
    arguments: { question: "Which?", follow_up: "<suggest>one</suggest>\n<suggest>two</suggest>" },
    text:
      "<ask_followup_question>\n<question>Which?</question>\n<follow_up>\n<suggest>one</suggest>\n<suggest>two</suggest>\n</follow_up>\n</ask_followup_question>",
  },
  {
    name: "options for Cline",
    client: "cline",
    tool: "ask_followup_question",
    arguments: { question: "Which?", suggestions: ["</options>", { text: "two" }] },
    text:
      '<ask_followup_question>\n<question>Which?</question>\n<options>["<\\/options>","two"]</options>\n</ask_followup_question>',
  },
  {
    name: "a command for Cline, which must say whether to ask",
    client: "cline",
    tool: "execute_command",
    arguments: { cmd: "npm test" },
    text:
      "<execute_command>\n<command>npm test</command>\n<requires_approval>true</requires_approval>\n</execute_command>",
  },
  {
    name: "a command for Cline with the model's own word",
    client: "cline",
    tool: "execute_command",
    arguments: { command: "ls", requires_approval: false },
    text:
      "<execute_command>\n<command>ls</command>\n<requires_approval>false</requires_approval>\n</execute_command>",
  },
  {
    name: "a tool without parameters",
    client: "cline",
    tool: "load_mcp_documentation",
    arguments: {},
    text: "<load_mcp_documentation>\n</load_mcp_documentation>",
  },
  {
    name: "a counted file",
    tool: "write_to_file",
    documented: ["line_count"],
    arguments: { file: "a", content: "1\n2\n", line_count: 99 },
    text:
      "<write_to_file>\n<path>a</path>\n<content>\n1\n2\n\n</content>\n<line_count>3</line_count>\n</write_to_file>",
  },
  {
    name: "todos as a list",
    tool: "update_todo_list",
    arguments: { todos: ["[x] one", "[ ] two"] },
    text: "<update_todo_list>\n<todos>\n[x] one\n[ ] two\n</todos>\n</update_todo_list>",
  },
  {
    name: "plain todos and todos with a status",
    tool: "update_todo_list",
    arguments: {
      todos: ["one", { content: "two", status: "completed" }, { task: "three", status: "in-progress" }],
    },
    text: "<update_todo_list>\n<todos>\n[ ] one\n[x] two\n[-] three\n</todos>\n</update_todo_list>",
  },
  {
    name: "todos as lines of text",
    tool: "update_todo_list",
    arguments: { todos: "one\n- two\n\n1. three\n2) four\n[x] five\n- [-] six\n" },
    text:
      "<update_todo_list>\n<todos>\n[ ] one\n[ ] two\n[ ] three\n[ ] four\n[x] five\n- [-] six\n</todos>\n</update_todo_list>",
  },
  {
    name: "todos as a JSON text, and with bullets",
    tool: "update_todo_list",
    arguments: { todos: '[{"content": "one", "done": true}, "- two", "[ ] three"]' },
    text: "<update_todo_list>\n<todos>\n[x] one\n[ ] two\n[ ] three\n</todos>\n</update_todo_list>",
  },
  {
    name: "one diff in args for a prompt that knows only path",
    tool: "apply_diff",
    arguments: { args: { file: [{ path: "a", diff: [{ content: "x" }] }] } },
    text: "<apply_diff>\n<path>a</path>\n<diff>\nx\n</diff>\n</apply_diff>",
  },
  {
    name: "a list of files, whatever stands around it",
    tool: "read_file",
    documented: ["args"],
    arguments: { file: [{ path: "a.ts" }, { path: "b.ts", line_range: "1-3" }] },
    text:
      "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n<line_range>1-3</line_range>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "args as a JSON text",
    tool: "read_file",
    documented: ["args"],
    arguments: { args: '{"file": [{"path": "a.ts"}, {"path": "b.ts"}]}' },
    text:
      "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "one file by the name of its place, with its lines",
    tool: "read_file",
    documented: ["args"],
    arguments: { file: "a.ts", start_line: 3, end_line: 9 },
    text:
      "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n<line_range>3-9</line_range>\n</file>\n</args>\n</read_file>",
  },
  {
    name: "a diff as a list of blocks",
    tool: "apply_diff",
    arguments: { path: "a", diff: ["<<<<<<< SEARCH\na", { content: "b\n>>>>>>> REPLACE", start_line: 3 }] },
    text:
      "<apply_diff>\n<path>a</path>\n<diff>\n<<<<<<< SEARCH\na\nb\n>>>>>>> REPLACE\n</diff>\n</apply_diff>",
  },
  {
    name: "diffs of several files",
    tool: "apply_diff",
    documented: ["args"],
    arguments: {
      args: {
        file: [
          { path: "a", diff: [{ content: "one", start_line: 3 }, { content: "two" }] },
          { path: "b", diff: "three", start_line: 5 },
        ],
      },
    },
    text:
      "<apply_diff>\n<args>\n<file>\n<path>a</path>\n<diff>\n<content>one</content>\n<start_line>3</start_line>\n</diff>\n</file>\n<file>\n<path>a</path>\n<diff>\n<content>two</content>\n</diff>\n</file>\n<file>\n<path>b</path>\n<diff>\n<content>three</content>\n<start_line>5</start_line>\n</diff>\n</file>\n</args>\n</apply_diff>",
  },
  {
    name: "a folder that the model left out",
    tool: "search_files",
    arguments: { regex: "a" },
    text: "<search_files>\n<path>.</path>\n<regex>a</regex>\n</search_files>",
  },
  {
    name: "a list of all files of the folder",
    client: "cline",
    tool: "list_files",
    arguments: {},
    text: "<list_files>\n<path>.</path>\n<recursive>false</recursive>\n</list_files>",
  },
  {
    name: "a message in which the client replaces text",
    tool: "new_task",
    arguments: { mode: "code", message: "a@b \\@c \\\\@d", todos: ["x"] },
    text:
      "<new_task>\n<mode>code</mode>\n<message>\na@b \\@c \\\\\\@d\n</message>\n<todos>\n[ ] x\n</todos>\n</new_task>",
  },
  {
    name: "a coordinate with the size of its picture",
    tool: "browser_action",
    documented: ["coordinate@"],
    arguments: { action: "click", coordinate: { x: 450, y: 300, width: 1000, height: 625 } },
    text:
      "<browser_action>\n<action>click</action>\n<coordinate>450,300@1000x625</coordinate>\n</browser_action>",
  },
  {
    name: "a coordinate for a client of another version",
    tool: "browser_action",
    arguments: { action: "click", coordinate: [450, 300] },
    text: "<browser_action>\n<action>click</action>\n<coordinate>450,300</coordinate>\n</browser_action>",
  },
  {
    name: "a checklist for Cline",
    client: "cline",
    tool: "attempt_completion",
    documented: ["task_progress"],
    arguments: { result: "Done", task_progress: ["one", "- [x] two", { title: "three", done: true }] },
    text:
      "<attempt_completion>\n<result>\nDone\n</result>\n<task_progress>\n- [ ] one\n- [x] two\n- [x] three\n</task_progress>\n</attempt_completion>",
  },
  {
    name: "arguments for an MCP tool, as a JSON text",
    tool: "use_mcp_tool",
    arguments: { server: "s", tool: "t", arguments: '{"html": "</arguments>"}' },
    text:
      '<use_mcp_tool>\n<server_name>s</server_name>\n<tool_name>t</tool_name>\n<arguments>\n{"html":"<\\/arguments>"}\n</arguments>\n</use_mcp_tool>',
  },
];

Deno.test("TextRenderer refuses what a client can't be given: a report without its output, several files at once", () => {
  const cases = [
    {
      client: "cline",
      tool: "report_bug",
      arguments: { title: "t", what_happened: "w", steps_to_reproduce: "s" },
    },
    {
      client: "roo",
      tool: "apply_diff",
      arguments: { args: { file: [{ path: "a", diff: "x" }, { path: "b", diff: "y" }] } },
    },
    {
      client: "roo",
      tool: "browser_action",
      documented: ["coordinate@"],
      arguments: { action: "click", coordinate: [1, 2] },
    },
  ];
  for (const { client, ...call } of cases) {
    assert.equal(renderCall({ client: shippedClient(client), ...call }).text, "SOURCE", call.tool);
  }
});

for (const { name, client = "roo", text, ...call } of WRITTEN) {
  Deno.test(`TextRenderer writes ${name}`, () => {
    const rendered = renderCall({ client: shippedClient(client), ...call });
    assert.equal(rendered.text, text);
  });
}

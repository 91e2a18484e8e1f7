import assert from "node:assert/strict";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { renderCall, shippedClient } from "../../support/client_files.ts";
import { finish, render, textRenderer } from "../../support/text_renderer.ts";
import { parseRoo } from "../../support/roo_parser.ts";

const roo = shippedClient("roo");
const cline = shippedClient("cline");

interface CallOptions {
  readonly call?: number;
  readonly tool?: string;
  readonly source?: string;
}

function callEvents(
  args: unknown,
  { call = 0, tool = "list_files", source = "SOURCE" }: CallOptions = {},
): ContentEvent[] {
  return [
    { kind: "call_start", call, tool, rule: "some_rule", confidence: 1 },
    { kind: "arguments", call, json: JSON.stringify(args) },
    { kind: "call_end", call, source },
  ];
}

const LIST_CALL = "<list_files>\n<path>src</path>\n<recursive>false</recursive>\n</list_files>";

Deno.test("TextRenderer lets text flow and writes a call on a line of its own", () => {
  const { renderer } = textRenderer();
  assert.equal(render(renderer, [{ kind: "text", text: "Let me look." }]), "Let me look.");
  assert.equal(render(renderer, callEvents({ path: "src" })), `\n${LIST_CALL}`);
  assert.equal(renderer.isFinished, true);
});

Deno.test("TextRenderer adds no newline where there is one, or no text", () => {
  assert.equal(render(textRenderer().renderer, callEvents({ path: "src" })), LIST_CALL);
  const { renderer } = textRenderer();
  assert.equal(
    render(renderer, [{ kind: "text", text: "Look:\n" }, ...callEvents({ path: "src" })]),
    `Look:\n${LIST_CALL}`,
  );
});

Deno.test("TextRenderer gives the same text wherever the events are cut", () => {
  const events: ContentEvent[] = [
    { kind: "text", text: "A " },
    { kind: "text", text: "B" },
    { kind: "call_start", call: 0, tool: "list_files", rule: "r", confidence: 1 },
    { kind: "arguments", call: 0, json: '{"pa' },
    { kind: "arguments", call: 0, json: 'th":"src"}' },
    { kind: "call_end", call: 0 },
  ];
  const { renderer } = textRenderer();
  assert.equal(events.map((event) => render(renderer, [event])).join(""), `A B\n${LIST_CALL}`);
});

Deno.test("TextRenderer sends one call a message and notes the others", () => {
  const { renderer, notes } = textRenderer();
  const sent = render(renderer, [
    ...callEvents({ path: "src" }),
    { kind: "text", text: "and now" },
    ...callEvents({ path: "lib" }, { call: 1 }),
  ]);
  assert.equal(sent, LIST_CALL);
  assert.deepEqual(notes.map(({ reason, call }) => ({ reason, call })), [{
    reason: "one_call_only",
    call: 1,
  }]);
});

Deno.test("TextRenderer goes on where the client takes several calls", () => {
  const client = clientSchema.parse({
    client: "mine",
    writes: "text",
    tools: { look: { parameters: { at: {} } } },
  });
  const { renderer } = textRenderer({ client });
  const sent = render(renderer, [
    ...callEvents({ at: 1 }, { tool: "look" }),
    ...callEvents({ at: 2 }, { tool: "look", call: 1 }),
  ]);
  assert.equal(sent, "<look>\n<at>1</at>\n</look>\n<look>\n<at>2</at>\n</look>");
  assert.equal(renderer.isFinished, false);
});

Deno.test("TextRenderer ends with stop when a call was sent", () => {
  const cases = [
    { hasCall: true, reason: "tool_calls", expected: "stop" },
    { hasCall: true, reason: "length", expected: "stop" },
    { hasCall: true, reason: null, expected: "stop" },
    { hasCall: true, reason: "content_filter", expected: "content_filter" },
    { hasCall: false, reason: "length", expected: "length" },
    { hasCall: false, reason: "stop", expected: "stop" },
    { hasCall: false, reason: null, expected: null },
  ];
  for (const { hasCall, reason, expected } of cases) {
    const { renderer } = textRenderer();
    if (hasCall) render(renderer, callEvents({ path: "src" }));
    assert.deepEqual(finish(renderer, reason), { text: "", reason: expected });
  }
});

Deno.test("TextRenderer sends the original text of a call that misses a required parameter", () => {
  const { renderer, notes } = textRenderer();
  const sent = render(renderer, [
    { kind: "text", text: "Writing." },
    ...callEvents({ path: "a.ts" }, { tool: "write_to_file", source: "\n\n<tool_call>…</tool_call>" }),
  ]);
  assert.equal(sent, "Writing.\n\n<tool_call>…</tool_call>");
  assert.equal(renderer.isFinished, false);
  assert.deepEqual(notes.map(({ reason, detail }) => ({ reason, detail })), [
    { reason: "missing_required", detail: "parameter content" },
  ]);
});

Deno.test("TextRenderer keeps text apart from a refused call before it", () => {
  const refused = callEvents({}, { tool: "search_files", source: "<call></call>" });
  const cases = [
    { before: "A\n", after: "B", text: "A\n<call></call>\nB" },
    { before: "A", after: "\nB", text: "A<call></call>\nB" },
    { before: "A", after: "B", text: "A<call></call>B" },
  ];
  for (const { before, after, text } of cases) {
    const { renderer } = textRenderer();
    const events: ContentEvent[] = [{ kind: "text", text: before }, ...refused, {
      kind: "text",
      text: after,
    }];
    assert.equal(render(renderer, events), text);
  }
});

Deno.test("TextRenderer sends the text of several refused calls once", () => {
  const { renderer } = textRenderer();
  const [start, json] = callEvents({}, { tool: "search_files" });
  assert.ok(start && json);
  const sent = render(renderer, [...callEvents({}, { tool: "search_files", source: "<all/>" }), start, json, {
    kind: "call_end",
    call: 1,
  }]);
  assert.equal(sent, "<all/>");
});

Deno.test("TextRenderer writes an empty file, but not one without content", () => {
  const empty = renderCall({ client: roo, tool: "write_to_file", arguments: { path: "a", content: "" } });
  assert.equal(empty.text, "<write_to_file>\n<path>a</path>\n<content>\n\n</content>\n</write_to_file>");
  const missing = renderCall({ client: roo, tool: "write_to_file", arguments: { path: "a", content: null } });
  assert.equal(missing.text, "SOURCE");
});

Deno.test("TextRenderer refuses arguments that it cannot read", () => {
  const cases = [
    { tool: "list_files", arguments: { path: { deep: 1 } }, reason: "invalid_arguments" },
    {
      tool: "use_mcp_tool",
      arguments: { server_name: "s", tool_name: "t", arguments: "no JSON" },
      reason: "invalid_arguments",
    },
    { tool: "nobody_knows", arguments: {}, reason: "unknown_tool" },
  ];
  for (const { tool, arguments: args, reason } of cases) {
    const { text, notes } = renderCall({ client: roo, tool, arguments: args });
    assert.equal(text, "SOURCE");
    assert.deepEqual(notes.map((note) => note.reason), [reason]);
  }
});

const SOURCE = "<list_files>\n<path>src</path>\n</list_files>";
const ownDialect = {
  client: roo,
  tool: "list_files",
  rule: "roo_xml",
  dialectsOf: () => ["roo-xml"],
  source: SOURCE,
};

Deno.test("TextRenderer sends the model's own text of a dialect that the client executes", () => {
  assert.equal(renderCall({ ...ownDialect, arguments: { path: "src" } }).text, SOURCE);
  assert.equal(renderCall({ ...ownDialect, arguments: { path: "src" } }).finished, true);
});

Deno.test("TextRenderer writes a call of the client's dialect again where the client would not know its names", () => {
  const alias = renderCall({ ...ownDialect, arguments: { dir: "src" } });
  assert.equal(alias.text, LIST_CALL);
  const toolAlias = renderCall({
    ...ownDialect,
    arguments: { path: "src" },
    source: SOURCE.replaceAll("list_files", "ls"),
  });
  assert.equal(toolAlias.text, LIST_CALL);
  const approval = renderCall({
    client: cline,
    tool: "execute_command",
    rule: "roo_xml",
    dialectsOf: () => ["cline-xml"],
    arguments: { command: "ls" },
    source: "<execute_command>\n<command>ls</command>\n</execute_command>",
  });
  assert.ok(approval.text.includes("<requires_approval>true</requires_approval>"));
});

Deno.test("TextRenderer makes a refused call of the client's own dialect inert", () => {
  const source = "<write_to_file>\n<path>a.ts</path>\n</write_to_file>";
  const { text, notes } = renderCall({
    ...ownDialect,
    tool: "write_to_file",
    arguments: { path: "a.ts" },
    source,
  });
  assert.equal(text, "<write_to_file >\n<path>a.ts</path>\n</write_to_file>");
  assert.deepEqual(notes.map(({ reason }) => reason), ["missing_required"]);
});

Deno.test("TextRenderer makes a call inert that was cut off by the end of the answer", () => {
  const { renderer } = textRenderer();
  const sent = render(renderer, [
    { kind: "text", text: "Use `<b>`.\n" },
    { kind: "note", reason: "truncated", rule: "roo_xml", start: 19, end: 59 },
    { kind: "text", text: "<write_to" },
    { kind: "note", reason: "malformed", rule: "roo_xml", start: 20, end: 59 },
    { kind: "text", text: "_file>\n<path>a.ts</path>\n<con" },
  ]) + finish(renderer, "length").text;
  assert.equal(sent, "Use `<b>`.\n<write_to_file >\n<path>a.ts</path>\n<con");
});

/** Every place in which a text may mention a tool. */
const MENTIONS = [
  "Use `<write_to_file>` with `<path>` and `<content>`.\n",
  "First <read_file>, then:\n",
  "```xml\n<write_to_file>\n<path>evil.md</path>\n<content>x</content>\n```\n",
  "<think>I take <write_to_file>\n<path>evil.md</path></think>\n",
  "Not offered: <browser_action>\n<action>launch</action>\n",
  "Of another version: <custom_tool>\n<path>evil.md</path>\n",
  "Two: <read_file><search_files>\n",
];

Deno.test("TextRenderer makes every mention before a call inert, and the call is the only one", () => {
  for (const text of MENTIONS) {
    for (const isCut of [false, true]) {
      const { renderer } = textRenderer();
      const call = callEvents({ path: "a", content: "b" }, { tool: "write_to_file" });
      const pieces = isCut ? [...text] : [text];
      const events: ContentEvent[] = [...pieces.map((text) => ({ kind: "text", text }) as const), ...call];
      const sent = events.map((event) => render(renderer, [event])).join("");
      const calls = parseRoo(sent).filter((block) => block.type === "tool_use");
      assert.deepEqual(calls.map(({ name, params }) => ({ name, params })), [
        { name: "write_to_file", params: { path: "a", content: "b" } },
      ], text);
      assert.equal(sent.replace(/<write_to_file>[^]*$/, "").replaceAll(" >", ">"), text);
    }
  }
});

Deno.test("TextRenderer executes nothing of a text without a call", () => {
  for (const text of [...MENTIONS, "I'll use <read_file>", "<write_to_file>\n<path>a.ts</path>\n<con"]) {
    const { renderer } = textRenderer();
    const sent = render(renderer, [{ kind: "text", text }]) +
      finish(renderer, "length").text;
    assert.deepEqual(parseRoo(sent).filter((block) => block.type === "tool_use"), [], text);
    assert.equal(sent.replaceAll(" >", ">"), text);
  }
});

Deno.test("TextRenderer keeps the client's limits", () => {
  const long = "x".repeat(120_000);
  const cases = [
    { tool: "execute_command", arguments: { command: long }, isWritten: false },
    { tool: "write_to_file", arguments: { path: "a", content: long }, isWritten: true },
    { tool: "write_to_file", arguments: { path: "a", content: `<b>${long}` }, isWritten: true },
    {
      tool: "write_to_file",
      arguments: { path: "a", content: `<b>${long}` },
      model: "claude-5",
      isWritten: false,
    },
    { tool: "write_to_file", arguments: { path: "a", content: long.repeat(9) }, isWritten: false },
    { tool: "update_todo_list", arguments: { todos: long }, isWritten: false },
    { tool: "ask_followup_question", arguments: { question: "?", follow_up: [long] }, isWritten: false },
  ];
  for (const { isWritten, ...call } of cases) {
    const { text, notes } = renderCall({ client: roo, ...call });
    assert.equal(text !== "SOURCE", isWritten, call.tool);
    if (!isWritten) assert.deepEqual(notes.map(({ reason }) => reason), ["unwritable"]);
  }
});

Deno.test("TextRenderer notes what the client will not see", () => {
  const { text, notes } = renderCall({
    client: roo,
    tool: "list_files",
    arguments: { path: " src ", depth: 3, "a secret": 1 },
  });
  assert.equal(text, LIST_CALL.replace("src", " src "));
  assert.deepEqual(notes.map(({ reason, detail }) => ({ reason, detail })), [
    { reason: "value_trimmed", detail: "parameter path" },
    { reason: "parameter_left_out", detail: "parameter depth" },
    { reason: "parameter_left_out", detail: "parameter (no name)" },
  ]);
});

Deno.test("TextRenderer sends nothing of a call that aborts, and the arguments of a refused one without a source", () => {
  const { renderer } = textRenderer();
  const start: ContentEvent = { kind: "call_start", call: 0, tool: "search_files", rule: "r", confidence: 1 };
  assert.equal(render(renderer, [start, { kind: "call_abort", call: 0, reason: "truncated" }]), "");
  assert.equal(
    render(renderer, [start, { kind: "arguments", call: 0, json: "{}" }, { kind: "call_end", call: 0 }]),
    "{}",
  );
});

Deno.test("TextRenderer writes what the client would refuse as its source, and a line more where it drops one", () => {
  const cases = [
    {
      client: cline,
      tool: "report_bug",
      arguments: { title: "t", what_happened: "w", steps_to_reproduce: "s" },
    },
  ];
  for (const one of cases) assert.equal(renderCall(one).text, "SOURCE", one.tool);
  const renderer = (listed: readonly string[]) =>
    textRenderer({
      documented: new Map(["write_to_file", ...listed].map((tool) => [tool, new Set<string>()])),
    });
  const fence = callEvents({ path: "a", content: "\n```ts\n" }, { tool: "write_to_file" });
  assert.ok(
    render(renderer(["search_and_replace"]).renderer, fence).includes("\n```\n\n```ts\n"),
    "an old version trims, and drops the first line then",
  );
  assert.ok(
    render(renderer(["search_and_replace", "update_todo_list"]).renderer, fence).includes("\n```ts\n"),
  );
});

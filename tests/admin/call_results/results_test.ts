import assert from "node:assert/strict";
import { type PendingCall, readResults, type ResultForm } from "../../../src/admin/call_results/results.ts";
import type { ChatRequest } from "../../../src/chat/message/request.ts";

const FORM: ResultForm = {
  label: "[{tool}",
  label_end: "] Result:",
  rejected: ["are invalid", "Missing value"],
  no_call: ["[ERROR] You did not use a tool"],
};

function verdicts(messages: unknown[], calls: Partial<PendingCall>[]): (string | undefined)[] {
  const pending = calls.map((call) => ({
    answer: "a",
    rule: "r",
    tool: "read_file",
    id: undefined,
    ...call,
  }));
  const found = readResults({ messages } as ChatRequest, pending, FORM);
  return pending.map((call) => found.get(call));
}

const ASSISTANT = { role: "assistant", content: null };

Deno.test("readResults finds the results of calls by their ids", () => {
  const messages = [
    { role: "tool", tool_call_id: "c", content: "of an earlier answer" },
    ASSISTANT,
    { role: "tool", tool_call_id: "a", content: "the file" },
    { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "The arguments are invalid: x" }] },
  ];
  const calls = ["a", "b", "c"].map((id) => ({ id }));
  assert.deepEqual(verdicts(messages, calls), ["accepted", "rejected", undefined]);
});

Deno.test("readResults doesn't take the contents of a file for an error", () => {
  const content = `${"x".repeat(300)} the arguments are invalid`;
  assert.deepEqual(verdicts([ASSISTANT, { role: "tool", tool_call_id: "a", content }], [{ id: "a" }]), [
    "accepted",
  ]);
});

Deno.test("readResults reads the labels of clients that read calls in text", () => {
  const table: [unknown, string, string | undefined][] = [
    ["[read_file for 'a.txt'] Result:\nthe file", "read_file", "accepted"],
    [
      [{ type: "text", text: "[read_file for 'a.txt'] Result:" }, { type: "text", text: "x" }],
      "read_file",
      "accepted",
    ],
    [
      [{ type: "text", text: "[read_file] Result:" }, { type: "text", text: "Missing value for 'path'" }],
      "read_file",
      "rejected",
    ],
    ["[read_file_range for 'a'] Result:\nx", "read_file", undefined],
    ["[ERROR] You did not use a tool in your previous response!", "read_file", "rejected"],
    ["Please go on", "read_file", undefined],
  ];
  for (const [content, tool, expected] of table) {
    assert.deepEqual(
      verdicts([ASSISTANT, { role: "user", content }], [{ tool }]),
      [expected],
      String(content),
    );
  }
});

Deno.test("readResults reads results of the older functions by their name", () => {
  const messages = [ASSISTANT, { role: "function", name: "read_file", content: "x" }];
  assert.deepEqual(verdicts(messages, [{}, { tool: "other" }]), ["accepted", undefined]);
});

Deno.test("readResults survives messages that are not messages", () => {
  assert.deepEqual(verdicts([null, 1, { role: "tool" }, { role: "user", content: [null] }], [{ id: "a" }]), [
    undefined,
  ]);
  assert.equal(readResults({}, [], FORM).size, 0);
});

Deno.test("readResults finds results by their tools if a client's API has no ids", () => {
  const calls = [{ id: "call_0", type: "function", function: { name: "read_file" } }];
  const messages = [
    { role: "assistant", content: null, tool_calls: calls },
    { role: "tool", tool_call_id: "call_0", content: "x" },
  ];
  assert.deepEqual(verdicts(messages, [{ id: "ours" }, { id: "other" }]), ["accepted", undefined]);
  assert.deepEqual(verdicts(messages, [{ id: "ours", tool: "write_file" }]), [undefined]);
});

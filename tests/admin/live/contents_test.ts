import assert from "node:assert/strict";
import { ContentsRecord } from "../../../src/admin/live/contents.ts";

const OVER = { secrets: [], isOver: true };
const RUNNING = { secrets: [], isOver: false };

Deno.test("ContentsRecord cuts the model's text where a candidate begins or ends", () => {
  const record = new ContentsRecord();
  for (const text of ["Now.\n<ca", "ll>a</call>", " Done"]) record.addBefore(text);
  const range = record.findRange({ start: 5, end: 18 }, "<call>a</call>".slice(0, 13));
  assert.deepEqual(record.before([range, undefined, { start: 11, end: 12 }], OVER), [
    { text: "Now.\n", marks: [] },
    { text: "<call>", marks: [0] },
    { text: "a", marks: [0, 2] },
    { text: "</call", marks: [0] },
    { text: "> Done", marks: [] },
  ]);
});

Deno.test("ContentsRecord finds a candidate by its text if offsets began again", () => {
  const record = new ContentsRecord();
  record.addBefore("first <call>a</call> second <call>b</call>");
  assert.deepEqual(record.findRange({ start: 8, end: 22 }, "<call>b</call>"), { start: 28, end: 42 });
  assert.equal(record.findRange({ start: 0, end: 3 }, "missing"), undefined);
  assert.equal(record.findRange({ start: 3, end: 3 }, undefined), undefined);
  assert.equal(record.findRange({ start: 0, end: 99 }, undefined), undefined);
});

Deno.test("ContentsRecord shows calls as parts, in a structure of their own or in the client's notation", () => {
  const record = new ContentsRecord();
  const events = [
    { kind: "role", role: "assistant" },
    { kind: "reasoning", text: "Hm" },
    { kind: "text", text: "Now" },
    { kind: "text", text: ".\n" },
    { kind: "call_start", call: 0, tool: "read_file", rule: "r", confidence: 1 },
    { kind: "arguments", call: 0, json: '{"path":' },
    { kind: "arguments", call: 0, json: '"a"}' },
    { kind: "call_end", call: 0 },
    { kind: "text", text: "<read_file>", call: 1 },
    { kind: "text", text: "</read_file>", call: 1 },
    { kind: "call_start", call: 2, tool: "t", rule: "r", confidence: 1 },
    { kind: "call_abort", call: 2, reason: "truncated" },
  ] as const;
  for (const event of events) record.addAfter(event);
  const isReasoning = false;
  assert.deepEqual(record.after(OVER), [
    { text: "Hm", call: null, tool: null, state: null, isReasoning: true },
    { text: "Now.\n", call: null, tool: null, state: null, isReasoning },
    { text: '{"path":"a"}', call: 0, tool: "read_file", state: "done", isReasoning },
    { text: "<read_file></read_file>", call: 1, tool: null, state: null, isReasoning },
    { text: "", call: 2, tool: "t", state: "broken", isReasoning },
  ]);
});

Deno.test("ContentsRecord shows no secret, and no beginning of one while the answer runs", () => {
  const record = new ContentsRecord();
  const secrets = ["hunter22"];
  const key = "sk-abcdefghijklmnop";
  const written = `hunter22 is it. Use ${key}`;
  for (const character of written) {
    record.addBefore(character);
    record.addAfter({ kind: "text", text: character });
    const shown = JSON.stringify([
      record.before([], { ...RUNNING, secrets }),
      record.after({ ...RUNNING, secrets }),
    ]);
    assert.ok(!/hunt|sk-a/.test(shown), shown);
  }
  assert.deepEqual(record.before([], { ...OVER, secrets }), [
    { text: "[redacted] is it. Use [redacted]", marks: [] },
  ]);
  record.addAfter({ kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 });
  record.addAfter({ kind: "arguments", call: 0, json: '{"password":"a b' });
  assert.ok(!JSON.stringify(record.after(RUNNING)).includes("a b"));
});

Deno.test("ContentsRecord cuts no secret off its name", () => {
  const record = new ContentsRecord();
  const text = 'a {"password": "pa ss", "b": 1} c';
  record.addBefore(text);
  const place = (found: string) => ({ start: text.indexOf(found), end: text.indexOf(found) + found.length });
  const call = place('{"password": "pa ss", "b": 1}');
  assert.deepEqual(record.before([call, place('"pa ss"')], OVER), [
    { text: "a ", marks: [] },
    { text: '{"password": "[redacted]", "b": 1}', marks: [0, 1] },
    { text: " c", marks: [] },
  ]);
  assert.deepEqual(record.before([place('"pa ss"')], OVER), [
    { text: 'a {"password": "[redacted]", "b": 1} c', marks: [0] },
  ]);
  assert.deepEqual(
    record.before([place('"b"')], OVER).map(({ text }) => text),
    ['a {"password": "[redacted]", ', '"b"', ": 1} c"],
  );
});

Deno.test("ContentsRecord keeps a limited length of each text", () => {
  const record = new ContentsRecord();
  for (let round = 0; round < 3; round++) {
    record.addBefore("x".repeat(40_000));
    record.addAfter({ kind: "text", text: "y".repeat(40_000) });
  }
  assert.equal(record.isCut, true);
  assert.equal(record.length, 2 * 65_536);
  // The same text in the part that is kept isn't the candidate.
  assert.equal(record.findRange({ start: 70_000, end: 70_010 }, "x".repeat(10)), undefined);
});

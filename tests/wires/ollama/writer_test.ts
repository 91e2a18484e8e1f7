import assert from "node:assert/strict";
import { cutCallText, type WireEvent } from "../../../src/wires/event.ts";
import { OllamaWriter, writeOllamaAnswer } from "../../../src/wires/ollama/writer.ts";

const identity = { id: "1", created: 0 };
const json = '{"path": "a';

Deno.test("OllamaWriter shows a call that broke off as text", () => {
  const writer = new OllamaWriter("m", identity);
  const events: WireEvent[] = [
    { kind: "call_start", call: 0, id: "a", tool: "write" },
    { kind: "arguments", call: 0, json },
    { kind: "call_abort", call: 0, id: "a", tool: "write", json },
    { kind: "finish", reason: "length", usage: undefined },
  ];
  const text = events.map((event) => writer.push(event)).join("");
  const [shown, end, ...others] = text.split("\n").slice(0, -1).map((line) => JSON.parse(line));
  assert.deepEqual(shown.message, { role: "assistant", content: cutCallText("write", json) });
  assert.deepEqual([end.done, end.done_reason, others], [true, "length", []]);
});

Deno.test("writeOllamaAnswer shows a call that broke off as text", () => {
  const parts = [
    { kind: "text", text: "I'll write." },
    { kind: "call", id: "a", tool: "write", json, isWhole: false },
  ] as const;
  const { message } = writeOllamaAnswer({ parts, reason: "length", usage: undefined }, {
    model: "m",
    identity,
  });
  assert.deepEqual(message, { role: "assistant", content: `I'll write.${cutCallText("write", json)}` });
});

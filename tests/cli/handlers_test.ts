import assert from "node:assert/strict";
import { decisionLine } from "../../src/cli/handlers.ts";

const about = { client: "openai", date: new Date(2026, 0, 1, 9, 5, 7) };

Deno.test("decisionLine shows time, client, rule, tool and reason in columns", () => {
  const note = { kind: "note", rule: "qwen_xml", start: 0, end: 1 } as const;
  assert.equal(
    decisionLine({ ...note, reason: "transformed", tool: "write_file" }, about),
    "09:05:07  openai     qwen_xml         write_file           transformed\n",
  );
  assert.equal(
    decisionLine({ ...note, reason: "json_repaired", detail: "a\nbrace" }, about),
    "09:05:07  openai     qwen_xml         -                    json_repaired (a brace)\n",
  );
});

Deno.test("decisionLine lets no control character of a model through", () => {
  const line = decisionLine(
    { kind: "note", rule: "r", start: 0, end: 1, reason: "unknown_tool", tool: "\x1b[2Jx" },
    about,
  );
  assert.ok(!line.includes("\x1b"), line);
});

Deno.test("decisionLine says nothing of events that decide nothing", () => {
  assert.equal(decisionLine({ kind: "call_end", call: 0 }, about), "");
});

import assert from "node:assert/strict";
import { Commands } from "../../../src/chat/pipeline/commands.ts";
import type { AnswerEvent } from "../../../src/chat/event/event.ts";

/** The arguments of a call and its notes, with its JSON in pieces of a length. */
function pass(
  json: string,
  { size, end }: { size: number; end: "call_end" | "call_abort" },
): [string, string] {
  const stage = new Commands();
  let passed = "";
  let notes = "";
  const out = {
    push(event: AnswerEvent): void {
      if (event.kind === "arguments") passed += event.json;
      if (event.kind === "note") notes += event.reason;
    },
  };
  stage.push({ kind: "call_start", call: 0, tool: "run", rule: "any", confidence: 1 }, out);
  for (let at = 0; at < json.length; at += size) {
    stage.push({ kind: "arguments", call: 0, json: json.slice(at, at + size) }, out);
  }
  if (end === "call_end") stage.push({ kind: "call_end", call: 0 }, out);
  else stage.push({ kind: "call_abort", call: 0, reason: "truncated" }, out);
  return [passed, notes];
}

Deno.test("Commands decodes a command's entities that no shell can mean, wherever the arguments are cut", () => {
  const long = JSON.stringify({ command: `${"x".repeat(70_000)} 2&gt;&1` });
  const meant: readonly (readonly [json: string, decoded: string])[] = [
    ['{"command":"make 2&gt;&amp;1","a":"x &gt; y"}', '{"command":"make 2>&1","a":"x &gt; y"}'],
    ['{"a":"&lt;","cmd":"ls &amp;&amp; echo \\"é\\""}', '{"a":"&lt;","cmd":"ls && echo \\"é\\""}'],
    ['{"command":"ls && cat < a"}', '{"command":"ls && cat < a"}'],
    ['{"command":"grep \'&gt;\' a"}', '{"command":"grep \'&gt;\' a"}'],
    ['{"content":"\\"command\\": a &gt; b"}', '{"content":"\\"command\\": a &gt; b"}'],
    ['{"command":["a &gt; b"]}', '{"command":["a &gt; b"]}'],
    // Another parameter has the same value, before or after.
    ['{"note":"a 2&gt;b","command":"a 2&gt;b"}', '{"note":"a 2&gt;b","command":"a 2>b"}'],
    ['{"cmd": "a 2&gt;b", "note": "a 2&gt;b"}', '{"cmd": "a 2>b", "note": "a 2&gt;b"}'],
    ['{"a":{"command":"x &gt; y"},"cmd":"x &gt; y"}', '{"a":{"command":"x &gt; y"},"cmd":"x > y"}'],
    ['{"a":{"command":"x &gt; y"},"command":"x &gt; y"}', '{"a":{"command":"x &gt; y"},"command":"x > y"}'],
    ['{"command":"a","command":"x &gt; \\\\"}', '{"command":"a","command":"x > \\\\"}'],
    ['[{"command":"x &gt; y"}]', '[{"command":"x &gt; y"}]'],
    [long, long],
  ];
  for (const [json, decoded] of meant) {
    for (const size of [1, 7, json.length]) {
      const note = json === decoded ? "" : "entities_decoded";
      assert.deepEqual(pass(json, { size, end: "call_end" }), [decoded, note], json.slice(0, 80));
      assert.deepEqual(pass(json, { size, end: "call_abort" }), [json, ""], json.slice(0, 80));
    }
  }
});

Deno.test("Commands lets nothing wait but a command from its first & on, unless entities are decoded", () => {
  const waiting = (pieces: readonly string[]) => {
    const seen: string[] = [];
    const stage = new Commands();
    const out = { push: (event: AnswerEvent) => void (event.kind === "arguments" && seen.push(event.json)) };
    stage.push({ kind: "call_start", call: 0, tool: "edit", rule: "any", confidence: 1 }, out);
    for (const json of pieces) stage.push({ kind: "arguments", call: 0, json }, out);
    return seen;
  };
  const text = ['xt":"x & y', ' &gt; z"', "}"];
  assert.deepEqual(waiting(['{"command":"', "a ", "b & c", '; d","te', ...text]), [
    ...['{"command":"', "a ", "b ", '& c; d","te'],
    ...text,
  ]);
  assert.deepEqual(waiting(['{"command":"', "a ", "b &gt", '; d","te', ...text]), [
    '{"command":"',
    "a ",
    "b ",
  ]);
});

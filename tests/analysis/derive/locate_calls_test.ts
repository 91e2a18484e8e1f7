import assert from "node:assert/strict";
import { markPythonSample } from "../../../src/analysis/derive/locate_calls.ts";

const CALLS = [
  { tool: "look", arguments: { path: 'a "b".ts', depth: 2 } },
  { tool: "stop", arguments: {} },
];

Deno.test("markPythonSample writes the calls as Python does", () => {
  const marked = markPythonSample({
    text: '<go>[look(path=a "b".ts, depth=2), stop()]</go>',
    calls: CALLS,
    ids: [],
  });
  assert.equal(marked?.text, '<go>[look(path="a \\"b\\".ts", depth=2), stop()]</go>');
  assert.deepEqual(marked.calls.map(({ object }) => marked.text.slice(object!.start, object!.end)), [
    'look(path="a \\"b\\".ts", depth=2)',
    "stop()",
  ]);
});

Deno.test("markPythonSample leaves other notations alone", () => {
  for (const text of ['look({"path": "a"})', "look(depth=2)", 'look {"path": "a"}', "look(path=a"]) {
    assert.equal(markPythonSample({ text, calls: CALLS.slice(0, 1), ids: [] }), undefined);
  }
});

import assert from "node:assert/strict";
import { readCases } from "../../../src/analysis/conformance/case.ts";

Deno.test("readCases fills in what a case leaves out", () => {
  const { cases, diagnostics } = readCases({
    file: "a.jsonl",
    text: '\n{"id":"1","dialect":"d","text":"t"}\n\n',
  });
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(cases, [{
    id: "1",
    dialect: "d",
    text: "t",
    finish_reason: "stop",
    tier: "-",
    tags: [],
    content_exact: false,
    calls_exact: true,
    expect: {},
  }]);
});

Deno.test("readCases says which lines are no cases and reads the others", () => {
  const text = '{\n{"id":"1","dialect":"d","text":"t"}\n{"id":"2","dialect":"d"}\n';
  const { cases, diagnostics } = readCases({ file: "a.jsonl", text });
  assert.equal(cases.length, 1);
  assert.deepEqual(diagnostics.map(({ location }) => [location?.file, location?.line]), [["a.jsonl", 1], [
    "a.jsonl",
    3,
  ]]);
  assert.match(diagnostics[1]?.message ?? "", /text: /);
});

Deno.test("readCases complains of three lines, then only counts", () => {
  const { diagnostics } = readCases({ file: "a.jsonl", text: "x\n".repeat(10) });
  assert.equal(diagnostics.length, 4);
  assert.equal(diagnostics[3]?.message, "Cannot read 7 more lines of a.jsonl");
});

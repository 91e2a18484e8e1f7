import assert from "node:assert/strict";
import { differences } from "../../../src/engine/rule/examples.ts";

const call = { tool: "read", arguments: { path: "a", options: { line: 5 } } };

Deno.test("differences name the character, the call and the member", () => {
  const other = { tool: "read", arguments: { options: { line: 6 }, extra: 1 } };
  const cases: [
    expected: Parameters<typeof differences>[0],
    got: Parameters<typeof differences>[1],
    lines: string[],
  ][] = [
    [{ text: "AB", calls: [] }, { text: "AC", calls: [] }, [
      'text differs at character 2: expected "B", got "C"',
    ]],
    [{ text: "AB", calls: [] }, { text: "A", calls: [] }, [
      'text differs at character 2: expected "B", got its end',
    ]],
    [{ text: "", calls: [call] }, { text: "", calls: [] }, ["call 1 (read) is missing"]],
    [{ text: "", calls: [] }, { text: "", calls: [call] }, ["call 1 (read) is unexpected"]],
    [{ text: "", calls: [call] }, { text: "", calls: [{ ...call, tool: "write" }] }, [
      "call 1 (read): the tool is write",
    ]],
    [{ text: "", calls: [call] }, { text: "", calls: [other] }, [
      "call 1 (read): `path` is missing",
      "call 1 (read): `options.line` is 6 instead of 5",
      "call 1 (read): `extra` is unexpected: 1",
    ]],
  ];
  for (const [expected, got, lines] of cases) assert.deepEqual(differences(expected, got), lines);
});

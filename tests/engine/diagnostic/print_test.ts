import assert from "node:assert/strict";
import type { Diagnostic } from "../../../src/engine/diagnostic/diagnostic.ts";
import {
  countDiagnostics,
  diagnosticToJson,
  printCount,
  printDiagnostic,
  printDiagnostics,
  printExcerpt,
} from "../../../src/engine/diagnostic/print.ts";

const misspelt: Diagnostic = {
  code: "unknown_field",
  severity: "error",
  message: "Unknown field `confidense`",
  location: { file: "rules/mine.yaml", line: 14, column: 3, length: 10, text: "  confidense: 0.9" },
  expected: "a known field",
  help: "did you mean `confidence`?",
};

function located(text: string, { column, length }: { column: number; length: number }): Diagnostic {
  return {
    code: "wrong_value",
    severity: "warning",
    message: "Wrong",
    location: { file: "a.yaml", line: 1, column, length, text },
  };
}

Deno.test("printDiagnostic draws the source line with carets under the mistake", () => {
  assert.equal(
    printDiagnostic(misspelt),
    [
      "error[unknown_field]: Unknown field `confidense`",
      "  --> rules/mine.yaml:14:3",
      "14 |   confidense: 0.9",
      "   |   ^^^^^^^^^^",
      "   = expected: a known field",
      "   = help: did you mean `confidence`?",
    ].join("\n"),
  );
});

Deno.test("printDiagnostic without a location has no source line", () => {
  const { location: _, ...bare } = misspelt;
  assert.equal(
    printDiagnostic(bare),
    [
      "error[unknown_field]: Unknown field `confidense`",
      "  = expected: a known field",
      "  = help: did you mean `confidence`?",
    ].join("\n"),
  );
});

Deno.test("printDiagnostic indents the further lines of a note", () => {
  const { location: _, expected: __, ...bare } = misspelt;
  assert.equal(
    printDiagnostic({ ...bare, help: "one\ntwo" }),
    "error[unknown_field]: Unknown field `confidense`\n  = help: one\n  |       two",
  );
});

Deno.test("printDiagnostic keeps the carets under the text after tabs, emoji and wide characters", () => {
  const cases: [string, number, string][] = [
    ["\tkey: x", 7, "  | \t     ^"],
    ["a: 😀x", 6, "  |      ^"],
    ["漢字x", 3, "  |     ^"],
    ["ab", 9, "  |   ^"],
  ];
  for (const [text, column, carets] of cases) {
    assert.equal(printDiagnostic(located(text, { column, length: 1 })).split("\n")[3], carets, text);
  }
});

Deno.test("printDiagnostic shows a window of a long line", () => {
  const text = "a".repeat(300) + "!" + "b".repeat(300);
  const lines = printDiagnostic(located(text, { column: 301, length: 1 })).split("\n");
  assert.ok((lines[2] ?? "").length < 140);
  assert.equal(lines[2]?.[lines[3]?.indexOf("^") ?? -1], "!");
});

Deno.test("printDiagnostic lets no escape sequence of a file through", () => {
  const printed = printDiagnostic(located("\x1b[2Jx", { column: 1, length: 1 }));
  assert.ok(!printed.includes("\x1b"));
});

Deno.test("printDiagnostic colors only if asked", () => {
  assert.ok(!printDiagnostic(misspelt).includes("\x1b["));
  assert.ok(printDiagnostic(misspelt, { colors: true }).includes("\x1b[1;31merror[unknown_field]\x1b[0m"));
});

Deno.test("printDiagnostics ends with the count and is empty for none", () => {
  assert.equal(printDiagnostics([]), "");
  const printed = printDiagnostics([misspelt, { ...misspelt, severity: "warning" }]);
  assert.ok(printed.endsWith("\n\n1 error, 1 warning\n"));
});

Deno.test("printCount says one error and two errors", () => {
  assert.equal(printCount(countDiagnostics([misspelt])), "1 error, 0 warnings");
  assert.equal(printCount({ errors: 2, warnings: 1 }), "2 errors, 1 warning");
});

Deno.test("diagnosticToJson is flat and leaves out what is not known", () => {
  assert.deepEqual(diagnosticToJson(misspelt), {
    code: "unknown_field",
    severity: "error",
    message: "Unknown field `confidense`",
    file: "rules/mine.yaml",
    line: 14,
    column: 3,
    length: 10,
    expected: "a known field",
    help: "did you mean `confidence`?",
  });
  assert.deepEqual(diagnosticToJson({ code: "yaml_syntax", severity: "error", message: "No" }), {
    code: "yaml_syntax",
    severity: "error",
    message: "No",
  });
});

Deno.test("printExcerpt draws a place under a heading, with its notes", () => {
  const location = { file: "a.txt", line: 2, column: 3, length: 1, text: "<a b>" };
  const notes = { expected: "`>`", found: undefined };
  assert.equal(
    printExcerpt("mine", { location, notes }),
    "mine\n --> a.txt:2:3\n2 | <a b>\n  |   ^\n  = expected: `>`",
  );
});

import assert from "node:assert/strict";
import { readArguments } from "../../src/cli/arguments.ts";

const VERB = {
  name: "verb",
  operandsMax: 1,
  options: {
    port: { type: "string", short: "p", placeholder: "PORT", description: "" },
    rules: { type: "string", multiple: true, description: "" },
    json: { type: "boolean", description: "" },
  },
} as const;

Deno.test("readArguments reads flags of every kind and the other words", () => {
  const { input, diagnostics, isHelp } = readArguments(
    ["-p", "1", "--rules=a", "-", "--rules", "b", "--json", "--port", "2"],
    VERB,
  );
  assert.deepEqual(diagnostics, []);
  assert.deepEqual(input, { values: { port: "2", rules: ["a", "b"], json: true }, positionals: ["-"] });
  assert.equal(isHelp, false);
});

for (
  const [words, message, help] of [
    [["--prot", "1"], "The verb `verb` has no flag --prot", "did you mean `--port`? `dragoman help verb`"],
    [["-x"], "The verb `verb` has no flag -x", "`dragoman help verb` lists every flag"],
    [["--constructor"], "The verb `verb` has no flag --constructor", "`dragoman help verb`"],
    [["--json=1"], "The flag --json takes no value, but `1` was given", "write --json alone"],
    [["--port"], "The flag --port needs a value", "write --port PORT"],
    [["a", "b"], "The verb `verb` does not take `b`", "`dragoman help verb` shows the usage"],
  ] as const
) {
  Deno.test(`readArguments of ${words.join(" ")} says what is wrong`, () => {
    const { diagnostics } = readArguments(words, VERB);
    assert.deepEqual(diagnostics.map((diagnostic) => diagnostic.message), [message]);
    assert.ok(diagnostics[0]?.help?.includes(help), diagnostics[0]?.help ?? "no help");
  });
}

Deno.test("readArguments notices -h beside anything else", () => {
  for (const words of [["-h"], ["--help"], ["--nothing", "-h"]]) assert.ok(readArguments(words, VERB).isHelp);
});

import assert from "node:assert/strict";
import { noSettings, readRules } from "../../src/rule/read.ts";
import { proveSpeech } from "../../src/speak/proof.ts";

function prove(call: string): string[] {
  const text = `rule: small
pattern: '<call {tool}>(?<body>…)</call>'
body: json
speak: { announce: '{tools}', call: '${call}', result: '{content}' }
`;
  const loaded = readRules([[{ file: "small.yaml", text }]], noSettings);
  assert.deepEqual(loaded.diagnostics, []);
  return proveSpeech(loaded, { only: () => true }).map(({ code }) => code);
}

Deno.test("proveSpeech finds a rule that doesn't read what it speaks", () => {
  assert.deepEqual(prove("<call {name}>{arguments}</call>"), []);
  assert.deepEqual(prove("<tool {name}>{arguments}</tool>"), ["speak_unread"]);
});

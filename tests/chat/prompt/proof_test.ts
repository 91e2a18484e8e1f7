import assert from "node:assert/strict";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { proveSpeech } from "../../../src/chat/prompt/proof.ts";

const MUTE = `rule: mute
pattern: '<mute {tool}>(?<body>…)</mute>'
body: json
`;

function prove(call: string, more = ""): string[] {
  const text = `rule: small
pattern: '<call {tool}>(?<body>…)</call>'
body: json
speak: { announce: '{tools}', call: '${call}', result: '{content}'${more} }
`;
  const files = [{ file: "small.yaml", text }, { file: "mute.yaml", text: MUTE }];
  const loaded = readRules([files], noSettings);
  assert.deepEqual(loaded.diagnostics, []);
  return proveSpeech(loaded, { only: () => true }).map(({ code }) => code);
}

Deno.test("proveSpeech finds a rule that doesn't read what it speaks", () => {
  assert.deepEqual(prove("<call {name}>{arguments}</call>"), []);
  assert.deepEqual(prove("<tool {name}>{arguments}</tool>"), ["speak_unread"]);
});

Deno.test("proveSpeech finds a rule under otherwise that can't speak", () => {
  const call = "<call {name}>{arguments}</call>";
  assert.deepEqual(prove(call, ", otherwise: small"), []);
  assert.deepEqual(prove(call, ", otherwise: smal"), ["dialect_unspoken"]);
  assert.deepEqual(prove(call, ", otherwise: mute"), ["dialect_unspoken"]);
});

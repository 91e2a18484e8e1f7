import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { programOf, toldInEveryCut } from "../../../support/matcher_events.ts";

const rule = {
  rule: "block",
  pattern: "^(?<fence>`{3,8})(?<language>\\w+)\\n(?<body>…)\\n\\k<fence>",
  body: "text",
  tool: "run",
  parameters: { command: "$body", language: "$language", cwd: "." },
};
const offered = offer([{
  name: "run",
  schema: { properties: { command: {}, language: {}, cwd: {}, n: { type: "integer" } } },
}]);

const toldOf = (text: string, fields: Record<string, unknown> = {}) =>
  toldInEveryCut(text, { program: programOf({ ...rule, ...fields }), offered });

Deno.test("TextBody reads everything up to its closer, and the mapping's captures and constants", () => {
  assert.deepEqual(toldOf("```sh\nls\n``\n\n```\nB"), [
    'run {"command":"ls\\n``\\n","language":"sh","cwd":"."}',
    "note transformed",
    'text "B"',
  ]);
});

Deno.test("TextBody ends only at its own fence", () => {
  assert.deepEqual(toldOf("````sh\n```\n\n````")[0], 'run {"command":"```\\n","language":"sh","cwd":"."}');
});

Deno.test("TextBody without a closer is text", () => {
  assert.deepEqual(toldOf("```sh\nls\n``"), ["note truncated", 'text "```sh\\nls\\n``"']);
});

Deno.test("writeText accepts only commands on the whitelist", () => {
  const whitelist = { commands: ["ls"] };
  assert.equal(toldOf("```sh\nls -la\n```", { whitelist })[1], "note transformed");
  assert.equal(toldOf("```sh\nrm x\n```", { whitelist })[0], "note not_whitelisted");
});

Deno.test("writeText reads the text according to the schema, or notes that it stays text", () => {
  const parameters = { n: "$body", language: "$language" };
  assert.equal(toldOf("```sh\n5\n```", { parameters })[0], 'run {"n":5,"language":"sh"}');
  assert.deepEqual(toldOf("```sh\nfive\n```", { parameters }), [
    'run {"n":"five","language":"sh"}',
    "note transformed",
    "note value_kept_as_text: n",
  ]);
});

import assert from "node:assert/strict";
import { draftRule, isRefusal, type RuleDraft } from "../../../src/analysis/derive/draft.ts";
import { markSample } from "../../../src/analysis/derive/locate_calls.ts";
import { checkRuleFile } from "../../../src/analysis/derive/proof.ts";
import { writeRuleFile } from "../../../src/analysis/derive/rule_file.ts";
import { variantsOf } from "../../../src/analysis/derive/variant.ts";

const VALUES = ["Kx4 value", "Rw7 other"];

/** The draft of a notation that writes one value of `f`. */
function draftOf(write: (value: string) => string): RuleDraft {
  const marked = VALUES.map((value) => {
    const calls = [{ tool: "f", arguments: { subject: value } }];
    return markSample({ text: write(value), calls, ids: [] })!;
  });
  const draft = draftRule(marked);
  assert.ok(!isRefusal(draft), JSON.stringify(draft));
  return draft;
}

const NOTATIONS: readonly {
  name: string;
  write: (value: string) => string;
  tokens?: readonly string[];
  suffixes: readonly string[];
}[] = [
  {
    name: "items in a tag with the name as an attribute",
    write: (value) => `<do name="f"><in name="subject">${value}</in></do>`,
    suffixes: ["json", "empty"],
  },
  {
    name: "items after the name",
    write: (value) => `<do>f<key>subject</key><value>${value}</value></do>`,
    suffixes: ["json"],
  },
  {
    name: "JSON after a token",
    write: (value) => `<|do|>[{"name": "f", "arguments": {"subject": "${value}"}}]`,
    suffixes: ["plain"],
  },
  {
    name: "JSON alone",
    write: (value) => `{"name": "f", "arguments": {"subject": "${value}"}}`,
    tokens: ["<|do|>"],
    suffixes: ["token", "then_text", "in_text"],
  },
  {
    name: "JSON between tags",
    write: (value) => `<do>{"name": "f", "arguments": {"subject": "${value}"}}</do>`,
    suffixes: [],
  },
];

for (const { name, write, tokens = [], suffixes } of NOTATIONS) {
  Deno.test(`variantsOf writes rules that read their proofs for ${name}`, () => {
    const variants = variantsOf(draftOf(write), tokens);
    assert.deepEqual(variants.map(({ suffix }) => suffix), suffixes);
    for (const { suffix, draft, proof } of variants) {
      const text = writeRuleFile({
        name: suffix,
        description: "D",
        draft,
        proofs: [proof],
        schema: "rule.schema.json",
      });
      assert.deepEqual(checkRuleFile({ file: `${suffix}.yaml`, text }, []), []);
    }
  });
}

Deno.test("variantsOf leaves rules off that read calls between sentences", () => {
  const draft = draftOf((value) => `{"name": "f", "arguments": {"subject": "${value}"}}`);
  assert.deepEqual(variantsOf(draft, []).map(({ draft }) => draft.isBare), [true, true]);
});

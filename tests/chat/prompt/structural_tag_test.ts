import assert from "node:assert/strict";
import { structuralTag } from "../../../src/chat/prompt/structural_tag.ts";
import { readYamlFolders } from "../../../src/engine/document/load.ts";
import { BUILT_IN_RULES } from "../../../src/engine/rule/folder.ts";
import { noSettings, readRules } from "../../../src/engine/rule/read.ts";
import { speechOf } from "../../../src/engine/rule/speech.ts";
import { TAG_STYLES } from "../../../src/proxy/upstream/profiles/profiles.ts";
import { createTestContext } from "../../support/context.ts";

const { folders } = await readYamlFolders(
  [{ path: BUILT_IN_RULES, isRequired: true }],
  createTestContext(),
);
const { rules } = readRules([folders.flat()], noSettings);
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

function tagOf(name: string): unknown {
  const speech = speechOf(rules.find(({ rule }) => rule === name)!)!;
  const dialect = { speak: speech.speak, notation: speech };
  return structuralTag(dialect, { tools: [{ name: "read_file", schema }], styles: TAG_STYLES });
}

/** Rule → trigger, begin, end and style of the tag. */
const TAGS: Readonly<Record<string, readonly [string, string, string, string?]>> = {
  qwen_xml: [
    "<tool_call>\n<function=",
    "<tool_call>\n<function=read_file>\n",
    "\n</function>\n</tool_call>",
    "qwen_xml",
  ],
  hermes: ['<tool_call>\n{"name": "', '<tool_call>\n{"name": "read_file", "arguments": ', "}\n</tool_call>"],
  function_json: ["<function=", "<function=read_file>", "</function>"],
  arg_key_xml: ["<tool_call>read_file\n", "<tool_call>read_file\n", "\n</tool_call>", "glm_xml"],
  invoke_xml: ['<invoke name="', '<invoke name="read_file">\n', "\n</invoke>", "minimax_xml"],
};

for (const [rule, [trigger, begin, end, style]] of Object.entries(TAGS)) {
  Deno.test(`structuralTag is made from how ${rule} is spoken`, () => {
    const content = { type: "json_schema", ...style === undefined ? {} : { style }, json_schema: schema };
    assert.deepEqual(tagOf(rule), {
      type: "structural_tag",
      format: {
        type: "triggered_tags",
        triggers: [trigger],
        tags: [{ type: "tag", begin, content, end }],
        at_least_one: false,
        stop_after_first: false,
      },
    });
  });
}

Deno.test("structuralTag has none for a dialect without a mark of its own, or whose values no grammar writes", () => {
  for (const rule of ["bare_json", "react", "gemma_call", "lfm2", "yaml_xml"]) {
    assert.equal(tagOf(rule), undefined, rule);
  }
});

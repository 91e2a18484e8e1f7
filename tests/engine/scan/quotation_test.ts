import assert from "node:assert/strict";
import { shippedProgram, toldInEveryCut } from "../../support/matcher_events.ts";
import { Cursor } from "../../../src/engine/scan/cursor.ts";
import { Emission } from "../../../src/engine/scan/emission.ts";
import { Quotation } from "../../../src/engine/scan/quotation.ts";
import { Region } from "../../../src/engine/scan/region.ts";
import { anyTool } from "../../../src/engine/tool/offered.ts";

const program = shippedProgram();
const region = new Region({
  program,
  options: { offered: anyTool, minimumConfidence: 0, wholeCalls: false },
  cursor: new Cursor(),
  emission: new Emission(),
  calls: 0,
});
const ruleOf = (name: string) => program.rules.find((rule) => rule.name === name)!;

/** The ambiguities about a call of a rule after a text. */
function ambiguitiesAfter(text: string, rule: string): string {
  const quotation = new Quotation(program.markdown);
  quotation.text(text);
  const ambiguities = quotation.ambiguitiesOf(ruleOf(rule), { offset: text.length, region });
  return ambiguities === "shown" ? ambiguities : ambiguities.map(({ kind }) => kind).join() || "none";
}

Deno.test("Quotation lists the ambiguities about a call at a position", () => {
  const cases: readonly [text: string, rule: string, expected: string][] = [
    ["a\n", "qwen_xml", "none"],
    ["a `", "qwen_xml", "span"],
    ['a "', "qwen_xml", "mark,quotation"],
    ["a « ", "qwen_xml", "mark,quotation"],
    ['a "b" ', "qwen_xml", "mark"],
    ["a = '", "qwen_xml", "mark,quotation"],
    ["a — ", "qwen_xml", "mark,sentence"],
    ["a", "qwen_xml", "none"],
    ["a ", "qwen_xml", "sentence"],
    ["é, ", "json_block", "mark,sentence,ending"],
    ["a. ", "qwen_xml", "none"],
    ["a: ", "qwen_xml", "sentence,label"],
    ["    ", "qwen_xml", "line"],
    ["   ", "qwen_xml", "none"],
    ["\n\t", "mistral", "line"],
    ['a `"', "qwen_xml", "span,mark,quotation"],
    ["a [", "qwen_xml", "span"],
    ["a [b] ", "qwen_xml", "none"],
    ["a\n", "json_block", "ending"],
    ["```\n", "qwen_xml", "shown"],
    ["```\n", "mistral", "code"],
    ["a\n```\n", "mistral", "shown"],
    ["a\n\n    ", "mistral", "code"],
    ["> ", "mistral", "shown"],
    ["> a\n", "mistral", "line"],
    ["> a\n", "json_block", "line,ending"],
    ["|a|\n|-|\n", "mistral", "line"],
    ["|a|\n|-|\na | ", "mistral", "shown"],
    ["|a|\n|-|\n|", "mistral", "shown"],
  ];
  for (const [text, rule, expected] of cases) {
    assert.equal(ambiguitiesAfter(text, rule), expected, `${text} ${rule}`);
  }
});

Deno.test("Quotation treats tags in code as text, and ambiguous ones too if a span can be open", () => {
  const shows = (text: string, rule: string) => {
    const quotation = new Quotation(program.markdown);
    quotation.text(text);
    return quotation.showsTag(ruleOf(rule));
  };
  assert.deepEqual([shows("```\n", "think"), shows("a ", "html_code")], [true, false]);
  assert.deepEqual([shows("a `", "html_code"), shows("a `b\n", "think")], [true, false]);
});

Deno.test("Quotation decides by what is around a call, at every cut", () => {
  const call = "<tool_call><function=f><parameter=a>x</parameter></function></tool_call>";
  const reading = { program, offered: anyTool, minimumConfidence: 0.9 };
  const table: readonly [before: string, after: string, isQuoted: boolean][] = [
    ["« ", " » est la réponse.", true],
    ["a call (", ") is one line", true],
    ["I look (", " wait)", false],
    ["I look at it ", "\nand wait.", false],
    ["I look at it ", " Done.", false],
    ["I look at it ", " and wait for it", true],
    ["The model prints ", ", which is a call.", true],
    ["I look at it ", " more text", false],
    ["I look at it ", ` more text ${call}`, false],
    ["output: ", "\n  finish: stop", true],
    ["assistant: ", "\nDone.", false],
    ["I look at it: ", " and wait.", false],
    ["- Fixed: ", " was left in the text.", true],
    ["no parser for: ", " (model q3)\nHm.", true],
    ["I look at it: ", " Done.", false],
    ['text = "', '\\n" is the case.', true],
    ["a 'b' and 'c: ", "' stays.", false],
    ["1,", ",stop", true],
    ["It prints a call (e.g. ", ") there.", true],
    ["It prints a call (e.g. ", ", too)", false],
    ["It was ", ".", true],
    ["It prints ", ` when it wants and later ${call}`, true],
    ["    ", "\n\nis the format.", true],
    ["    ", "\n", false],
  ];
  for (const [before, after, isQuoted] of table) {
    const events = toldInEveryCut(`${before}${call}${after}`, reading);
    assert.equal(events.some((event) => event.startsWith("f ")), !isQuoted, `${before}|${after}: ${events}`);
  }
});

Deno.test("Quotation lets the first place decide that shows a call, at every cut", () => {
  const call = "<tool_call><function=f><parameter=a>x</parameter></function></tool_call>";
  const fence = '```tool_code\n{"name": "f", "x": [1]}\n```';
  const reading = { program, offered: anyTool, minimumConfidence: 0.9 };
  for (
    const text of [`\`${call}\`\`\`bash\n${fence}\`<tool_call>`, `\`${call}<function=f>\n\n${fence}{${call}`]
  ) {
    toldInEveryCut(text, reading);
  }
});

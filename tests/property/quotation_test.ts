/**
 * Calls that are shown, in every form that Markdown, HTML and models have for it, are never made, and their text
 * leaves byte for byte; the same call after them is made.
 */
import assert from "node:assert/strict";
import { OFFERED } from "../support/dialect_text.ts";
import { piecesOf } from "../support/cuts.ts";
import { defaultProgram, eventsOf } from "../support/matcher_events.ts";

const program = defaultProgram();

/** The same call in the notations of eight dialects, on several lines where the dialect writes it so. */
const CALLS: Readonly<Record<string, string>> = {
  "tags in a wrapper":
    "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>",
  "tags on a line": "<tool_call><function=read_file><parameter=path>a</parameter></function></tool_call>",
  "JSON in tags": '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
  "tags named as the tool": "<read_file>\n<path>a</path>\n</read_file>",
  "JSON in such tags": '<read_file>{"path": "a"}</read_file>',
  "keys and values": "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
  "a token": '[TOOL_CALLS]read_file[ARGS]{"path": "a"}',
  "many tokens":
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_calls_section_end|>',
  "invoke tags":
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>\n</minimax:tool_call>',
};

const JSON_CALL = '{"name": "read_file", "arguments": {"path": "a"}}';

const indent = (text: string, by: string) => text.split("\n").map((line) => by + line).join("\n");

/** A call on several lines where only one will do. */
const oneLine = (call: string) => call.replaceAll("\n", "");

const indentRest = (text: string, by: string) => indent(text, by).slice(by.length);

const ticks = (count: number) => "`".repeat(count);

/** How a call is shown. What is only text at the end of an answer has prose after it. */
const FORMS: Readonly<Record<string, (call: string) => string>> = {
  "a fence": (call) => `It is:\n\n\`\`\`xml\n${call}\n\`\`\`\n`,
  "a fence of tildes": (call) => `It is:\n~~~\n${call}\n~~~\n`,
  "a fence with a backtick in its info": (call) => `~~~ \`xml\`\n${call}\n~~~\nSo.\n`,
  "a fence that is indented": (call) => `It is:\n\n   \`\`\`\n${indent(call, "   ")}\n   \`\`\`\n`,
  "a fence in a list": (call) => `Formats:\n\n- \`\`\`xml\n${indent(call, "  ")}\n  \`\`\`\n`,
  "a fence in a numbered list": (call) =>
    `12. Write:\n\n    \`\`\`xml\n${indent(call, "    ")}\n    \`\`\`\n\nand so on.\n`,
  "a fence in a list in a list": (call) =>
    `- a\n  * b\n\n    \`\`\`\n${indent(call, "    ")}\n    \`\`\`\n- c\n`,
  "a fence in a quotation": (call) => `> \`\`\`\n${indent(call, "> ")}\n> \`\`\`\n`,
  "a fence after words": (call) => `It prints: \`\`\`xml\n${call}\n\`\`\`\nSo.\n`,
  "a fence with a long info string": (call) =>
    `\`\`\`xml title="${"how a model writes it ".repeat(8)}"\n${call}\n\`\`\`\nSo.\n`,
  "a fence of ten backticks": (call) =>
    `${"`".repeat(10)}md\n\`\`\`\n${call}\n\`\`\`\n${call}\n${"`".repeat(10)}\n`,
  "a fence with Windows line ends": (call) =>
    `It is:\r\n\`\`\`xml\r\n${call.replaceAll("\n", "\r\n")}\r\n\`\`\`\r\n`,
  "a fence that never ends": (call) => `It is:\n\`\`\`xml\n${call}\nso far`,
  "a code span": (call) => `Write \`${oneLine(call)}\` and stop.`,
  "a code span alone": (call) => `\`${oneLine(call)}\`\n`,
  "a code span in a list": (call) => `- \`${oneLine(call)}\`\n- \`\`${oneLine(call)}\`\`\n`,
  "a code span with other text": (call) => `\`a ${oneLine(call)} b\``,
  "a code span of two backticks": (call) => `Write \`\`${oneLine(call)}\`\` and stop.`,
  "a code span of two backticks with one in it": (call) => `Write \`\`a \` ${oneLine(call)}\`\` and stop.`,
  "a code span over a line end": (call) => `Write \`as an example\n${call}\` and stop.`,
  "a code span after another": (call) => `Use \`this\` or \`${oneLine(call)}\` and stop.`,
  "indented code": (call) => `An example:\n\n${indent(call, "    ")}\n\nThat was it.`,
  "code indented by tabs": (call) => `An example:\n\n${indent(call, "\t")}\n\nThat was it.`,
  "indented code in a list": (call) => `- An example:\n\n${indent(call, "      ")}\n\nThat was it.`,
  "preformatted text": (call) => `<pre>\n${call}\n</pre>\n`,
  "preformatted code": (call) => `<pre><code class="xml">${call}</code></pre>\n`,
  "a code element": (call) => `Write <code>${oneLine(call)}</code> and stop.`,
  "a comment": (call) => `<!-- ${call} -->\n`,
  "character data": (call) => `In XML, <![CDATA[${call}]]> is text.`,
  "a table": (call) => `| dialect | call |\n|---|---|\n| ours | ${oneLine(call)} |\n`,
  "a table's head": (call) => `So:\n\n| ours | ${oneLine(call)} |\n|---|---|\n| a | b |\n\nSo.`,
  "a table's head in a list": (call) => `- | ours | ${oneLine(call)} |\n  |---|---|\n\nSo.`,
  "a fence that ends next to a closing tag": (call) =>
    `<pre>\n${ticks(4)}xml\n${call}\n${ticks(4)}</pre>\n\nSo.\n`,
  "a table without edges": (call) => `dialect | call\n--- | :-:\nours | ${oneLine(call)}\n\nSo.`,
  "quotation marks": (call) => `A call looks like "${oneLine(call)}" in this dialect.`,
  "other quotation marks": (call) => `A call looks like “${oneLine(call)}” or «${oneLine(call)}».`,
  "a quoted line": (call) => `> ${oneLine(call)}\n\nis what you sent.`,
  "quoted lines": (call) => `${indent(call, "> ")}\n\nis what you sent.`,
  "a lazy quotation": (call) => `> ${call}\n\nis what you sent.`,
  "a lazy quotation after words": (call) => `> You wrote:\n${call}\n\nas I see.`,
  "a quotation in a list": (call) => `1. > ${oneLine(call)}\n2. So.\n`,
  "a line after a quotation, before words": (call) => `> x\n${oneLine(call)} is what you sent.`,
  "a line after a quotation, before a quotation": (call) => `> x\n${oneLine(call)}\n> y\n\nSo.\n`,
  "a line after a table, before words": (call) => `| a |\n|---|\n${oneLine(call)}\nSo.\n`,
  "a row without a bar at its beginning": (call) => `a | b\n---|---\n${oneLine(call)} | x\n\nSo.\n`,
  "a row of a table with an escaped bar": (call) => `| a \\| b |\n|---|\n| ${oneLine(call)} |\n\nSo.\n`,
  "a fence with an object": (call) => `${ticks(4)}\n\ufffc\n${ticks(4)}\ufffc\n${call}\n${ticks(4)}\nSo.\n`,
  "a fence that begins with an object": (call) => `${ticks(4)}\n\ufffc${call}\n${ticks(4)}\n`,
  "a fence with its mark and a wide space": (call) =>
    `${ticks(4)}\n${ticks(4)}\u2003\n${call}\n${ticks(4)}\nSo.\n`,
  "indented code after an underline of one dash": (call) =>
    `Title\n-\n    ${indentRest(call, "    ")}\n\nSo.\n`,
  "reasoning": (call) => `<think>\nI could print\n${call}\nhere.\n</think>\nNo call is needed.`,
  "reasoning after words": (call) => `Let me see. <think>I could print ${call} here.</think> No call.`,
  "reasoning in brackets": (call) => `[THINK]I could print ${call} here.[/THINK]\nNo call is needed.`,
  "reasoning in other tags": (call) => `<reasoning>\nI could print\n${call}\nhere.\n</reasoning>\nNo.`,
  "thoughts": (call) => `<thought>${call}</thought>\nNo.`,
  "reasoning of a seed": (call) => `<seed:think>${call} or not</seed:think>No.`,
  "reasoning in triangles": (call) => `◁think▷${call} or not◁/think▷No.`,
  "reasoning between tokens": (call) => `<|START_THINKING|>${call} or not<|END_THINKING|>No.`,
  "reasoning in a channel": (call) => `<|channel>thought\n${call} or not<channel|>No.`,
  "a fence three lists deep": (call) =>
    `- a\n  - b\n    - c\n\n      ${ticks(4)}xml\n${indent(call, "      ")}\n      ${ticks(4)}\n\nSo.\n`,
  "a fence in a numbered list in one": (call) =>
    `1. a\n   1. b\n\n      ${ticks(4)}\n${indent(call, "      ")}\n      ${ticks(4)}\n\n2. c\n`,
  "a fence after a tab in a list": (call) =>
    `-\t${ticks(4)}xml\n${indent(call, "\t")}\n\t${ticks(4)}\n\nSo.\n`,
  "a fence that a tab indents in a list": (call) =>
    `* item\n\n\t${ticks(4)}\n${indent(call, "\t")}\n\t${ticks(4)}\n\nSo.\n`,
  "a fence in a list of pluses": (call) => `+ ${ticks(4)}\n${indent(call, "  ")}\n  ${ticks(4)}\n+ x\n`,
  "a fence in a list of brackets": (call) => `3) see\n\n   ~~~~\n${indent(call, "   ")}\n   ~~~~\n\nSo.\n`,
  "a fence of tildes in a quotation": (call) => `> ~~~~xml\n${indent(call, "> ")}\n> ~~~~\n\nSo.\n`,
  "a fence in a quotation without spaces": (call) => `>~~~~xml\n${indent(call, ">")}\n>~~~~\n\nSo.\n`,
  "a quotation in a quotation": (call) => `> > ${oneLine(call)}\n\nSo.\n`,
  "a lazy line of two quotations": (call) => `> > text\n${oneLine(call)}\n\nSo.\n`,
  "a list in a quotation": (call) => `> - item\n>   ${oneLine(call)}\n\nSo.\n`,
  "a lazy line of a list in a quotation": (call) => `> - item\n${oneLine(call)}\n\nSo.\n`,
  "a quotation that is indented": (call) => `   > ${oneLine(call)}\n\nSo.\n`,
  "a quotation after a heading": (call) => `# T\n> ${oneLine(call)}\n\nSo.\n`,
  "a fence after an underlined heading": (call) => `Title\n=====\n\n${ticks(4)}\n${call}\n${ticks(4)}\nSo.\n`,
  "indented code after an underlined heading": (call) =>
    `Title\n---\n    ${indentRest(call, "    ")}\n\nSo.\n`,
  "indented code after a heading": (call) => `## Title\n    ${indentRest(call, "    ")}\n\nSo.\n`,
  "indented code after a break": (call) => `Text\n\n***\n    ${indentRest(call, "    ")}\n\nSo.\n`,
  "indented code after words in it": (call) =>
    `Text:\n\n    Here it is\n    ${indentRest(call, "    ")}\n\nSo.\n`,
  "indented code after a blank line in it": (call) =>
    `Text:\n\n    first\n\n    ${indentRest(call, "    ")}\n\nSo.\n`,
  "indented code in a numbered list": (call) => `1. Text:\n\n       ${indentRest(call, "       ")}\n\nSo.\n`,
  "indented code in a quotation": (call) => `>     ${indentRest(call, ">     ")}\n\nSo.\n`,
  "code indented by spaces and a tab": (call) => `Text:\n\n  \t${indentRest(call, "  \t")}\n\nSo.\n`,
  "preformatted text in capitals": (call) => `<PRE>\n${call}\n</PRE>\n\nSo.\n`,
  "a script": (call) => `<script>\n${call}\n</script>\n\nSo.\n`,
  "a text area": (call) => `<textarea>\n${call}\n</textarea>\n\nSo.\n`,
  "a processing instruction": (call) => `<?xml\n${call}\n?>\n\nSo.\n`,
  "a declaration": (call) => `<!DOCTYPE ${oneLine(call)}>\n\nSo.\n`,
  "a quotation element": (call) => `He wrote <q>${oneLine(call)}</q> there.\n`,
  "a fence in details": (call) =>
    `<details>\n<summary>Example</summary>\n\n${ticks(4)}xml\n${call}\n${ticks(4)}\n\n</details>\n\nSo.\n`,
  "an example element": (call) => `<example>\n${call}\n</example>\n\nSo.\n`,
  "a code span in a heading": (call) => `# The \`\`\`\`${oneLine(call)}\`\`\`\` form\n\nSo.\n`,
  "a code span in a link": (call) => `See [\`\`\`\`${oneLine(call)}\`\`\`\`](http://x.y) there.\n`,
  "a code span in bold": (call) => `See **\`\`\`\`${oneLine(call)}\`\`\`\`** there.\n`,
  "a code span in a quotation": (call) => `> See \`\`\`\`${oneLine(call)}\`\`\`\` there.\n`,
  "a code span with spaces": (call) => `See \`\`\`\` ${oneLine(call)} \`\`\`\` there.\n`,
  "a link's title": (call) => `See [x](http://x.y '${oneLine(call)}') there.\n`,
  "a table in a list": (call) => `- t\n\n  | a | b |\n  |---|---|\n  | x | ${oneLine(call)} |\n\nSo.\n`,
  "a table in a quotation": (call) => `> | a |\n> |---|\n> | ${oneLine(call)} |\n\nSo.\n`,
  "a fence of tildes with attributes": (call) => `~~~ xml {.x}\n${call}\n~~~\nSo.\n`,
  "a fence with a longer end": (call) => `${ticks(4)}\n${call}\n${ticks(6)}\nSo.\n`,
  "a fence in a longer fence": (call) =>
    `${ticks(5)}\n${ticks(3)}\n${call}\n${ticks(3)}\n${call}\n${ticks(5)}\nSo.\n`,
  "a fence in a fence of Markdown": (call) =>
    `${ticks(4)}markdown\nText\n\n${ticks(3)}xml\n${call}\n${ticks(3)}\n\nText\n${ticks(4)}\nSo.\n`,
  "a fence with blank lines": (call) => `${ticks(4)}\n\n\n${call}\n\n\n${ticks(4)}\nSo.\n`,
  "a fence after a colon": (call) => `For example: ${ticks(4)}xml\n${call}\n${ticks(4)}\nSo.\n`,
  "a fence in the tenth item": (call) =>
    `10. Do this:\n    ${ticks(4)}xml\n${indent(call, "    ")}\n    ${ticks(4)}\n11. Then that.\n`,
  "a code span in a list of tasks": (call) => `- [ ] \`\`\`\`${oneLine(call)}\`\`\`\`\n- [x] y\n`,
  "reasoning with a capital": (call) => `<Think>\n${call}\n</Think>\nNo.\n`,
  "a code span in a footnote": (call) => `Text[^1].\n\n[^1]: See \`\`\`\`${oneLine(call)}\`\`\`\`.\n\nSo.\n`,
  "a link's text": (call) => `See [${oneLine(call)}](http://x.y) there.\n`,
  "a link's text with a reference": (call) => `See [a [b] ${oneLine(call)}][1] there.\n\n[1]: http://x.y\n`,
  "a link's target": (call) => `See [x](<${oneLine(call)}>) there.\n`,
  "a link's title in brackets": (call) => `See [x](http://x.y (${oneLine(call)})) there.\n`,
  "what an image shows": (call) => `![${oneLine(call)}](x.png)\n`,
  "what an image shows, with other text": (call) => `See ![a ${oneLine(call)} b](x.png) there.\n`,
  "a span of three backticks at the end of a line": (call) =>
    `Look at ${ticks(3)}\n${call}\n${ticks(3)} there.\n`,
  "a span of three backticks that ends in a line": (call) =>
    `Look at ${ticks(3)}xml\n${oneLine(call)} x${ticks(3)} there.\n`,
  "a span of four backticks at the end of a line": (call) =>
    `Look at ${ticks(4)}\n${call}${ticks(4)} there.\n`,
  "a span of three backticks in a list": (call) =>
    `- Look ${ticks(3)}\n  ${oneLine(call)}\n  ${ticks(3)}, as it is.\n`,
  "a table with Windows line ends": (call) => `| a |\r\n|---|\r\n| ${oneLine(call)} |\r\n\r\nSo.\r\n`,
  "an output element": (call) => `<output>\n${call}\n</output>\n\nSo.\n`,
  "a scratchpad": (call) => `<scratchpad>\n${call}\n</scratchpad>\nNo.\n`,
  "reasoning in capitals": (call) => `<THINK>\n${call}\n</THINK>\nNo.\n`,
  "a begun thought": (call) => `<|begin_of_thought|>${call} or not<|end_of_thought|>No.\n`,
  "a fence in a quotation in two lists": (call) =>
    `Text\n\n- a\n\n  1. b\n\n     > ${ticks(4)}\n     > ${indentRest(call, "     > ")}\n     > ${
      ticks(4)
    }\n\nSo.\n`,
};

const CUTS: readonly ((text: string) => string[])[] = [
  (text) => [text],
  (text) => [...text],
  (text) => piecesOf(text, [7, 3, 16, 5]),
];

/** What comes of an answer at every cut: its text and how many calls it made. */
function read(answer: string): string {
  const results = CUTS.map((cut) => {
    const events = eventsOf(cut(answer), { program, offered: OFFERED, minimumConfidence: 0.9 });
    const text = events.map((event) => event.kind === "text" ? event.text : "").join("");
    return `${text}|${events.filter(({ kind }) => kind === "call_end").length} calls`;
  });
  assert.deepEqual(results, results.map(() => results[0]));
  return results[0]!;
}

for (const [form, show] of Object.entries(FORMS)) {
  Deno.test(`a call in ${form} is shown, and the same call after it is made`, () => {
    for (const [dialect, call] of Object.entries(CALLS)) {
      const shown = show(call);
      assert.equal(read(shown), `${shown}|0 calls`, dialect);
      const begun = `Some words first.\n\n${shown}`;
      assert.equal(read(begun), `${begun}|0 calls`, `${dialect}, after words`);
      if (form === "a fence that never ends") continue;
      for (const between of ["\n\nNow I do it.\n\n", "\n\n"]) {
        const [text, calls] = splitResult(read(`${shown}${between}${call}`));
        assert.equal(calls, "1 calls", `${dialect}, then a call`);
        assert.ok(text.startsWith(shown.trimEnd()), dialect);
      }
    }
  });
}

function splitResult(result: string): [text: string, calls: string] {
  const at = result.lastIndexOf("|");
  return [result.slice(0, at), result.slice(at + 1)];
}

Deno.test("a fenced JSON call is made where nothing but calls follows", () => {
  for (const info of ["json", "tool_call", "tool_code"]) {
    const fence = `\`\`\`${info}\n${JSON_CALL}\n\`\`\``;
    assert.equal(read(fence), "|1 calls");
    assert.equal(read(`I read it.\n\n${fence}\n\n`), "I read it.\n\n|1 calls");
    assert.equal(read(`${fence}\n\n${fence}\n`), "|2 calls");
    assert.equal(read(`${fence}\n${CALLS["tags in a wrapper"]}\nDone.`), "Done.|2 calls");
    const examples = [`- ${fence}\n`, `> ${fence}\n`];
    // The mark names a call, whatever follows.
    if (info === "json") examples.push(`${fence}\nis an example.`, `${fence}\n${fence}\nSo.`);
    else assert.equal(read(`${fence}\nSo.`), "So.|1 calls");
    for (const example of examples) assert.equal(read(example), `${example}|0 calls`);
  }
});

Deno.test("calls on the lines after a quotation or a table are made where only calls follow", () => {
  for (const call of Object.values(CALLS)) {
    for (const before of ["> x\n", "| a |\n|---|\n| b |\n"]) {
      assert.equal(splitResult(read(`${before}${call}\n${call}\n`))[1], "2 calls", call);
      assert.equal(splitResult(read(`${before}${call}\n\n${call}\n\nSo.`))[1], "2 calls", call);
      for (const shown of [`${before}${call}\n\nSo.\n\n`, `${before}${call}\n${call}\n\nSo.\n\n`]) {
        assert.equal(read(`${shown}${call}`), `${shown}|1 calls`, call);
        assert.equal(read(`${shown}\`\`\`json\n${JSON_CALL}\n\`\`\`\n`), `${shown}|1 calls`, call);
      }
    }
  }
});

Deno.test("a call after a bar is made where no delimiter row follows its line", () => {
  const call = CALLS["tags on a line"]!;
  for (const after of ["", "\n", "\nSo.", "\n\n|---|---|\n", " | b |\nSo.\n|---|---|\n"]) {
    const [, calls] = splitResult(read(`| a | ${call}${after}`));
    assert.equal(calls, "1 calls", after);
  }
});

Deno.test("a call in tokens is made in code that the answer consists of", () => {
  const call = CALLS["a token"]!;
  assert.equal(read(`\`\`\`\n${call}\n\`\`\``), "```\n```|1 calls");
  for (
    const example of [
      `\`\`\`\n${call}\n\`\`\`\nSo.`,
      `\`\`\`\nx\n${call}\n\`\`\``,
      `So:\n\`\`\`\n${call}\n\`\`\``,
    ]
  ) {
    assert.equal(read(example), `${example}|0 calls`);
  }
});

Deno.test("a call is made where something only looks like a quotation", () => {
  const forms: readonly [what: string, show: (call: string) => string][] = [
    ["a backtick that nothing closes", (call) => `I don\`t know.\n${call}\n\nNow \`I\` do.`],
    ["a tag that is mentioned", (call) => `Not in a <code> element.\n\n${call}`],
    ["reasoning that is mentioned", (call) => `I use the <think> tag.\n\n${call}`],
    ["a mention in a span", (call) => `Write \`<!--\` and \`<pre>\` there.\n\n${call}`],
    ["a mention of reasoning in a span", (call) => `Use \`<think>\`.\n\n${call}`],
    ["three backticks that are mentioned", (call) => `Wrap it in \`\`\` as usual.\n\n${call}`],
    ["a list", (call) => `1. I read it:\n   ${oneLine(call)}`],
    ["a list that is over", (call) => `- \`\`\`\n  x\n\n${call}`],
    ["a quotation that is over", (call) => `> x\n\n${call}`],
    ["one quotation mark", (call) => `He said "${oneLine(call)}`],
    ["a table that is over", (call) => `| a |\n|---|\n| b |\n\n${call}`],
    ["a line after a quotation", (call) => `> x\n${call}`],
    ["a line after a quotation, with words", (call) => `> x\nI read it: ${call}`],
    ["a line after two quotations", (call) => `> > x\n${call}\n`],
    ["a line after a list in a quotation", (call) => `> - x\n${call}\n\n`],
    ["a line after a table", (call) => `| a |\n|---|\n| b |\n${call}`],
    ["a line after a table's head", (call) => `| a | b |\n|---|:-:|\n${call}`],
    ["a line after what isn't a table", (call) => `| a | b |\n|---|\n| x | ${oneLine(call)} |`],
    ["a heading after a quotation", (call) => `> x\n# y\n${call}`],
    ["a closed fence", (call) => `\`\`\`js\nx\n\`\`\`\n${call}`],
    ["closed reasoning", (call) => `<think>x</think>${call}`],
    ["a line of an indented paragraph", (call) => `I read\n      ${oneLine(call)}`],
  ];
  for (const [what, show] of forms) {
    for (const [dialect, call] of Object.entries(CALLS)) {
      assert.equal(splitResult(read(show(call)))[1], "1 calls", `${what}, ${dialect}`);
    }
  }
});

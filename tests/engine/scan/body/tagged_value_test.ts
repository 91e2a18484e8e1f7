import assert from "node:assert/strict";
import { Matcher } from "../../../../src/engine/scan/matcher.ts";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { eventsOf, feed, merge, programOf, told, toldInEveryCut } from "../../../support/matcher_events.ts";

const string = { type: "string" };
const offered = offer([{
  name: "t",
  schema: { properties: { a: string, b: string, list: { type: "array", items: string } } },
}]);
const block = programOf({
  rule: "block",
  pattern: "(?:<w>\\s*)?<f={tool}>(?<body>…)</f>(?:\\s*</w>)?",
  body: "tagged",
  item: "<p=(?<key>\\w+)>(?:\\n)?(?<value>…)(?:\\n)?</p>",
});
const OK = "note transformed";

/** The lines of a call at every cut. */
const toldOf = (text: string, truncated = false) =>
  toldInEveryCut(text, { program: block, offered, truncated });

/** Values with possible structure, in a well-formed call. */
const exact: [name: string, value: string][] = [
  ["the closers of the call", "It printed\n</f>\n</w>\nand went on."],
  ["its own closer and the wrapper's", "x\n</p>\n</w>\nand so on"],
  ["its own closer at the end of a line", "x\n</p>\nand so on"],
  ["its own closer and text after the frame's", "x\n</p>\n</f>\nand so on"],
  ["a whole item", "see\n<p=b>\n1\n</p>\nabove"],
  ["two whole items", "see\n<p=b>\n1\n</p>\n<p=list>\n1\n</p>\nabove"],
  ["an item's opener in a line", "write `<p=b>` first"],
  ["an item's opener after a word", "path<p=b>x"],
  ["a whole call", "see\n<w>\n<f=t>\n<p=b>\n1\n</p>\n</f>\n</w>\nabove"],
  ["the beginning of a section", "<![CDATA[x"],
  ["a section and more", "<![CDATA[x]]> and y"],
];

for (const [name, value] of exact) {
  Deno.test(`TaggedValue keeps ${name} as text at every cut`, () => {
    const text = `<w>\n<f=t>\n<p=a>\n${value}\n</p>\n</f>\n</w>\nDone.`;
    assert.deepEqual(toldOf(text), [`t ${JSON.stringify({ a: value })}`, OK, 'text "Done."']);
  });
}

const lines = programOf({
  rule: "lines",
  pattern: "@do {tool}\\n(?<body>…)@end",
  body: "tagged",
  item: "@(?<key>\\w+) (?<value>…)\\n",
});
const bars = programOf({
  rule: "bars",
  pattern: "\\|do {tool}(?<body>…)\\|end",
  body: "tagged",
  item: "\\|(?<key>\\w+)=(?<value>…)",
});

const finalBreaks: [name: string, program: typeof block, text: string, values: Record<string, unknown>][] = [
  ["of a text of lines", lines, "@do t\n@a x\n@b 1\n2\n\n@end", { a: "x", b: "1\n2\n" }],
  ["before the next item", lines, "@do t\n@a 1\n\n2\n\n\n@b x\n@end", { a: "1\n\n2\n\n", b: "x" }],
  ["but not an empty line after one line", lines, "@do t\n@a x\n\n@b y\n\n@end", { a: "x", b: "y" }],
  ["but not one between all items", lines, "@do t\n@a x\n\n@b 1\n2\n\n@list []\n@end", {
    a: "x",
    b: "1\n2",
    list: [],
  }],
  ["of a text that nothing closes", bars, "|do t|a=x|b=1\n2\n|end", { a: "x", b: "1\n2\n" }],
];

for (const [name, program, text, values] of finalBreaks) {
  Deno.test(`TaggedValue keeps the last line breaks ${name}`, () =>
    assert.deepEqual(toldInEveryCut(text, { program, offered }), [`t ${JSON.stringify(values)}`, OK]));
}

const damaged: [name: string, text: string, line: string, notes: string[]][] = [
  ["the wrapper's closer", "<w><f=t>\n<p=a>\nx\n</w>\nDone.", '{"a":"x"}', [
    "value_closer_missing",
    "closer_missing",
  ]],
  ["the frame's closer", "<f=t>\n<p=a>\nx\n</f>\nDone.", '{"a":"x"}', ["value_closer_missing"]],
  ["a tag after a word", "<w><f=t><p=a>x</w>\nDone.", '{"a":"x"}', [
    "value_closer_missing",
    "closer_missing",
  ]],
  ["the next item", "<f=t>\n<p=a>\nx\n<p=b>\ny\n</p>\n</f>\nDone.", '{"a":"x","b":"y"}', [
    "value_closer_missing",
  ]],
  ["the next item after a word", "<f=t><p=a>x<p=b>y</p></f>\nDone.", '{"a":"x","b":"y"}', [
    "value_closer_missing",
  ]],
  ["all items", "<f=t>\n<p=a>\nx\n<p=b>\ny\n</f>\nDone.", '{"a":"x","b":"y"}', [
    "value_closer_missing",
    "value_closer_missing",
  ]],
];

for (const [name, text, json, notes] of damaged) {
  Deno.test(`TaggedValue without a closer ends before ${name} at every cut`, () => {
    const lines = toldOf(text);
    assert.deepEqual([lines[0], lines.at(-1)], [`t ${json}`, 'text "Done."']);
    const found = lines.slice(2, -1).map((line) => line.replace("note ", "").replace(/:.*/, ""));
    assert.deepEqual(found, notes);
  });
}

const unsure: [name: string, text: string][] = [
  ["a closer that is only mentioned", "<f=t>\n<p=a>\nwrite </f> at the end\n"],
  ["whitespace that may be the value's", "<f=t>\n<p=a>\none\ntwo\n\n</f>"],
  ["two closers that are missing before text", "<w><f=t>\n<p=a>\nx\n</f>\nDone."],
  ["a mention at the end of a sentence", "Use <f=t><p=a> for that."],
  ["a mention whose call is closed", "Use <w><f=t><p=a> and </f>\n</w>"],
  ["a tag that nothing opens at the end", "<w><f=t>\n<p=a>\nx\n</param>\n</f>\n</w>"],
  ["half a closer at the end", "<f=t><p=a>x</"],
  ["nothing", "<w><f=t>\n<p=a>\n</f>\n</f>\n</w>"],
  ["closers at two places", "<w><f=t>\n<p=a>\na\n</w>\nb\n</f>\n</w>"],
  ["closers around an example", "<w><f=t>\n<p=a>\na\n<w><f=t><p=b>1</p></f></w>\nb\n</f>\n</w>"],
  ["a closer that comes twice where another is missing", "<w><f=t><p=a>x</p></p></w>"],
  ["whitespace of more than one line", "<w><f=t>\n<p=a>\nx\n\n\n</f>\n</w>"],
  ["two places where it may end", "<f=t>\n<p=a>\nx\n</p>\nwords\n</p>\nwords"],
];

for (const [name, text] of unsure) {
  Deno.test(`TaggedValue makes no call from ${name}`, () => {
    assert.equal(toldOf(text).includes(OK), false, toldOf(text).join("\n"));
  });
}

Deno.test("TaggedValue completes nothing if the answer was cut off", () => {
  for (const text of ["<f=t><p=a>x", "<f=t><p=a>x\n</f>", "<w><f=t><p=a>x</p></w"]) {
    assert.equal(toldOf(text, true).includes(OK), false, text);
  }
});

Deno.test("TaggedValue unwraps a value that is one section, and keeps any other", () => {
  assert.equal(toldOf("<f=t><p=a><![CDATA[a < b]]></p></f>")[0], 't {"a":"a < b"}');
  assert.equal(toldOf("<f=t><p=a>\n <![CDATA[\na]]> \n</p></f>")[0], 't {"a":"\\na"}');
  assert.equal(toldOf("<f=t><p=a><![CDATA[a]]>]]></p></f>")[0], 't {"a":"a]]>"}');
});

/** The arguments so far, before the answer ends. */
function argumentsSoFar(text: string): string {
  const matcher = new Matcher(block, { offered, minimumConfidence: 0, wholeCalls: false });
  return merge(feed(matcher, text)).map((event) => event.kind === "arguments" ? event.json : "").join("");
}

Deno.test("TaggedValue sends a value and holds it from the first ambiguity on", () => {
  const words = "It printed ".repeat(12);
  assert.equal(argumentsSoFar(`<f=t>\n<p=a>\n${words}it`), `{"a":"${words}it`);
  assert.equal(argumentsSoFar(`<f=t>\n<p=a>\n${words}it\n</f>\nand`), `{"a":"${words}it`);
  assert.equal(
    argumentsSoFar(`<f=t>\n<p=a>\n${words}it\n</f>\nand\n</p>\n</f>!`),
    `{"a":"${words}it\\n</f>\\nand"}`,
  );
});

Deno.test("TaggedValue holds at most 1 MiB; longer text is content", () => {
  const words = "word ".repeat(220_000);
  const head = `<f=t>\n<p=a>\nx\n</f>\n${words}`;
  assert.ok(argumentsSoFar(head).length > words.length);
  const text = `${head}\n</p>\n</f>`;
  const [line] = told(eventsOf([text], { program: block, offered }));
  assert.equal(line, `t ${JSON.stringify({ a: `x\n</f>\n${words}` })}`);
});

const quoted = (closer: string) =>
  programOf({
    rule: "quoted",
    pattern: "@\\{ {tool} (?<body>…)\\}",
    body: "tagged",
    tagged: {
      item: [
        `(?<key>\\w+): "(?<value>…)"${closer}`,
        `(?<key>\\w+): (?=[\\d\\[])(?<value>…)${closer}`,
      ],
      escapes: "backslash",
    },
  });

Deno.test("TaggedValue takes an escaped quote before structure for content, at every cut", () => {
  const text = '@{ t a: "x\\"}", b: "y\\", a: \\"z\\\\", list: ["\\\\d"] }';
  assert.deepEqual(
    toldInEveryCut(text, { program: quoted(",?"), offered }),
    [`t ${JSON.stringify({ a: 'x"}', b: 'y", a: "z\\', list: ["\\d"] })}`, OK],
  );
});

Deno.test("TaggedValue ends with every text, although a closer can be empty", () => {
  for (const text of ['@{ t a: "x", list: 1, 2 3', "@{ t list: [1, [2]] ] }", '@{ t a: "x"; b: "y"']) {
    toldInEveryCut(text, { program: quoted(",?"), offered });
  }
});

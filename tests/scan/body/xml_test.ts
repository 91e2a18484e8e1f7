import assert from "node:assert/strict";
import { offer } from "../../../src/tool/offered.ts";
import { allCuts } from "../../support/cuts.ts";
import { callsOf, eventsOf, programOf, told } from "../../support/matcher_events.ts";

const rule = { rule: "xml", pattern: "<call {tool}>(?<body>…)</call>", body: "xml" };
const item = { type: "object", properties: { path: { type: "string" }, line: { type: "integer" } } };
const schema = {
  properties: {
    a: { type: "string" },
    n: { type: "integer" },
    list: { type: "array", items: { type: "integer" } },
    files: { type: "array", items: item },
    file: item,
    bare: { type: "array" },
  },
};
const reading = { program: programOf(rule), offered: offer([{ name: "f", schema }]) };

const bodies: [name: string, body: string, value: unknown][] = [
  ["nothing", " \n ", {}],
  ["texts and numbers", "<a>x</a>\n<n>5</n>", { a: "x", n: 5 }],
  ["one newline on each side", "<a>\n\nx\n\n</a>", { a: "\nx\n" }],
  ["entities as they are", "<a>x &lt; &amp; & &#39;</a>", { a: "x &lt; &amp; & &#39;" }],
  ["CDATA as it is", "<a><![CDATA[<b> & &amp;]]></a>", { a: "<b> & &amp;" }],
  ["nested elements", "<file><path>p</path><line>3</line></file>", { file: { path: "p", line: 3 } }],
  ["repeated elements as a list", "<z>1</z><z>2</z>", { z: ["1", "2"] }],
  ["one element where the schema wants a list", "<list>1</list>", { list: [1] }],
  ["a list of objects", "<files><path>p</path></files><files><line>2</line></files>", {
    files: [{ path: "p" }, { line: 2 }],
  }],
  ["a list whose schema says nothing of its items", "<bare>1</bare>", { bare: ["1"] }],
  ["names that every object has", "<toString>x</toString>", { toString: "x" }],
];

for (const [name, body, value] of bodies) {
  Deno.test(`writeXml reads ${name}`, () => {
    for (const pieces of allCuts(`<call f>${body}</call>`)) {
      const [call] = callsOf(eventsOf(pieces, reading));
      assert.deepEqual(JSON.parse(call?.json ?? "null"), value);
    }
  });
}

const broken: [name: string, body: string][] = [
  ["text alone", "text"],
  ["an element that is not closed", "<a>x"],
  ["a closer without its element", "x</a>"],
  ["elements that cross", "<a><b></a></b>"],
  ["more levels than anyone writes", "<a>".repeat(40) + "</a>".repeat(40)],
];

for (const [name, body] of broken) {
  Deno.test(`writeXml leaves ${name} as text`, () => {
    const text = `<call f>${body}</call>`;
    const lines = told(eventsOf([text], reading));
    assert.deepEqual(lines, ["note malformed: not well-formed XML", `text ${JSON.stringify(text)}`]);
  });
}

Deno.test("writeXml reads many elements of one name in one go", () => {
  const body = "<z>1</z>".repeat(60_000);
  const [call] = callsOf(eventsOf([`<call f>${body}</call>`], reading));
  assert.equal(JSON.parse(call?.json ?? "{}").z.length, 60_000);
});

import assert from "node:assert/strict";
import { type Client, clientSchema } from "../../../src/chat/client/schema.ts";
import { writeValue } from "../../../src/chat/render/escape.ts";

const ENTITIES = { guarded: ["&lt;", "&amp;", "&quot;"], lost: ["&apos;"] };

interface WriteOptions {
  readonly isRaw?: boolean;
  readonly limit?: number;
}

function write(
  value: string,
  parameter: unknown,
  { isRaw = false, limit }: WriteOptions = {},
): string | undefined {
  const client: Client = clientSchema.parse({
    client: "mine",
    writes: "text",
    entities: ENTITIES,
    value_limit: limit,
    tools: { look: { parameters: { text: parameter } } },
  });
  const declared = client.tools.look?.parameters.text;
  assert.ok(declared);
  const written = writeValue(value, { client, parameter: declared, closers: ["</text>", "</all>"], isRaw });
  return "text" in written ? written.text : undefined;
}

Deno.test("writeValue writes each kind of escape", () => {
  const cases: [string, string, string | undefined][] = [
    ["none", "a < b && <b> &lt;", "a < b && <b> &lt;"],
    ["none", "a</text>", undefined],
    ["none", "a</all>", undefined],
    ["none", "a</tex", "a</tex"],
    ["entities", "a & b &lt; &amp;lt; &gt;", "a & b &amp;lt; &amp;amp;lt; &gt;"],
    ["entities", "<b></text></all>", "<b>&lt;/text>&lt;/all>"],
    ["entities", "it&apos;s", undefined],
    ["markup", "<b>&lt;</text>", "&lt;b>&amp;lt;&lt;/text>"],
    ["xml", "a & <b> &lt;\n", "a &amp; &lt;b&gt; &amp;lt;\n"],
    ["xml", "a\rb", undefined],
    ["xml", "a\r\n", "a\r\n"],
    ["json", '{"a":"</text>"}', '{"a":"<\\/text>"}'],
  ];
  for (const [escape, value, expected] of cases) {
    assert.equal(write(value, { escape }), expected, `${escape} ${value}`);
  }
});

Deno.test("writeValue keeps tags that close where the client follows them, and shows the others", () => {
  const cases: [string, boolean][] = [
    ["Use <b>bold</b> & go", true],
    ["a <br/> b", true],
    ["<a href='>'>x</a>", true],
    ["a < b", false],
    ["a <b it's> c", false],
    ["<!-- x -->", false],
    ["<?xml ?>", false],
    ["<![CDATA[x]]>", false],
    ["</", false],
    ["<text>", false],
    ["<text x>", false],
    ["</text >", false],
    ["</all>", false],
  ];
  for (const [value, isKept] of cases) {
    assert.equal(write(value, { escape: "balanced" }), isKept ? value : value.replaceAll("<", "&lt;"), value);
  }
});

Deno.test("writeValue writes nothing that a client would decode where it decodes nothing", () => {
  assert.equal(write("&lt; <b> &apos;", { escape: "entities" }, { isRaw: true }), "&lt; <b> &apos;");
  assert.equal(write("</text>", { escape: "entities" }, { isRaw: true }), undefined);
  assert.equal(write("<b>x</b>", { escape: "markup" }, { isRaw: true }), "<b>x</b>");
  assert.equal(write("a < b", { escape: "markup" }, { isRaw: true }), undefined);
});

Deno.test("writeValue refuses what the client misreads in any case", () => {
  const unwritable = { contains: ["\uFFFD"], numbered_lines: true };
  const cases: [string, boolean][] = [
    ["plain", true],
    ["a\uFFFDb", false],
    ["1 | a\n  22\t| b", false],
    ["1 | a\nb", true],
    ["1| a", true],
    ["| a", true],
    ["1 2 | a", true],
    ["", true],
  ];
  for (const [value, isWritten] of cases) {
    assert.equal(write(value, { unwritable }), isWritten ? value : undefined, JSON.stringify(value));
  }
});

Deno.test("writeValue adds the lines that a client drops", () => {
  const cases: [value: string, written: string, isTrimmed?: boolean][] = [
    ["a ``` b", "a ``` b"],
    ["```ts\nx\n", "```\n```ts\nx\n"],
    ["x\n```", "x\n```\n```"],
    ["x\n```\n", "x\n```\n\n```"],
    ["```", "```\n```\n```"],
    ["x\n```\n", "x\n```\n", false],
    ["  ```", "  ```\n```", false],
  ];
  for (const [value, written, trimmed = true] of cases) {
    assert.equal(write(value, { dropped_lines: ["```"], trimmed }), written, JSON.stringify(value));
  }
});

Deno.test("writeValue keeps the client's limit", () => {
  const limited = { limit: 10 };
  assert.equal(write("0123456789", {}, limited), "0123456789");
  assert.equal(write("01234567890", {}, limited), undefined);
  const escaping = { escape: "entities", over_limit: "escape" };
  assert.equal(write("<b>&lt;</b>", escaping, limited), "&lt;b>&amp;lt;&lt;/b>");
  assert.equal(write("<b>", escaping, limited), "<b>");
  assert.equal(write("<b>01234567890", escaping, { ...limited, isRaw: true }), undefined);
  assert.equal(write("b>01234567890", escaping, { ...limited, isRaw: true }), "b>01234567890");
});

Deno.test("writeValue takes time in proportion to the value", () => {
  // Each of these would take minutes if a mark were looked for anew from every other one.
  for (const piece of ["<", "&", "&lt;", "</text>", "<a '", "<a>", "1 |\n", "</"]) {
    const value = piece.repeat(300_000 / piece.length);
    for (const escape of ["entities", "markup", "balanced", "xml", "json"]) {
      assert.ok(write(value, { escape })?.length, `${escape} ${piece}`);
    }
  }
});

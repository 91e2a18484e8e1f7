import assert from "node:assert/strict";
import { parseExact } from "../../../src/chat/message/number_spelling.ts";
import { ruleSchema } from "../../../src/engine/rule/schema.ts";
import type { Notation } from "../../../src/engine/rule/speech.ts";
import { writeArguments, writeItems, writeName } from "../../../src/chat/prompt/value.ts";

const ARGUMENTS = parseExact(
  '{"s":"a<b","n":1.0,"on":true,"no":null,"list":["x",2],"o":{"k-k":"v"}}',
) as Record<
  string,
  unknown
>;

function notation(speak: Record<string, unknown>, more: Record<string, unknown> = {}): Notation {
  const spoken = { announce: "{tools}", call: "{name}", result: "{content}", ...speak };
  const rule = ruleSchema.parse({
    rule: "r",
    pattern: "<c>(?<body>…)",
    body: "json",
    speak: spoken,
    ...more,
  });
  return { ...rule, speak: rule.speak! };
}

Deno.test("writeItems writes each notation of values", () => {
  const item = "{key}={value};";
  const cases: readonly (readonly [string, Notation, string])[] = [
    ["raw", notation({ item }), 's=a<b;n=1.0;on=true;no=null;list=["x", 2];o={"k-k": "v"};'],
    [
      "json",
      notation({ item, values: "json" }),
      's="a<b";n=1.0;on=true;no=null;list=["x", 2];o={"k-k": "v"};',
    ],
    [
      "python",
      notation({ item: "{key}={value}", values: "python", between_items: ", " }),
      's="a<b", n=1.0, on=True, no=None, list=["x", 2], o={"k-k": "v"}',
    ],
    [
      "marked",
      notation({ item, values: "marked" }, { json: { string_mark: "|" } }),
      's=|a<b|;n=1.0;on=true;no=null;list=[|x|,2];o={"k-k":|v|};',
    ],
    [
      "elements",
      notation({ item: "<{key}>{value}</{key}>", values: "elements" }, { tagged: { escapes: "entities" } }),
      "<s>a&lt;b</s><n>1.0</n><on>true</on><no>null</no><list><item>x</item><item>2</item></list><o><k-k>v</k-k></o>",
    ],
    [
      "types",
      notation({ item: "{key}:{type}:{is_string} " }),
      "s:string:true n:number:false on:boolean:false " +
      "no:null:false list:array:false o:object:false ",
    ],
  ];
  for (const [name, one, expected] of cases) assert.equal(writeItems(ARGUMENTS, one), expected, name);
});

Deno.test("writeArguments writes an object as JSON or with marks", () => {
  assert.equal(writeArguments({ a: "x|", b: "y" }, notation({})), '{"a": "x|", "b": "y"}');
  const marked = notation({ values: "marked" }, { json: { string_mark: "|" } });
  assert.equal(writeArguments({ a: "x|", b: "y" }, marked), '{a:"x|",b:|y|}');
});

Deno.test("writeName escapes names as the rule reads them", () => {
  assert.equal(writeName('a"b', notation({}, { name_escapes: "backslash" })), 'a\\"b');
});

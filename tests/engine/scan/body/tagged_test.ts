import assert from "node:assert/strict";
import type { JsonSchema } from "../../../../src/engine/tool/offered.ts";
import { offer } from "../../../../src/engine/tool/offered.ts";
import {
  callsOf,
  eventsOf,
  programOf,
  type Reading,
  toldInEveryCut,
} from "../../../support/matcher_events.ts";

const rule = {
  rule: "tagged",
  pattern: "(?:<w>\\s*)?<f={tool}>(?<body>…)</f>(?:\\s*</w>)?",
  body: "tagged",
  item: "<p=(?<key>\\w+)>\\n?(?<value>…)\\n?</p>",
};
const declared = {
  rule: "declared",
  pattern: "<{tool}>\\s*(?=<)(?<body>…)</\\k<tool>>",
  body: "tagged",
  item: "<(?<key>\\w+)>\\n?(?<value>…)\\n?</\\k<key>>",
  keys: "declared",
  containers: ["args", "file"],
};
const properties: JsonSchema = {
  properties: {
    a: { type: "string" },
    b: { type: "string" },
    n: { type: "integer" },
    list: { type: "array" },
  },
  required: ["a"],
};
const offered = offer([{ name: "t", schema: properties }, { name: "u", schema: properties }]);

const toldOf = (text: string, reading: Partial<Reading> = {}) =>
  toldInEveryCut(text, { program: programOf(rule), offered, ...reading });

const OK = "note transformed";

const values: [name: string, text: string, lines: string[]][] = [
  ["no item", "<f=t></f>", ["t {}", OK]],
  ["two items", "<f=t><p=a>x</p>\n<p=b>y</p>\n</f>", ['t {"a":"x","b":"y"}', OK]],
  ["one newline on each side", "<f=t><p=a>\n\nx\n\n</p></f>", ['t {"a":"\\nx\\n"}', OK]],
  ["a value that is empty", "<f=t><p=a></p></f>", ['t {"a":""}', OK]],
  ["a value that is one newline", "<f=t><p=a>\n</p></f>", ['t {"a":""}', OK]],
  ["its closer in a value", "<f=t><p=a>x</p>y</p></f>", ['t {"a":"x</p>y"}', OK]],
  ["the frame's closer in a value", "<f=t><p=a>x</f>y</p></f>", ['t {"a":"x</f>y"}', OK]],
  ["half a closer in a value", "<f=t><p=a>x</p</p></f>", ['t {"a":"x</p"}', OK]],
  ["a typed value", "<f=t><p=n>5.0</p></f>", ['t {"n":5}', OK]],
  ["a repaired value", "<f=t><p=list>['x']</p></f>", ['t {"list":["x"]}', OK, "note json_repaired: list"]],
  ["no value that is nearly JSON", "<f=t><p=a>x</p><p=list>['x</p></f>", [
    't {"a":"x","list":"[\'x" … abort malformed',
    "note malformed: `list` isn't JSON",
    'text "</f>"',
  ]],
  ["a value that is kept", "<f=t><p=n>five</p></f>", ['t {"n":"five"}', OK, "note value_kept_as_text: n"]],
  ["an unknown key", "<f=t><p=z>1</p><p=a>x</p></f>", [
    't {"z":"1","a":"x"}',
    OK,
    "note unknown_parameter: z",
  ]],
  ["an unknown key without what is required", "<f=t><p=z>1</p></f>", [
    't {"z":"1" … abort missing_required',
    "note missing_required: the parameters of another tool",
    'text "</f>"',
  ]],
  ["a key that comes twice with the same value", "<f=t><p=a>1</p><p=a>1</p><p=b>2</p></f>", [
    't {"a":"1","b":"2"}',
    OK,
    "note repeated_parameter: a",
  ]],
  ["several values of a list", "<f=t><p=list>x</p><p=list>y</p><p=b>2</p></f>", [
    't {"list":["x","y"],"b":"2"}',
    OK,
  ]],
  ["a forgotten closer before a declared key", "<f=t><p=a>x\n<p=b>y</p></f>", [
    't {"a":"x","b":"y"}',
    OK,
    "note value_closer_missing: a",
  ]],
  ["an opener of an unknown key at the start of a line", "<f=t><p=a>x\n<p=z>y</p></f>", [
    't {"a":"x\\n<p=z>y"}',
    OK,
  ]],
  ["an opener of a key that has come", "<f=t><p=a>x\n<p=a>y</p></f>", ['t {"a":"x\\n<p=a>y"}', OK]],
  ["an example of a call", "<f=t><p=a><f=u><p=b>x</p></f></p></f>", ['t {"a":"<f=u><p=b>x</p></f>"}', OK]],
  ["an example in an example", "<f=t><p=a><f=u><p=b><f=t></f></p></f></p></f>", [
    't {"a":"<f=u><p=b><f=t></f></p></f>"}',
    OK,
  ]],
  ["a mention of the opener", "<f=t><p=a>write <f=u> first</p></f>", ['t {"a":"write <f=u> first"}', OK]],
  ["a wrapper", "<w>\n<f=t><p=a>x</p></f>\n</w>", ['t {"a":"x"}', OK]],
  ["only the wrapper's end", "<f=t></f></w>", ["t {}", OK]],
  ["the frame's closer in a wrapped value", "<w><f=t><p=a>x</p></f> y</p></f></w>", [
    't {"a":"x</p></f> y"}',
    OK,
  ]],
  ["a wrapper that holds two calls", "<w><f=t><p=a>x</p></f><f=u></f></w>", ['t {"a":"x"}', OK, "u {}", OK]],
  ["a wrapper that stays open", "<w><f=t><p=a>x</p></f> ", ['t {"a":"x"}', OK]],
];

for (const [name, text, lines] of values) {
  Deno.test(`TaggedBody reads ${name} at every cut`, () => assert.deepEqual(toldOf(text), lines));
}

const ends: [name: string, text: string, truncated: boolean, lines: string[]][] = [
  ["between items", "<f=t><p=a>x</p>", false, ['t {"a":"x"}', OK, "note closer_missing"]],
  ["between items in lines", "<f=t>\n<p=a>x</p>\n", false, [
    't {"a":"x" … abort truncated',
    "note truncated",
  ]],
  ["in the blank before an item", "<f=t><p=a>x</p> ", false, [
    't {"a":"x" … abort truncated',
    "note truncated",
  ]],
  ["between items, broken off", "<f=t><p=a>x</p> ", true, ['t {"a":"x" … abort truncated', "note truncated"]],
  ["between items, without what is required", "<f=t><p=b>x</p>", false, [
    't {"b":"x" … abort truncated',
    "note truncated",
  ]],
  ["after a value of one line", "<f=t><p=a>\nx\n", false, [
    't {"a":"x"}',
    OK,
    "note value_closer_missing: a",
    "note closer_missing",
  ]],
  ["in a value", "<f=t><p=a>x\n", false, ['t {"a":"x … abort truncated', "note truncated"]],
  ["in a value of several lines", "<f=t><p=a>\nx\ny\n", false, [
    't {"a":"x\\ny … abort truncated',
    "note truncated",
  ]],
  ["in a number", "<f=t><p=a>x</p><p=n>5", false, [
    't {"a":"x","n": … abort truncated',
    "note truncated",
    'text "5"',
  ]],
  ["after a number", "<f=t><p=a>x</p><p=n>5\n", false, [
    't {"a":"x","n":5}',
    OK,
    "note value_closer_missing: n",
    "note closer_missing",
  ]],
  ["in a value, broken off", "<f=t><p=a>x", true, ['t {"a":"x … abort truncated', "note truncated"]],
  ["in a value of another type", "<f=t><p=a>x</p><p=n>five", false, [
    't {"a":"x","n": … abort truncated',
    "note truncated",
    'text "five"',
  ]],
  ["before the first item", "<f=t>\n", false, ["note truncated", 'text "<f=t>\\n"']],
  ["before another call of the same parameter", "<f=t><p=a>1\n<f=u><p=a>x</p></f>", false, [
    't {"a":"1 … abort truncated',
    "note truncated",
    'text "<f=u><p=a>x</p></f>"',
  ]],
  ["after a value that mentions a call", "<f=t><p=a>1\n<f=u><p=b>x</p></f>", false, [
    't {"a":"1\\n<f=u><p=b>x"}',
    OK,
  ]],
  ["in a value that mentions a call or holds one, before text", "<f=t><p=a>see <f=u><p=b>x</p></f>.", false, [
    't {"a":"see <f=u><p=b>x … abort truncated',
    "note truncated",
    'text "</p></f>."',
  ]],
  ["in an example that stays open", "<f=t><p=a>see <f=u><p=b>x</p></f>\n</f>", false, [
    't {"a":"see <f=u><p=b>x … abort truncated',
    "note truncated",
    'text "</p></f>\\n</f>"',
  ]],
];

for (const [name, text, truncated, lines] of ends) {
  Deno.test(`TaggedBody ends ${name} at every cut`, () =>
    assert.deepEqual(toldOf(text, { truncated }), lines));
}

const tags: [name: string, text: string, lines: string[]][] = [
  ["declared keys", "<t><a>x</a></t>", ['t {"a":"x"}', OK]],
  ["containers", "<t><args><file><a>x</a></file></args></t>", ['t {"a":"x"}', OK]],
  ["a container after an item", "<t><a>x</a><args><b>y</b></args></t>", ['t {"a":"x","b":"y"}', OK]],
  ["a closer before a container's end", "<t><args><a>x</a> y</a></args></t>", ['t {"a":"x</a> y"}', OK]],
];

for (const [name, text, lines] of tags) {
  Deno.test(`TaggedBody of declared keys reads ${name} at every cut`, () => {
    assert.deepEqual(toldOf(text, { program: programOf(declared) }), lines);
  });
}

const refused: [name: string, text: string, note: string][] = [
  ["an element that isn't a parameter", "<t><z>x</z></t>", "note undeclared_parameter"],
  [
    "a container that comes twice",
    "<t><args></args><args></args></t>",
    "note malformed: `args` is in the wrong place",
  ],
  ["a container that is not open", "<t></args></t>", "note malformed: `args` is in the wrong place"],
  [
    "containers that cross",
    "<t><args><file></args></file></t>",
    "note malformed: `args` is in the wrong place",
  ],
  ["nothing of what it needs", "<t><args></args></t>", "note missing_required"],
  ["text between items", "<t><args> x</args></t>", "note malformed: neither an item nor the closing tag"],
];

for (const [name, text, note] of refused) {
  Deno.test(`TaggedBody of declared keys leaves ${name} as text`, () => {
    const lines = toldOf(text, { program: programOf({ ...declared, commit: "close" }) });
    assert.deepEqual(lines, [note, `text ${JSON.stringify(text)}`]);
  });
}

Deno.test("TaggedBody of declared keys keeps a whole example of an offered tool's call in its value", () => {
  const example = "<u>\n<a>x</a>\n<b>y</b>\n</u>";
  const text = `<t><a>\nsee\n${example}\n</a>\n<b>z</b></t>`;
  const [line] = toldOf(text, { program: programOf(declared) });
  assert.equal(line, `t ${JSON.stringify({ a: `see\n${example}`, b: "z" })}`);
});

Deno.test("TaggedBody of declared keys doesn't treat a page's elements as an example", () => {
  const text = "<t><a><li><b>x</b> </a><b>z</b></t>";
  assert.equal(toldOf(text, { program: programOf(declared) })[0], 't {"a":"<li><b>x</b> ","b":"z"}');
});

Deno.test("TaggedBody makes no call of a text before a closer that comes twice", () => {
  for (const closers of ["</p></p>", "</p>\n</p>", "</p></p></p>"]) {
    for (const next of ["</f>", "<p=b>y</p></f>"]) {
      const [call = "", note] = toldOf(`<f=t><p=a>x${closers}${next}`);
      assert.ok(call.endsWith(" … abort malformed"), call);
      assert.equal(note, "note malformed: `a` may end before repeated closers");
    }
  }
});

Deno.test("TaggedBody reads a value that opens what the first of two closers closes", () => {
  assert.deepEqual(toldOf("<f=t><p=a>x <p=b>y</p></p></f>"), ['t {"a":"x <p=b>y</p>"}', OK]);
});

Deno.test("TaggedBody leaves out a closer that comes twice if the value is complete as its type", () => {
  const types = { n: { type: "integer" }, o: { type: "object" }, e: { enum: ["on", "off"] } };
  const offered = offer([{ name: "t", schema: { type: "object", properties: types } }]);
  const cases: [key: string, text: string, json: string][] = [
    ["n", "5", "5"],
    ["o", '{"a":1}', '{"a":1}'],
    ["e", "on", '"on"'],
  ];
  for (const [key, text, json] of cases) {
    for (const closers of ["</p></p>", "</p>\n</p>\n</p>\n"]) {
      assert.deepEqual(toldOf(`<f=t><p=${key}>${text}${closers}</f>`, { offered }), [
        `t {"${key}":${json}}`,
        OK,
        `note closer_repeated: ${key}`,
      ]);
    }
  }
});

Deno.test("TaggedBody makes no call of an item in a value before closers that another closer of the value follows", () => {
  const example = "<f=t><p=a>x\n<p=b>y</p></f>";
  const made = ['t {"a":"x","b":"y"}', OK, "note value_closer_missing: a"];
  assert.deepEqual(toldOf(example), made);
  assert.deepEqual(toldOf(`${example} Done.`), [...made, 'text "Done."']);
  for (const rest of ["</p></f>", "</p><p=b></p></f>", "\n</p>\n<p=b>z</p></f>", "</p>"]) {
    assert.deepEqual(toldOf(example + rest).slice(0, 2), [
      't {"a":"x … abort malformed',
      "note malformed: `a` may end before repeated closers",
    ]);
  }
  // Without an item in the value, the closer is a residue.
  assert.deepEqual(toldOf("<f=t><p=a>x</p></f></p>!").slice(0, 2), ['t {"a":"x"}', OK]);
});

Deno.test("TaggedBody makes no call of an item in a value that comes again after half an example", () => {
  const [call, note] = toldOf("<f=t><p=a>x\n<p=b>c<f=u><p=n>1</p><p=b></p></f>");
  assert.deepEqual([call, note], ['t {"a":"x … abort truncated', "note truncated"]);
});

Deno.test("TaggedBody makes no call whose closers come twice at every cut", () => {
  assert.deepEqual(toldOf("<f=t><p=a>x</p></f></p></f>"), [
    't {"a":"x … abort malformed',
    "note malformed: `a` may end before repeated closers",
    'text "</p></f></p></f>"',
  ]);
});

Deno.test("TaggedBody closes if its closer looks ahead to the end of the answer", () => {
  const program = programOf({ ...rule, pattern: "<f={tool}>(?<body>…)</f>(?=\\n)" });
  const cases: [text: string, lines: string[]][] = [
    ["<f=t><p=a>x</p></f>\n!", ['t {"a":"x"}', OK, 'text "!"']],
    ["<f=t><p=a>x</p></f>", ['t {"a":"x"}', OK]],
    ["<f=t></f>\n!", ["t {}", OK, 'text "!"']],
    ["<f=t><p=a>x</p></f>y</p></f>\n!", ['t {"a":"x</p></f>y"}', OK, 'text "!"']],
    ["<f=t><p=a>x<f=u><p=a></p></f>\n</p></f>", ['t {"a":"x<f=u><p=a></p></f>\\n"}', OK]],
  ];
  for (const [text, lines] of cases) assert.deepEqual(toldOf(text, { program }), lines);
});

Deno.test("TaggedBody reads items whose openers look ahead, at every cut", () => {
  const program = programOf({ ...rule, item: "<p=(?<key>\\w+)>(?=[x\\n])(?<value>…)</p>" });
  assert.deepEqual(toldOf("<f=t><p=a>x1</p><p=b>x2</p></f>", { program }), ['t {"a":"x1","b":"x2"}', OK]);
});

Deno.test("TaggedBody closes items that refer to the frame's opener and to their own, at every cut", () => {
  const program = programOf({
    rule: "prefixed",
    pattern: "<(?<ns>\\w{1,8}):{tool}>(?<body>…)</\\k<ns>:\\k<tool>>",
    body: "tagged",
    item: "<(?<kind>[a-z]) (?<key>\\w+)>(?<value>…)</\\k<ns>:\\k<kind>>",
  });
  assert.deepEqual(
    toldOf("<m:t><p a>x</n:p></m:q></m:p><q b>y</m:q></m:t>", { program }),
    ['t {"a":"x</n:p></m:q>","b":"y"}', OK],
  );
});

const replaced: [name: string, text: string, lines: string[]][] = [
  ["short lines", "<f=t><p=a>1</p><p=a>2</p></f>", ['t {"a":"2"}', OK, "note replaced_parameter: a"]],
  ["lines of their own", "<f=t>\n<p=a>\n1\n</p>\n<p=a>\n2\n</p>\n<p=b>x</p>\n</f>", [
    't {"a":"2","b":"x"}',
    OK,
    "note replaced_parameter: a",
  ]],
  ["three lines", "<f=t><p=b>x</p><p=a>1</p><p=a>2</p><p=a>3</p></f>", [
    't {"b":"x","a":"3"}',
    OK,
    "note replaced_parameter: a",
    "note replaced_parameter: a",
  ]],
  ["numbers", "<f=t><p=n>1</p><p=n>2</p></f>", ['t {"n":2}', OK, "note replaced_parameter: n"]],
];

for (const [name, text, lines] of replaced) {
  Deno.test(`TaggedBody takes the last of two values that are ${name}, at every cut`, () =>
    assert.deepEqual(toldOf(text), lines));
}

Deno.test("TaggedBody makes no call if a closer comes before the beginning of an item, at every cut", () => {
  for (const item of ["<p=a>2", "<p="]) {
    const lines = toldOf(`<f=t><p=a>1</p><p=b>x</p>${item}</p></f>`);
    assert.equal(lines.includes(OK), false, item);
  }
});

const TWO_LINES = "<p=a>1\n2</p>";

const twice: [name: string, items: string][] = [
  ["the first is several lines", `${TWO_LINES}<p=a>3</p>`],
  ["the second is several lines", `<p=a>3</p>${TWO_LINES}`],
  ["the first mentions a closer", "<p=a>write </p> first</p><p=a>2</p>"],
  ["the first is long", `<p=a>${"x".repeat(300)}</p><p=a>2</p>`],
  ["the second is long", `<p=a>2</p><p=a>${"x".repeat(300)}</p>`],
  ["a parameter comes between them and the first cannot belong to it", "<p=a>1</p><p=n>1</p><p=a>2</p>"],
];

for (const [name, items] of twice) {
  Deno.test(`TaggedBody makes no call of a key that comes twice if ${name}`, () => {
    const text = `<f=t>${items}</f>`;
    const calls = toldOf(text).filter((line) => line === OK);
    assert.deepEqual(calls, []);
  });
}

const around: [name: string, text: string, lines: string[]][] = [
  ["a frame's closer that is missing before the wrapper's", "<w><f=t><p=a>x</p></w>!", [
    't {"a":"x"}',
    OK,
    "note closer_missing",
    'text "!"',
  ]],
  ["a frame's closer that came twice", "<w><f=t><p=a>x</p></f></f></w>!", [
    't {"a":"x"}',
    OK,
    "note closer_repeated",
    'text "!"',
  ]],
  ["a foreign closer after its own", "<w><f=t><p=a>x</p></f></invoke></w>!", [
    't {"a":"x"}',
    OK,
    "note closer_repeated",
    'text "!"',
  ]],
  ["a wrapper's closer that is missing before text", "<w><f=t><p=a>x</p></f>\n\nWell.", [
    't {"a":"x"}',
    OK,
    "note wrapper_closer_missing",
    'text "Well."',
  ]],
  ["all closers that are missing before text", "<w><f=t><p=a>x</p>\n\nWell.", [
    't {"a":"x"}',
    OK,
    "note closer_missing",
    'text "Well."',
  ]],
  ["a call that is not closed before the next", "<w><f=t><p=a>x</p><f=t><p=a>y</p></f></w>", [
    't {"a":"x"}',
    OK,
    "note closer_missing",
    't {"a":"y"}',
    OK,
  ]],
  ["a value that is not closed before the frame's closer", "<w><f=t><p=a>x\n</f></w>!", [
    't {"a":"x"}',
    OK,
    "note value_closer_missing: a",
    'text "!"',
  ]],
];

for (const [name, text, lines] of around) {
  Deno.test(`TaggedBody reads ${name} at every cut`, () => assert.deepEqual(toldOf(text), lines));
}

Deno.test("TaggedBody makes no incomplete call after a repair", () => {
  const lines = toldOf("<w><f=t><p=b>x</p></w>", { program: programOf({ ...rule, commit: "close" }) });
  assert.deepEqual(lines.slice(0, 1), ["note malformed: more than a closing tag is missing"]);
});

const unclosed: [name: string, text: string, lines: string[]][] = [
  ["on a line of its own", "A\n<f=now>\n", ['text "A\\n"', "now {}", OK, "note closer_missing"]],
  ["where its line goes on", "A\n<f=now>", ['text "A\\n"', "note truncated", 'text "<f=now>"']],
  ["and without an optional parameter", "<f=none>\n", ["note truncated", 'text "<f=none>\\n"']],
  ["but all that the tool has", "<f=none><p=a>x</p>", ['none {"a":"x"}', OK, "note closer_missing"]],
  ["but a part of what the tool has", "<f=more><p=a>x</p>\n", [
    'more {"a":"x" … abort truncated',
    "note truncated",
  ]],
  ["with half an item", "<f=none>\n<p=", [
    "note malformed: neither an item nor the closing tag",
    'text "<f=none>\\n<p="',
  ]],
  ["as the last word of a sentence", "It is <f=none>", [
    'text "It is "',
    "note truncated",
    'text "<f=none>"',
  ]],
  ["and without a required parameter", "<f=t>\n", ["note truncated", 'text "<f=t>\\n"']],
];

const TRUNCATED = "note truncated";
const halved: [name: string, text: string, lines: string[]][] = [
  ["its closer", "<f=t><p=a>x</p></", ['t {"a":"x"}', OK, "note closer_missing"]],
  ["its closer on another line", "<f=t>\n<p=a>x</p>\n</f", [
    't {"a":"x"}',
    OK,
    "note closer_missing",
    'text "</f"',
  ]],
  ["the closer of the tag around it", "<w><f=t><p=a>x</p></f></", [
    't {"a":"x"}',
    OK,
    "note wrapper_closer_missing",
    'text "</"',
  ]],
  ["another item", "<f=t><p=a>x</p><p=", ['t {"a":"x</p><p= … abort truncated', TRUNCATED]],
  ["another item on another line", "<f=t>\n<p=a>x</p>\n<p", [
    't {"a":"x" … abort truncated',
    TRUNCATED,
    'text "<p"',
  ]],
  ["a tag that can be either", "<f=t><p=a>x</p><", ['t {"a":"x" … abort truncated', TRUNCATED, 'text "<"']],
  ["a value's closer", "<f=t><p=a>x</", ['t {"a":"x</ … abort truncated', TRUNCATED]],
];

for (const [name, text, lines] of halved) {
  Deno.test(`TaggedBody reads an answer that ends in ${name} at every cut`, () =>
    assert.deepEqual(toldOf(text), lines));
}

for (const [name, text, lines] of unclosed) {
  Deno.test(`a tagged body without items or closer, ${name}`, () => {
    const none: JsonSchema = { properties: { a: { type: "string" } } };
    const more: JsonSchema = { properties: { a: { type: "string" }, b: { type: "string" } } };
    const now: JsonSchema = { properties: {} };
    const tools = offer([{ name: "none", schema: none }, { name: "more", schema: more }, {
      name: "now",
      schema: now,
    }, {
      name: "t",
      schema: properties,
    }]);
    assert.deepEqual(toldOf(text, { offered: tools }), lines);
  });
}

Deno.test("TaggedBody that nothing has to close reads all items, up to the next line or the end, at every cut", () => {
  const open = { rule: "open", body: "tagged", item: '--(?<key>\\w+) "(?<value>…)"' };
  const wanted = ['t {"a":"1","b":"2"}', OK, "note closer_missing"];
  for (const [end, after] of [["", []], ["\n", []], ["\n\nDone.", ['text "Done."']]] as const) {
    for (const pattern of ["@@{tool}\\s(?<body>…)", "@@{tool}\\s(?<body>…)(?:@@)?"]) {
      const program = programOf({ ...open, pattern });
      assert.deepEqual(toldOf('@@t --a "1" --b "2"' + end, { program }), [...wanted, ...after]);
    }
  }
});

Deno.test("TaggedBody ends no call with an element of a list that is too long to be kept", () => {
  const long = "x".repeat(1024 * 1024 + 1);
  for (const [first, second] of [[long, "y"], ["y", long], [long, long]]) {
    const text = `<f=t><p=a>x</p><p=list>${first}</p><p=list>${second}</p></f>`;
    const [call] = callsOf(eventsOf([text], { program: programOf(rule), offered }));
    assert.equal(call?.end?.kind, "call_abort");
    assert.ok(!call.json.endsWith("}"));
  }
});

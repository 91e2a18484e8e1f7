import { offer, withoutShapes } from "../../../src/engine/tool/offered.ts";
import assert from "node:assert/strict";
import { readMarkedName } from "../../../src/chat/native/marked_name.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import {
  inForm,
  type NativeInput,
  type NativeOptions,
  NativeReader,
} from "../../../src/chat/native/reader.ts";

function read(entries: readonly unknown[], options: NativeOptions = {}, isCut = false): ContentEvent[] {
  const reader = new NativeReader(options);
  const read = entries.flatMap((entry) => readOne(reader, { toolCalls: [entry] }));
  return [...read, ...inForm("repaired", reader.end({ isCut }))];
}

function readOne(reader: NativeReader, input: NativeInput): ContentEvent[] {
  return inForm("repaired", reader.read(input));
}

/** Name and arguments of each call, `!` before those that broke off. */
function calls(events: readonly ContentEvent[]): string[] {
  const found: string[] = [];
  for (const event of events) {
    if (event.kind === "call_start") found[event.call] = event.tool;
    if (event.kind === "arguments") found[event.call] += event.json;
    if (event.kind === "call_abort") found[event.call] = `!${found[event.call]}`;
  }
  return found;
}

function notes(events: readonly ContentEvent[]): string[] {
  return events.flatMap((event) => event.kind === "note" ? [event.reason] : []);
}

function piece(index?: number | null, id?: string | null, name?: string | null, json?: unknown): unknown {
  return { index, id, type: id || name ? "function" : undefined, function: { name, arguments: json } };
}

const CASES: readonly [name: string, entries: unknown[], expected: string[], noted: string[]][] = [
  [
    "clean calls",
    [
      piece(0, "a", "f", ""),
      piece(0, null, null, '{"x":'),
      piece(0, null, null, "1}"),
      piece(1, "b", "f", "{}"),
    ],
    ['f{"x":1}', "f{}"],
    [],
  ],
  [
    "fragments that come by turns",
    [
      piece(0, "a", "f", ""),
      piece(1, "b", "g", ""),
      piece(0, null, null, '{"x":'),
      piece(1, null, null, '{"y":'),
      piece(0, null, null, "1}"),
      piece(1, null, null, "2}"),
    ],
    ['f{"x":1}', 'g{"y":2}'],
    [],
  ],
  [
    "every index 0",
    [piece(0, "a", "f", '{"x":1}'), piece(0, "b", "f", '{"x":2}'), piece(0, "c", "g", '{"x":3}')],
    ['f{"x":1}', 'f{"x":2}', 'g{"x":3}'],
    ["index_wrong", "index_wrong"],
  ],
  [
    "every index 0, no ids, in fragments",
    [piece(0, "", "f", '{"x":'), piece(0, "", "", "1}"), piece(0, "", "f", '{"x":'), piece(0, "", "", "2}")],
    ['f{"x":1}', 'f{"x":2}'],
    ["id_missing", "index_wrong", "id_missing"],
  ],
  [
    "every index 0, no ids, heads without arguments",
    [piece(0, "", "f", ""), piece(0, "", "", '{"x":1}'), piece(0, "", "f", ""), piece(0, "", "", '{"x":2}')],
    ['f{"x":1}', 'f{"x":2}'],
    ["id_missing", "name_repeated", "index_wrong", "id_missing"],
  ],
  [
    "no index",
    [piece(null, "a", "f", '{"x":'), piece(null, null, null, "1}"), piece(null, "b", "g", '{"x":2}')],
    ['f{"x":1}', 'g{"x":2}'],
    ["index_wrong", "index_wrong"],
  ],
  ...[null, 0].map((index): (typeof CASES)[number] => [
    `ids that come by turns ${index === null ? "without an index" : "under one index"}`,
    [
      piece(index, "a", "f", '{"x":"A'),
      piece(index, "b", "f", '{"x":"B'),
      piece(index, "a", null, "A"),
      piece(index, "b", null, "B"),
      piece(index, "a", null, 'A"}'),
      piece(index, null, null, ""),
      piece(index, "b", null, 'B"}'),
    ],
    ['f{"x":"AAA"}', 'f{"x":"BBB"}'],
    index === null
      ? ["index_wrong", "index_wrong", "name_repeated", "name_repeated"]
      : ["index_wrong", "name_repeated", "name_repeated"],
  ]),
  [
    "fragments that follow the piece with their id",
    [
      piece(null, "a", "f", '{"x":'),
      piece(null, "b", "g", '{"y":'),
      piece(null, "a", null, "1"),
      piece(null, null, null, "}"),
      piece(null, "b", null, "2"),
      piece(null, null, null, "}"),
    ],
    ['f{"x":1}', 'g{"y":2}'],
    ["index_wrong", "index_wrong", "name_repeated", "name_repeated"],
  ],
  [
    "one id under several indexes by turns",
    [
      piece(0, "a", "f", '{"x":'),
      piece(1, "a", "g", '{"y":'),
      piece(0, "a", null, "1}"),
      piece(1, "a", null, "2}"),
    ],
    ['f{"x":1}', 'g{"y":2}'],
    ["id_repeated", "name_repeated", "name_repeated"],
  ],
  [
    "two calls of one id",
    [piece(0, "a", "f", '{"x":1}'), piece(1, "a", "f", '{"x":2}')],
    ['f{"x":1}', 'f{"x":2}'],
    ["id_repeated"],
  ],
  [
    "a call that comes again whole, with its id",
    [
      piece(0, "a", "f", '{"x":'),
      piece(0, null, null, "1}"),
      piece(0, "a", "f", '{"x":1}'),
      piece(1, "b", "f", '{"x":1}'),
    ],
    ['f{"x":1}', 'f{"x":1}'],
    ["repeated_call"],
  ],
  [
    "calls without arguments at one place",
    [piece(0, "a", "f", ""), piece(0, "b", "g", "")],
    ["f{}", "g{}"],
    ["index_wrong", "arguments_missing", "arguments_missing"],
  ],
  [
    "a name that comes again",
    [piece(0, "a", "f", '{"x"'), piece(0, "a", "f", ":1}"), piece(0, "a", "f", "")],
    ['f{"x":1}'],
    ["name_repeated"],
  ],
  ["a name that comes late", [piece(0, "a", null, ""), piece(0, null, "f", "{}")], ["f{}"], []],
  [
    "an id of its own in each fragment",
    [piece(0, "a", "f", "{"), piece(0, "b", null, '"x":1'), piece(0, "c", null, "}")],
    ['f{"x":1}'],
    ["name_repeated"],
  ],
  [
    "a fragment under an index that no call has",
    [
      piece(null, "a", "f", ""),
      piece(0, null, null, "{}"),
    ],
    ["f{}"],
    ["index_wrong"],
  ],
  ["arguments as an object", [piece(0, "a", "f", { x: [1] })], ['f{"x":[1]}'], ["arguments_not_text"]],
  [
    "a call that is not in `function`",
    [{ index: 0, id: "a", type: "function", name: "f", arguments: "{}" }],
    ["f{}"],
    [],
  ],
  ["what is no call", [null, 5, "x", []], [], []],
  ["arguments that are hopeless", [piece(0, "a", "f", "oops")], ["!foops"], ["invalid_arguments"]],
  [
    "text behind whole arguments",
    [
      piece(0, "a", "f", '{"x":1}'),
      piece(0, null, null, "oops"),
    ],
    ['!f{"x":1}oops'],
    ["invalid_arguments"],
  ],
];

for (const [name, entries, expected, noted] of CASES) {
  Deno.test(`NativeReader reads ${name}`, () => {
    const events = read(entries);
    assert.deepEqual(calls(events), expected);
    assert.deepEqual(notes(events), noted);
  });
}

Deno.test("NativeReader passes on no call without a name", () => {
  assert.deepEqual(read([piece(0, "a", null, "{}")]).map((event) => event.kind), ["note"]);
});

Deno.test("NativeReader gives no id that the conversation has", () => {
  const [noted, start] = read([piece(0, "a", "f", "{}")], { takenIds: new Set(["a"]) });
  assert.ok(noted?.kind === "note" && noted.reason === "id_repeated");
  assert.ok(start?.kind === "call_start" && start.id === undefined);
});

Deno.test("NativeReader keeps fields of a call that it does not know", () => {
  const entry = { index: 0, id: "a", type: "function", extra_content: { s: 1 }, function: { name: "f" } };
  const start = read([entry]).find((event) => event.kind === "call_start");
  assert.deepEqual([start?.id, start?.extra], ["a", { extra_content: { s: 1 } }]);
});

Deno.test("NativeReader gives whole calls with their text, resolved, and nothing before", () => {
  const reader = new NativeReader({ wholeCalls: true, offered: offer([{ name: "file" }], { f: "file" }) });
  assert.deepEqual(readOne(reader, { toolCalls: [piece(0, "a", "f", '{"x":')] }), []);
  const events = readOne(reader, { toolCalls: [piece(0, null, null, "1}")] });
  assert.deepEqual(events.map((event) => event.kind), ["call_start", "arguments", "call_end"]);
  assert.deepEqual(calls(events), ['file{"x":1}']);
  const end = events.at(-1);
  assert.equal(end?.kind === "call_end" && end.source, '{"name": "f", "arguments": {"x":1}}');
});

Deno.test("NativeReader never gives half a call to a client of whole calls", () => {
  const events = read([piece(0, "a", "f", '{"x":')], { wholeCalls: true }, true);
  assert.deepEqual(events.map((event) => event.kind), ["note", "text"]);
});

Deno.test("NativeReader reads function_call, but not beside tool calls", () => {
  const alone = new NativeReader();
  const events = [
    ...readOne(alone, { functionCall: { name: "f", arguments: "" } }),
    ...readOne(alone, { functionCall: { arguments: "{}" } }),
  ];
  assert.deepEqual([calls(events), notes(events)], [["f{}"], ["function_call_repaired"]]);
  const beside = new NativeReader();
  const both = readOne(beside, {
    toolCalls: [piece(0, "a", "f", "{}")],
    functionCall: { name: "f", arguments: "{}" },
  });
  assert.deepEqual([calls(both), notes(both)], [["f{}"], ["repeated_call"]]);
});

Deno.test("NativeReader notes an empty list once", () => {
  const reader = new NativeReader();
  const events = [1, 2].flatMap(() => readOne(reader, { toolCalls: [] }));
  assert.deepEqual(notes(events), ["calls_empty"]);
  assert.equal(reader.hasCalls, false);
});

Deno.test("NativeReader reads no more calls than its limit", () => {
  const events = read(Array.from({ length: 1100 }, (_, index) => piece(index, `id${index}`, "f", "{}")));
  assert.equal(calls(events).length, 1024);
  assert.deepEqual(notes(events), ["over_limit"]);
});

Deno.test("NativeReader gives the upstream's own pieces too, as long as nothing has to be repaired", () => {
  const reader = new NativeReader();
  const tail = (json: string) => ({ index: 0, function: { arguments: json } });
  const read = [piece(0, "a", "f", '{"x":1'), tail(", "), tail('"y":2}')].map(
    (entry) => {
      const events = inForm("raw", reader.read({ toolCalls: [entry] }));
      return {
        events: events.map((event) => event.kind),
        json: calls(events),
        isUncertain: reader.isUncertain,
      };
    },
  );
  assert.deepEqual(
    read.map(({ events }) => events),
    [["call_start", "arguments"], ["arguments"], ["arguments", "call_end"]],
  );
  assert.deepEqual(read.map(({ isUncertain }) => isUncertain), [true, true, false]);
  assert.equal(reader.isRepaired, false);
});

Deno.test("NativeReader takes every shape that not all clients read for one that needs a repair", () => {
  const head = { index: 0, id: "a", type: "function", function: { name: "f", arguments: "" } };
  const odd: unknown[][] = [
    [{ ...head, index: undefined }],
    [{ ...head, index: 1 }],
    [{ ...head, id: "" }],
    [head, { index: 0, function: { name: null, arguments: "{}" } }],
    [{ ...head, type: undefined }],
    [{ index: 0, id: "a", type: "function", name: "f", arguments: "{}" }],
    [{ ...head, function: { name: "f", arguments: {} } }],
    [{ ...head, function: { name: "f", arguments: '"{}"' } }],
    [{ ...head, function: { arguments: "" } }, head],
    [head, { ...head, function: { arguments: "{}" } }],
    [head, { index: 0, id: "", function: { arguments: "{}" } }],
    [head, { index: 0, function: { name: "", arguments: "{}" } }],
    [head, { index: 0, function: { arguments: "{'a': 1}" } }],
    [null],
  ];
  const isRepaired = (entries: readonly unknown[], options = {}) => {
    const reader = new NativeReader(options);
    for (const entry of entries) reader.read({ toolCalls: [entry] });
    return reader.isRepaired;
  };
  for (const entries of odd) assert.equal(isRepaired(entries), true, JSON.stringify(entries));
  const usual = [head, { index: 0, id: null, type: null, function: { arguments: "{}" } }];
  assert.equal(isRepaired(usual), false);
  assert.equal(isRepaired(usual, { wholeCalls: true }), true);
  assert.equal(isRepaired(usual, { isLegacy: true }), true);
  assert.equal(isRepaired(usual, { offered: offer([{ name: "other" }], { f: "other" }) }), true);
});

Deno.test("NativeReader takes a name for the only offered one that it is apart from case, prefix and tokens", () => {
  const offered = offer([{ name: "read_file" }, { name: "Run" }, { name: "run" }]);
  const NAMES = [
    "Read_File",
    "read-file",
    "read_filejson",
    "functions.read_file",
    "default_api.READ_FILE",
    "read_file<|channel|>analysis",
    "read_file:3",
    "read_file</arg_value>",
    "<tool_call>read_file",
    "`read_file`",
    "functions_read_file_12",
    "read_fileread_file",
    'read_file" parameter="path" string="true',
    'read_file" />',
  ];
  for (const name of NAMES) {
    const reader = new NativeReader({ offered });
    const [start] = readOne(reader, { toolCalls: [piece(0, "a", name, "{}")] }).filter(isStart);
    assert.deepEqual([start?.tool, reader.isRepaired], ["read_file", true], name);
  }
  for (
    const name of [
      "RUN",
      "write_file",
      "read_file_2",
      'read_file" path="a',
      'read_file" parameter="path">a',
      'read_file" />\\n<parameter name="path">a',
      "read_file<arg_key>path</arg_key><arg_value>a</arg_value>",
    ]
  ) {
    const reader = new NativeReader({ offered });
    const [start] = readOne(reader, { toolCalls: [piece(0, "a", name, "{}")] }).filter(isStart);
    assert.deepEqual([start?.tool, reader.isRepaired], [name, false], name);
  }
});

Deno.test("NativeReader reads the arguments that a server left in a name, unless it has others", () => {
  const schema = { properties: { path: { type: "string" }, line: { type: "integer" } }, required: ["path"] };
  const offered = offer([{ name: "read", schema }, { name: "list" }]);
  const MARKED = "read<arg_key>path</arg_key><arg_value>a.txt</arg_value>";
  const READ = 'read{"path":"a.txt"}';
  const table: readonly [entries: unknown[], expected: string[]][] = [
    [[piece(0, "a", MARKED, "{}")], [READ]],
    [[piece(0, "a", MARKED, "")], [READ]],
    [[piece(0, "a", MARKED, ""), piece(0, null, null, "{}")], [READ]],
    [[piece(0, "a", MARKED, "{}"), piece(1, "b", "list", "{}")], [READ, "list{}"]],
    [[piece(0, "a", "read<tool_call>path</arg_key><arg_value>a.txt</arg_value>", "{}")], [READ]],
    [[piece(0, "a", "read\n<parameter=path>a.txt</parameter>", "{}")], [READ]],
    [[piece(0, "a", MARKED, '{"path":"b.txt"}')], [`${MARKED}{"path":"b.txt"}`]],
    [[piece(0, "a", MARKED, ""), piece(0, null, null, '{"path":"b.txt"}')], [`${MARKED}{"path":"b.txt"}`]],
    ...["read<arg_key>path</arg_key><arg_value>a.txt", "read<arg_key>file</arg_key><arg_value>a</arg_value>"]
      .map(
        (name): [unknown[], string[]] => [[piece(0, "a", name, "{}")], [`${name}{}`]],
      ),
  ];
  for (const [entries, expected] of table) {
    for (const options of [{}, { wholeCalls: true }]) {
      assert.deepEqual(
        calls(read(entries, { offered, readName: readMarkedName, ...options })),
        expected,
        JSON.stringify(entries),
      );
    }
  }
});

Deno.test("NativeReader takes the arguments after an empty object, if the tool requires some", () => {
  const offered = offer([{ name: "f", schema: { properties: { x: {} }, required: ["x"] } }, { name: "g" }]);
  const table: readonly [entries: unknown[], expected: string[]][] = [
    [[piece(0, "a", "f", "{}"), piece(0, null, null, '{"x":1}')], ['f{"x":1}']],
    [[piece(0, "a", "f", "{}"), piece(0, "a", "f", '{"x":'), piece(0, null, null, "1}")], ['f{"x":1}']],
    [[piece(0, "a", "f", '{} {"x":1}')], ['f{"x":1}']],
    [[piece(0, "a", "f", "{}"), piece(1, "b", "f", '{"x":1}')], ["f{}", 'f{"x":1}']],
    [[piece(0, "a", "f", "{ }"), piece(0, null, null, "\n")], ["f{ }\n"]],
    [[piece(0, "a", "f", "{}"), piece(0, null, null, "}")], ["f{}"]],
    [[piece(0, "a", "g", "{}"), piece(0, null, null, '{"x":1}')], ['!g{}{"x":1}']],
    [[piece(0, "a", "f", "{}"), piece(0, null, null, '{"x":')], ['!f{}{"x":']],
    [[piece(0, "a", "f", '{"x":1}'), piece(1, "b", "f", "{}")], ['f{"x":1}']],
    [[piece(0, "a", "f", '{"x":1}'), piece(1, "b", "f", "")], ['f{"x":1}']],
    [[piece(0, "a", "f", '{"x":1}'), piece(1, "b", "f", ""), piece(1, null, null, '{"x":2}')], [
      'f{"x":1}',
      'f{"x":2}',
    ]],
    [[piece(0, "a", "g", "{}"), piece(1, "b", "g", "{}")], ["g{}", "g{}"]],
  ];
  for (const [entries, expected] of table) {
    assert.deepEqual(calls(read(entries, { offered })), expected, JSON.stringify(entries));
  }
});

const string = { type: "string" };
const strings = { type: "array", items: string };
const EDIT = { properties: { path: string, limit: { type: "integer" }, files: strings }, required: ["path"] };
const TODO = {
  properties: { todos: { type: "array", items: { type: "object", properties: { title: string } } } },
  required: ["todos"],
};

/** A shape that doesn't fit the schema → what is meant; the same where the text doesn't show it. */
const SHAPES: readonly [schema: Record<string, unknown>, given: string, meant: string][] = [
  [EDIT, '{"path":"a","limit":null}', '{"path":"a"}'],
  [EDIT, '{"limit":null,"path":"a"}', '{"path":"a"}'],
  [EDIT, '{"path":null}', '{"path":null}'],
  [EDIT, '{"path":"a","files":"b.ts"}', '{"path":"a","files":["b.ts"]}'],
  [EDIT, '{"path":"a","files":"[b.ts"}', '{"path":"a","files":"[b.ts"}'],
  [EDIT, '{"path":"a","files":""}', '{"path":"a","files":""}'],
  [EDIT, '{"file_path":"a","limit":3}', '{"path":"a","limit":3}'],
  [EDIT, '{"filePath":"a"}', '{"path":"a"}'],
  [EDIT, '{"file_path":"a","path":"b"}', '{"file_path":"a","path":"b"}'],
  [EDIT, '{"file_path":3}', '{"file_path":3}'],
  [EDIT, '{"file_path":"a","other":1}', '{"file_path":"a","other":1}'],
  [EDIT, '{"target":"a"}', '{"target":"a"}'],
  [EDIT, '"a.ts"', '{"path":"a.ts"}'],
  [TODO, '{"todos":["{\\"title\\":\\"a\\"}"]}', '{"todos":[{"title":"a"}]}'],
  [TODO, '[{"title":"a"},{"title":"b"}]', '{"todos":[{"title":"a"},{"title":"b"}]}'],
];

Deno.test("NativeReader repairs a shape by the schema at the place that fails it, unless shapes stay", () => {
  for (const [schema, given, meant] of SHAPES) {
    const offered = offer([{ name: "f", schema }]);
    for (let cut = 0; cut <= given.length; cut++) {
      const entries = [piece(0, "a", "f", given.slice(0, cut)), piece(0, null, null, given.slice(cut))];
      const events = read(entries, { offered });
      assert.deepEqual(calls(events), [`f${meant}`], given);
      assert.equal(notes(events).includes("arguments_fitted"), given !== meant, given);
      const kept = calls(read(entries, { offered: withoutShapes(offered) }));
      assert.deepEqual(kept, [given.startsWith("{") ? `f${given}` : `!f${given}`]);
    }
  }
});

/** Native arguments → the calls that are made of them, each at every cut. */
const READ_AGAIN: readonly [text: string, expected: readonly unknown[]][] = [
  ['{"command":"pwd"{"command": "pwd"}', [{ command: "pwd" }]],
  ['Use grep.{"command":"class"}', [{ command: "class" }]],
  ['{\\"command\\": \\"foo\\"}', [{ command: "foo" }]],
  ['{"command": \\"foo\\"}', [{ command: "foo" }]],
  ['{"command":"a"}{"command":"b"}', [{ command: "a" }, { command: "b" }]],
  ['{"command":"a"},\n{"command":"b", "n": 2}', [{ command: "a" }, { command: "b", n: 2 }]],
  ['{"command":"a"}{"command":"a"}{"command":"b"}', [{ command: "a" }, { command: "b" }]],
  ['{"command": "a",}{"command":"b"}', [{ command: "a" }, { command: "b" }]],
  ['[{"command":"a"},{"command":"b"}]', [{ command: "a" }, { command: "b" }]],
  ['```json\n{"command":"a"}\n{"command":"b"}\n```', [{ command: "a" }, { command: "b" }]],
  [JSON.stringify('{"command":"a"}{"command":"b"}'), [{ command: "a" }, { command: "b" }]],
];

/** Native arguments that no reading is certain of: they arrive as they are. */
const RAW: readonly string[] = [
  '{"command": \\"foo"}',
  '{"command": notjson,}',
  '{"command": "a\\"}',
  '{"command":"a"}{"other":"b"}',
  '[{"command":"a"},{"other":"b"}]',
  '{"command":"a"} and then {"command":"b"}',
  '{"command":"a"}{"command":"b',
  '{"other": oops, "inner": {"command":"a"}}',
  'Use "it" {"command":"a"}',
  "{'command': True, oops}",
  '{"n": True, "command": oops}',
  '{"command": "x" "n": 1, oops}',
];

Deno.test("NativeReader makes the calls that damaged arguments mean, or sends them raw and whole", () => {
  const schema = {
    properties: { command: { type: "string" }, n: { type: "integer" } },
    required: ["command"],
    additionalProperties: false,
  };
  const offered = offer([{ name: "f", schema }]);
  const table = [...READ_AGAIN, ...RAW.map((text) => [text, undefined] as const)];
  for (const [text, expected] of table) {
    for (const cut of Array.from({ length: text.length }, (_, index) => index)) {
      const entries = [piece(0, "a", "f", text.slice(0, cut)), piece(0, null, null, text.slice(cut))];
      for (
        const pieces of [entries, [
          piece(0, "a", "f", ""),
          ...[...text].map((one) => piece(0, null, null, one)),
        ]]
      ) {
        const made = calls(read(pieces, { offered }));
        if (expected === undefined) assert.deepEqual(made, [`!f${text}`]);
        else assert.deepEqual(made.map((call) => JSON.parse(call.slice(1))), expected, `${text} at ${cut}`);
      }
    }
  }
});

function isStart(event: ContentEvent): event is Extract<ContentEvent, { kind: "call_start" }> {
  return event.kind === "call_start";
}

Deno.test("NativeReader joins a name that comes in parts, and sends no tool whose name is only its beginning", () => {
  const offered = offer([{ name: "read" }, { name: "read_file" }, { name: "now" }]);
  const table: readonly [entries: unknown[], expected: string[]][] = [
    [[piece(0, "a", "read", ""), piece(0, null, "_file", ""), piece(0, null, null, '{"x":1}')], [
      'read_file{"x":1}',
    ]],
    [[piece(0, "a", "re", ""), piece(0, "a", "ad_", ""), piece(0, "a", "file", '{"x":1}')], [
      'read_file{"x":1}',
    ]],
    [[piece(0, "a", "read", ""), piece(0, null, null, '{"x":1}')], ['read{"x":1}']],
    [[piece(0, "a", "read", ""), piece(1, "b", "now", "{}")], ["read{}", "now{}"]],
    [[piece(0, "a", "read", ""), piece(0, "b", "_file", "{}")], ["read{}", "_file{}"]],
    [[piece(0, "a", "read", ""), piece(0, null, "now", "{}")], ["read{}", "now{}"]],
  ];
  for (const [entries, expected] of table) {
    for (const wholeCalls of [false, true]) {
      assert.deepEqual(calls(read(entries, { offered, wholeCalls })), expected, JSON.stringify(entries));
    }
    const starts = read(entries, { offered }).filter(({ kind }) => kind === "call_start");
    assert.equal(starts.length, expected.length);
  }
});

Deno.test("NativeReader breaks a call off whose backslashes can't be read, and reads a path literally", () => {
  const broken = read([piece(0, "a", "f", '{"x":"C:\\dir or'), piece(0, null, null, ' C:\\new"}')]);
  assert.deepEqual(calls(broken), ['!f{"x":"C:\\dir or C:\\new"}']);
  assert.ok(broken.some((event) =>
    event.kind === "note" && event.reason === "invalid_arguments" &&
    event.detail === "escaped and unescaped backslashes in a string"
  ));
  const path = read([piece(0, "a", "f", '{"x":"C:\\dir\\ne'), piece(0, null, null, 'w"}')]);
  assert.deepEqual(calls(path), ['f{"x":"C:\\\\dir\\\\new"}']);
});

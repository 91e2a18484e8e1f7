import assert from "node:assert/strict";
import { Matcher } from "../../../src/engine/scan/matcher.ts";
import { FRAME_MAXIMUM } from "../../../src/engine/scan/frame.ts";
import { anyTool, offer } from "../../../src/engine/tool/offered.ts";
import { allCuts, oneByOne, piecesOf } from "../../support/cuts.ts";
import {
  callsOf,
  eventsOf,
  feed,
  finish,
  notesOf,
  programOf,
  type Reading,
  shippedProgram,
  textOf,
  told,
  toldInEveryCut,
} from "../../support/matcher_events.ts";

const call = { rule: "call", pattern: "<<{tool}>>(?<body>…)<</>>", body: "json" };
const program = programOf(call);

/** The description of a text's events at every cut. */
const toldOf = (text: string, reading: Partial<Reading> = {}) =>
  toldInEveryCut(text, { program, ...reading });

/** The text that is sent before the answer ends. */
function textSoFar(text: string, options: { rules?: Record<string, unknown>[] } = {}): string {
  const used = options.rules ? programOf(...options.rules) : program;
  const matcher = new Matcher(used, { offered: anyTool, minimumConfidence: 0, wholeCalls: false });
  return textOf(oneByOne(text).flatMap((unit) => feed(matcher, unit)));
}

Deno.test("Matcher reads calls and keeps the text around them", () => {
  assert.deepEqual(toldOf('A\n<<f>>{"a": 1}<</>>\nB'), [
    'text "A\\n"',
    'f {"a":1}',
    "note transformed",
    'text "B"',
  ]);
});

Deno.test("Matcher leaves out a remainder next to the upstream's own calls, and only at the end", () => {
  const residue = {
    rule: "residue",
    pattern: "(?:<e>|<e>(?=$))(?<body>…)",
    body: "opaque",
    region: "residue",
  };
  const leak = {
    rule: "leak",
    pattern: "to=(?<tool>f)!\\{\\}(?<body>…)",
    body: "opaque",
    opaque: { region: "leak" },
  };
  const used = programOf(call, residue, leak);
  const read = (text: string, isAnswered: boolean) => {
    const texts = [...allCuts(text)].map((pieces) => {
      const matcher = new Matcher(used, { offered: anyTool, minimumConfidence: 0, wholeCalls: false });
      const events = pieces.flatMap((piece) => feed(matcher, piece));
      const out = finish(matcher, { isAnswered });
      return textOf([...events, ...out]);
    });
    return [...new Set(texts)];
  };
  assert.deepEqual(read("I look.<e>", true), ["I look."]);
  assert.deepEqual(read("I look.<e>", false), ["I look.<e>"]);
  assert.deepEqual(read("I look.<e> So.", true), ["I look.<e> So."]);
  assert.deepEqual(read("I look: to=f!{} So <b>.", true), ["I look:  So <b>."]);
  assert.deepEqual(read("I look: to=f!{} So <b>.", false), ["I look: to=f!{} So <b>."]);
});

Deno.test("Matcher sends nothing for an empty piece", () => {
  const matcher = new Matcher(program, { offered: anyTool, minimumConfidence: 0, wholeCalls: false });
  assert.deepEqual(feed(matcher, ""), []);
  assert.deepEqual(finish(matcher, { truncated: false }), []);
});

Deno.test("Matcher sends text as soon as it can no longer be part of a call", () => {
  const cases: [fed: string, out: string][] = [
    ["a <", "a "],
    ["a <b", "a <b"],
    ["a <<", "a "],
    ["a << ", "a << "],
    ["a <<f", "a "],
    ["a <<f>>[", "a <<f>>["],
    [" \n", ""],
    [" \na", " \na"],
  ];
  for (const [fed, out] of cases) assert.equal(textSoFar(fed), out, fed);
});

Deno.test("Matcher calls only offered tools, by name", () => {
  const offered = offer([{ name: "write" }], { create: "write" });
  assert.deepEqual(toldOf("<<create>>{}<</>>", { offered }), ["write {}", "note transformed"]);
  const [note, text] = toldOf("<<ghost>>{}<</>>", { offered });
  assert.deepEqual([note, text], ["note unknown_tool", 'text "<<ghost>>{}<</>>"']);
});

Deno.test("Matcher makes no call for a rule below the threshold", () => {
  const reading = { minimumConfidence: 0.95 };
  assert.deepEqual(toldOf("<<f>>{}<</>>", reading), ["note below_confidence", 'text "<<f>>{}<</>>"']);
});

Deno.test("Matcher tries another rule at a position where one failed", () => {
  const other = { rule: "other", pattern: "<<f>>(?<body>…)!", body: "text", tool: "g", confidence: 0.5 };
  const both = programOf(call, { ...other, parameters: { x: "$body" } });
  assert.deepEqual(toldInEveryCut("<<f>>no JSON!", { program: both }), [
    "note invalid_arguments: not JSON",
    'g {"x":"no JSON"}',
    "note transformed",
  ]);
});

Deno.test("Matcher reads only at the start of a line or of the answer if the rule requires it", () => {
  const at = (at: string, text: string) =>
    toldOf(text, { program: programOf({ ...call, at }) }).includes("f {}");
  const cases: [at: string, text: string, isRead: boolean][] = [
    ["line", "a\n  <<f>>{}<</>>", true],
    ["line", "a <<f>>{}<</>>", false],
    ["start", "\n <<f>>{}<</>>", true],
    ["start", "a\n<<f>>{}<</>>", false],
    ["anywhere", "a <<f>>{}<</>>", true],
  ];
  for (const [where, text, isRead] of cases) assert.equal(at(where, text), isRead, `${where}: ${text}`);
});

Deno.test("Matcher reads a call at the start of the answer that follows the reasoning", () => {
  const think = { rule: "think", pattern: "<think>(?<body>…)</think>", body: "opaque", region: "reasoning" };
  const program = programOf({ ...call, at: "start" }, think);
  const [thought, ...lines] = toldOf("<think>hm</think>\n<<f>>{}<</>>", { program });
  assert.equal(thought, 'text "<think>hm</think>\\n"');
  assert.deepEqual(lines, ["f {}", "note transformed"]);
});

Deno.test("Matcher reads no second call at the start", () => {
  const lines = toldOf("<<f>>{}<</>><<g>>{}<</>>", { program: programOf({ ...call, at: "start" }) });
  assert.deepEqual(lines, ["f {}", "note transformed", 'text "<<g>>{}<</>>"']);
});

Deno.test("Matcher doesn't note candidates inside a candidate", () => {
  const nested = "<<f>>{<<f>>{<<f>>{";
  assert.equal(
    notesOf(eventsOf([nested], { program })).length,
    3,
    "each begins after the previous one's end",
  );
  const inside = programOf({ ...call, pattern: "<<+{tool}>>(?<body>…)<</>>" });
  assert.equal(notesOf(eventsOf(["<<<<f>>no"], { program: inside })).length, 1);
});

Deno.test("Matcher doesn't note the tags of a page", () => {
  const page = programOf({
    rule: "page",
    pattern: "<{tool}>(?<body>…)</\\k<tool>>",
    body: "tagged",
    item: "<(?<key>\\w+)>(?<value>…)</\\k<key>>",
    keys: "declared",
  });
  const reading = { program: page, offered: offer([{ name: "f", schema: { properties: { a: {} } } }]) };
  assert.deepEqual(toldOf("<b>x</b>", reading), ['text "<b>x</b>"']);
  assert.deepEqual(toldOf("<f>x</f>", reading).length, 2);
  assert.deepEqual(toldOf("<f><a>1</a></f>", reading), ['f {"a":"1"}', "note transformed"]);
});

const group = { rule: "group", pattern: '<g(?: m="(?<mode>\\w+)")?>(?<body>…)</g>', body: "group" };
const grouped = programOf(call, group);

const groups: [text: string, lines: string[]][] = [
  ['<g m="seq">\n<<f>>{}<</>>\n</g>', ["group seq", "f {}", "note transformed", "group end"]],
  ["<g><<f>>{}<</>> and <<h>>{}<</>></g>!", [
    "group null",
    "f {}",
    "note transformed",
    'text "and "',
    "h {}",
    "note transformed",
    "note malformed: other text in the wrapper",
    "group end",
    'text "!"',
  ]],
  ["<g><<f>>{}<</>>", [
    "group null",
    "f {}",
    "note transformed",
    "note closer_missing: the wrapper was not closed",
    "group end",
  ]],
  ["<g>\n</g>", ["note malformed: a wrapper without a call", 'text "<g>\\n</g>"']],
  ["<g>text</g>", ["note malformed: a wrapper without a call", 'text "<g>text</g>"']],
  ["<g> ", ["note malformed: a wrapper without a call", 'text "<g> "']],
  ["<g><<f>>!", [
    "note invalid_arguments: not JSON",
    "note malformed: a wrapper without a call",
    'text "<g>"',
    "note invalid_arguments: not JSON",
    'text "<<f>>!"',
  ]],
  ["<g><g><<f>>{}<</>></g>", [
    "note malformed: a wrapper without a call",
    'text "<g>"',
    "group null",
    "f {}",
    "note transformed",
    "group end",
  ]],
];

for (const [text, lines] of groups) {
  Deno.test(`Matcher reads the group ${JSON.stringify(text)} at every cut`, () => {
    assert.deepEqual(toldOf(text, { program: grouped }), lines);
  });
}

Deno.test("Matcher keeps at most 1 MiB of a wrapper without a call", () => {
  const matcher = new Matcher(grouped, { offered: anyTool, minimumConfidence: 0, wholeCalls: false });
  const space = " ".repeat(65_536);
  let out = 0;
  feed(matcher, "<g>");
  for (let fed = 0; fed <= FRAME_MAXIMUM; fed += space.length) out += textOf(feed(matcher, space)).length;
  assert.ok(out >= FRAME_MAXIMUM, `${out} characters came out`);
  const text = `<g>${" ".repeat(FRAME_MAXIMUM + 10)}<<f>>{}<</>>`;
  const whole = eventsOf([text], { program: grouped });
  assert.deepEqual(eventsOf(piecesOf(text, [100_003]), { program: grouped }), whole);
  assert.equal(callsOf(whole).length, 1);
});

Deno.test("Matcher stops searching a text that is parsed again too many times", () => {
  // Each opener waits for the end of the answer and returns everything.
  const last = programOf({ ...call, body: "text", parameters: { x: "$body" } });
  const text = "<<f>>".repeat(500);
  const events = eventsOf([text], { program: last });
  assert.equal(textOf(events), text);
  const reasons = notesOf(events).map(({ reason, detail }) => detail ?? reason);
  assert.equal(reasons.at(-1), "parsed again too many times");
  assert.equal(reasons.filter((reason) => reason === "parsed again too many times").length, 1);
  assert.deepEqual(eventsOf(piecesOf(text, [7]), { program: last }), events);
});

Deno.test("Matcher stops after the whole call in which it had parsed again too many times", () => {
  const opener = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n";
  const text = `${opener}${opener}</function>\n</tool_call>\n`.repeat(60);
  const options = {
    program: shippedProgram(),
    offered: offer([{ name: "f", schema: { type: "object", properties: { a: { type: "string" } } } }]),
    minimumConfidence: 0.9,
  };
  const notes = notesOf(eventsOf([text], options));
  const stops = notes.find(({ reason }) => reason === "over_limit");
  const last = notes.findLast(({ reason }) => reason === "transformed");
  assert.ok(last !== undefined);
  assert.equal(stops?.start, last.start);
});

Deno.test("Matcher takes the closer of a call's wrapper a few words late, and no other", () => {
  const reading = {
    program: shippedProgram(),
    offered: offer([{ name: "f" }]),
    minimumConfidence: 0.9,
  };
  const call = "<tool_call><function=f><parameter=a>1</parameter></function>";
  const textAfter = (rest: string) => textOf(eventsOf([call + rest], reading));
  assert.equal(textAfter(" ok </tool_call>"), "ok ");
  assert.equal(textAfter(" ok </invoke>"), "ok </invoke>");
});

Deno.test("Matcher notes only that a quoted call is quoted", () => {
  const quote = { rule: "quote", pattern: '"(?<body>…)"', body: "opaque", region: "quote" };
  const lines = toldOf('"<<f>>{}<</>>"', { program: programOf(call, quote) });
  assert.ok(lines.includes("note quoted"));
  assert.equal(lines.filter((line) => line.startsWith("f ")).length, 0);
});

Deno.test("Matcher numbers calls from 0, independently of other matchers", () => {
  for (let count = 0; count < 2; count++) {
    const events = eventsOf(["<<f>>{}<</>>".repeat(3)], { program });
    assert.deepEqual(callsOf(events).map(({ start }) => start.call), [0, 1, 2]);
  }
});

Deno.test("Matcher ends a call where a value contains all closing tags of it, and keeps the rest as text", () => {
  const closers = "\n</parameter>\n</function>\n</tool_call>";
  const text = `<tool_call>\n<function=f>\n<parameter=a>\n1${closers}\n2${closers}`;
  const told = toldInEveryCut(text, { program: shippedProgram() });
  assert.deepEqual(told.filter((line) => !line.startsWith("note")), [
    'f {"a":"1"}',
    `text ${JSON.stringify(`2${closers}`)}`,
  ]);
});

Deno.test("Matcher keeps the introduction of a call as text, and reads a refused call again without it", () => {
  const rule = {
    rule: "introduced",
    pattern: '(?<before>[a-z]:\\s{1,4})(?=\\{"name")(?<body>…)',
    body: "envelope",
  };
  const program = programOf(rule);
  const offered = offer([{ name: "f" }]);
  const call = '{"name": "f", "arguments": {}}';
  const cases: [text: string, lines: string[]][] = [
    [`See: ${call} End`, ['text "See: "', "f {}", "note transformed", 'text " End"']],
    [`See ${call}`, [`text ${JSON.stringify(`See ${call}`)}`]],
    ['a: {"name": "g", "arguments": {}}', [
      'text "a: "',
      "note unknown_tool",
      'text "{\\"name\\": \\"g\\", \\"arguments\\": {}}"',
    ]],
  ];
  for (const [text, lines] of cases) {
    for (const pieces of [[text], ...allCuts(text)]) {
      assert.deepEqual(told(eventsOf(pieces, { program, offered })), lines);
    }
  }
});

Deno.test("Matcher keeps the order of the text of a group without a call and a torn call in it, at every cut", () => {
  const program = shippedProgram();
  const offered = offer(["f"].map((name) => ({ name })));
  const text = "<multi_tool_use><function=f><toolId>1</toolId><tool_call>";
  const whole = toldInEveryCut(text, { program, offered });
  assert.match(whole.find((line) => line.startsWith("text")) ?? "", /^text "<multi_tool_use>/);
});

Deno.test("Matcher reads an ambiguous call again with the text that introduces it, at every cut", () => {
  const program = shippedProgram();
  const quoted = '<tool_call>{"name":"f","arguments":{}}</tool_call>';
  assert.deepEqual(toldInEveryCut(`"a":\t{"name":"f"}\`\`\`b\n${quoted}\`\`\`c`, { program }), [
    'text "\\"a\\":\\t"',
    "f {}",
    "note transformed",
    'text "```b\\n"',
    "note quoted",
    `text ${JSON.stringify(`${quoted}\`\`\`c`)}`,
  ]);
});

import assert from "node:assert/strict";
import { READ_AGAIN } from "../../../src/chat/second_reader/ambiguity.ts";
import { SecondReader } from "../../../src/chat/second_reader/second_reader.ts";
import { collect, textAnswer } from "../../../src/engine/event/stage.ts";
import type { MatchEvent } from "../../../src/engine/event/event.ts";
import { EchoGuard, Matcher } from "../../../src/engine/mod.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { configSchema } from "../../../src/proxy/config/schema.ts";
import { builtInService } from "../../support/built_in.ts";
import { OFFERED_NAMES, ordinaryText } from "../../support/ordinary_text.ts";
import { allCuts, piecesOf } from "../../support/cuts.ts";
import { defaultProgram } from "../../support/matcher_events.ts";

const properties = { path: { type: "string" }, content: { type: "string" } };
const offered = offer(
  OFFERED_NAMES.map((name) => ({ name, schema: { type: "object", properties, required: ["path"] } })),
);

/** A matcher that reads nothing. */
const NO_RULES = {
  push(event: MatchEvent, out: { push(event: MatchEvent): void }): void {
    if (event.kind !== "text_end") out.push(event);
  },
};

function reader(options: { readonly quotable?: string; readonly isShown?: boolean } = {}): SecondReader {
  return new SecondReader(NO_RULES, {
    offered,
    isShown: () => options.isShown ?? false,
    beginsInReasoning: false,
    echoGuard: new EchoGuard(options.quotable === undefined ? [] : [options.quotable]),
    minimumConfidence: 0.9,
    wholeCalls: false,
  });
}

function read(
  pieces: readonly string[],
  options: Parameters<typeof reader>[0] & { truncated?: boolean } = {},
): string {
  const events = collect(reader(options), textAnswer(pieces, { truncated: options.truncated ?? false }));
  const texts = events.map((event) =>
    event.kind === "text"
      ? event.text
      : event.kind === "arguments"
      ? `«${event.json}»`
      : event.kind === "note" && event.call === undefined
      ? `(${event.reason})`
      : ""
  );
  return texts.join("");
}

const CALL = "<action>\n<tool>read_file</tool>\n<path>a.txt</path>\n</action>";

Deno.test("SecondReader makes a call of what no rule reads, with the text before it", () => {
  assert.equal(read([`I look.\n${CALL}`]), 'I look.\n«{"path":"a.txt"}»');
  assert.equal(read([`I look.\n${CALL}\n`]), 'I look.\n«{"path":"a.txt"}»');
});

Deno.test("SecondReader takes what is left of a call's closer with the call, and no other word after it", () => {
  const call = "<function=read_file><parameter=path>a.txt</parameter>";
  for (const rest of ["functoin>", "function>", "\nfunction>\n", "tool_call>", "/ool_call>"]) {
    for (const pieces of [[call + rest], ...allCuts(call + rest)]) {
      assert.equal(read(pieces), '«{"path":"a.txt"}»', JSON.stringify(pieces));
    }
  }
  // Words that only have a part of such a word in them are the answer's.
  const others = ["rename>", "recall>", "because>", "transaction>", "filename>"];
  for (const rest of ["paramter>", "functoin", "functoin> and more", "parametr=limit>3", ...others]) {
    assert.equal(read([call + rest]).replace(/\(\w+\)/, ""), call + rest);
  }
});

Deno.test("SecondReader keeps a mark before a call that isn't the call's", () => {
  for (const mark of ["<filename>\n", "<because>\n"]) {
    assert.equal(read([mark + CALL]), `${mark}«{"path":"a.txt"}»`);
  }
  assert.equal(read([`<tool_call>\n${CALL}`]), '«{"path":"a.txt"}»');
});

Deno.test("SecondReader leaves the text whole where a law refuses it, and says which", () => {
  assert.equal(read([`Print ${CALL} to read it.`]), `Print (call_in_sentence)${CALL} to read it.`);
  assert.equal(read([CALL], { isShown: true }), CALL);
  assert.equal(read([CALL], { quotable: `It says ${CALL}` }), `(echo)${CALL}`);
  assert.equal(read([CALL.slice(0, -12)], { truncated: true }).replace(/^\(\w+\)/, ""), CALL.slice(0, -12));
});

Deno.test("SecondReader gives the same for every cut", () => {
  const texts = [
    `I look.\n${CALL}`,
    `Print ${CALL} to read it.`,
    `a < b\n[x](y)\n{"name": 1}\n${CALL}`,
    "read_file",
    "Call:\nread_file {",
    "read_file\n<key path</key>\n<value>a</value>",
  ];
  for (const text of texts) {
    const whole = read([text]);
    for (const pieces of [...allCuts(text), piecesOf(text, [3, 7, 2])]) assert.equal(read(pieces), whole);
  }
});

Deno.test("SecondReader passes ordinary answers on, and holds at most a line's beginning of them", () => {
  let most = 0;
  for (let number = 0; number < 400; number++) {
    const text = ordinaryText(number);
    const stage = reader({ isShown: true });
    let sent = 0;
    const out = { push: (event: MatchEvent) => void (event.kind === "text" && (sent += event.text.length)) };
    for (let at = 0; at < text.length; at++) {
      stage.push({ kind: "text", text: text[at]! }, out);
      most = Math.max(most, at + 1 - sent);
    }
    stage.push({ kind: "text_end", truncated: false, isAnswered: false }, out);
    assert.equal(sent, text.length);
    assert.equal(read([text], { isShown: true }), text);
  }
  assert.ok(most <= 320, `held ${most} characters`);
});

/** A matcher that makes calls of its own at words of the text. */
function matcherOf(rules: Readonly<Record<string, readonly MatchEvent[]>>) {
  return {
    push(event: MatchEvent, out: { push(event: MatchEvent): void }): void {
      if (event.kind !== "text") return;
      for (const made of rules[event.text] ?? [event]) out.push(made);
    },
  };
}

function readBeside(
  rules: Readonly<Record<string, readonly MatchEvent[]>>,
  pieces: readonly string[],
): string[] {
  const stage = new SecondReader(matcherOf(rules), {
    offered,
    isShown: () => false,
    beginsInReasoning: false,
    echoGuard: new EchoGuard([]),
    minimumConfidence: 0.9,
    wholeCalls: false,
  });
  return collect(stage, textAnswer(pieces)).flatMap((event) =>
    event.kind === "text"
      ? event.text
      : event.kind === "arguments"
      ? `«${event.json}»`
      : event.kind === "note"
      ? []
      : event.kind === "call_start" || event.kind === "call_end" || event.kind === "call_abort"
      ? `${event.kind} ${event.call}`
      : []
  );
}

const about = { call: 0, rule: "r", tool: "read_file" };
const RULE_CALL: readonly MatchEvent[] = [
  { kind: "call_start", ...about, confidence: 1 },
  { kind: "arguments", call: 0, json: '{"path":"a.txt"}' },
  { kind: "call_end", call: 0 },
  { kind: "note", reason: "transformed", ...about, start: 0, end: 4 },
];

Deno.test("SecondReader reads on after a call of a rule, and numbers its calls after that one", () => {
  assert.deepEqual(readBeside({ CALL: RULE_CALL }, ["CALL", "\n", CALL]), [
    ...["call_start 0", '«{"path":"a.txt"}»', "call_end 0", "\n"],
    ...["call_start 1", '«{"path":"a.txt"}»', "call_end 1"],
  ]);
});

Deno.test("SecondReader finishes a call that breaks off, if it reads on from what was sent of it", () => {
  const broken = (tool: string, json: string): readonly MatchEvent[] => [
    { kind: "call_start", ...about, tool, confidence: 1 },
    { kind: "arguments", call: 0, json },
    { kind: "call_abort", call: 0, reason: "malformed", start: 0, rest: ',"content":"b' },
  ];
  const sent = ["call_start 0", '«{"path":"a»'];
  assert.deepEqual(readBeside({ [CALL]: broken("read_file", '{"path":"a') }, [CALL]), [
    ...sent,
    ...['«.txt"}»', "call_end 0"],
  ]);
  const aborted = ['«,"content":"b»', "call_abort 0"];
  assert.deepEqual(readBeside({ [CALL]: broken("read_file", '{"path":"b') }, [CALL, "x"]), [
    ...["call_start 0", '«{"path":"b»', ...aborted, "x"],
  ]);
  assert.deepEqual(readBeside({ [CALL]: broken("write_file", '{"path":"a') }, [CALL]), [...sent, ...aborted]);
});

const SECOND = CALL.replace("a.txt", "b.txt");

Deno.test("SecondReader sends the rest of a checked call as its rule wrote it", () => {
  const checked: readonly MatchEvent[] = [
    { kind: "call_start", ...about, confidence: 1 },
    { kind: "arguments", call: 0, json: '{"path":"\\u0061.txt"' },
    { kind: "call_end", call: 0, checked: { start: 0, rest: "}", ambiguity: "none" } },
  ];
  assert.deepEqual(readBeside({ [CALL]: checked }, [CALL, "\n", SECOND]), [
    ...["call_start 0", '«{"path":"\\u0061.txt"»', "«}»", "call_end 0"],
    ...["call_start 1", '«{"path":"b.txt"}»', "call_end 1"],
  ]);
});

Deno.test("SecondReader keeps the text of a call after one that broke off, if it makes neither", () => {
  const broken: readonly MatchEvent[] = [
    { kind: "call_start", ...about, confidence: 1 },
    { kind: "arguments", call: 0, json: '{"path":"c' },
    { kind: "call_abort", call: 0, reason: "malformed", start: 0, rest: "" },
  ];
  const whole: readonly MatchEvent[] = [
    { kind: "call_start", ...about, call: 1, confidence: 1 },
    { kind: "arguments", call: 1, json: '{"path":"b.txt"}' },
    { kind: "call_end", call: 1 },
    { kind: "note", reason: "transformed", ...about, call: 1, start: 0, end: 2 * CALL.length + 1 },
  ];
  assert.deepEqual(readBeside({ [CALL]: broken, [SECOND]: whole }, [CALL, "\n", SECOND]), [
    ...["call_start 0", '«{"path":"c»', "call_abort 0", `${CALL}\n${SECOND}`],
  ]);
});

Deno.test("SecondReader is off above its confidence", () => {
  const stage = new SecondReader(NO_RULES, {
    offered,
    isShown: () => false,
    beginsInReasoning: false,
    echoGuard: new EchoGuard([]),
    minimumConfidence: 0.95,
    wholeCalls: false,
  });
  assert.deepEqual(collect(stage, textAnswer([CALL])).map(({ kind }) => kind), ["text"]);
});

const program = defaultProgram();
const limited = offer([{
  name: "read_file",
  schema: { type: "object", properties: { ...properties, limit: { type: "integer" } }, required: ["path"] },
}]);

/** Reads an answer by the rules, and by the second reader. */
function bothReaders(isWhole: boolean): SecondReader {
  const options = {
    offered: limited,
    minimumConfidence: 0.9,
    wholeCalls: isWhole,
    readAgain: READ_AGAIN,
  };
  return new SecondReader(new Matcher(program, options), {
    ...options,
    isWhole,
    isShown: () => false,
    beginsInReasoning: false,
    echoGuard: new EchoGuard([]),
  });
}

/** What the client gets of an answer that the rules and the second reader read. */
function readByBoth(pieces: readonly string[], isWhole: boolean): string {
  return collect(bothReaders(isWhole), textAnswer(pieces)).map((event) =>
    event.kind === "text"
      ? event.text
      : event.kind === "arguments"
      ? event.json
      : event.kind === "call_start"
      ? "«"
      : event.kind === "call_end"
      ? "»"
      : event.kind === "call_abort"
      ? `† ${event.reason} `
      : ""
  ).join("");
}

const json = (inner: string) => `<tool_call>\n{"name": "read_file"${inner}}\n</tool_call>`;
const tagged = (inner: string) =>
  `<function=read_file>\n<parameter=path>\n${inner}\n</parameter>\n</function>`;
const unread = json(', "arguments": {,path: : a, "b}') + "\n" + json(', "arguments": {"path": "b"}');

const halfPath = '«{"path":"a"† ';
const halfJson = json(', "arguments": {"path": "a"').slice(0, -"}\n</tool_call>".length);
const halfTagged = "<function=read_file>\n<parameter=path>\na\n</parameter>\n  ";
const unclosed = `${tagged("a").replace("\n</parameter>", "")}\nand went on`;

const allGiven = tagged("a\n</parameter>\n5")
  .replace(
    "<parameter=path>",
    "<parameter=limit>\n1\n</parameter>\n<parameter=content>\nx\n</parameter>\n$&",
  );
const twice = '<invoke name="read_file">\n<path><path>a</path>\n</invoke>';
const section = tagged("a\n</parameter>\n<parameter=content>\n<![[CDATA[b]]>");
const M = "]<]minimax[>[";
const bracket =
  `${M}<tool_call>${M}<invoke name="read_file">${M}<path>a]${M}</path>${M}</invoke>${M}</tool_call>`;
const tokens =
  '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>' +
  "<|close|>argument<|sep|> ends it<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>";
const list = `<|tool_call_start|>[read_file(path="a") read_file(path="b")]<|tool_call_end|>`;
const named = json(', "arguments": {"path": "b"}').replace("<tool_call>", "<tool_cal>");
const lost = [
  // The beginning is lost, so that only its closers show the first call.
  `Here:\n<parameter=path>\na\n</parameter>\n</function>\n${tagged("b")}`,
  `</tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>\n<tool_call>read_file<arg_key>path</arg_key>` +
  "<arg_value>b</arg_value></tool_call>",
  // It is closed, in a sentence and in a fence.
  `I look<tool_call>\n<functionread_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>or${
    tagged("b")
  }`,
];

const shown = [
  `For example:\n\n${tagged("a")}`,
  `I would call the tool like this:\n\n${json(', "arguments": {"path": "a"}')}`,
  `Yes. A tool call looks like this:\n\n<invoke name="read_file">\n<path>a</path>\n</invoke>\n\nThe name comes first.`,
];
/** The arguments of a call as JSON, and one of them again after it, in marks. */
const split = (given: string) =>
  json(`, "arguments": {${given}}`).replace("\n</", "\n<content>\nx\n</content>$&");
const half = '"path": "a", "content": ""';

const lacking = tagged("a\n</parameter>\n<parameter=limi>\n5");

/** The text, what a stream gives, and what a whole answer gives, if that is another one. */
const BOTH: readonly (readonly [text: string, streamed: string, whole?: string])[] = [
  // A damaged call before one of a rule is read, or neither is made.
  [
    json(' "arguments": {"path": "a"}') + "\n" + json(', "arguments": {"path": "b"}'),
    '«{"path":"a"}»«{"path":"b"}»',
  ],
  [unread, unread],
  [
    `<functionread_file>\n<parameter=path>\na\n</parameter>\n</function>\n${tagged("b")}`,
    '«{"path":"a"}»«{"path":"b"}»',
  ],
  [`{"name": "read_file"", "arguments": {"path": "a"}}\n${named}`, '«{"path":"a"}»«{"path":"b"}»'],
  ...lost.map((text) => [text, text] as const),
  // A mention of closers isn't a call.
  [
    `Each </parameter> ends one, </function> the call.\n${tagged("b")}`,
    `Each </parameter> ends one, </function> the call.\n«{"path":"b"}»`,
  ],
  // A closer in a value is the value's, if no other parameter can have lost its opener, or if it is mentioned.
  [allGiven, '«{"limit":1,"content":"x","path":"a\\n</parameter>\\n5"}»'],
  [
    tagged("a\n</parameter>\n5"),
    '«{"path":"a\\n</parameter>\\n5"† value_refused ',
    tagged("a\n</parameter>\n5"),
  ],
  [tokens, '«{"path":"<|close|>argument<|sep|> ends it"}»'],
  // What is damaged at the edge of a value.
  [twice, '«{"path":"<path>a"† two_readings ', twice],
  [section, '«{"path":"a","content":"<![[CDATA[b]]>"† two_readings ', section],
  [bracket, '«{"path":"a]"† value_refused ', bracket],
  [list, '«{"path":"a"}»«{"path":"b"}»'],
  [tagged("It ends with </parameter> here."), '«{"path":"It ends with </parameter> here."}»'],
  // Half of a call whose other parameters would follow.
  [halfJson, `${halfPath}truncated `, halfJson],
  [halfTagged, `${halfPath}truncated `, halfTagged],
  // The value goes on.
  [unclosed, `${halfPath}call_in_sentence \nand went on`, unclosed],
  // What is in the place of a closer isn't the value's.
  [
    tagged("a=\n<parameter=content>\nb"),
    '«{"path":"a=","content":"b"† value_refused ',
    tagged("a=\n<parameter=content>\nb"),
  ],
  [tagged("a\n<parameter=content>\nb"), '«{"path":"a","content":"b"}»'],
  // An example that a sentence announces, and what the model is about to do.
  ...shown.map((text) => [text, text] as const),
  [`Let me look at the example:\n${tagged("a")}`, 'Let me look at the example:\n«{"path":"a"}»'],
  [`1. Read the file: ${tagged("a")}`, '1. Read the file: «{"path":"a"}»'],
  [`The page will look like this:\n${tagged("a")}`, 'The page will look like this:\n«{"path":"a"}»'],
  // What the JSON leaves empty is in marks after it; the rule has sent it empty.
  [split(half), '«{"path":"a","content":""† two_readings ', split(half)],
  [
    split('"path": "a", "content": "y"'),
    '«{"path":"a","content":"y"† two_readings ',
    split('"path": "a", "content": "y"'),
  ],
  // A parameter's name that may lack a letter.
  [lacking, '«{"path":"a","limi":"5"† mark_left ', lacking],
  // A comma that is missing after a string can be in it.
  [
    json(', "arguments": {"path": "a," "content": "x"}'),
    '«{"path":"a,† invalid_arguments " "content": "x"}}\n</tool_call>',
    json(', "arguments": {"path": "a," "content": "x"}'),
  ],
];

Deno.test("SecondReader makes no repaired call of a rule that evidence refuses, streamed and whole", () => {
  for (const [text, streamed, whole = streamed] of BOTH) {
    for (const pieces of [[text], [...text], piecesOf(text, [7, 3, 5])]) {
      assert.equal(readByBoth(pieces, false), streamed);
      assert.equal(readByBoth(pieces, true), whole);
    }
  }
});

Deno.test("SecondReader gives a call its text from where the text before it ends, wherever the answer is cut", () => {
  const answer = `I'll look at it.\n<tool_call>\n${tagged("a.txt")}\n</tool_call>`;
  let made = 0;
  for (let length = 1; length <= answer.length; length++) {
    const text = answer.slice(0, length);
    const events = collect(bothReaders(true), textAnswer([text], { truncated: true }));
    const given = events.map((event) =>
      event.kind === "text" ? event.text : event.kind === "call_end" ? event.source : ""
    ).join("");
    // A call that a rule reads alone has its text without its wrapper.
    if (!events.some((event) => event.kind === "call_start" && event.rule === "evidence")) continue;
    made++;
    // A plugin that refuses the call gives its text back.
    assert.ok(text.startsWith(given), JSON.stringify([text, given]));
  }
  assert.ok(made > 5, `${made}`);
});

const SERVICE = await builtInService(configSchema.parse({}));

Deno.test("the second reader reads an answer that was expected to begin with reasoning and opens none, at every cut", () => {
  const parameters = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
  const translator = SERVICE.recognize({
    messages: [{ role: "user", content: "Go" }],
    tools: ["Bash", "runBash"].map((name) => ({ type: "function", function: { name, parameters } })),
  }, new Headers());
  const call = "<tool_name>Bash</tool_name>\n<parameter=command>\nls\n</parameter>";
  const answers: readonly [text: string, calls: number][] = [
    [call, 1],
    [`I look.\n\n${call}`, 1],
    [`Hm.\n</think>\n\n${call}`, 1],
    // A rule quotes it as long as it can be reasoning.
    ["I look.\n\n<Bash>\nls\n</Bash>", 0],
    ["<Bash>\nls\n</Bash>", 1],
    ["I look.\n\n<runBash>\nls\n</runBash>", 1],
    [`I could do this:\n\n${call}\n\nNo.\n</think>\n\nDone.`, 0],
  ];
  for (const [text, expected] of answers) {
    for (const pieces of [[text], [...text], piecesOf(text, [7, 3, 5])]) {
      for (const isStreamed of [false, true]) {
        const matcher = translator!.createMatcher({ isForClient: true, isStreamed, beginsInReasoning: true });
        const events = collect(matcher, textAnswer(pieces));
        assert.equal(events.filter(({ kind }) => kind === "call_end").length, expected, text);
      }
    }
  }
});

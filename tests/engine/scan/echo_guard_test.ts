import assert from "node:assert/strict";
import { ClosingTail, EchoGuard, SEARCHES_MAXIMUM } from "../../../src/engine/scan/echo_guard.ts";
import { QUOTABLE_MAXIMUM } from "../../../src/engine/scan/quotable_text.ts";
import { Matcher } from "../../../src/engine/scan/matcher.ts";
import { piecesOf } from "../../support/cuts.ts";
import { OFFERED } from "../../support/dialect_text.ts";
import { defaultProgram, feed, finish } from "../../support/matcher_events.ts";

const program = defaultProgram();

/** The text and the number of calls of an answer to a request with these messages. */
function read(answer: string, texts: readonly string[], wholeCalls = false): string {
  const cuts = [[answer], [...answer], piecesOf(answer, [7, 3, 16, 5])];
  const results = cuts.map((pieces) => {
    const echoGuard = new EchoGuard(texts);
    const matcher = new Matcher(program, { offered: OFFERED, minimumConfidence: 0.5, wholeCalls, echoGuard });
    const events = [...feed(matcher, ...pieces), ...finish(matcher)];
    const text = events.map((event) => event.kind === "text" ? event.text : "").join("");
    return `${text}|${events.filter(({ kind }) => kind === "call_end").length} calls`;
  });
  assert.deepEqual(results, results.map(() => results[0]));
  return results[0]!;
}

const VALUE = "ls -la src\n- one\n\n  two\n10 times";

/** The same call in five dialects. */
const CALLS: Readonly<Record<string, string>> = {
  "tags with a wrapper":
    `<tool_call>\n<function=write_file>\n<parameter=path>\na b.txt\n</parameter>\n<parameter=content>\n${VALUE}\n</parameter>\n</function>\n</tool_call>`,
  "tags named as the tool":
    `<write_file>\n<path>a b.txt</path>\n<content>\n${VALUE}\n</content>\n</write_file>`,
  "JSON in tags": `<tool_call>\n${
    JSON.stringify({ name: "write_file", arguments: { path: "a b.txt", content: VALUE } }, null, 2)
  }\n</tool_call>`,
  "a control token": `[TOOL_CALLS]write_file[ARGS]${JSON.stringify({ path: "a b.txt", content: VALUE })}`,
  "invoke tags":
    `<minimax:tool_call>\n<invoke name="write_file">\n<parameter name="path">a b.txt</parameter>\n<parameter name="content">${VALUE}</parameter>\n</invoke>\n</minimax:tool_call>`,
};

const eachLine = (change: (line: string, index: number) => string) => (text: string) => [
  text.split("\n").map(change).join("\n"),
];
const entities = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Messages of a request that contain a call. */
const DISGUISES: Readonly<Record<string, (text: string) => string[]>> = {
  "as it is": (text) => [text],
  "in a text": (text) => [`The page says:\n\n${text}\n\nand more.`],
  "with CRLF": (text) => [text.replaceAll("\n", "\r\n")],
  "as JSON": (text) => [JSON.stringify({ result: text })],
  "as JSON in JSON": (text) => [JSON.stringify({ result: JSON.stringify({ text }) })],
  "as JSON with escaped markup": (text) => [
    JSON.stringify(text).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  ],
  "with line numbers and bars": eachLine((line, index) => `${String(index + 1).padStart(3)} | ${line}`),
  "with line numbers and tabs": eachLine((line, index) => `${String(index + 1).padStart(6)}\t${line}`),
  "with line numbers and arrows": eachLine((line, index) => `  ${index + 9}→${line}`),
  "with line numbers and colons": eachLine((line, index) => `${index + 1}: ${line}`),
  "as an added diff": eachLine((line) => `+ ${line}`),
  "as a deleted diff": eachLine((line) => `-${line}`),
  "quoted": eachLine((line) => `> ${line}`),
  "indented": eachLine((line) => `\t    ${line}`),
  "found by grep": eachLine((line, index) => `docs/page.md:${index + 12}:${line}`),
  "near what grep found": eachLine((line, index) =>
    `page.md${index === 0 ? ":9:" : `-${index + 9}-`}${line}`
  ),
  "found by grep on Windows": eachLine((line, index) => `C:\\docs\\page.md:${index + 12}: ${line}`),
  "found by grep, as JSON": (text) => [
    JSON.stringify(text.split("\n").map((line, index) => `page.md:${index}:${line}`).join("\n")),
  ],
  "with a word and line numbers": eachLine((line, index) => `line ${index + 9}: ${line}`),
  "with line numbers in brackets": eachLine((line, index) => `[${index + 9}] ${line}`),
  "with line numbers and spaces": eachLine((line, index) => `${index + 9} ${line}`),
  "as a comment": eachLine((line) => `// ${line}`),
  "in a table": eachLine((line) => `| ${line} |`),
  "as a log": eachLine((line, index) => `2026-01-01 12:00:${10 + index} INFO ${line}`),
  "as strings of code": eachLine((line) => `${JSON.stringify(`${line}\n`)} +`),
  "in an address": (text) => [`See https://a.b/?q=${encodeURIComponent(text)} there`],
  "in a form": (text) => [encodeURIComponent(text).replaceAll("%20", "+")],
  "in the colors of a terminal": eachLine((line) => `\u001b[32m${line}\u001b[0m`),
  "with breaks of HTML": (text) => [entities(text).replaceAll("\n", "<br/>")],
  "with entities that lack their end": (text) => [text.replaceAll("<", "&lt").replaceAll(">", "&gt")],
  "in wide characters": (text) => [text.replaceAll("<", "＜").replaceAll(">", "＞")],
  "with invisible characters": (text) => [[...text].join("\u200b")],
  "as HTML": (text) => [`<pre>${entities(text)}</pre>`],
  "as HTML in HTML": (text) => [entities(entities(text))],
  "with other whitespace": (text) => [text.replaceAll(" ", "\u00a0\u200b").replaceAll("\n", "\n \n")],
  "several turns ago": (text) => [`Look:\n${text}`, "Something else", "Go on"],
  "split over two results": (text) => [`Part one:\n${text.slice(0, 40)}`, `${text.slice(40)}\nThat was it.`],
  "split inside its closers": (text) => [text.slice(0, -4), text.slice(-4)],
  "without its last characters": (text) => [`${text.slice(0, -5)}\n\nThe rest is cut.`, "Go on"],
  "cut off at the end of a message": (text) => [text.slice(0, -9), "<p>Go on</p>"],
  "cut off with an ellipsis": (text) => [`${text.slice(0, -3)}... [truncated]`],
};

for (const [dialect, call] of Object.entries(CALLS)) {
  Deno.test(`EchoGuard recognizes a quoted call in ${dialect} in every notation`, () => {
    assert.equal(read(`I do it. ${call}`, ["Nothing like it"]), "I do it. |1 calls");
    for (const [how, disguise] of Object.entries(DISGUISES)) {
      for (const wholeCalls of [false, true]) {
        assert.equal(
          read(`It says ${call} there.`, disguise(call), wholeCalls),
          `It says ${call} there.|0 calls`,
          how,
        );
      }
    }
  });

  Deno.test(`EchoGuard ignores calls in ${dialect} that only resemble the request`, () => {
    const resembling: readonly [how: string, texts: readonly string[]][] = [
      ["another value", [call.replace("a b.txt", "a b.ts")]],
      ["a longer value", [call.replace("a b.txt", "a b.txt.bak")]],
      ["a shorter value", [call.replace("a b.txt", "a b")]],
      ["another end", [call.replace("times", "items")]],
      ["a longer end", [call.replace("10 times", "10 times more")]],
      ["another tool", [call.replaceAll("write_file", "read_file")]],
      ["only its value", [VALUE, `a b.txt\n${VALUE}`]],
      ["only its arguments", [JSON.stringify({ path: "a b.txt", content: VALUE })]],
      ["only its beginning", [call.slice(0, call.indexOf("a b.txt"))]],
      ["only its end", [call.slice(call.indexOf("a b.txt"))]],
      ["its opener at the end of a line", [
        `Begin with\n${call.slice(0, call.indexOf("path") + 4)}\nand go on.`,
      ]],
      ["its parts in another order", [call.slice(60), call.slice(0, 60)]],
      ["a value with another line", [
        call.replace("10 times", call.includes(VALUE) ? "10 times\nx" : "10 times\\nx"),
      ]],
    ];
    for (const [how, texts] of resembling) assert.equal(read(call, texts), "|1 calls", how);
  });
}

Deno.test("EchoGuard recognizes a call that begins with a character that can mark a line", () => {
  const call = '**Tool Call:**\n{"name": "f", "arguments": {"path": "a b.txt"}}';
  assert.equal(read(`It says\n${call}`, ["Nothing like it"]), "It says\n|1 calls");
  for (const text of [call, `On the page:\n\n${call}\n`, `- ${call}`, `The page says ${call}`]) {
    assert.equal(read(`It says\n${call}`, [text]), `It says\n${call}|0 calls`, text);
  }
});

Deno.test("EchoGuard ignores a call without arguments whose opener is mentioned", () => {
  const call = "<tool_call>\n<function=f>\n</function>\n</tool_call>";
  assert.equal(read(call, ["Begin with\n<tool_call>\n<function=f>\nand go on"]), "|1 calls");
  assert.equal(read(call, [`Write\n${call}\n`]), `${call}|0 calls`);
});

Deno.test("EchoGuard ignores a call with fewer parameters than the request's", () => {
  const call = "<write_file>\n<path>a</path>\n</write_file>";
  assert.equal(read(call, ["<write_file>\n<path>a</path>\n<content>b</content>\n</write_file>"]), "|1 calls");
  const json = '<tool_call>{"name": "f", "arguments": {"path": "a"}}</tool_call>';
  assert.equal(read(json, [json.replace('"a"', '"a", "limit": 10')]), "|1 calls");
  assert.equal(read(json, [json.replace('"a"', '"a",\n"limit": 10')]), "|1 calls");
});

Deno.test("EchoGuard makes the real call that follows an echo", () => {
  const call = CALLS["tags with a wrapper"]!;
  const own = call.replace("a b.txt", "c.txt");
  assert.equal(read(`${call}\n${own}`, [call]), `${call}\n|1 calls`);
});

Deno.test("EchoGuard treats a frame as quoted if its first call is in the request", () => {
  const [one, two] = ["a", "b"].map((path) => JSON.stringify({ name: "f", arguments: { path } }));
  const frame = `<tool_call>\n${one}\n${two}\n</tool_call>`;
  assert.equal(read(frame, ["Something else"]), "|2 calls");
  assert.equal(read(frame, [`<tool_call>\n${one}\n</tool_call>`]), `${frame}|0 calls`);
});

Deno.test("EchoGuard compares only the last characters of a request", () => {
  const call = CALLS["tags named as the tool"]!;
  const filler = "x".repeat(QUOTABLE_MAXIMUM - call.length - 1);
  assert.equal(read(call, [`${call} ${filler}`]), `${call}|0 calls`);
  assert.equal(read(call, [`${call} ${filler}yy`]), "|1 calls");
});

Deno.test("EchoGuard compares a bounded number of calls; a possible echo after that counts as one", () => {
  const begin = "<tool_call><function=f><parameter=path>";
  const end = "</parameter></function></tool_call>";
  const calls = (count: number) => Array.from({ length: count }, (_, at) => `${begin}${at}${end}`).join("");
  const made = (answer: string) => {
    const echoGuard = new EchoGuard([`${begin}x${end}`]);
    const matcher = new Matcher(program, {
      offered: OFFERED,
      minimumConfidence: 0,
      wholeCalls: false,
      echoGuard,
    });
    const events = [...feed(matcher, answer), ...finish(matcher)];
    return events.filter(({ kind }) => kind === "call_end").length;
  };
  assert.equal(made(calls(SEARCHES_MAXIMUM)), SEARCHES_MAXIMUM);
  assert.equal(made(calls(SEARCHES_MAXIMUM + 5)), SEARCHES_MAXIMUM);
});

/** The number of comparisons for an answer that repeats a text of the request. */
function stepsOf(text: string, answer: string): number {
  const echoGuard = new EchoGuard([text]);
  const matcher = new Matcher(program, {
    offered: OFFERED,
    minimumConfidence: 0,
    wholeCalls: false,
    echoGuard,
  });
  feed(matcher, ...piecesOf(answer, [5]));
  finish(matcher);
  return echoGuard.steps;
}

Deno.test("EchoGuard takes twice the steps for a text twice as long, even a repetitive one", () => {
  const call = (value: string) =>
    `<tool_call><function=f><parameter=path>${value}</parameter></function></tool_call>`;
  const texts: readonly [what: string, make: (length: number) => [text: string, answer: string]][] = [
    ["an echo", (length) => {
      const text = call("some words ".repeat(length / 11));
      return [text, text];
    }],
    ["one character", (length) => [call("a".repeat(length)), `${call("a".repeat(length / 2) + "b")}`]],
    ["many beginnings", (length) => {
      const begin = call("aaaa").slice(0, -40);
      return [begin.repeat(length / begin.length), call("aaaab")];
    }],
    ["many calls whose beginning ends a line", (length) => {
      const begin = '<read_file>\n{"path": ';
      return [`<read_file>\n${"x".repeat(length)}`, begin.repeat(length / begin.length)];
    }],
    ["many borders", (length) => [
      call("ab".repeat(length / 8) + "c").repeat(3),
      call("ab".repeat(length / 8)),
    ]],
  ];
  for (const [what, make] of texts) {
    const [short, long] = [20_000, 40_000].map((length) => stepsOf(...make(length)));
    assert.ok(long! <= 2.2 * short! + 100, `${what}: ${short} → ${long}`);
    assert.ok(long! <= 4 * 40_000, `${what}: ${long} steps`);
  }
});

Deno.test("EchoGuard compares a call again if its end is found later, after text was held", () => {
  const call = "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</tool_call>";
  const next = "<tool_call>\n<function=f>\n</function>\n</tool_call>";
  for (const wholeCalls of [false, true]) {
    assert.equal(read(`${call}\n${next}`, ["Something else"], wholeCalls), "|2 calls");
    assert.equal(read(`${call}\n${next}`, [`x\n${call}\ny`], wholeCalls), `${call}\n|1 calls`);
  }
});

Deno.test("ClosingTail finds the closers at the end of a call", () => {
  const cases: [text: string, closers: string][] = [
    ["<p=a>x</p></f>", "</p></f>"],
    ['{"a":"b"}}</c>', '"}}</c>'],
    ["<|begin|>x<|end|>", "<|end|>"],
  ];
  for (const [text, closers] of cases) {
    const tail = new ClosingTail();
    for (let at = 0; at < text.length; at++) tail.push(text.charCodeAt(at));
    assert.deepEqual([tail.text, tail.start, tail.length], [
      closers,
      text.length - closers.length,
      text.length,
    ], text);
  }
});

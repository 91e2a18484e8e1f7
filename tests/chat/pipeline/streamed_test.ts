import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import type { Sink } from "../../../src/chat/event/stage.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import type { AnswerOptions } from "../../../src/chat/pipeline/pipeline.ts";
import type { Renderer } from "../../../src/chat/render/renderer.ts";
import { DROPPED_CALLS } from "../../../src/chat/pipeline/streamed.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";
import { allCuts } from "../../support/cuts.ts";
import { TextAnswer } from "../../support/text_answer.ts";
import { matcherOf, THOUGHT } from "../../support/thought.ts";
import { chunkMessage, hear, IDENTITY, message } from "../../support/chunks.ts";

const DONE = "data: [DONE]\n\n";
const FINISH = chunkMessage({}, { finish: "stop" }) + DONE;
const BROKEN = { error: { message: "broken", type: "upstream_error", code: "upstream_broke_off" } };

function open(options: Partial<AnswerOptions> = {}): TextAnswer {
  let count = 0;
  return new TextAnswer({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => `call_${++count}`),
    ...options,
  });
}

function run(stream: string, options: Partial<AnswerOptions> & { places?: readonly number[] } = {}): string {
  const pipeline = open(options);
  const bytes = new TextEncoder().encode(stream);
  const places = [...(options.places ?? [])].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
  let output = "";
  let from = 0;
  for (const to of [...places, bytes.length]) {
    output += pipeline.pushBytes(bytes.slice(from, to));
    from = to;
  }
  return output + pipeline.end();
}

/** A renderer of a client that takes one call a message. */
class OneCallRenderer implements Renderer {
  isFinished = false;
  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "finish") out.push(event);
    else if (this.isFinished) return;
    else if (event.kind === "call_start") out.push({ kind: "text", text: `<${event.tool}/>` });
    else if (event.kind === "call_end") this.isFinished = true;
    else if (event.kind !== "arguments") out.push(event);
  }
}

Deno.test("StreamedAnswer passes a stream without calls byte for byte, odd messages included", () => {
  const stream = ": ping\r\n\r\n" +
    `event: message\r\nid: 7\r\ndata:   ${
      JSON.stringify({ choices: [{ delta: { content: "a [b" } }], odd: 1.0 })
    }\r\n\r\n` +
    chunkMessage({ role: "assistant", content: "" }) + chunkMessage({ content: "text] 漢😀" }) +
    chunkMessage({ reasoning_content: "[[hm {}]]" }) + message("not JSON") +
    chunkMessage({}, { finish: "stop" }) + message({ ...IDENTITY, choices: [], usage: { total_tokens: 1 } }) +
    DONE;
  fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 8 }), (places) => {
    assert.equal(run(stream, { places }), stream);
  }));
});

Deno.test("StreamedAnswer ends with an error of the upstream: nothing after it looks like a good end", () => {
  const begun = chunkMessage({ role: "assistant", content: "" }) + chunkMessage({ content: "text" }) +
    message({ error: { message: "x" } });
  fc.assert(fc.property(fc.array(fc.nat(), { maxLength: 8 }), (places) => {
    assert.equal(run(begun + FINISH, { places }), begun);
  }));
});

Deno.test("StreamedAnswer sends comments before messages unchanged", () => {
  const comments = [": ping\n", ": written 1\r\n", ":\n: two\n"];
  const stream = chunkMessage({ role: "assistant", content: "" }) +
    comments.map((comment, number) => comment + chunkMessage({ content: `word ${number} ` })).join("") +
    FINISH;
  const pipeline = open();
  assert.equal(pipeline.push(stream) + pipeline.end(), stream);
});

Deno.test("StreamedAnswer turns a call into deltas, however the bytes and the text are cut", () => {
  const text = 'Hi [x] [[write {"path":"漢😀"}]]bye[';
  fc.assert(
    fc.property(
      fc.array(fc.nat(), { maxLength: 9 }),
      fc.array(fc.nat(), { maxLength: 9 }),
      (cuts, places) => {
        const characters = [...text];
        const ends = [...cuts.map((cut) => cut % characters.length).sort((a, b) => a - b), characters.length];
        let from = 0;
        const parts = ends.map((to) => characters.slice(from, from = to).join(""));
        const stream = chunkMessage({ role: "assistant", content: "" }) +
          parts.map((content) => chunkMessage({ content })).join("") + FINISH;
        const { choices: [choice], isDone } = hear(run(stream, { places }));
        assert.deepEqual(choice, {
          content: "Hi [x] bye[",
          roles: ["assistant"],
          calls: [{ id: "call_1", name: "write", arguments: '{"path":"漢😀"}' }],
          finishReasons: ["tool_calls"],
        });
        assert.equal(isDone, true);
      },
    ),
  );
});

Deno.test("StreamedAnswer sends arguments that arrive together as one message, and before what follows them", () => {
  const pieces = ["[[t {", '"a":', " 1", "}"].map((content) => chunkMessage({ content }));
  const alone = open();
  const one = pieces.map((piece) => alone.push(piece)).join("");
  const together = open().push(pieces.join(""));
  assert.equal(hear(one).choices[0]?.calls[0]?.arguments, '{"a": 1}');
  assert.deepEqual({ ...hear(together), chunks: undefined }, { ...hear(one), chunks: undefined });
  assert.deepEqual([messagesOf(one).length, messagesOf(together).length], [5, 3]);
  const ping = ": ping\n\n";
  const between = open().push(pieces.slice(0, 3).join("") + ping + pieces[3]);
  assert.ok(
    between.indexOf(" 1") < between.indexOf(ping) && between.indexOf(ping) < between.lastIndexOf("}"),
  );
});

Deno.test("StreamedAnswer says the role with a call when the upstream never said it", () => {
  const { choices: [choice] } = hear(run(chunkMessage({ content: "[[t {}]]" }) + FINISH));
  assert.deepEqual(choice?.roles, ["assistant"]);
});

Deno.test("StreamedAnswer releases held text before the finish and reads content in the finish chunk", () => {
  const held = run(chunkMessage({ content: "a[" }) + FINISH);
  assert.equal(hear(held).choices[0]?.content, "a[");
  assert.ok(held.indexOf('"["') < held.indexOf('"finish_reason":"stop"'));
  const last = hear(run(chunkMessage({ content: "x[[t {}]]" }, { finish: "stop" }) + DONE)).choices[0];
  assert.deepEqual([last?.content, last?.calls.length, last?.finishReasons], ["x", 1, ["tool_calls"]]);
});

Deno.test("StreamedAnswer keeps the choices of an answer apart", () => {
  const stream = chunkMessage({ role: "assistant", content: "[[a {" }) +
    chunkMessage({ role: "assistant", content: "plain [" }, { index: 1 }) +
    chunkMessage({ content: "}]]" }) + chunkMessage({ content: "[b {}]]" }, { index: 1 }) +
    message({
      ...IDENTITY,
      choices: [{ index: 0, delta: {}, finish_reason: "stop" }, {
        index: 1,
        delta: {},
        finish_reason: "length",
      }],
    }) + DONE;
  const { choices } = hear(run(stream));
  assert.deepEqual(choices.map((choice) => choice.content), ["", "plain "]);
  assert.deepEqual(choices.map((choice) => choice.calls.map((call) => call.name)), [["a"], ["b"]]);
  assert.deepEqual(choices.map((choice) => choice.finishReasons), [["tool_calls"], ["length"]]);
});

Deno.test("StreamedAnswer ends a broken answer with length where a call was open", () => {
  const pipeline = open();
  const output = pipeline.push(chunkMessage({ content: 'a[[t {"b":"c' })) +
    pipeline.end(BROKEN);
  const { choices: [choice], isDone, errors } = hear(output);
  assert.deepEqual(choice?.calls.map((call) => call.arguments), ['{"b":"c']);
  assert.deepEqual([choice?.finishReasons, isDone, errors], [["length"], false, [{
    ...BROKEN.error,
    param: null,
  }]]);
});

Deno.test("StreamedAnswer passes what came of a broken answer without calls, and says that it broke", () => {
  const came = chunkMessage({ role: "assistant", content: "text" });
  assert.deepEqual(hear(run(came)).errors.map((error) => error.code), ["upstream_broke_off"]);
  const pipeline = open();
  const output = pipeline.push(chunkMessage({ content: "text [" })) +
    pipeline.end(BROKEN);
  assert.equal(hear(output).choices[0]?.content, "text [");
  assert.deepEqual(hear(output).errors.map((error) => error.code), ["upstream_broke_off"]);
});

Deno.test("StreamedAnswer tells of a time limit even where it had to end a call", () => {
  const pipeline = open();
  const output = pipeline.push(chunkMessage({ content: "[[t {" })) +
    pipeline.end(BROKEN);
  const { choices: [choice], errors } = hear(output);
  assert.deepEqual([choice?.finishReasons, errors.length], [["length"], 1]);
});

Deno.test("StreamedAnswer gives the finish that an upstream left out before its [DONE]", () => {
  const { choices: [choice], isDone } = hear(run(chunkMessage({ content: "[[t {}]]" }) + DONE));
  assert.deepEqual([choice?.finishReasons, isDone], [["tool_calls"], true]);
  const text = chunkMessage({ content: "text" }) + DONE;
  assert.equal(run(text), text);
});

Deno.test("StreamedAnswer leaves a second finish out behind a call", () => {
  const stream = chunkMessage({ content: "[[t {}]]" }, { finish: "stop" }) +
    chunkMessage({}, { finish: "stop" }) + DONE;
  assert.deepEqual(hear(run(stream)).choices[0]?.finishReasons, ["tool_calls"]);
});

Deno.test("StreamedAnswer gives calls after the upstream's own the next index, and the reason that fits", () => {
  const native = { index: 0, id: "n", type: "function", function: { name: "own", arguments: "{}" } };
  const stream = chunkMessage({ role: "assistant", tool_calls: [native] }) +
    chunkMessage({ content: "[[t {}]]" }) +
    FINISH;
  const [choice] = hear(run(stream)).choices;
  assert.deepEqual(choice?.calls.map((call) => call.name), ["own", "t"]);
  assert.deepEqual(choice?.finishReasons, ["tool_calls"]);
});

Deno.test("StreamedAnswer ends the answer once its client has the one call it takes", () => {
  const usage = { total_tokens: 9 };
  const stream =
    message({ ...IDENTITY, choices: [{ index: 0, delta: { content: "a[[t {}]]b[[u {}]]" } }], usage }) +
    chunkMessage({ content: "more" }) + FINISH;
  const pipeline = open({ createRenderer: () => new OneCallRenderer() });
  const answer = hear(pipeline.push(stream));
  assert.equal(pipeline.isOver, true);
  assert.equal(pipeline.end(), "");
  assert.equal(answer.choices[0]?.content, "a<t/>");
  assert.deepEqual([answer.choices[0]?.finishReasons, answer.isDone, answer.usage], [["stop"], true, usage]);
});

Deno.test("StreamedAnswer waits for every choice that was asked for before it ends an answer early", () => {
  const pipeline = open({ createRenderer: () => new OneCallRenderer(), choiceCount: 2 });
  const push = (content: string, index: number) => pipeline.push(chunkMessage({ content }, { index }));
  const first = push("[[t {}]]", 0);
  assert.equal(pipeline.isOver, false);
  assert.equal(push("ignored", 0), "");
  const second = push("x[[u {}]]", 1);
  assert.equal(pipeline.isOver, true);
  const { choices, isDone } = hear(first + second);
  assert.deepEqual(choices.map((choice) => choice.content), ["<t/>", "x<u/>"]);
  assert.equal(isDone, true);
});

Deno.test("StreamedAnswer tells its listener of calls and notes, never of text", () => {
  const seen: [string, number][] = [];
  run(chunkMessage({ content: "a[[t {}]]" }, { index: 3 }) + FINISH, {
    listener: { event: (event, { choice }) => seen.push([event.kind, choice]) },
  });
  assert.deepEqual(seen, [["call_start", 3], ["arguments", 3], ["call_end", 3]]);
});

Deno.test("StreamedAnswer leaves choices beyond its limit untouched", () => {
  const stream = Array.from({ length: 130 }, (_, index) => chunkMessage({ content: "[[t {}]]" }, { index }))
    .join("");
  const { choices } = hear(run(stream));
  assert.equal(choices[127]?.calls.length, 1);
  assert.deepEqual([choices[128]?.calls.length, choices[128]?.content], [0, "[[t {}]]"]);
});

const HEAD = { index: 0, id: "own", type: "function", function: { name: "f", arguments: "" } };
const piece = (json: string) => chunkMessage({ tool_calls: [{ index: 0, function: { arguments: json } }] });

Deno.test("StreamedAnswer lets a message wait whose last comma may be one too many, and then leave as it came", () => {
  const start = chunkMessage({ role: "assistant", tool_calls: [HEAD] }) + piece('{"a": "b"');
  const waiting = [piece(", "), ": ping\n\n", chunkMessage({ reasoning_content: "r" }), message({ odd: 1 })];
  const pipeline = open();
  const push = (text: string) => pipeline.push(text);
  assert.equal(push(start), start);
  for (const each of waiting) assert.equal(push(each), "");
  const rest = piece('"c":1}') + chunkMessage({}, { finish: "tool_calls" }) + DONE;
  assert.equal(push(rest), waiting.join("") + rest);
});

Deno.test("StreamedAnswer leaves the comma out where it was one too many, and nothing else", () => {
  const seen: string[] = [];
  const stream = chunkMessage({ role: "assistant", tool_calls: [HEAD] }) + piece('{"a": [1') + piece(",") +
    ": ping\n\n" +
    piece(" ]") + piece("}") + chunkMessage({}, { finish: "tool_calls" }) + DONE;
  const output = run(stream, {
    listener: { event: (event) => event.kind === "note" && seen.push(event.reason) },
  });
  assert.equal(hear(output).choices[0]?.calls[0]?.arguments, '{"a": [1]}');
  assert.ok(output.includes(": ping"));
  assert.deepEqual(seen, ["json_repaired"]);
});

Deno.test("StreamedAnswer does not let more than its limit wait", () => {
  const start = chunkMessage({ role: "assistant", tool_calls: [HEAD] }) + piece('{"a":1,');
  const heartbeats = (count: number) => ": ping\n\n".repeat(count);
  const answer = open();
  const push = (text: string) => answer.pushBytes(new TextEncoder().encode(text));
  const before = push(start + heartbeats(10));
  assert.ok(!before.includes("ping"), "what follows an unfinished call waits");
  const after = push(heartbeats(8990));
  assert.ok(after.split(": ping").length > 8000, "but not more than the limit");
  const output = before + after + push(piece('"b":2}') + FINISH) + answer.end();
  assert.equal(hear(output).choices[0]?.calls[0]?.arguments, '{"a":1,"b":2}');
  assert.equal(output.split(": ping").length, 9001);
});

Deno.test("StreamedAnswer never ends an answer with calls without [DONE]", () => {
  const stream = chunkMessage({ role: "assistant", tool_calls: [HEAD] }) + piece("{}") +
    chunkMessage({}, { finish: "tool_calls" });
  const seen: string[] = [];
  const event = (event: ContentEvent) => event.kind === "note" && seen.push(event.reason);
  assert.equal(run(stream, { listener: { event } }), stream + DONE);
  assert.deepEqual(seen, ["done_missing"]);
  const text = chunkMessage({ content: "text" }, { finish: "stop" });
  assert.equal(run(text), text);
});

Deno.test("StreamedAnswer sends a region apart as reasoning, however it is cut", () => {
  const options = { createMatcher: () => matcherOf(THOUGHT) };
  for (const pieces of allCuts("A [t]hm😀[/t]B")) {
    const stream = chunkMessage({ role: "assistant", reasoning_content: "Own. " }) +
      pieces.map((content) => chunkMessage({ content })).join("") + FINISH;
    const deltas = messagesOf(run(stream, options)).flatMap(({ choices }) =>
      choices.map(({ delta }) => delta)
    );
    const joined = (field: string) => deltas.map((delta) => delta[field] ?? "").join("");
    assert.deepEqual([joined("content"), joined("reasoning_content")], ["A B", "Own. hm😀"]);
  }
});

function messagesOf(stream: string): { choices: { delta: Record<string, string> }[] }[] {
  return stream.split("\n\n").filter((each) => each.startsWith("data: {"))
    .map((each) => JSON.parse(each.slice("data: ".length)));
}

Deno.test("StreamedAnswer separates what it adds from a last message without its blank line", () => {
  const finish = chunkMessage({}, { finish: "stop" });
  const prose = chunkMessage({ content: "a" }) + finish.trimEnd();
  assert.equal(run(prose), prose);
  for (const last of [finish, finish.trimEnd(), `${finish}: ping`, `${finish}: ping\n`]) {
    const { choices, isDone } = hear(run(chunkMessage({ content: "[[t {}]]" }) + last));
    assert.deepEqual([choices[0]?.finishReasons, isDone], [["tool_calls"], true], JSON.stringify(last));
  }
});

Deno.test("StreamedAnswer holds back the end of an answer whose calls were dropped, and only that", () => {
  const end = chunkMessage({}, { finish: "tool_calls" });
  const isDropped: AnswerOptions["isDropped"] = ({ choices }) => choices?.[0]?.finish_reason === "tool_calls";
  const pipeline = open({ isDropped });
  const text = chunkMessage({ content: "text" });
  assert.equal(pipeline.push(text + end), text);
  assert.equal(pipeline.pipeline.lost, DROPPED_CALLS);
  const last = open({ isDropped }).push(chunkMessage({ content: "text" }, { finish: "tool_calls" }));
  assert.match(last, /"delta":\{"content":"text"\},"finish_reason":null/);
  assert.equal(run(text + FINISH, { isDropped }), text + FINISH);
});

/**
 * Every example of every shipped rule leaves on every wire in that wire's order, with the same text and calls, however
 * the stream is cut and wherever it ends: with reasoning, with usage, with the upstream's own parallel calls, with
 * something that keeps the connection alive, with an error, cut off.
 *
 *     DRAGOMAN_FUZZ_CASES=2000 deno task test tests/property/wire_order_test.ts    # every cut of every example, too
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { testConfig } from "../support/proxy.ts";
import { builtInService } from "../support/built_in.ts";
import { chunkMessage, message } from "../support/chunks.ts";
import { everyCut } from "../support/cut_places.ts";
import { piecesOf } from "../support/cuts.ts";
import { IS_THOROUGH, runs, tell } from "../support/fuzz.ts";
import { parallelDeltas } from "../support/native_answers.ts";
import { READERS } from "../support/wire_readers.ts";
import { loadRules } from "../../src/engine/rule/load.ts";
import { StreamedAnswer } from "../../src/chat/pipeline/streamed.ts";
import { MessagesWriter } from "../../src/wires/anthropic/writer.ts";
import { StreamedWireAnswer } from "../../src/wires/answer.ts";
import type { WireEvent } from "../../src/wires/event.ts";
import { GeminiWriter } from "../../src/wires/gemini/writer.ts";
import { OllamaWriter } from "../../src/wires/ollama/writer.ts";
import { ResponsesWriter } from "../../src/wires/responses/writer.ts";
import { ToolList } from "../../src/wires/responses/tools.ts";
import type { WireWriter } from "../../src/wires/wire.ts";

const identity = { id: "1", created: 0 };
const service = await builtInService(testConfig("http://127.0.0.1:1/v1"));
const { rules } = await loadRules({
  folders: [],
  settings: { enable: [], disable: [], confidence: {}, minimumConfidence: 0 },
  workingDirectory: Deno.cwd(),
  withExamples: true,
});
const examples = rules.filter((rule) => rule.enabled !== false).flatMap((rule) =>
  rule.examples.map(({ name, input, offered }) => {
    const schemas = Array.isArray(offered) ? Object.fromEntries(offered.map((tool) => [tool, {}])) : offered;
    const tools = Object.entries(schemas).map(([name, parameters]) => ({
      type: "function",
      function: { name, parameters },
    }));
    const translator = service.recognize({ model: "m", tools }, new Headers());
    assert.ok(translator !== undefined);
    return { name: `${rule.rule}: ${name}`, input, translator };
  })
);

const WRITERS: Readonly<Record<string, () => WireWriter>> = {
  anthropic: () => new MessagesWriter("m", identity),
  responses: () => new ResponsesWriter({ request: { model: "m" }, tools: new ToolList(), identity }),
  ollama: () => new OllamaWriter("m", identity),
  gemini: () => new GeminiWriter({ model: "m", identity }),
};

/** How an answer ends. */
const ENDS: Readonly<Record<string, readonly string[]>> = {
  whole: [
    chunkMessage({}, { finish: "stop" }),
    message({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
    message("[DONE]"),
  ],
  "cut by length": [chunkMessage({}, { finish: "length" }), message("[DONE]")],
  "with an error": [message({ error: { message: "slow", type: "timeout", code: "upstream_silent" } })],
  broken: [],
};

interface Answer {
  readonly example: (typeof examples)[number];
  /** The text of the example, or its beginning, as it arrives. */
  readonly pieces: readonly string[];
  /** One of the ends. */
  readonly end: string;
  /** Whether the upstream makes two calls of its own after the text. */
  readonly isNative: boolean;
}

const NATIVE = parallelDeltas([
  { name: "first", arguments: { a: '"1"' } },
  { name: "second", arguments: { b: { c: [1, "x"] } } },
]);

/** The events of an answer, as a wire's writer gets them. */
function eventsOf({ example: { translator }, pieces, end, isNative }: Answer): WireEvent[] {
  let count = 0;
  const found: WireEvent[] = [];
  const noting: WireWriter = {
    begin: () => "",
    beat: () => "",
    push: (event) => (found.push(event), ""),
  };
  const sink = new StreamedWireAnswer(noting);
  const answer = new StreamedAnswer({
    createMatcher: () => translator.createMatcher({ isStreamed: true }),
    createRenderer: () => translator.createRenderer(() => `call_${count++}`),
    sink,
  });
  const encoder = new TextEncoder();
  const messages = [
    chunkMessage({ role: "assistant", reasoning_content: "hm" }),
    ...pieces.map((content) => chunkMessage({ content })),
    ...(isNative ? NATIVE : []).map((delta) => chunkMessage(delta)),
    ...ENDS[end]!,
  ];
  for (const text of messages) answer.push(encoder.encode(text));
  const failure = { error: { message: "gone", type: "upstream_error", code: "upstream_broke_off" } };
  answer.end(end === "broken" ? failure : undefined);
  assert.equal(sink.mustBreak, end === "broken");
  return found;
}

/** Texts in a row as one, so that the cut does not show. */
function joined(events: readonly WireEvent[]): unknown[] {
  const list: Record<string, unknown>[] = [];
  for (const event of events) {
    const last = list.at(-1);
    const field = event.kind === "arguments" ? "json" : "text";
    const isPiece = event.kind === "text" || event.kind === "reasoning" || event.kind === "arguments";
    if (isPiece && last?.["kind"] === event.kind) last[field] = `${last[field]}${Reflect.get(event, field)}`;
    else list.push({ ...event });
  }
  return list;
}

/** What a client of any wire reads of these events. */
function expectedOf(events: readonly WireEvent[]) {
  const read = { text: "", reasoning: "", calls: [] as [string, unknown][], isWhole: false };
  for (const event of events) {
    if (event.kind === "text" || event.kind === "reasoning") read[event.kind] += event.text;
    else if (event.kind === "call_end") read.calls.push([event.tool, JSON.parse(event.json)]);
    read.isWhole ||= event.kind === "finish";
  }
  return read;
}

/** Writes an answer on every wire and reads it strictly; gives how many calls it has. */
function check(answer: Answer, whole: readonly WireEvent[]): number {
  const { example: { name }, end, isNative } = answer;
  const events = eventsOf(answer);
  const expected = expectedOf(events);
  // The upstream's own calls may overtake a character that may begin an opener.
  if (isNative) assert.deepEqual(expected, expectedOf(whole), name);
  else assert.deepEqual(joined(events), joined(whole), name);
  const cutAt = events.findIndex(({ kind }) => kind === "call_abort");
  const isCut = cutAt >= 0;
  for (const [wire, createWriter] of Object.entries(WRITERS)) {
    const writer = createWriter();
    const text = writer.begin() + events.map((event) => writer.beat() + writer.push(event)).join("");
    const { isCut: _, error: __, ...found } = READERS[wire]!(text);
    const title = `${wire}, ${end}, ${name}`;
    // Nothing follows a call that broke off on Anthropic's wire; on the others, it is text.
    const isSilent = isCut && wire === "anthropic";
    assert.deepEqual(
      found.calls,
      isSilent ? expectedOf(events.slice(0, cutAt)).calls : expected.calls,
      title,
    );
    assert.equal(found.isWhole, expected.isWhole && !isSilent, title);
    if (!isCut && found.isWhole) assert.deepEqual(found, expected, title);
  }
  return expected.calls.length;
}

/** The events of an answer that arrives as a whole. */
function wholeOf({ pieces, ...answer }: Answer): WireEvent[] {
  return eventsOf({ ...answer, pieces: [pieces.join("")] });
}

Deno.test("examples of all shipped rules keep the order of every wire, however they are cut", () => {
  const figures = { cases: 0, calls: 0 };
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
  const end = fc.constantFrom(...Object.keys(ENDS));
  // A third of the answers are the whole example; the others end anywhere in it.
  const part = fc.oneof(
    fc.constant(1),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0.5, max: 1, noNaN: true }),
  );
  const property = fc.property(
    fc.constantFrom(...examples),
    sizes,
    end,
    part,
    fc.boolean(),
    (example, sizes, end, part, isNative) => {
      const text = example.input.slice(0, Math.ceil(part * example.input.length));
      const answer = { example, pieces: piecesOf(text, sizes), end, isNative };
      figures.calls += check(answer, wholeOf(answer));
      figures.cases++;
    },
  );
  fc.assert(property, runs(1500));
  tell("wire order", figures);
});

/** How many examples there are for one that is cut at every place. */
const SHARE = Deno.env.get("DRAGOMAN_FUZZ_CASES") === undefined ? 101 : 1;

const ends = Object.keys(ENDS);

// In a short run, the ends take turns.
for (const [number, end] of ends.entries()) {
  Deno.test(`examples of shipped rules keep the order of every wire at every cut, ${end}`, () => {
    const figures = { examples: 0, cases: 0, calls: 0 };
    for (const [at, example] of examples.entries()) {
      if (at % SHARE !== 0 || (!IS_THOROUGH && at / SHARE % ends.length !== number)) continue;
      figures.examples++;
      const isNative = at % 2 === 0;
      const whole = wholeOf({ example, pieces: [example.input], end, isNative });
      for (const pieces of everyCut(example.input)) {
        figures.calls += check({ example, pieces, end, isNative }, whole);
        figures.cases++;
      }
    }
    assert.ok(figures.cases > 0);
    tell(`wire order, ${end}`, figures);
  });
}

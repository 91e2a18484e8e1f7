/**
 * Hostile text takes linear time: twice as much of it takes about twice as many steps, whatever is repeated. Each text
 * repeats a part of a dialect, of Markdown or of JSON, or a mixture. Steps are counted, not timed
 * (`tests/support/steps.ts`).
 *
 *     DRAGOMAN_FUZZ_CASES=2000 DRAGOMAN_FUZZ_SEED=7 deno task test tests/property/hostile_text_test.ts
 */
import assert from "node:assert/strict";
import { textAnswer, type TextStage } from "../../src/engine/event/stage.ts";
import { NearMissWatch } from "../../src/chat/near_miss/near_miss.ts";
import { createShownCheck } from "../../src/chat/near_miss/shown.ts";
import { ToolNames } from "../../src/chat/near_miss/tool_names.ts";
import type { Transcript } from "../../src/chat/event/transcript.ts";
import { Texts } from "../../src/chat/pipeline/texts.ts";
import { StreamedAnswer } from "../../src/chat/pipeline/streamed.ts";
import { ToolCallRenderer } from "../../src/chat/render/tool_calls.ts";
import { EchoGuard } from "../../src/engine/scan/echo_guard.ts";
import { Matcher, type MatcherOptions } from "../../src/engine/scan/matcher.ts";
import { anyTool, offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { IS_THOROUGH, runs, sampled } from "../support/fuzz.ts";
import { type HostileText, hostileUnits, mixedText } from "../support/hostile_text.ts";
import { programOf, shippedRules } from "../support/matcher_events.ts";
import { seededRandom } from "../support/mutate.ts";
import { StepCounter, type Steps } from "../support/steps.ts";
import { textRenderer } from "../support/text_renderer.ts";

/** The length of the shortest text. */
const LENGTH = 3_000;
/** The length of the shortest text that was slow: with all cases, also work of a few steps for each opener before shows. */
const KNOWN_LENGTH = IS_THOROUGH ? 40_000 : 8_000;
/** A text of this length makes the states of the automata, which no later text makes again. */
const WARMING_LENGTH = 1_000;
const GROWTH_MAXIMUM = 2.2;
/** This many steps for each character say nothing of growth. */
const NOISE = 30;
/**
 * A text that takes more is doubled up to this length. Below a limit, such as that of repeated reads, work may grow
 * faster; only what grows faster at every length has no limit.
 */
const LENGTH_MAXIMUM = 100_000;

const counter = await StepCounter.start();
const rules = shippedRules({ withExamples: true });
const program = programOf(...rules);
const isShown = createShownCheck(program);
const NO_TOOLS = offer([]);
const NOWHERE = { push() {} };

/** Reads a text in one of the ways in which the proxy reads it. */
type Reader = (pieces: readonly string[]) => void;

function matcher(options: Partial<MatcherOptions>): Matcher {
  return new Matcher(program, { offered: OFFERED, minimumConfidence: 0, wholeCalls: false, ...options });
}

function drive(stage: TextStage, pieces: readonly string[]): void {
  for (const event of textAnswer(pieces)) stage.push(event, NOWHERE);
}

/** Reads a stream of messages with these deltas. */
function stream(deltas: readonly unknown[], renderer: "tool calls" | "text"): void {
  let count = 0;
  const answer = new StreamedAnswer({
    createMatcher: () => matcher({ wholeCalls: renderer === "text" }),
    createRenderer: () =>
      renderer === "text" ? textRenderer().renderer : new ToolCallRenderer(() => `call_${++count}`),
    listener: { event() {} },
  });
  const encoder = new TextEncoder();
  for (const delta of deltas) {
    const message = JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] });
    answer.push(encoder.encode(`data: ${message}\n\n`));
  }
  answer.end();
}

const READERS: Readonly<Record<string, Reader>> = {
  "every tool is offered": (pieces) => drive(matcher({ offered: anyTool }), pieces),
  "no tool is offered": (pieces) => drive(matcher({ offered: NO_TOOLS }), pieces),
  "some tools are offered, near misses are noted": (pieces) => {
    const names = () => new ToolNames(OFFERED);
    const options = { names, isShown, beginsInReasoning: false };
    const create = (transcript: Transcript) =>
      new NearMissWatch(matcher({ wholeCalls: true }), options, transcript);
    drive(new Texts(create), pieces);
  },
  "the request has the same text": (pieces) => {
    drive(matcher({ offered: anyTool, echoGuard: new EchoGuard([pieces.join("")]) }), pieces);
  },
  "the answer is streamed": (pieces) => stream(pieces.map((content) => ({ content })), "tool calls"),
  "the client reads calls in text": (pieces) => stream(pieces.map((content) => ({ content })), "text"),
  "arguments of a native call": (pieces) => {
    const call = (part: unknown) => ({ tool_calls: [{ index: 0, function: part }] });
    const head = [{ tool_calls: [{ index: 0, id: "a", function: { name: "write_file", arguments: "" } }] }];
    stream([...head, ...pieces.map((text) => call({ arguments: text }))], "tool calls");
  },
};

const CUTS: Readonly<Record<string, (text: string) => string[]>> = {
  whole: (text) => [text],
  "in pieces": (text) => piecesOf(text, [7, 3, 16, 5]),
};

/** Reads longer and longer texts until one takes little enough; tells the growth if none does. */
async function excess(
  { head, unit }: HostileText,
  read: (text: string) => void,
  shortest = LENGTH,
): Promise<string | undefined> {
  const textOf = (length: number) => head + unit.repeat(Math.ceil(length / unit.length));
  read(textOf(WARMING_LENGTH));
  await counter.forget();
  let length = Math.max(shortest, 4 * unit.length);
  let before = await counter.count(() => read(textOf(length)));
  const seen = [before.total];
  for (;;) {
    length *= 2;
    const steps = await counter.count(() => read(textOf(length)));
    seen.push(steps.total);
    if (steps.total <= GROWTH_MAXIMUM * before.total + NOISE * length) return undefined;
    if (2 * length > LENGTH_MAXIMUM) return `${seen.join(" → ")} steps, in ${worstOf(before, steps)}`;
    before = steps;
  }
}

/** The functions whose steps grew most. */
function worstOf(before: Steps, after: Steps): string {
  const growth = [...after.byFunction].map(([name, count]) => {
    return { name, excess: count - 2 * (before.byFunction.get(name) ?? 0) };
  });
  return growth.sort((one, other) => other.excess - one.excess).slice(0, 4).map(({ name }) => name).join(
    ", ",
  );
}

/** A reader, and how the text is cut for it. */
const WAYS = Object.entries(READERS).flatMap(([circumstance, reader]) =>
  Object.entries(CUTS).map(([cutName, cut]) => ({
    name: `${cutName}, ${circumstance}`,
    read: (text: string) => reader(cut(text)),
  }))
);

/** How many ways are tried for each text; the next text takes the next ones. All ways of all texts take half an hour. */
const WAYS_EACH = IS_THOROUGH ? 2 : 1;

/** Every text that takes more than twice the steps for twice the length, with how. */
async function slowTexts(texts: Iterable<HostileText>): Promise<string[]> {
  const slow: string[] = [];
  let turn = 0;
  for (const text of texts) {
    const ways = Array.from({ length: WAYS_EACH }, () => WAYS[turn++ % WAYS.length]!);
    for (const { name, read } of ways) {
      const found = await excess(text, read);
      const { head, unit } = text;
      if (found !== undefined) {
        slow.push(`${JSON.stringify(head)} + ${JSON.stringify(unit)} …, ${name}: ${found}`);
      }
    }
  }
  return slow;
}

const units = hostileUnits(rules);

/** Texts that were slow, or that others found. */
const KNOWN: readonly HostileText[] = [
  { head: "", unit: "<![CDATA[<read_file><path>" },
  { head: "", unit: 'Testing.\n```tool_call\n{"tool": "execute_command"' },
  { head: "", unit: "[TOOL_CALLS]write_file[ARGS]{" },
  { head: "", unit: "[TOOL_CALLS] [{" },
  { head: "", unit: '[TOOL_CALLS]write_file{"path": "a"}' },
  { head: "[", unit: '[TOOL_CALLS]write_file{"path": "a"}' },
  { head: "`a ", unit: "<read_file><path>a</path></read_file> [" },
  { head: "[a](", unit: "<read_file><path>a</path></read_file>" },
  { head: "| ", unit: "<read_file><path>a</path></read_file> | " },
  { head: "`a ", unit: '"<read_file><path>a</path></read_file>" ' },
  { head: "`a ", unit: "[<read_file><path>a</path></read_file>] " },
  { head: "", unit: 'I look.\n\n**Tool Call:**\n{"name"' },
  { head: "", unit: 'Both.functions.get_weather:0{"city": "Oslo"}functions.read_file:1{' },
];

/** Texts whose calls never close, so that each of them is read up to the end and given back. */
const UNCLOSED: readonly string[] = [
  'Ok. [Calling tool="get_weather" city="New York"',
  '\n\n:Ok.\n<get_weather city="Étienne" days=',
  "a<parallel>\n<read_file><path>a</path></read_file>\n<read_file><path>",
  'Write `<function=get_weather>{"city": "<tvoe_calls>\n<invoke name="put"\n',
  "<think>      <read_file>",
];

/** How long each of them is read. */
const UNCLOSED_LENGTH = IS_THOROUGH ? 40_000 : 20_000;

/** The most steps for a character: what keeps all other requests waiting is their number, not only its growth. */
const STEPS_MAXIMUM = 1500;

/** How many texts of parts and of mixtures; a short run reads a few. */
const { seed, numRuns } = runs(200);

const hostile: readonly [name: string, texts: () => Iterable<HostileText>][] = [
  ["marks of Markdown", () => sampled(units.marks, 12).map((unit) => ({ head: "", unit }))],
  ["pieces of JSON", () => sampled(units.json, 12).map((unit) => ({ head: "", unit }))],
  ["parts of the dialects", function* () {
    const random = seededRandom(seed);
    for (let count = 0; count < numRuns; count++) {
      yield { head: "", unit: units.dialects[random(units.dialects.length)]! };
    }
  }],
  ["mixtures", function* () {
    const random = seededRandom(seed);
    for (let count = 0; count < numRuns; count++) yield mixedText(units, random);
  }],
];

Deno.test("Twice as much of a text that was slow takes about twice the steps", async () => {
  for (const [index, text] of KNOWN.entries()) {
    if (!IS_THOROUGH && index % 6 !== 0) continue;
    // Every reader reads each text: one text whole, the next one in pieces.
    const ways = IS_THOROUGH ? WAYS.filter((_, way) => way % 2 === index % 2) : WAYS.slice(1, 2);
    for (const { name, read } of ways) {
      assert.equal(await excess(text, read, KNOWN_LENGTH), undefined, `${text.unit}, ${name}`);
    }
  }
});

Deno.test("A character of a text whose calls never close takes a bounded number of steps", async () => {
  const options = { offered: anyTool, isWhole: true, wholeCalls: true };
  for (const unit of UNCLOSED.slice(0, IS_THOROUGH ? undefined : 1)) {
    const textOf = (length: number) => unit.repeat(Math.ceil(length / unit.length));
    drive(matcher(options), [textOf(UNCLOSED_LENGTH)]);
    await counter.forget();
    const steps = await counter.count(() => drive(matcher(options), [textOf(UNCLOSED_LENGTH)]));
    const each = steps.total / UNCLOSED_LENGTH;
    assert.ok(each <= STEPS_MAXIMUM, `${each.toFixed(0)} steps for each character of ${unit}`);
  }
});

for (const [name, texts] of hostile) {
  Deno.test(`Twice as much of hostile text takes about twice the steps: ${name}`, async () => {
    assert.deepEqual(await slowTexts(texts()), []);
  });
}

Deno.test("A step counter counts every loop of the engine, the same in each run but for one in a hundred", async () => {
  const read = () => drive(matcher({}), ["a [b](c) `d`".repeat(20)]);
  read();
  await counter.forget();
  const first = await counter.count(read);
  const second = await counter.count(read);
  const difference = Math.abs(second.total - first.total);
  assert.ok(difference <= first.total / 100, `${first.total} and ${second.total} steps`);
  assert.ok(first.byFunction.has("engine/scan/matcher.ts #run"));
});

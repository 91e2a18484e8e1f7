import assert from "node:assert/strict";
import type { MatchEvent } from "../../../src/engine/event/event.ts";
import { collect, textAnswer } from "../../../src/engine/event/stage.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { EchoGuard } from "../../../src/engine/scan/echo_guard.ts";
import { Matcher, type MatcherOptions } from "../../../src/engine/scan/matcher.ts";
import { openAnswer } from "../../../src/engine/scan/whole_answer.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { feed, finish } from "../../support/matcher_events.ts";

const { program } = await loadRules({
  folders: [],
  settings: { enable: [], disable: [], confidence: {}, minimumConfidence: 0.9, locate: () => undefined },
  workingDirectory: Deno.cwd(),
});

const CALL = "<tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</tool_call>";

function think(matcher: Matcher, text: string): void {
  if (text !== "") collect(matcher, [{ kind: "reasoning", text }]);
}

/** The text, calls and notes of an answer at every cut. */
function read(answer: string, options: Partial<MatcherOptions>, thoughts = ""): string {
  const results = [[answer], [...answer]].map((pieces) => {
    const matcher = new Matcher(program, {
      offered: offer([{ name: "read_file" }]),
      minimumConfidence: 0.9,
      wholeCalls: false,
      ...options,
    });
    think(matcher, thoughts);
    const events = [...feed(matcher, ...pieces), ...finish(matcher)];
    const text = events.map((event) => event.kind === "text" ? event.text : "").join("");
    const calls = events.filter((event) => event.kind === "call_end").length;
    const reasons = events.flatMap((event) => event.kind === "note" ? [event.reason] : []);
    return `${text}|${calls} calls|${reasons.join()}`;
  });
  assert.equal(results[0], results[1]);
  return results[0]!;
}

Deno.test("Matcher ignores calls in the reasoning unless it is configured to recover them", () => {
  assert.equal(read(`<think>${CALL}</think>`, {}), `<think>${CALL}</think>|0 calls|quoted`);
  assert.equal(read("", {}, CALL), "|0 calls|");
});

Deno.test("Matcher recovers the call at the end of the reasoning if the answer is empty", () => {
  const recover = { reasoning: "recover" } as const;
  const cases: [answer: string, thoughts: string, expected: string][] = [
    [`<think>I read it. ${CALL}</think>\n`, "", "<think>I read it. </think>\n|1 calls|quoted,recovered"],
    ["", `I read it. ${CALL}\n`, "|1 calls|recovered"],
    [`<think>A <b>. ${CALL}${CALL}`, "", "<think>A <b>. |2 calls|quoted,quoted,recovered,recovered"],
    [
      `<think>${CALL} or ${CALL} \n</think> `,
      "",
      `<think>${CALL} or </think> |1 calls|quoted,quoted,recovered`,
    ],
    [`<think>${CALL}</think>\n${CALL}`, "", `<think>${CALL}</think>\n|1 calls|quoted,transformed`],
    [
      `<think>${CALL}</think>\n<think>b</think>`,
      "",
      `<think>${CALL}</think>\n<think>b</think>|0 calls|quoted`,
    ],
    // With text after it in the answer or the reasoning, or a call in the answer, it was only a thought.
    [`<think>${CALL}</think>Done.`, "", `<think>${CALL}</think>Done.|0 calls|quoted`],
    ["Done.", CALL, "Done.|0 calls|"],
    ["", `${CALL} No, better not.`, "|0 calls|"],
    [CALL, CALL, "|1 calls|transformed"],
  ];
  for (const [answer, thoughts, expected] of cases) assert.equal(read(answer, recover, thoughts), expected);
});

Deno.test("Matcher recovers no call if the answer broke off or the upstream made a call of its own", () => {
  for (const end of [{ truncated: true }, { truncated: false, isAnswered: true }]) {
    const options = { offered: offer([{ name: "read_file" }]), minimumConfidence: 0.9, wholeCalls: false };
    const matcher = new Matcher(program, { ...options, reasoning: "recover" });
    think(matcher, CALL);
    assert.deepEqual(finish(matcher, end), []);
  }
});

Deno.test("Matcher begins inside the reasoning if the template opened it", () => {
  const begins = { beginsInReasoning: true };
  assert.equal(read(`Hm. ${CALL}</think>\nDone.`, begins), `Hm. ${CALL}</think>\nDone.|0 calls|quoted`);
  assert.equal(read(`Hm.</think>\n${CALL}`, begins), "Hm.</think>\n|1 calls|transformed");
  const both = { ...begins, reasoning: "recover" } as const;
  assert.equal(read(`Hm. ${CALL}</think>`, both), "Hm. </think>|1 calls|quoted,recovered");
});

Deno.test("Matcher treats text of the request as quoted", () => {
  const cases: [echo: string, answer: string, expected: string][] = [
    [`How about this?\n${CALL}\n`, `You wrote: ${CALL}`, `You wrote: ${CALL}|0 calls|echo`],
    ["Something else", `Ok. ${CALL}`, "Ok. |1 calls|transformed"],
    // The beginning is the same, but the call is different.
    [CALL.replace(">a<", ">b<"), `Ok. ${CALL}`, "Ok. |1 calls|transformed"],
  ];
  for (const wholeCalls of [false, true]) {
    for (const [echo, answer, expected] of cases) {
      assert.equal(read(answer, { echoGuard: new EchoGuard([echo]), wholeCalls }), expected);
    }
  }
});

/** The events of an answer, as they leave, at every cut into two. */
function separate(answer: string, options: Partial<MatcherOptions> = {}): string {
  const cuts = Array.from({ length: answer.length }, (_, at) => [answer.slice(0, at), answer.slice(at)]);
  const results = [[answer], [...answer], ...cuts].map((pieces) => {
    const matcher = new Matcher(program, {
      offered: offer([{ name: "read_file" }]),
      minimumConfidence: 0.9,
      wholeCalls: false,
      reasoning: "recover",
      separatesReasoning: true,
      ...options,
    });
    let found = "";
    let last = "";
    const out = {
      push(event: MatchEvent) {
        if (event.kind === "text" || event.kind === "reasoning") {
          found += event.kind === last ? event.text : `|${event.kind}: ${event.text}`;
          last = event.kind;
        } else if (event.kind === "call_end") found += "|call";
        if (event.kind === "call_end") last = event.kind;
      },
    };
    for (const event of textAnswer(pieces)) matcher.push(event, out);
    return found;
  });
  assert.deepEqual(new Set(results), new Set([results[0]]));
  return results[0]!;
}

Deno.test("Matcher separates reasoning from the text, without its marks and the whitespace around them", () => {
  const cases: readonly (readonly [answer: string, expected: string])[] = [
    [" <think>\n\n I look.\n </think>\n\nDone. ", "|reasoning: I look.|text: Done. "],
    ["<think>A</think>\n\n<think>B</think>C", "|reasoning: A\nB|text: C"],
    ["<think>\n\n</think>\n\nDone.", "|text: Done."],
    ["<think>A", "|reasoning: A"],
    [`<think>A ${CALL}</think>\n`, "|reasoning: A|call"],
    [`<think>A</think>\n${CALL}\n<think>B</think>\nC`, "|reasoning: A|call|reasoning: \nB|text: C"],
    ["Before.\n\n<think>A</think>\n\nAfter.", "|text: Before.\n\n|reasoning: A|text: After."],
    ["Before.\n</think>\n\nAfter.", "|text: Before.\nAfter."],
    ["The <think> tag, the </think> tag.", "|text: The <think> tag, the </think> tag."],
    ["`</think>` and\n```\n</think>\n```", "|text: `</think>` and\n```\n</think>\n```"],
  ];
  for (const [answer, expected] of cases) assert.equal(separate(answer), expected);
});

Deno.test("Matcher gives back as text what it took for reasoning, if the answer ends in peace", () => {
  const inside = { beginsInReasoning: true };
  assert.equal(separate("A\n", inside), "|reasoning: A|text: A\n");
  assert.equal(separate("A\n", { ...inside, isWhole: true }), "|text: A\n");
  assert.equal(separate("A\n</think>B", { ...inside, isWhole: true }), "|reasoning: A|text: B");
  assert.equal(separate(`A\n${CALL}`, { ...inside, isWhole: true }), "|reasoning: A|call");
  assert.equal(separate(" \n", inside), "");
});

Deno.test("openAnswer splits a whole answer at a closer that nothing opened, unless the upstream split it", () => {
  const read = (events: readonly MatchEvent[]) => {
    const reader = openAnswer(program, {
      offered: offer([{ name: "read_file" }]),
      minimumConfidence: 0.9,
      wholeCalls: true,
      reasoning: "recover",
      separatesReasoning: true,
      isWhole: true,
    });
    const found: string[] = [];
    const out = {
      push(event: MatchEvent) {
        if (event.kind === "text" || event.kind === "reasoning") found.push(`${event.kind}: ${event.text}`);
        else if (event.kind === "note" || event.kind === "call_end") {
          found.push(event.kind === "note" ? event.reason : "call");
        }
      },
    };
    for (const event of events) reader.push(event, out);
    return found;
  };
  const quoted = `A ${CALL.replace(">a<", "></think><")}`;
  assert.deepEqual(read([...textAnswer([`A ${CALL} no.\n</think>\n\nB`])]), [
    "reasoning_not_opened",
    "quoted",
    `reasoning: A ${CALL} no.`,
    "reasoning_in_text",
    "text: B",
  ]);
  assert.deepEqual(read([...textAnswer([quoted])]), ["text: A ", "call", "transformed"]);
  assert.deepEqual(read([{ kind: "reasoning", text: "A" }, ...textAnswer(["B\n</think>\nC"])]), [
    "reasoning: A",
    "text: B\n",
    "reasoning_not_opened",
    "text: C",
  ]);
});

import assert from "node:assert/strict";
import { parse } from "yaml";
import { type EvaluationFacts, summarize } from "../../../src/analysis/evaluate/evaluation.ts";
import type { Sample } from "../../../src/analysis/evaluate/sample.ts";
import { brokenTexts } from "../../../src/analysis/evaluate/remedies.ts";
import { checkText, findingText, summaryTexts, verdict } from "../../../src/analysis/evaluate/advice.ts";
import { evaluationPage } from "../../../src/admin/report/evaluation_page.ts";
import { PURPOSES } from "../../../src/analysis/evaluate/battery.ts";
import { withRepeatedErrors } from "../../../src/analysis/evaluate/causes.ts";
import { type FindingName, FINDINGS } from "../../../src/analysis/evaluate/findings.ts";
import { configSchema } from "../../../src/proxy/config/schema.ts";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";
import { sharedEvaluation } from "../../../src/analysis/evaluate/shared_file.ts";

const FACTS: EvaluationFacts = {
  battery: "test",
  dragoman: "0",
  date: "2026-11-23",
  mode: "default",
  repeats: 5,
  temperature: null,
  model: "m",
  isVisible: true,
  requests: 0,
  isPartial: false,
};

const EXCHANGE = { request: "{}", raw: "same", got: "same", text: "" };

function sample(change: Partial<Sample>): Sample {
  return {
    task: "plain_call",
    repeat: 0,
    column: "alone",
    isStreamed: false,
    isRight: true,
    status: 200,
    hasCall: true,
    expectsCall: true,
    hasTools: true,
    exchange: EXCHANGE,
    ...change,
  };
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

Deno.test("evaluate: the same thing twice is seldom recommended: at most 5 % false alarms", () => {
  const random = createRandom(2026);
  const runs = 300;
  for (const share of [0.5, 0.85]) {
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const samples = ["alone", "dragoman", "strict", "raw", "prompted"].flatMap((column) =>
        Array.from({ length: 80 }, (_, repeat) => {
          const isRight = random() < share;
          // Each column is asked anew, so no answer is the same; but Dragoman reads the server's own answers.
          const exchange = { ...EXCHANGE, raw: `${column} ${repeat}` };
          return sample({ repeat, column, isRight, exchange, finding: isRight ? undefined : "wrong_tool" });
        })
      );
      const evaluation = summarize(samples, FACTS);
      const isAdvised = evaluation.findings.some((finding) =>
        findingText(finding, evaluation).remedies.some(({ text }) => text.includes("In these tasks it made"))
      );
      if (isAdvised || evaluation.recommended?.strength === "measured") alarms++;
    }
    assert.ok(alarms / runs <= 0.05, `${alarms} of ${runs} at ${share}`);
  }
});

Deno.test("evaluate: a model with faults by chance gets no advice", () => {
  const random = createRandom(8);
  const causes = ["answers_in_words", "wrong_types", "arguments_differ", "calls_without_need"] as const;
  const tasks = [...PURPOSES.keys()];
  const judge = (share: number, findings: readonly FindingName[]) =>
    summarize(
      tasks.flatMap((task) =>
        Array.from({ length: 5 }, (_, repeat) => repeat).flatMap((repeat) => {
          const answer = (column: string) => {
            const isRight = random() >= share;
            const finding = isRight ? undefined : findings[Math.floor(random() * findings.length)];
            return sample({ task, repeat, column, isRight, finding });
          };
          // Dragoman reads the same answer; the other settings ask again.
          const alone = answer("alone");
          return [alone, { ...alone, column: "dragoman" }, ...["strict", "raw", "prompted"].map(answer)];
        })
      ),
      FACTS,
    );
  for (let run = 0; run < 200; run++) {
    const evaluation = judge(0.08, causes);
    assert.equal(evaluation.recommended, undefined, verdict(evaluation));
    for (const finding of evaluation.findings) {
      const { remedies, uncertain } = findingText(finding, evaluation);
      assert.match(
        [...remedies.map(({ text }) => text), ...uncertain].join(),
        /^There are too few answers for advice: before you change anything, run again with --thorough$/,
        `run ${run}: ${JSON.stringify(finding)}`,
      );
    }
  }
  const { findings: [certain] } = judge(0.5, ["answers_in_words"]);
  assert.equal(certain?.isSeldom, false);
});

/** What a finding states, as numbers. */
function figuresIn(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

Deno.test("evaluate: the sentences under a finding are counted in its own answers", () => {
  // 5 answers keep their fault under another name, 3 are repaired; 20 others are right only through Dragoman.
  const samples = Array.from({ length: 28 }, (_, repeat): Sample[] => {
    const task = repeat < 8 ? "types" : "plain_call";
    const isRepaired = repeat >= 5;
    const finding = task === "types" ? "unread_dialect" as const : "calls_printed_as_text" as const;
    return [
      sample({ task, repeat, isRight: false, finding }),
      sample({
        task,
        repeat,
        column: "dragoman",
        isRight: isRepaired,
        finding: isRepaired ? undefined : "wrong_types",
      }),
      sample({
        task,
        repeat,
        column: "prompted",
        isRight: isRepaired && repeat !== 6,
        finding: "wrong_types",
      }),
    ];
  }).flat();
  const evaluation = summarize(samples, FACTS);
  const texts = new Map(evaluation.findings.map((finding) => [finding.id, findingText(finding, evaluation)]));
  const unread = texts.get("unread_dialect")!;
  const wordsOf = ({ remedies }: typeof unread) => remedies.map(({ text }) => text).join("\n");
  assert.deepEqual(figuresIn(unread.figures), [8, 3], unread.figures);
  assert.match(
    wordsOf(unread),
    /^Keep Dragoman .*: through it, 3 of these 8 answers are right, and this fault is in none$/m,
  );
  assert.deepEqual(unread.measured, ["prompted against dragoman, in these tasks: +0 −1, p = 1.00"]);
  assert.doesNotMatch(wordsOf(unread), /lines below/);
  const printed = texts.get("calls_printed_as_text")!;
  assert.deepEqual(figuresIn(printed.figures), [20, 20], printed.figures);
  assert.match(wordsOf(printed), /repairs all 20 of these/);
  assert.deepEqual(figuresIn(texts.get("wrong_types")!.figures), [5]);
});

Deno.test("evaluate: every figure of the report is counted in the answers, whatever they are", () => {
  const random = createRandom(40);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const tasks = [...PURPOSES.keys()].slice(0, 4);
  const causes = ["wrong_types", "answers_in_words", "calls_printed_as_text", "empty_answer"] as const;
  for (let run = 0; run < 40; run++) {
    const share = random();
    const answer = (task: string, repeat: number, column: string) => {
      const isRight = random() < 0.05 ? null : random() < share;
      const finding = isRight === false ? pick(causes) : undefined;
      return sample({ task, repeat, column, isRight, finding, hasCall: random() < 0.7 });
    };
    const samples = tasks.flatMap((task) =>
      [0, 1, 2, 3, 4].flatMap((repeat) =>
        ["alone", "dragoman", "prompted"].map((column) => answer(task, repeat, column))
      )
    );
    const evaluation = summarize(samples, FACTS);
    const of = (column: string) => samples.filter((one) => one.column === column && one.isRight !== null);
    const right = (column: string) => of(column).filter(({ isRight }) => isRight).length;
    const keyed = (column: string) => new Map(of(column).map((one) => [`${one.task} ${one.repeat}`, one]));
    const [alone, through] = [keyed("alone"), keyed("dragoman")];
    const text = verdict(evaluation);
    const shown = [...text.matchAll(/(\d+) of (\d+) answers? (?:is|are) right/g)].map(([, k, n]) =>
      `${k}/${n}`
    );
    const counted = ["alone", "dragoman"].map((column) => `${right(column)}/${of(column).length}`);
    if (!text.startsWith("No answer is wrong")) assert.deepEqual(shown, counted, text);
    const lost = [...through].filter(([key, one]) => !one.isRight && alone.get(key)?.isRight).length;
    assert.equal(Number(/made (\d+) right/.exec(text)?.[1] ?? 0), lost, text);
    const worst =
      /The worst task through Dragoman: `(\w+)`, (\d+) of (\d+) right(?:; (\d+) other[^:]*: ([^.]*))?/.exec(
        text,
      );
    if (worst !== null) {
      const own = of("dragoman").filter(({ task }) => task === worst[1]);
      assert.deepEqual([Number(worst[2]), Number(worst[3])], [
        own.filter(({ isRight }) => isRight).length,
        own.length,
      ]);
      const shares = evaluation.tasks.map(({ cells }) => cells["dragoman"]!).filter(({ n }) => n > 0).map((
        { k, n },
      ) => k / n);
      const least = Math.min(...shares);
      const others = shares.filter((one) => one === least).length - 1;
      assert.deepEqual([Number(worst[4] ?? 0), worst[5]?.split(", ").length ?? 0], [others, others], text);
    }
    const won = [...through].filter(([key, one]) => one.isRight && alone.get(key)?.isRight === false).length;
    const states = /through it, (\d+) wrong answers? becomes? right, and (\w+) becomes? wrong/.exec(text);
    if (states !== null) assert.deepEqual(states.slice(1), [`${won}`, lost === 0 ? "none" : `${lost}`], text);
    const better = /Better still: .* \((\d+) of (\d+), \+(\d+) −(\d+), .*first change below/.exec(text);
    if (better !== null) {
      assert.equal(`${better[1]}/${better[2]}`, `${right("prompted")}/${of("prompted").length}`, text);
      assert.ok(
        findingText(evaluation.findings[0]!, evaluation).remedies.some(({ lines }) => lines.length > 0),
      );
    }
    const found = (column: string, name: FindingName) => {
      const other = column === "alone" ? undefined : alone;
      return of(column).filter((one) => {
        const isLost = !one.isRight && other?.get(`${one.task} ${one.repeat}`)?.isRight === true;
        return !one.isRight && (isLost ? "lost_through_dragoman" : one.finding) === name;
      });
    };
    for (const finding of evaluation.findings) {
      const { id, alone: count, left } = finding;
      const { figures, remedies, uncertain } = findingText(finding, evaluation);
      const own = found("alone", id);
      assert.equal(count, own.length, id);
      assert.equal(left, found("dragoman", id).length, id);
      const repaired = own.filter(({ task, repeat }) => through.get(`${task} ${repeat}`)?.isRight).length;
      const states = figuresIn(figures.replace(/; in .*$/, ""));
      assert.deepEqual(states, [...count > 0 ? [count, repaired] : [], ...left > 0 ? [left] : []], figures);
      const moved = found("dragoman", id).filter((one) => {
        const other = alone.get(`${one.task} ${one.repeat}`);
        return other?.isRight === false && other.finding !== id;
      });
      assert.equal(finding.moved, moved.length, figures);
      const words = [...remedies.map(({ text }) => text), ...uncertain].join("\n");
      const kept = /repairs all (\d+)|through it, (\d+) of these (\d+) answers are right(.*in none)?/.exec(
        words,
      );
      if (kept !== null) {
        const [_, all, some, most, none] = kept;
        if (all === undefined) assert.deepEqual([Number(some), Number(most)], [repaired, count]);
        else assert.deepEqual([Number(all), repaired], [count, count]);
        assert.equal(all !== undefined || none !== undefined, left === 0, words);
      }
      const inTasks = (column: string) => of(column).filter(({ task }) => finding.tasks.includes(task));
      const made =
        /In these tasks it made (\d+) wrong answers? right and (\w+) wrong; in all tasks, (\d+) of (\d+) .* of (\d+) \(/
          .exec(words);
      if (made !== null) {
        const before = new Map(inTasks("dragoman").map((one) => [`${one.task} ${one.repeat}`, one.isRight]));
        const became = (to: boolean) =>
          inTasks("prompted").filter((one) =>
            one.isRight === to && before.get(`${one.task} ${one.repeat}`) === !to
          ).length;
        assert.deepEqual([Number(made[1]), made[2]], [
          became(true),
          became(false) === 0 ? "none" : `${became(false)}`,
        ]);
        assert.deepEqual([Number(made[3]), Number(made[4])], [right("prompted"), of("prompted").length]);
      }
    }
    for (const [at, { where, example = "", intro, remedies }] of summaryTexts(evaluation).entries()) {
      const task = /^For example, in the task (\w+)/.exec(example)?.[1] ?? "";
      assert.ok(evaluation.findings[at]!.tasks.includes(task), example);
      assert.ok(remedies.length > 1 || /^What to do|above/.test(intro), intro);
      assert.equal(
        Number(/\(without Dragoman, (\d+) of these have a different/.exec(where)?.[1] ?? 0),
        evaluation.findings[at]!.moved,
      );
      const totals = [...where.matchAll(/\d+ of (\d+) answers?/g)].map(([, n]) => Number(n));
      assert.ok(totals.every((n) => n === of("alone").length || n === of("dragoman").length), where);
    }
    for (const { column, against, won, lost: less } of evaluation.comparisons) {
      const [one, other] = [keyed(column), keyed(against)];
      const pairs = [...one].flatMap(([key, { isRight }]) => {
        const before = other.get(key)?.isRight;
        return before === undefined || before === isRight ? [] : [isRight];
      });
      assert.deepEqual([won, less], [
        pairs.filter((isRight) => isRight).length,
        pairs.filter((isRight) => !isRight).length,
      ]);
    }
  }
});

/** A finding in every answer to a task, alone and through Dragoman, and a setting with which some are right. */
function failing(finding: FindingName, change: Partial<Sample>, right = 6): Sample[] {
  return Array.from({ length: 36 }, (_, repeat) => {
    const isOwn = repeat < 6;
    const own = isOwn ? { task: "result_used", isRight: false, finding, ...change } : {};
    return ["alone", "dragoman", "prompted"].map((column) =>
      sample({
        repeat,
        column,
        ...own,
        ...column === "prompted" && repeat < right ? { isRight: true, finding: undefined } : {},
      })
    );
  }).flat();
}

const words = (evaluation: ReturnType<typeof summarize>) =>
  summaryTexts(evaluation).flatMap(({ where, remedies, uncertain }) => [
    where,
    ...remedies.flatMap(({ text, lines }) => [text, ...lines]),
    ...uncertain,
  ]).join("\n");

Deno.test("evaluate: a setting that mends a finding is advised with its lines, and one that may is only named", () => {
  const advised = summarize(failing("request_fails", { status: 500 }), FACTS);
  assert.equal(advised.recommended, undefined);
  assert.match(
    words(advised),
    /it made 6 wrong answers right and none wrong; in all tasks, 36 of 36 answers are/,
  );
  assert.match(words(advised), /^# upstreams:\n# {3}- name: …\n# {5}url: …\n {4}tools: prompted$/m);
  const uncertain = words(summarize(failing("request_fails", { status: 500 }, 3), FACTS));
  assert.match(
    uncertain,
    /^Measured, not certain enough to advise: .* it made 3 wrong .*repeat with --thorough$/m,
  );
  assert.doesNotMatch(uncertain, /^ {4}tools: prompted$/m);
  assert.match(verdict(advised), /The worst task through Dragoman: `result_used`, 0 of 6 right\./);
  assert.match(words(advised), /Its price: longer prompts/);
  assert.match(verdict(advised), /Better still: .*`tools: prompted` \(36 of 36, \+6 −0, p = 0\.03 against/);
  assert.match(
    checkText({ ...advised, facts: { ...FACTS, command: "dragoman evaluate --quick" } }),
    /run `dragoman evaluate --quick` again\. .*“The server fails on some requests every time”.* than 30 of 36\.$/,
  );
});

Deno.test("evaluate: what a setting mends comes first, and a task that it breaks is named", () => {
  const more = Array.from(
    { length: 8 },
    (_, repeat) => sample({ task: "no_call", repeat, isRight: false, finding: "calls_printed_as_text" }),
  );
  const fixed = ["dragoman", "prompted"].flatMap((column) =>
    more.map((one) => sample({ ...one, column, isRight: true, finding: undefined }))
  );
  const chain = ["alone", "dragoman", "prompted"].flatMap((column) =>
    [0, 1, 2].map((repeat) =>
      sample({
        task: "chain",
        repeat,
        column,
        ...column === "prompted" ? { isRight: false, finding: "chain_unfinished" as const } : {},
      })
    )
  );
  const mended = summarize([...more, ...fixed, ...failing("request_fails", { status: 500 })], FACTS);
  assert.deepEqual(mended.findings.map(({ id }) => id), ["request_fails", "calls_printed_as_text"]);
  assert.match(verdict(mended), /8 wrong answers become right.* Better still: /);
  const broken = summarize([...chain, ...failing("request_fails", { status: 500 })], FACTS);
  assert.deepEqual(brokenTexts(broken, "prompted"), [
    "It breaks the task chain: 3 of 3 are right without it, 0 of 3 with it",
  ]);
  const offered = summarize([...chain, ...failing("tools_refused", { status: 400 }, 0)], FACTS);
  assert.deepEqual(brokenTexts(offered, "dragoman"), []);
});

Deno.test("evaluate: values that are as wrong without the server's parser are the model's", () => {
  const place = (right: number, change: Partial<Sample> = {}) =>
    words(summarize(failing("wrong_types", change, right), FACTS));
  assert.match(
    place(0),
    /in the model's text: .*where the server's parser isn't used, they are wrong, too\./,
  );
  assert.match(place(6), /The fault is in the server's tool-call parser\./);
  const unknown = failing("wrong_types", {}).filter(({ column }) => column !== "prompted");
  assert.match(words(summarize(unknown, FACTS)), /tool-call parser or in the model's text\./);
});

Deno.test("evaluate: a few answers that Dragoman repairs can be chance, and the verdict says so", () => {
  const few = failing("wrong_types", {}).map((one) =>
    one.column === "dragoman" && one.repeat < 3 ? { ...one, isRight: true, finding: undefined } : one
  ).filter(({ column }) => column !== "prompted");
  assert.match(
    verdict(summarize(few, FACTS)),
    /3 wrong answers become right, .* can be chance \(p = 0\.25\)\./,
  );
});

Deno.test("evaluate: a finding says what its answers have in common, and its remedy names it", () => {
  const exchange = (request: unknown, answer: unknown) => {
    const got = JSON.stringify(answer);
    return { request: JSON.stringify(request), raw: got, got, text: "" };
  };
  const message = (content: string, prompt_tokens = 100) => ({
    choices: [{ message: { content }, finish_reason: "stop" }],
    usage: { prompt_tokens },
  });
  const result = { messages: [{ role: "tool", content: "1" }] };
  const failed = failing("request_fails", { status: 500, exchange: exchange(result, {}) });
  assert.match(
    words(summarize(failed, FACTS)),
    /All 6 requests that fail \(result_used\) contain a tool's result; no answered request does\./,
  );
  const answered = failed.map((one) =>
    one.repeat < 6 || one.repeat > 8 ? one : { ...one, exchange: exchange(result, {}) }
  );
  assert.match(
    words(summarize(answered, FACTS)),
    /; 3 of the answered requests do, too, so this alone isn't the cause\./,
  );
  const call = { role: "assistant", content: null, tool_calls: [{ id: "1" }] };
  const several = [{ role: "tool", content: "1" }, { role: "tool", content: "2" }];
  const kinds: readonly (readonly [messages: readonly unknown[], common: RegExp])[] = [
    [[call], / have calls in a message without text \(`content: null`\); no answered request does\./],
    [several, / contain several tools' results; no answered request does\./],
  ];
  for (const [messages, common] of kinds) {
    // What is answered has one result, and text beside its call.
    const one = { messages: [{ role: "tool", content: "1" }, { ...call, content: "I look." }] };
    const kind = failing("request_fails", { status: 500, exchange: exchange({ messages }, {}) }).map((
      sample,
    ) => sample.status === 500 ? sample : { ...sample, exchange: exchange(one, {}) });
    assert.match(words(summarize(kind, FACTS)), common);
  }
  const left = failing("tokens_left", { exchange: exchange(result, message("Yes.<|eot|>")) });
  assert.match(words(summarize(left, FACTS)), /^ {4}defaults: \{ stop: \["<\|eot\|>"\] \}$/m);
  const long = { messages: [{ role: "user", content: "word ".repeat(10_000) }], max_tokens: 4096 };
  const server = { ...FACTS, server: { kind: "ollama" } };
  const cut = failing("context_cut", { exchange: exchange(long, message("Hello", 4096)) });
  const short = { messages: [{ role: "user", content: "x".repeat(380) }] };
  const known = cut.map((one) =>
    one.repeat < 6 ? one : { ...one, exchange: exchange(short, message("Yes")) }
  );
  const shown = words(summarize(known, server));
  assert.match(
    shown,
    /It dropped part of the prompt without an error \(it counted 4,096 of about 12,000 tokens\)/,
  );
  assert.match(shown, /OLLAMA_CONTEXT_LENGTH=16384 .*`PARAMETER num_ctx 16384` .*enough for these tasks;/);
  // A command that isn't whole isn't shown as one.
  const page = evaluationPage(summarize(known, server));
  assert.match(page, /Ask again: the request is too long for a command on this page \([\d,]+ characters\)/);
  assert.doesNotMatch(page, /curl /);
  const refused = known.map((one) => one.finding === undefined ? one : { ...one, status: 400 });
  assert.match(words(summarize(refused, server)), /It refused these requests with an error\./);
});

Deno.test("evaluate: the lines of every remedy are a configuration, on every server", () => {
  // Two findings that name the same flag say the same about its file.
  const { request_fails: one = "?", calls_printed_as_text: other = "" } = PROFILES["llama.cpp"]!.flags ?? {};
  assert.ok(other.startsWith(`${one}. `), other);
  for (const id of Object.keys(FINDINGS) as FindingName[]) {
    const base = summarize(failing(id, {}), FACTS);
    for (const kind of [undefined, ...Object.keys(PROFILES)]) {
      const evaluation = { ...base, facts: { ...FACTS, server: kind === undefined ? undefined : { kind } } };
      const [{ remedies } = { remedies: [] }] = summaryTexts(evaluation);
      assert.ok(remedies.length > 0, id);
      for (const { text, lines } of remedies) {
        assert.doesNotMatch(text, /undefined|\{/, `${id} on ${kind}`);
        assert.equal(/[Aa]dd these lines/.test(text), lines.length > 0, text);
        // A server whose parser can't be chosen isn't told to.
        assert.ok(
          kind === undefined || !/^(?:Choose|Configure)/.test(text) || PROFILES[kind]!.flags?.[id],
          text,
        );
        // What goes into the server's entry is added to its end, and makes no second entry.
        const file = ["upstreams:\n  - name: a\n    url: http://127.0.0.1:1/v1", ...lines].join("\n");
        assert.equal(configSchema.parse(parse(file)).upstreams.length, 1);
      }
      // Another server is named after what to do with this one.
      const other = remedies.findIndex(({ text }) => text.includes("run the model on a server"));
      assert.ok(
        other < 0 || remedies[other - 1]?.text.startsWith("Use a newer version of this server"),
        `${kind}`,
      );
    }
  }
});

Deno.test("evaluate: Dragoman's own limit isn't the server's, and an error that repeats is", () => {
  const cut = summarize([
    sample({ isRight: false, finding: "unread_dialect" }),
    sample({ column: "dragoman", isRight: false, finding: "answer_cut" }),
  ], FACTS);
  assert.deepEqual(cut.findings.map(({ id }) => id), ["unread_dialect"]);
  const error = (repeat: number, status: number) =>
    sample({ task: "types", repeat, status, isRight: null, exchange: { ...EXCHANGE, got: "it broke" } });
  const found = (...samples: Sample[]) =>
    withRepeatedErrors([sample({}), ...samples]).flatMap(({ finding }) => finding ?? []);
  assert.deepEqual(found(error(0, 500), error(1, 502)), ["request_fails", "request_fails"]);
  assert.deepEqual(found(error(0, 500), sample({ task: "types", repeat: 1 })), []);
  assert.deepEqual(found(error(0, 429), error(1, 429)), []);
  assert.deepEqual(found(error(0, 0), error(1, 0)), []);
});

Deno.test("evaluate: a gain is found, and a small one is only a try", () => {
  const make = (won: number) =>
    summarize(
      ["alone", "dragoman"].flatMap((column) =>
        Array.from({ length: 40 }, (_, repeat) => {
          const isRight = column === "dragoman" || repeat >= won;
          return sample({ repeat, column, isRight, finding: isRight ? undefined : "calls_printed_as_text" });
        })
      ),
      FACTS,
    );
  const { recommended, findings, comparisons } = make(30);
  assert.equal(recommended?.strength, "measured");
  assert.deepEqual(findings.map(({ id, alone, left }) => [id, alone, left]), [[
    "calls_printed_as_text",
    30,
    0,
  ]]);
  assert.deepEqual(comparisons.map(({ won, lost }) => [won, lost]), [[30, 0]]);
  assert.match(verdict(make(30)), /Keep Dragoman/);
  assert.equal(make(4).recommended?.strength, "try");
  assert.match(verdict(make(4)), /run again with --thorough/);
  assert.equal(make(3).recommended, undefined, "p = 0.25");
  assert.doesNotMatch(verdict(make(3)), /run again with --thorough/);
  assert.equal(make(0).recommended, undefined);
  assert.match(verdict(make(0)), /Rarer errors are still possible/);
});

Deno.test("evaluate: what is right alone and wrong through Dragoman is lost, and nothing else is", () => {
  const alone = [0, 1, 2].map((repeat) =>
    sample({ repeat, isRight: repeat !== 2, finding: repeat === 2 ? "wrong_tool" : undefined })
  );
  const through = [0, 1, 2].map((repeat) =>
    sample({
      repeat,
      column: "dragoman",
      isRight: repeat === 0,
      finding: repeat === 0 ? undefined : "wrong_tool",
    })
  );
  const { lost, findings, comparisons } = summarize([...alone, ...through], FACTS);
  assert.deepEqual(lost.map(({ repeat }) => repeat), [1]);
  assert.deepEqual(findings.map(({ id }) => id).sort(), ["lost_through_dragoman", "wrong_tool"]);
  assert.deepEqual([comparisons[0]?.won, comparisons[0]?.lost], [0, 1]);
});

Deno.test("evaluate: an answer that the model wrote anew is lost only if more are than by chance", () => {
  const lostOf = (wrong: number) => {
    const repeats = Array.from({ length: 10 }, (_, repeat) => repeat);
    const anew = repeats.map((repeat): Sample =>
      sample({
        repeat,
        column: "dragoman",
        isRight: repeat >= wrong,
        finding: repeat >= wrong ? undefined : "wrong_tool",
        exchange: { ...EXCHANGE, raw: "another answer" },
      })
    );
    return summarize([...repeats.map((repeat) => sample({ repeat })), ...anew], FACTS).lost.length;
  };
  assert.deepEqual([lostOf(1), lostOf(3), lostOf(10)], [0, 0, 10]);
});

Deno.test("evaluate: what wasn't measured counts nowhere", () => {
  const { columns, comparisons, unmeasured } = summarize([
    sample({ isRight: null, exchange: { ...EXCHANGE, got: "busy" } }),
    sample({ repeat: 1 }),
    sample({
      column: "dragoman",
      isRight: false,
      finding: "wrong_tool",
      exchange: { ...EXCHANGE, raw: "other" },
    }),
    sample({ column: "dragoman", repeat: 1 }),
  ], FACTS);
  assert.deepEqual(columns.map(({ k, n, unmeasured }) => [k, n, unmeasured]), [[1, 1, 1], [1, 2, 0]]);
  assert.deepEqual([comparisons[0]?.won, comparisons[0]?.lost], [0, 0]);
  assert.deepEqual(unmeasured, { busy: 1 });
});

Deno.test("sharedEvaluation has wrong answers only if asked for, and never what the agent sent", () => {
  const wrong = sample({
    isRight: false,
    finding: "answers_in_words",
    exchange: { request: "the user's text", raw: "the model's text", got: "", text: "" },
  });
  const evaluation = summarize([wrong, sample({ repeat: 1 })], FACTS);
  assert.equal(sharedEvaluation(evaluation).answers, undefined);
  const shared = sharedEvaluation(evaluation, { withAnswers: true });
  assert.deepEqual(shared.answers, [
    { task: "plain_call", column: "alone", finding: "answers_in_words", raw: "the model's text" },
  ]);
  assert.ok(!JSON.stringify(shared).includes("the user's text"));
});

Deno.test("evaluate: the HTML page shows line breaks of requests and answers as such", () => {
  const request = JSON.stringify({ messages: [{ role: "user", content: "one\ntwo" }] });
  const raw = JSON.stringify({ choices: [{ message: { content: "three\nfour" }, finish_reason: "stop" }] });
  const exchange = { request, raw, got: raw, text: "three\nfour" };
  const page = evaluationPage(summarize(failing("calls_printed_as_text", { exchange }), FACTS));
  assert.match(page, /“one two” got/);
  assert.match(page, /\{\n {2}&quot;messages&quot;: \[\n/);
  assert.match(page, /three\\nfour/);
  assert.doesNotMatch(page, /\\u000a/);
});

Deno.test("evaluate: a call that is missing without the server's parser, too, is the model's, and a single lost result is named", () => {
  const few = failing("no_parallel_calls", {});
  const parsed = few.filter(({ column }) => column !== "prompted");
  assert.match(words(summarize(parsed, FACTS)), /Check whether the server's parser reads several calls/);
  const same = few.filter(({ column }) => column === "dragoman").map((one) => ({
    ...one,
    column: "prompted",
  }));
  const model = summarize([...parsed, ...same], FACTS);
  assert.match(words(model), /The fault is in the model's text: [^]*no setting makes this one write them/);
  assert.match(verdict(model), /Dragoman makes no difference to these answers\./);
  const second = failing("result_ignored", {}).map((one) =>
    one.task === "result_used" ? { ...one, task: "second_result" as const } : one
  );
  assert.match(words(summarize(second, FACTS)), /of two results, only the first reaches the model\./);
});

/** Runs an evaluation: alone, through Dragoman, then with settings that can help; and judges the answers. @module */
import type { RequestMessage } from "../chat/message/request.ts";
import { type Answer, readAnswer } from "../analysis/evaluate/answer.ts";
import { plainRequest, type Question, visibleRequests } from "../analysis/evaluate/battery.ts";
import { withRepeatedErrors } from "../analysis/evaluate/causes.ts";
import { argumentsOf, checkAnswer, fitTools, type Reading } from "../analysis/evaluate/check.ts";
import { columnsToMeasure } from "../analysis/evaluate/evaluation.ts";
import { ALONE, keyOf, type Sample, THROUGH } from "../analysis/evaluate/sample.ts";
import { findCause, type FindingName, isUnmeasured } from "../analysis/evaluate/findings.ts";
import { VirtualFolder } from "../analysis/evaluate/virtual_folder.ts";
import {
  type Ask,
  askAlone,
  askThrough,
  type Change,
  type ColumnParts,
  createReader,
  type Received,
} from "./evaluate_ask.ts";

export interface NamedAsk {
  readonly name: string;
  readonly ask: Ask;
}

export interface RunOptions extends ColumnParts {
  readonly model: string;
  readonly questions: readonly Question[];
  readonly concurrency: number;
  readonly progress?: ((column: string, done: number, all: number) => void) | undefined;
  /** The columns, instead of the server alone, through Dragoman, and settings that can help. */
  readonly compared?: readonly NamedAsk[] | undefined;
}

interface Ran {
  readonly samples: readonly Sample[];
  /** Whether tools reach the prompt; undefined if the server doesn't tell. */
  readonly isVisible: boolean | undefined;
  /** Why nothing can be measured; undefined if something can. */
  readonly refusal?: string | undefined;
  /** The dialect that `tools: prompted` spoke, if a setting has to name it. */
  readonly dialect?: string | undefined;
  /** Why it ended before all questions were asked: the server's last error. */
  readonly stopped?: string | undefined;
}

/** Runs the questions. An abort of the signal ends it with what is there. */
export async function runEvaluation(options: RunOptions): Promise<Ran> {
  const { signal, questions, compared } = options;
  const alone = askAlone(options);
  const visible = await isVisible(alone, options.model);
  if (visible.refusal !== undefined) return { samples: [], isVisible: undefined, refusal: visible.refusal };
  const judge = { reader: await createReader(options), isVisible: visible.isVisible };
  const samples: Sample[] = [];
  let stopped: string | undefined;
  let probes = 0;
  const isOver = async () => {
    if (stopped !== undefined || !options.recorder.isInVain) return stopped !== undefined;
    const { answer } = await alone(JSON.stringify(plainRequest(options.model, ++probes)));
    const read = readAnswer(answer);
    if (isUnmeasured(read) && !signal.aborted) stopped = `${read.status}: ${read.error ?? answer.body}`;
    return stopped !== undefined;
  };
  const add = async (columns: readonly NamedAsk[]) => {
    const name = columns.map((column) => column.name).join(", ");
    let done = 0;
    await inParallel(questions, options, async (question) => {
      const own: Sample[] = [];
      for (const column of columns) {
        if (signal.aborted || await isOver()) return;
        own.push(await askQuestion(question, { column, ...judge }));
      }
      // What was cut off in the middle shows nothing.
      if (!signal.aborted) samples.push(...own);
      options.progress?.(name, ++done, questions.length);
    });
  };
  await add(compared ?? [{ name: ALONE, ask: alone }, { name: THROUGH, ask: askThrough(options) }]);
  let dialect: string | undefined;
  const isWhole = compared === undefined && stopped === undefined;
  for (const [name, change] of isWhole ? changesToMeasure(withRepeatedErrors(samples), options) : []) {
    dialect ??= change.upstream?.dialect;
    if (!signal.aborted) await add([{ name, ask: askThrough(options, change) }]);
  }
  // If nothing is answered any more, errors show nothing about a kind of request.
  const found = stopped === undefined ? withRepeatedErrors(samples) : samples;
  return { samples: withoutSame(found), isVisible: seenTools(visible.isVisible, samples), dialect, stopped };
}

/** A server can state the same number of tokens with tools and without: a call shows that they are in the prompt. */
function seenTools(isVisible: boolean | undefined, samples: readonly Sample[]): boolean | undefined {
  const isCalled = samples.some(({ column, isRight, expectsCall }) =>
    column === ALONE && isRight === true && expectsCall
  );
  return isVisible === false && isCalled ? undefined : isVisible;
}

/** Leaves out columns in which every answer is that of Dragoman as it is: the setting did nothing. */
function withoutSame(samples: readonly Sample[]): readonly Sample[] {
  const through = new Map(
    samples.filter(({ column }) => column === THROUGH).map((one) => [keyOf(one), one.exchange.got]),
  );
  const changed = new Set(
    samples.filter((one) => one.exchange.got !== through.get(keyOf(one))).map(({ column }) => column),
  );
  const isKept = (column: string) => column === ALONE || column === THROUGH || changed.has(column);
  return samples.filter(({ column }) => isKept(column));
}

/** Whether a prompt has more tokens with tools. */
async function isVisible(
  ask: Ask,
  model: string,
): Promise<{ isVisible: boolean | undefined; refusal?: string }> {
  const [given, plain] = await Promise.all(
    visibleRequests(model).map(async (request) => readAnswer((await ask(JSON.stringify(request))).answer)),
  );
  const refusal = plain !== undefined && isUnmeasured(plain) && plain.status !== 429
    ? plain.error
    : plain?.status === 404
    ? plain.error
    : undefined;
  const [more, fewer] = [given?.promptTokens, plain?.promptTokens];
  const isKnown = more !== undefined && fewer !== undefined && fewer > 0;
  return { isVisible: isKnown ? more > fewer : undefined, ...refusal === undefined ? {} : { refusal } };
}

/** Column → the change that it tries, in the order in which they are measured: those that ask nothing first. */
function changesToMeasure(
  samples: readonly Sample[],
  { parts, upstream, servers }: RunOptions,
): [string, Change][] {
  const wanted = columnsToMeasure(samples);
  const isRawPossible = servers.of(upstream)?.profile.raw !== undefined;
  const rule = samples.find((sample) => sample.rule !== undefined)?.rule;
  const speaks = rule !== undefined &&
    parts.rules.some((one) => one.rule === rule && one.speak !== undefined);
  const dialect = upstream.dialect ?? (speaks ? rule : undefined);
  const changes: (readonly [string, Change, boolean])[] = [
    ["recover", { reasoning: "recover" }, parts.config.policy.reasoning !== "recover"],
    ["in_reasoning", { upstream: { begins_in_reasoning: true } }, upstream.begins_in_reasoning !== true],
    ["strict", { strict: "add" }, parts.config.tools.strict !== "add"],
    ["raw", { upstream: { tools: "raw" } }, isRawPossible && upstream.tools !== "raw"],
    [
      "prompted",
      { upstream: { tools: "prompted", ...dialect === undefined ? {} : { dialect } } },
      upstream.tools !== "prompted",
    ],
  ];
  return changes.filter(([name, _, isPossible]) => isPossible && wanted.has(name))
    .map(([name, change]) => [name, change]);
}

interface Judging {
  readonly column: NamedAsk;
  readonly reader: (body: string, answer: Received["answer"]) => Promise<Reading>;
  readonly isVisible: boolean | undefined;
}

async function askQuestion(question: Question, judging: Judging): Promise<Sample> {
  return question.files === undefined ? await askOnce(question, judging) : await askChain(question, judging);
}

interface Judged
  extends Pick<Sample, "isRight" | "finding" | "rule" | "hasCall" | "status" | "fitsSchema" | "ms"> {
  readonly answer: Answer;
  readonly received: Received;
}

async function askAndJudge(
  asked: Pick<Question, "request" | "expect">,
  { column, reader, isVisible }: Judging,
): Promise<Judged> {
  const body = JSON.stringify(asked.request);
  const received = await column.ask(body);
  const answer = readAnswer(received.answer);
  const common = {
    answer,
    received,
    hasCall: answer.calls.length > 0,
    status: answer.status,
    ms: received.answer.ms,
  };
  if (isUnmeasured(answer)) return { ...common, isRight: null };
  const isRead = answer.status === 200 && answer.error === undefined;
  const reading = isRead ? await reader(body, received.answer) : NOTHING_READ;
  const problems = checkAnswer(asked, answer, reading);
  const fitsSchema = common.hasCall ? fitTools(asked.request, answer.calls) : undefined;
  if (problems.size === 0) return { ...common, fitsSchema, isRight: true };
  if (problems.size > 1 && isOwnLimit(answer, received)) problems.delete("cut");
  const finding = findCause({ asked, answer, reading, problems, isVisible });
  return { ...common, fitsSchema, isRight: false, finding, rule: reading.rules[0] };
}

/** Whether Dragoman ended an answer with `length` because it can't finish a call: the server reached no limit. */
function isOwnLimit({ finish }: Answer, { answer, raw }: Received): boolean {
  return finish === "length" && readAnswer({ ...answer, body: raw }).finish !== "length";
}

const NOTHING_READ: Reading = { rules: [], isNearMiss: false, isInReasoning: false, isUnknownTool: false };

async function askOnce(question: Question, judging: Judging): Promise<Sample> {
  const { received, answer, ...judged } = await askAndJudge(question, judging);
  return sampleOf(question, {
    ...judged,
    column: judging.column.name,
    exchange: {
      request: JSON.stringify(question.request),
      raw: received.raw,
      got: received.answer.body,
      text: answer.text,
    },
  });
}

function sampleOf(
  { task, repeat, request, expect }: Question,
  judged: Omit<Sample, "task" | "repeat" | "isStreamed" | "expectsCall" | "hasTools">,
): Sample {
  const expectsCall = Array.isArray(expect.calls) || expect.calls === "some";
  const hasTools = (request.tools ?? []).length > 0;
  return { task, repeat, isStreamed: request.stream === true, expectsCall, hasTools, ...judged };
}

/** A task of several steps: the model's calls are run in a folder in memory. */
async function askChain(question: Question, judging: Judging): Promise<Sample> {
  const { files = {}, turns = 1, expect } = question;
  const folder = new VirtualFolder(files);
  const messages: RequestMessage[] = [...question.request.messages ?? []];
  const exchanges: Received[] = [];
  let status = 0;
  const end = (isRight: boolean | null, more: Pick<Sample, "finding" | "rule"> = {}) =>
    sampleOf(question, {
      isRight,
      finding: more.finding,
      rule: more.rule,
      hasCall: messages.length > (question.request.messages ?? []).length,
      status,
      column: judging.column.name,
      exchange: {
        request: JSON.stringify({ ...question.request, messages }),
        raw: exchanges.map(({ raw }) => raw).join("\n\n"),
        got: exchanges.map(({ answer }) => answer.body).join("\n\n"),
        text: "",
      },
    });
  for (let turn = 0; turn < turns; turn++) {
    const request = { ...question.request, messages };
    const judged = await askAndJudge({ request, expect: { calls: "any" } }, judging);
    exchanges.push(judged.received);
    status = judged.status;
    if (judged.isRight === null) return end(null);
    // A wrong tool or wrong arguments get an error as their result, as in an agent.
    if (!judged.isRight && !CORRECTABLE.has(judged.finding)) return end(false, judged);
    const { text, calls } = judged.answer;
    if (calls.length === 0) {
      const isRight = folder.has(expect.files ?? {});
      const isBlind = turn === 0 && judging.isVisible === false;
      return isRight
        ? end(true)
        : end(false, { finding: isBlind ? "tools_not_in_prompt" : "chain_unfinished" });
    }
    messages.push({
      role: "assistant",
      content: text === "" ? null : text,
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    });
    for (const call of calls) {
      messages.push({
        role: "tool",
        tool_call_id: call.id,
        content: folder.run(call.name, argumentsOf(call)),
      });
    }
  }
  return end(false, { finding: repeats(messages) ? "repeats_call" : "chain_unfinished" });
}

/** Findings that the model can make good in the next turn. */
const CORRECTABLE: ReadonlySet<FindingName | undefined> = new Set([
  "wrong_tool",
  "missing_required",
  "schema_violated",
]);

/** Whether a chain ends in the same call again and again. */
function repeats(messages: readonly RequestMessage[]): boolean {
  const calls = messages.flatMap(({ tool_calls: list }) =>
    Array.isArray(list) ? list.map((call) => JSON.stringify(call.function)) : []
  );
  const last = calls.slice(-3);
  return last.length === 3 && new Set(last).size === 1;
}

/** Works on several questions at a time, until the signal aborts. */
async function inParallel(
  questions: readonly Question[],
  { concurrency, signal }: Pick<RunOptions, "concurrency" | "signal">,
  work: (question: Question) => Promise<void>,
): Promise<void> {
  const waiting = [...questions];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

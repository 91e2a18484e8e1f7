/**
 * Sums up judged answers: right answers by task and column with what that shows, pairs, findings, and what to set. A column is
 * a way to ask: alone, through Dragoman, or with another setting.
 *
 * @module
 */
import { beginsInReasoning } from "./answer.ts";
import { type Mode, PURPOSES } from "./battery.ts";
import { type FindingName, FINDINGS } from "./findings.ts";
import { fisher, mcnemar, wilson } from "./statistics.ts";

export interface Sample {
  readonly task: string;
  readonly repeat: number;
  readonly column: string;
  readonly isStreamed: boolean;
  /** Null if the answer shows nothing about the model, such as a busy server. */
  readonly isRight: boolean | null;
  readonly finding?: FindingName | undefined;
  readonly rule?: string | undefined;
  readonly hasCall: boolean;
  readonly expectsCall: boolean;
  readonly exchange: Exchange;
}

interface Exchange {
  readonly request: string;
  /** The answer's body, of the server. */
  readonly raw: string;
  /** The answer's body, as the agent gets it. */
  readonly got: string;
  readonly text: string;
}

export interface EvaluationFacts {
  readonly battery: string;
  readonly dragoman: string;
  /** The day, such as 2026-11-23. */
  readonly date: string;
  readonly mode: Mode;
  readonly repeats: number;
  readonly temperature: number | null;
  readonly model: string;
  readonly quantization?: string | undefined;
  /** The SHA-256 hash of the chat template, if the server shows it. */
  readonly template?: string | undefined;
  readonly server?: { readonly kind: string; readonly version?: string | undefined } | undefined;
  /** Whether tools reach the prompt; undefined if the server doesn't tell. */
  readonly isVisible: boolean | undefined;
  readonly requests: number;
  readonly isPartial: boolean;
  /** The dialect of the column `prompted`, if a setting has to name it. */
  readonly dialect?: string | undefined;
  /** Dragoman's own settings that the answers depend on. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** Right answers of measured ones. */
export interface Count {
  readonly k: number;
  readonly n: number;
}

export interface Column extends Count {
  readonly name: string;
  /** Wilson's interval of 95 %. */
  readonly low: number;
  readonly high: number;
  /** Answers that show nothing. */
  readonly unmeasured: number;
  /** Measured answers with a call. */
  readonly calls: number;
}

/** A column compared with another one, by pairs of answers to the same question. */
export interface Comparison {
  readonly column: string;
  readonly against: string;
  readonly won: number;
  readonly lost: number;
  /** McNemar's exact test, two-sided. */
  readonly p: number;
}

export interface Finding {
  readonly id: FindingName;
  /** The rules that read the calls, the most frequent first. */
  readonly rules: readonly string[];
  /** Wrong answers alone, and those that are left through Dragoman. */
  readonly alone: number;
  readonly left: number;
  readonly tasks: readonly string[];
}

interface Recommendation {
  readonly column: string;
  /** `measured`: the gain isn't by chance; `try`: there is a gain, but the repeats can't carry a verdict. */
  readonly strength: "measured" | "try";
  readonly comparison: Comparison;
}

export interface Evaluation {
  readonly facts: EvaluationFacts;
  readonly columns: readonly Column[];
  readonly tasks: readonly {
    readonly name: string;
    readonly why: string;
    readonly cells: Readonly<Record<string, Count>>;
  }[];
  readonly comparisons: readonly Comparison[];
  readonly findings: readonly Finding[];
  readonly recommended: Recommendation | undefined;
  /** The dialect of the column `prompted`, if it isn't the model's own. */
  readonly dialect?: string | undefined;
  /** Right alone, and wrong through Dragoman. */
  readonly lost: readonly Sample[];
  /** Some wrong answers of each finding. */
  readonly failures: readonly Sample[];
  /** Why answers show nothing, with their number. */
  readonly unmeasured: Readonly<Record<string, number>>;
}

/** The first two columns: the server alone, and through Dragoman as it is configured. */
export const ALONE = "alone";
export const THROUGH = "dragoman";

/** A gain counts if chance makes it this seldom. */
const P_MAX = 0.05;

/** A fault of streams alone has to be this unlikely by chance, because it is looked for in each finding. */
const STREAM_P_MAX = 0.01;

const SHOWN_MAX = 3;

export function summarize(samples: readonly Sample[], facts: EvaluationFacts): Evaluation {
  const names = [...new Set(samples.map(({ column }) => column))];
  const judged = withCauses(
    names.flatMap((name) => withStreamFaults(samples.filter(({ column }) => column === name))),
  );
  // What is compared: two ways to ask.
  const sides = names.slice(0, 2);
  const columns = names.map((name) => columnOf(name, judged));
  const comparisons = [
    ...names.slice(1).map((column) => compare(judged, { column, against: names[0]! })),
    ...names.slice(2).map((column) => compare(judged, { column, against: names[1]! })),
  ];
  const findings = findingsOf(judged, sides);
  return {
    facts,
    columns,
    tasks: tasksOf(judged).map((task) => ({
      name: task,
      why: PURPOSES.get(task) ?? "",
      cells: Object.fromEntries(
        names.map((
          name,
        ) => [name, countOf(judged.filter((one) => one.task === task && one.column === name))]),
      ),
    })),
    comparisons,
    findings,
    recommended: recommend(names, comparisons),
    dialect: facts.dialect,
    lost: judged.filter(({ finding }) => finding === "lost_through_dragoman"),
    failures: shownFailures(judged, sides),
    unmeasured: unmeasuredOf(judged),
  };
}

/** The columns that can help with what is left through Dragoman, as the findings name them. */
export function columnsToMeasure(samples: readonly Sample[]): ReadonlySet<string> {
  const left = withCauses(samples).filter(({ column, isRight }) => column === THROUGH && isRight === false);
  return new Set(left.flatMap(({ finding }) => finding === undefined ? [] : FINDINGS[finding].columns));
}

function countOf(samples: readonly Sample[]): Count {
  const measured = samples.filter(({ isRight }) => isRight !== null);
  return { k: measured.filter(({ isRight }) => isRight).length, n: measured.length };
}

function columnOf(name: string, samples: readonly Sample[]): Column {
  const own = samples.filter(({ column }) => column === name);
  const { k, n } = countOf(own);
  const calls = own.filter(({ isRight, hasCall }) => isRight !== null && hasCall).length;
  return { name, k, n, ...wilson(k, n), unmeasured: own.length - n, calls };
}

/** The tasks, in the order of the battery. */
function tasksOf(samples: readonly Sample[]): string[] {
  const order = [...PURPOSES.keys()];
  return [...new Set(samples.map(({ task }) => task))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

function keyOf({ task, repeat }: Sample): string {
  return `${task} ${repeat}`;
}

/** Compares two columns by pairs of answers that were both measured. */
function compare(
  samples: readonly Sample[],
  { column, against }: { readonly column: string; readonly against: string },
): Comparison {
  const others = new Map(
    samples.filter((one) => one.column === against).map((one) => [keyOf(one), one.isRight]),
  );
  let [won, lost] = [0, 0];
  for (const one of samples) {
    const other = others.get(keyOf(one));
    if (one.column !== column || one.isRight === null || other == null || other === one.isRight) continue;
    if (one.isRight) won++;
    else lost++;
  }
  return { column, against, won, lost, p: mcnemar(won, lost) };
}

/**
 * Names the cause of what is wrong through Dragoman by the same answer alone. If it is right alone, Dragoman is the cause;
 * if Dragoman only shows the fault in another way, the cause stays.
 */
function withCauses(samples: readonly Sample[]): Sample[] {
  const alone = new Map(samples.filter(({ column }) => column === ALONE).map((one) => [keyOf(one), one]));
  return samples.map((sample) => {
    const { finding } = sample;
    const other = sample.column === THROUGH && sample.isRight === false
      ? alone.get(keyOf(sample))
      : undefined;
    if (other === undefined || finding === undefined) return sample;
    const isSameAnswer = other.exchange.raw === sample.exchange.raw;
    if (isSameAnswer && other.isRight === true) {
      // The mark that shows it doesn't reach the client.
      const isOpen = beginsInReasoning(other.exchange.text);
      return {
        ...sample,
        finding: isOpen ? "begins_in_reasoning" as const : "lost_through_dragoman" as const,
      };
    }
    const isSame = other.finding !== undefined && FINDINGS[other.finding].seen_as?.includes(finding);
    return isSame ? { ...sample, finding: other.finding } : sample;
  });
}

/** Findings that every task with a call can have, so their answers can be put together. */
const ANY_CALL: readonly FindingName[] = [
  "calls_printed_as_text",
  "unread_dialect",
  "call_lost",
  "call_in_reasoning",
  "answers_in_words",
  "empty_answer",
  "finish_reason_wrong",
  "arguments_encoded_twice",
  "ids_missing",
];

/** Renames the findings of one column that only streams have. */
function withStreamFaults(samples: readonly Sample[]): Sample[] {
  const faults = new Set(ANY_CALL.filter((name) => {
    const calls = samples.filter(({ expectsCall, isRight }) => expectsCall && isRight !== null);
    const [streams, wholes] = [true, false].map((isStreamed) =>
      calls.filter((one) => one.isStreamed === isStreamed)
    );
    const shown = (list: readonly Sample[] = []) => list.filter(({ finding }) => finding === name).length;
    const groups = { k: shown(streams), n: streams!.length, otherK: shown(wholes), otherN: wholes!.length };
    return groups.k > 0 && groups.otherK === 0 && fisher(groups) < STREAM_P_MAX;
  }));
  return samples.map((sample) =>
    sample.isStreamed && sample.finding !== undefined && faults.has(sample.finding)
      ? { ...sample, finding: "stream_differs" as const }
      : sample
  );
}

function findingsOf(samples: readonly Sample[], sides: readonly string[]): Finding[] {
  const wrong = samples.filter(({ column, isRight }) => isRight === false && sides.includes(column));
  const names = [...new Set(wrong.flatMap(({ finding }) => finding ?? []))];
  const found = names.map((id): Finding => {
    const own = wrong.filter(({ finding }) => finding === id);
    const rules = own.flatMap(({ rule }) => rule ?? []);
    const times = (rule: string) => rules.filter((one) => one === rule).length;
    return {
      id,
      rules: [...new Set(rules)].sort((a, b) => times(b) - times(a)),
      alone: own.filter(({ column }) => column === sides[0]).length,
      left: own.filter(({ column }) => column === sides[1]).length,
      tasks: [...new Set(own.map(({ task }) => task))],
    };
  });
  const weight = ({ alone, left }: Finding) => Math.max(alone, left);
  return found.sort((a, b) => weight(b) - weight(a));
}

/** The best setting. Without Dragoman's own column, as in a comparison of two files, it is the better one. */
function recommend(
  names: readonly string[],
  comparisons: readonly Comparison[],
): Recommendation | undefined {
  const [first, second] = names;
  const better = (against: string | undefined, among: readonly string[]): Recommendation[] =>
    comparisons.filter((one) => one.against === against && among.includes(one.column) && one.won > one.lost)
      .map((comparison): Recommendation => ({
        column: comparison.column,
        // The best of several columns is good by chance more often than one is.
        strength: comparison.p * among.length < P_MAX ? "measured" : "try",
        comparison,
      }))
      .sort((a, b) => gain(b) - gain(a));
  // A change of the settings has to be better than Dragoman as it is.
  const [changed] = better(second, names.slice(2));
  const [kept] = better(first, second === undefined ? [] : [second]);
  return changed?.strength === "measured" ? changed : kept?.strength === "measured" ? kept : changed ?? kept;
}

/** Measured gains come first. */
function gain({ strength, comparison: { won, lost } }: Recommendation): number {
  return won - lost + (strength === "measured" ? 1e6 : 0);
}

function shownFailures(samples: readonly Sample[], sides: readonly string[]): Sample[] {
  const counts = new Map<string, number>();
  return samples.filter(({ isRight, finding, column }) => {
    if (isRight !== false || !sides.includes(column)) return false;
    const key = `${column} ${finding}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= SHOWN_MAX;
  });
}

function unmeasuredOf(samples: readonly Sample[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { isRight, exchange } of samples) {
    if (isRight !== null) continue;
    const cause = exchange.got.slice(0, 200);
    counts[cause] = (counts[cause] ?? 0) + 1;
  }
  return counts;
}

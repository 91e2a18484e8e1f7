/** Sums up judged answers: right answers by task and column with what that shows, pairs, findings, and what to set. @module */
import { type Mode, PURPOSES } from "./battery.ts";
import { withCauses } from "./causes.ts";
import { type Traits, traitsOf } from "./traits.ts";
import { type FindingName, FINDINGS } from "./findings.ts";
import { keyOf, type Sample, THROUGH } from "./sample.ts";
import { mcnemar, wilson } from "./statistics.ts";

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
  /** The command that evaluates again, without the server's address. */
  readonly command?: string | undefined;
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
  /** Wilson's interval of 95%. */
  readonly low: number;
  readonly high: number;
  /** Answers that show nothing. */
  readonly unmeasured: number;
  /** Measured answers with a call. */
  readonly calls: number;
  /** Tasks whose answers are all right (pass^k), of all tasks. */
  readonly tasks: Count;
  /** Answers with a call, of those that should have one: the trigger rate. */
  readonly trigger: Count;
  /** Answers whose calls fit their tools, of those with a call: the schema rate. */
  readonly schema: Count;
  /** Half of the answers took at most this, and 95% of them; undefined if none was asked for in this run. */
  readonly ms?: { readonly median: number; readonly most: number } | undefined;
}

/** A column compared with another one, by pairs of answers to the same question. */
export interface Comparison {
  readonly column: string;
  readonly against: string;
  readonly won: number;
  readonly lost: number;
  /** Answers that were measured in both. */
  readonly n: number;
  /** McNemar's exact test, two-sided. */
  readonly p: number;
}

export interface Finding {
  readonly id: FindingName;
  /** The rules that read the calls, the most frequent first. */
  readonly rules: readonly string[];
  /** Wrong answers alone, how many of them are right through Dragoman, and wrong answers through Dragoman. */
  readonly alone: number;
  readonly repaired: number;
  readonly left: number;
  /** Wrong answers through Dragoman that are wrong alone for another cause. */
  readonly moved: number;
  readonly traits: Traits;
  readonly tasks: readonly string[];
  /** The settings that can help, compared with Dragoman as it is in the tasks of this finding. */
  readonly tried: readonly Comparison[];
  /** Whether it is seen often enough for advice. */
  readonly isSeldom: boolean;
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

/** Below this chance, a difference is mentioned at all. */
const TRY_P_MAX = 0.2;

interface Gains {
  /** A gain is measured if chance makes it this seldom. */
  readonly p: number;
  /** The least gain that is worth a change, as a share of the answers. */
  readonly least: number;
  /** The least gain that is worth a try, although more of it can be chance. */
  readonly leastTry: number;
}

/** Dragoman reads the very answers that the server gave: luck favors no column. */
const OF_DRAGOMAN: Gains = { p: 0.05, least: 0.05, leastTry: 0.1 };

/** A setting asks again: with faults that come by chance, 200 evaluations must end without advice. */
const OF_SETTINGS: Gains = { p: 0.003, least: 0.1, leastTry: 0.2 };

const SHOWN_MAX = 3;

export function summarize(samples: readonly Sample[], facts: EvaluationFacts): Evaluation {
  const names = [...new Set(samples.map(({ column }) => column))];
  const judged = withCauses(samples);
  // What is compared: two ways to ask.
  const sides = names.slice(0, 2);
  const columns = names.map((name) => columnOf(name, judged));
  const comparisons = [
    ...names.slice(1).map((column) => compare(judged, { column, against: names[0]! })),
    ...names.slice(2).map((column) => compare(judged, { column, against: names[1]! })),
  ];
  // What a setting repairs comes first.
  const isRepairable = (finding: Finding) =>
    finding.left > 0 && finding.tried.some((one) => isWorthTrying(one, finding, { comparisons }));
  const findings = findingsOf(judged, names).sort((a, b) =>
    Number(isRepairable(b)) - Number(isRepairable(a))
  );
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
  return {
    name,
    k,
    n,
    ...wilson(k, n),
    unmeasured: own.length - n,
    calls,
    tasks: wholeTasks(own),
    trigger: share(
      own.filter(({ isRight, expectsCall }) => isRight !== null && expectsCall),
      ({ hasCall }) => hasCall,
    ),
    schema: share(
      own.filter(({ fitsSchema }) => fitsSchema !== undefined),
      ({ fitsSchema }) => fitsSchema === true,
    ),
    ms: durations(own.flatMap(({ ms }) => ms ?? [])),
  };
}

function share(samples: readonly Sample[], isCounted: (sample: Sample) => boolean): Count {
  return { k: samples.filter(isCounted).length, n: samples.length };
}

function wholeTasks(samples: readonly Sample[]): Count {
  const tasks = [
    ...Map.groupBy(samples.filter(({ isRight }) => isRight !== null), ({ task }) => task).values(),
  ];
  return { k: tasks.filter((all) => all.every(({ isRight }) => isRight)).length, n: tasks.length };
}

function durations(all: readonly number[]): Column["ms"] {
  if (all.length === 0) return undefined;
  const sorted = [...all].sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
  return { median: at(0.5), most: at(0.95) };
}

function tasksOf(samples: readonly Sample[]): string[] {
  const order = [...PURPOSES.keys()];
  return [...new Set(samples.map(({ task }) => task))].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** Compares two columns by pairs of answers that were both measured. */
function compare(
  samples: readonly Sample[],
  { column, against }: { readonly column: string; readonly against: string },
): Comparison {
  const others = new Map(
    samples.filter((one) => one.column === against).map((one) => [keyOf(one), one.isRight]),
  );
  let [won, lost, n] = [0, 0, 0];
  for (const one of samples) {
    const other = others.get(keyOf(one));
    if (one.column !== column || one.isRight === null || other == null) continue;
    n++;
    if (one.isRight === other) continue;
    if (one.isRight) won++;
    else lost++;
  }
  return { column, against, won, lost, n, p: mcnemar(won, lost) };
}

function findingsOf(samples: readonly Sample[], columns: readonly string[]): Finding[] {
  const [first, second] = columns;
  const wrong = samples.filter(({ column, isRight }) =>
    isRight === false && (column === first || column === second)
  );
  const names = [...new Set(wrong.flatMap(({ finding }) => finding ?? []))];
  const isRight = new Set(samples.filter((one) => one.column === second && one.isRight).map(keyOf));
  const causes = new Map(
    wrong.filter(({ column }) => column === first).map((one) => [keyOf(one), one.finding]),
  );
  const found = names.map((id): Finding => {
    const own = wrong.filter(({ finding }) => finding === id);
    const rules = own.flatMap(({ rule }) => rule ?? []);
    const times = (rule: string) => rules.filter((one) => one === rule).length;
    const tasks = [...new Set(own.map(({ task }) => task))];
    const alone = own.filter(({ column }) => column === first);
    const inTasks = samples.filter(({ task }) => tasks.includes(task));
    return {
      id,
      rules: [...new Set(rules)].sort((a, b) => times(b) - times(a)),
      alone: alone.length,
      repaired: alone.filter((one) => isRight.has(keyOf(one))).length,
      left: own.length - alone.length,
      moved: own.filter((one) => one.column !== first && (causes.get(keyOf(one)) ?? id) !== id).length,
      traits: traitsOf(id, own, samples),
      tasks,
      tried: second === undefined
        ? []
        : columns.slice(2).filter((name) => FINDINGS[id].columns.includes(name))
          .map((column) => compare(inTasks, { column, against: second })),
      isSeldom: isSeldom(samples, own),
    };
  });
  const weight = ({ alone, left }: Finding) => Math.max(alone, left);
  return found.sort((a, b) => weight(b) - weight(a));
}

/** A finding that is neither in each answer to one of its tasks nor, for certain, in this share of all can be chance. */
const OFTEN = 0.1;

/** How many answers to one task show more than chance, if all of them are wrong. */
export const REPEATS_MIN = 3;

function isSeldom(samples: readonly Sample[], own: readonly Sample[]): boolean {
  return [...new Set(own.map(({ column }) => column))].every((column) => {
    const measured = samples.filter((one) => one.column === column && one.isRight !== null);
    const found = own.filter((one) => one.column === column);
    const isWholeTask = found.some(({ task }) => {
      const all = measured.filter((one) => one.task === task).length;
      return all >= REPEATS_MIN && found.filter((one) => one.task === task).length === all;
    });
    return !isWholeTask && wilson(found.length, measured.length).low < OFTEN;
  });
}

/** The best setting. Without Dragoman's own column, as in a comparison of two files, it is the better one. */
function recommend(names: readonly string[], comparisons: readonly Comparison[]): Recommendation | undefined {
  const [first, second] = names;
  const better = (against: string | undefined, among: readonly string[]): Recommendation[] =>
    comparisons.filter((one) => one.against === against && among.includes(one.column))
      .flatMap((comparison): Recommendation[] => {
        const gains = comparison.column === THROUGH ? OF_DRAGOMAN : OF_SETTINGS;
        const strength = strengthOf(comparison, gains, among.length);
        return strength === undefined ? [] : [{ column: comparison.column, strength, comparison }];
      })
      .sort((a, b) => gain(b) - gain(a));
  // A change of the settings has to be better than Dragoman as it is.
  const [changed] = better(second, names.slice(2));
  const [kept] = better(first, second === undefined ? [] : [second]);
  return changed?.strength === "measured" ? changed : kept?.strength === "measured" ? kept : changed ?? kept;
}

/** At most this share of evaluations advises a setting under a finding by chance. */
const ADVICE_CHANCE = 0.05;

/**
 * Whether a setting is advised for a finding that isn't chance: it wins in the finding's tasks, and all answers show a gain that
 * is worth a change. All answers decide, because the finding's tasks are those in which Dragoman had no luck.
 */
export function isWorthTrying(
  { column, against, won, lost }: Comparison,
  { isSeldom }: Pick<Finding, "isSeldom">,
  { comparisons }: Pick<Evaluation, "comparisons">,
): boolean {
  const settings = comparisons.filter((one) => one.against === against);
  const all = settings.find((one) => one.column === column);
  if (isSeldom || won <= lost || all === undefined) return false;
  // Only a gain is advised, so half of the two-sided chance counts; the best of several is good by chance more often.
  const chance = all.p / 2 * settings.length;
  return all.won > all.lost && chance < ADVICE_CHANCE && (all.won - all.lost) / all.n >= OF_SETTINGS.least;
}

/** What a gain shows; undefined if it can be chance, or isn't worth a change. */
function strengthOf(
  { won, lost, n, p }: Comparison,
  gains: Gains,
  among: number,
): Recommendation["strength"] | undefined {
  const share = (won - lost) / n;
  // The best of several columns is good by chance more often than one is.
  const chance = p * among;
  if (chance < gains.p && share >= gains.least) return "measured";
  return chance < TRY_P_MAX && share >= gains.leastTry ? "try" : undefined;
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

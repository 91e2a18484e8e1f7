/** Puts an evaluation into words: verdict, findings, and settings, which are advised only with a measured gain. @module */
import { visible } from "../../engine/diagnostic/visible.ts";
import { count, duration, plural } from "../../engine/diagnostic/figures.ts";
import type { Column, Comparison, Count, Evaluation, Finding } from "./evaluation.ts";
import { answerWords, lastWords } from "./answer.ts";
import { ALONE, THROUGH } from "./sample.ts";
import { FINDINGS } from "./findings.ts";
import { isWorthTrying } from "./evaluation.ts";
import { columnTitle, introOf, layerOf, probabilityText, remediesOf, type Remedy } from "./remedies.ts";

/** `0.914` → `91%`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

/** `26 of 27 answers are right (82% to 99%)`. */
export function columnText({ k, n, low, high }: Pick<Column, "k" | "n" | "low" | "high">): string {
  if (n === 0) return "no answer could be measured";
  return `${k} of ${plural(n, "answer")} ${n === 1 ? "is" : "are"} right (${percent(low)} to ${
    percent(high)
  })`;
}

/** What a column shows besides its right answers, one line. */
export function ratesText({ name, tasks, trigger, schema, calls, n, ms }: Column): string {
  const of = ({ k, n }: Count) => `${k} of ${n}`;
  const parts = [
    `pass^k (tasks that are correct every time) ${of(tasks)}`,
    trigger.n > 0
      ? `trigger rate (calls made when requested) ${of(trigger)}`
      : `answers with a call ${calls} of ${n}`,
    schema.n > 0 ? `schema rate (calls that fit their tools) ${of(schema)}` : "",
    name === ALONE && ms !== undefined
      ? `50% of answers within ${duration(ms.median)}, 95% within ${duration(ms.most)}`
      : "",
  ];
  return `${name}: ${parts.filter((part) => part !== "").join("; ")}`;
}

/** The texts of all findings; a remedy that an earlier one gives isn't repeated. */
export function findingTexts(evaluation: Evaluation): (FindingText & Pick<Finding, "id">)[] {
  const given = new Set<string>();
  return evaluation.findings.map((finding) => {
    const text = findingText(finding, evaluation);
    const remedies = text.remedies.filter((one) => !given.has(one.text));
    for (const one of remedies) given.add(one.text);
    return { ...text, id: finding.id, remedies };
  });
}

/** `+9 −0, p = 0.004`. */
export function comparisonText({ won, lost, p }: Comparison): string {
  return `+${won} −${lost}, ${probabilityText(p)}`;
}

export function verdict(evaluation: Evaluation): string {
  const { columns, recommended, lost, facts } = evaluation;
  const [first, second] = columns;
  if (first === undefined || columns.every(({ n }) => n === 0)) return "Nothing could be measured.";
  const partial = facts.isPartial ? " The evaluation was ended early." : "";
  const harm = lost.length > 0
    ? ` Dragoman made ${plural(lost.length, "right answer")} wrong: please report that.`
    : "";
  const unknown = Math.max(...columns.map(({ unmeasured }) => unmeasured));
  const gap = unknown > 0 ? ` ${plural(unknown, "answer")} could not be measured.` : "";
  const best = columns.find(({ name }) => name === recommended?.column);
  const gain = best === undefined ? repairText(evaluation) : ` ${gainText(evaluation, best)}`;
  const better = best === undefined || best.name === THROUGH ? betterText(evaluation) : "";
  return `${situation(first, second)}${gain}${better}${harm}${worstText(evaluation)}${gap}${partial}`;
}

/** The task with the most wrong answers, as the agent gets them: a mean over all tasks hides it. */
function worstText({ columns, tasks }: Evaluation): string {
  const { name } = columns[1] ?? columns[0]!;
  const share = (count: Count | undefined) => count === undefined || count.n === 0 ? 1 : count.k / count.n;
  const sorted = [...tasks].sort((a, b) => share(a.cells[name]) - share(b.cells[name]));
  const cell = sorted[0]?.cells[name];
  if (cell === undefined || share(cell) === 1) return "";
  const same = sorted.slice(1).filter(({ cells }) => share(cells[name]) === share(cell));
  const others = same.length === 0
    ? ""
    : `; ${plural(same.length, "other task is", "other tasks are")} as bad: ${
      same.map(({ name }) => `\`${name}\``).join(", ")
    }`;
  return ` The worst task ${placeOf(name)}: \`${sorted[0]!.name}\`, ${cell.k} of ${cell.n} right${others}.`;
}

/** Whether the tools reach the prompt; undefined if the server doesn't tell. */
export function visibilityText(isVisible: boolean | undefined): string {
  if (isVisible === undefined) {
    return "It is unknown whether the tools reach the prompt, because the server doesn't state the prompt's token count.";
  }
  return isVisible
    ? "The tools reach the prompt."
    : "The tools don't reach the prompt: it has the same number of tokens with and without them.";
}

export const RANGE_TEXT =
  "The percentages are 95% intervals for these tasks. Results can differ for other tasks, other prompts, and longer conversations.";

/** The causes of answers that show nothing about the model, one line each. */
export function unmeasuredLines({ unmeasured }: Pick<Evaluation, "unmeasured">): string[] {
  return Object.entries(unmeasured).map(([cause, times]) =>
    `Not measured, and not counted as wrong (${times}): ${cause}`
  );
}

/** What is wrong and what to change, for someone who reads nothing else: the findings with most answers. */
export function summaryTexts(evaluation: Evaluation): readonly SummaryText[] {
  return findingTexts(evaluation).slice(0, SUMMARY_MAX).map(({ means, remedies, uncertain }, at) => {
    const finding = evaluation.findings[at]!;
    const { layer, reason } = layerOf(finding);
    return {
      what: means,
      where: `${whereText(finding, evaluation)} The fault is ${LAYERS[layer]}${reason}.`,
      example: exampleOf(finding, evaluation),
      intro: introOf(finding, remedies),
      remedies,
      uncertain,
    };
  });
}

/** `In 9 of 36 answers from the server alone, and in 12 of 36 answers through Dragoman (without Dragoman, 3 of these have a different fault, and are counted there).` */
function whereText({ id, alone, left, moved, traits, tasks }: Finding, { columns }: Evaluation): string {
  const [first, second] = columns;
  const share = (found: number, { name, n }: Column) =>
    `${count(found)} of ${plural(n, "answer")} ${placeOf(name)}`;
  const other = moved === 0
    ? ""
    : ` (without Dragoman, ${count(moved)} of these have a different fault, and are counted there)`;
  const shares = [
    ...alone > 0 && first !== undefined ? [share(alone, first)] : [],
    ...left > 0 && second !== undefined ? [`${share(left, second)}${other}`] : [],
  ];
  const only = tasks.length === 1 ? FINDINGS[id].only?.[tasks[0]!] : undefined;
  return `In ${shares.join(", and in ")}.${traitsText(traits, { all: alone + left, tasks })}${
    only === undefined ? "" : ` ${only}.`
  }`;
}

/** What the answers have in common, as sentences. */
function traitsText(
  { kind, prompt, errors }: Finding["traits"],
  { all, tasks }: { readonly all: number; readonly tasks: readonly string[] },
): string {
  if (kind !== undefined) {
    const others = kind.answered === 0
      ? "no answered request does"
      : `${count(kind.answered)} of the answered requests do, too, so this alone isn't the cause. ` +
        "Look at the server's error and its log, and compare the requests below with one that is answered";
    return ` All ${count(kind.failing)} requests that fail (${tasks.join(", ")}) ${kind.name}; ${others}.`;
  }
  if (prompt === undefined) return "";
  const counted = prompt.counted === undefined
    ? ""
    : ` (it counted ${count(prompt.counted)} of about ${count(prompt.tokens)} tokens)`;
  const dropped = `dropped part of the prompt without an error${counted}`;
  if (errors === all) return ` It refused these requests with an error.`;
  return errors === 0
    ? ` It ${dropped}.`
    : ` It refused ${count(errors)} of these ${
      count(all)
    } requests with an error, and ${dropped} of the others.`;
}

function placeOf(name: string): string {
  return name === ALONE ? "from the server alone" : name === THROUGH ? "through Dragoman" : columnTitle(name);
}

interface SummaryText {
  readonly what: string;
  readonly where: string;
  /** A question and its wrong answer; undefined if none was kept. */
  readonly example: string | undefined;
  readonly intro: string;
  readonly remedies: readonly Remedy[];
  /** Gains that are too few for advice. */
  readonly uncertain: readonly string[];
}

/** What was asked, in a task of which kind, and what came instead: what the agent still gets, if anything is still wrong. */
function exampleOf({ id }: Finding, { failures, tasks }: Evaluation): string | undefined {
  const own = failures.filter(({ finding }) => finding === id);
  const shown = own.find(({ column }) => column === THROUGH) ?? own[0];
  if (shown === undefined) return undefined;
  const { request, raw, got } = shown.exchange;
  const body = shown.column === ALONE ? raw : got;
  const why = tasks.find(({ name }) => name === shown.task)?.why;
  return `For example, in the task ${shown.task}${why === undefined ? "" : ` (a correct answer ${why})`}, “${
    middleCut(visible(lastWords(request), { lengthMax: Infinity }))
  }” got, ${shown.column === ALONE ? "alone" : placeOf(shown.column)}: ${middleCut(answerWords(body))}`;
}

/** A text with its beginning and its end, where what is wrong can be. */
function middleCut(text: string): string {
  return text.length <= EXAMPLE_MAX
    ? text
    : `${text.slice(0, EXAMPLE_MAX / 2)} … ${text.slice(-EXAMPLE_MAX / 2)}`;
}

const EXAMPLE_MAX = 240;

export const SUMMARY_MAX = 3;

const LAYERS: Readonly<Record<string, string>> = {
  server: "in the model server",
  template: "in the chat template, which turns messages and tools into the model's prompt",
  parser: "in the server's tool-call parser",
  stream: "in the server's streaming",
  model: "in the model's text",
  dragoman: "in Dragoman",
};

function situation(first: Column, second: Column | undefined): string {
  if (second === undefined) return `${capital(columnTitle(first.name))}: ${columnText(first)}.`;
  const isAlone = first.name === ALONE;
  if (isAlone && first.n > 0 && first.k === first.n && second.k === second.n) {
    return `No answer is wrong, with or without Dragoman: at least ${
      percent(first.low)
    } of such answers are correct. Rarer errors are still possible.`;
  }
  return `${capital(columnTitle(first.name))}, ${columnText(first)}; ${columnTitle(second.name)}, ${
    columnText(second)
  }.`;
}

function gainText({ recommended, comparisons }: Evaluation, best: Column): string {
  const { column, strength, comparison } = recommended!;
  const figures = `${best.k} of ${best.n}, ${comparisonText(comparison)} against \`${comparison.against}\``;
  if (column === THROUGH) {
    return strength === "measured"
      ? `Keep Dragoman between the agent and this server:${wonText(comparisons)}.`
      : `Dragoman helped:${
        wonText(comparisons)
      }. There are too few answers to be certain: run again with --thorough.`;
  }
  return strength === "measured"
    ? `Best: ${columnTitle(column)} (${figures}).`
    : `Try: ${
      columnTitle(column)
    } (${figures}); that is too little for a verdict, so run again with --thorough.`;
}

/** What Dragoman as it is repaired, where that is too little for a recommendation. */
function repairText({ comparisons, columns, lost }: Evaluation): string {
  const kept = comparisons.find(({ column, against }) => column === THROUGH && against === ALONE);
  if (kept === undefined || kept.won === 0) return keptText(columns, lost);
  const doubt = kept.p < CHANCE
    ? ""
    : `; with so few answers, this can be chance (${probabilityText(kept.p)})`;
  return ` Dragoman repairs some answers:${wonText(comparisons)}${doubt}.`;
}

/** What stays as it is: as many answers are right with Dragoman as without it, and some are wrong. */
function keptText([first, second]: Evaluation["columns"], lost: Evaluation["lost"]): string {
  const isSame = first?.name === ALONE && second?.name === THROUGH && lost.length === 0 &&
    first.k === second.k;
  return isSame && first.k < first.n ? " Dragoman makes no difference to these answers." : "";
}

/** From this probability on, a difference can be chance. */
const CHANCE = 0.2;

/** A setting that is advised under a finding, with the gain in all tasks. */
function betterText({ findings, comparisons, columns }: Evaluation): string {
  const advised = findings.flatMap((finding) =>
    finding.left === 0 ? [] : finding.tried.filter((one) => isWorthTrying(one, finding, { comparisons }))
  );
  const [best] = advised.flatMap(({ column, against }) =>
    comparisons.filter((one) => one.column === column && one.against === against)
  ).sort((a, b) => b.won - b.lost - (a.won - a.lost));
  const column = columns.find(({ name }) => name === best?.column);
  if (best === undefined || column === undefined) return "";
  return ` Better still: ${columnTitle(best.column)} (${column.k} of ${column.n}, ${
    comparisonText(best)
  } against \`${best.against}\`); it is the first change below.`;
}

/** How to see whether a change worked. */
export function checkText({ columns, facts, findings }: Evaluation): string {
  const shown = columns[1] ?? columns[0];
  if (shown === undefined) return "";
  const faults = findings.slice(0, SUMMARY_MAX).filter(({ left, alone }) =>
    columns[1] === undefined ? alone > 0 : left > 0
  );
  const names = faults.map(({ id }) => FINDINGS[id].means.split(/[:,.]/)[0]).map((name) => `“${name}”`);
  const gone = names.length === 0
    ? "A fault that you removed from the server is no longer in the report, and the column `alone` has more right answers"
    : `The change works if the column \`${shown.name}\` no longer has the fault (${
      names.join(", ")
    }), and more right answers than ${shown.k} of ${shown.n}`;
  const { command = "dragoman evaluate" } = facts;
  const address = command.includes("$UPSTREAM") ? " ($UPSTREAM is the server's address)" : "";
  return `After a change, check it: run \`${command}\` again${address}. ${gone}.`;
}

/** ` 9 wrong answers become right, and none becomes wrong`. */
function wonText(comparisons: Evaluation["comparisons"]): string {
  const { won, lost } = comparisons.find(({ column }) => column === THROUGH)!;
  const become = (value: number, what: string) => value === 1 ? `becomes ${what}` : `become ${what}`;
  return ` through it, ${plural(won, "wrong answer")} ${become(won, "right")}, and ${
    lost === 0 ? "none becomes wrong" : `${count(lost)} ${become(lost, "wrong")}`
  }`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

interface FindingText {
  /** `calls_printed_as_text (hermes)`. */
  readonly title: string;
  readonly layer: string;
  readonly means: string;
  readonly figures: string;
  readonly measured: readonly string[];
  /** Gains that are too few for advice. */
  readonly uncertain: readonly string[];
  /** What helps, in the order in which to try it. */
  readonly remedies: readonly Remedy[];
}

export function findingText(finding: Finding, evaluation: Evaluation): FindingText {
  const { id, rules, tasks, tried } = finding;
  const { means } = FINDINGS[id];
  const { layer } = layerOf(finding);
  const [first = "", second] = evaluation.columns.map(({ name }) => name);
  return {
    title: rules[0] === undefined ? id : `${id} (${rules.join(", ")})`,
    layer,
    means,
    figures: `${figuresText(finding, { first, second })}; in ${tasks.join(", ")}`,
    measured: tried.map((one) =>
      `${one.column} against ${one.against}, in these tasks: ${comparisonText(one)}`
    ),
    ...remediesOf(finding, evaluation),
  };
}

/** `20 wrong answers alone, 20 of them correct through Dragoman`. */
function figuresText(
  { alone, repaired, left }: Finding,
  { first, second }: { readonly first: string; readonly second: string | undefined },
): string {
  if (second !== THROUGH) return `${count(alone)} wrong in ${first}, ${count(left)} in ${second}`;
  const parts = [
    alone === 0
      ? ""
      : `${plural(alone, "wrong answer")} alone, ${count(repaired)} of them correct through Dragoman`,
    left === 0 ? "" : `${plural(left, "wrong answer")} through Dragoman for this reason`,
  ];
  return parts.filter((part) => part !== "").join("; ");
}

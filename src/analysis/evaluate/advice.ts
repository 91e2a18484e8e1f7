/**
 * Puts an evaluation into words: a verdict that the repeats can carry, what each finding means, and what to set. A setting
 * is recommended only with a measured gain.
 *
 * @module
 */
import { count, duration, plural } from "../../engine/diagnostic/figures.ts";
import { PROFILES, type ServerProfile } from "../../proxy/upstream/profiles/profiles.ts";
import {
  type Column,
  type Comparison,
  type Count,
  type Evaluation,
  type Finding,
  TRY_P_MAX,
} from "./evaluation.ts";
import { answerWords, lastWords } from "./answer.ts";
import { ALONE, THROUGH } from "./sample.ts";
import { FINDINGS } from "./findings.ts";

/** Changes of `dragoman.yaml`: a path to a key, in which `UPSTREAM` is the upstream that was evaluated, and its value. */
export type Settings = readonly (readonly [path: readonly string[], value: unknown])[];

const COLUMNS: Readonly<Record<string, { readonly title: string; readonly settings: Settings }>> = {
  [ALONE]: { title: "the server alone", settings: [] },
  [THROUGH]: { title: "through Dragoman, as it is configured", settings: [] },
  recover: {
    title: "through Dragoman with `policy.reasoning: recover`",
    settings: [[["policy", "reasoning"], "recover"]],
  },
  in_reasoning: {
    title: "through Dragoman with `begins_in_reasoning: true`",
    settings: [[["UPSTREAM", "begins_in_reasoning"], true]],
  },
  raw: { title: "through Dragoman with `tools: raw`", settings: [[["UPSTREAM", "tools"], "raw"]] },
  prompted: {
    title: "through Dragoman with `tools: prompted`",
    settings: [[["UPSTREAM", "tools"], "prompted"]],
  },
  strict: { title: "through Dragoman with `tools.strict: add`", settings: [[["tools", "strict"], "add"]] },
};

export function columnTitle(name: string): string {
  return COLUMNS[name]?.title ?? name;
}

/** What to set for a column; nothing if it needs no change. */
export function settingsOf(evaluation: Pick<Evaluation, "recommended" | "dialect">): Settings {
  const { recommended, dialect } = evaluation;
  if (recommended === undefined) return [];
  const { settings = [] } = COLUMNS[recommended.column] ?? {};
  return recommended.column === "prompted" && dialect !== undefined
    ? [...settings, [["UPSTREAM", "dialect"], dialect]]
    : settings;
}

/** `0.914` → `91 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `26 of 27 answers are right (82 % to 99 %)`. */
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
    `pass^k (tasks that are right every time) ${of(tasks)}`,
    trigger.n > 0
      ? `trigger rate (calls made when requested) ${of(trigger)}`
      : `answers with a call ${calls} of ${n}`,
    schema.n > 0 ? `schema rate (calls that fit their tools) ${of(schema)}` : "",
    name === ALONE && ms !== undefined
      ? `half of the answers in ${duration(ms.median)}, 95 % in ${duration(ms.most)}`
      : "",
  ];
  return `${name}: ${parts.filter((part) => part !== "").join("; ")}`;
}

/** The texts of all findings; advice that an earlier one gives isn't repeated. */
export function findingTexts(evaluation: Evaluation): (FindingText & Pick<Finding, "id">)[] {
  const given = new Set<string>();
  return evaluation.findings.map((finding) => {
    const text = findingText(finding, evaluation);
    const advice = text.advice.filter((line) => !given.has(line));
    for (const line of advice) given.add(line);
    return { ...text, id: finding.id, advice };
  });
}

/** `+9 −0, p = 0.004`. */
export function comparisonText({ won, lost, p }: Comparison): string {
  return `+${won} −${lost}, p ${p < 0.001 ? "< 0.001" : `= ${p.toFixed(p < 0.01 ? 3 : 2)}`}`;
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
  return `${situation(first, second)}${best === undefined ? "" : ` ${gainText(recommended!, best)}`}${harm}${
    worstText(evaluation)
  }${gap}${partial}`;
}

/** The task with the most wrong answers, as the agent gets them: a mean over all tasks hides it. */
function worstText({ columns, tasks }: Evaluation): string {
  const { name } = columns[1] ?? columns[0]!;
  const share = (count: Count | undefined) => count === undefined || count.n === 0 ? 1 : count.k / count.n;
  const worst = [...tasks].sort((a, b) => share(a.cells[name]) - share(b.cells[name]))[0];
  const cell = worst?.cells[name];
  if (worst === undefined || cell === undefined || share(cell) === 1) return "";
  return ` The worst task: \`${worst.name}\`, ${cell.k} of ${cell.n}.`;
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
  "The percentages are 95 % intervals for these tasks. Results can differ for other tasks, other prompts and longer conversations.";

/** The causes of answers that show nothing about the model, one line each. */
export function unmeasuredLines({ unmeasured }: Pick<Evaluation, "unmeasured">): string[] {
  return Object.entries(unmeasured).map(([cause, times]) =>
    `Not measured, and not counted as wrong (${times}): ${cause}`
  );
}

/** What to set: a sentence that introduces the settings, and one line for each; undefined without any. */
export function settingsText(
  evaluation: Pick<Evaluation, "recommended" | "dialect">,
): { readonly intro: string; readonly lines: readonly string[] } | undefined {
  const settings = settingsOf(evaluation);
  if (settings.length === 0) return undefined;
  const isMeasured = evaluation.recommended?.strength === "measured";
  return {
    intro: isMeasured
      ? "Set in dragoman.yaml, Dragoman's configuration (--write does that):"
      : "To try in dragoman.yaml, Dragoman's configuration:",
    lines: settings.flatMap(([path, value], at) => {
      const [first = "", ...rest] = path;
      const isUpstream = first === "UPSTREAM";
      // Settings of the upstream are in one entry.
      const isNext = isUpstream && settings[at - 1]?.[0][0] === first;
      const head = isUpstream ? ["upstreams:", "  - # the entry of this server"] : [`${first}:`];
      return [...isNext ? [] : head, `${isUpstream ? "    " : "  "}${rest.join(".")}: ${value}`];
    }),
  };
}

/** What is wrong and what to change, for someone who reads nothing else: the findings with most answers. */
export function summaryTexts(
  evaluation: Evaluation,
): readonly SummaryText[] {
  const [first, second] = evaluation.columns;
  return evaluation.findings.slice(0, SUMMARY_MAX).map((finding) => {
    const { means, advice } = findingText(finding, evaluation);
    const share = (found: number, { name, n }: Column) =>
      `${count(found)} of ${plural(n, "answer")} ${
        name === ALONE ? "of the server alone" : columnTitle(name)
      }`;
    const shares = [
      ...finding.alone > 0 && first !== undefined ? [share(finding.alone, first)] : [],
      ...finding.left > 0 && second !== undefined ? [share(finding.left, second)] : [],
    ];
    return {
      what: means,
      where: `In ${shares.join(", and in ")}. The fault is ${LAYERS[FINDINGS[finding.id].layer]}.`,
      example: exampleOf(finding, evaluation),
      changes: advice.filter((line) => !/^(?:Measured|No gain) in these tasks/.test(line)),
    };
  });
}

interface SummaryText {
  readonly what: string;
  readonly where: string;
  /** A question and its wrong answer; undefined if none was kept. */
  readonly example: string | undefined;
  readonly changes: readonly string[];
}

/** What was asked, in a task of which kind, and what came instead of a right answer. */
function exampleOf({ id }: Finding, { failures, tasks }: Evaluation): string | undefined {
  const own = failures.filter(({ finding }) => finding === id);
  const shown = own.find(({ column }) => column === ALONE) ?? own[0];
  if (shown === undefined) return undefined;
  const { request, raw, got } = shown.exchange;
  const body = shown.column === ALONE ? raw : got;
  const why = tasks.find(({ name }) => name === shown.task)?.why;
  return `For example, in the task ${shown.task}${why === undefined ? "" : ` (a right answer ${why})`}, “${
    middleCut(lastWords(request))
  }” got: ${middleCut(answerWords(body))}`;
}

/** A text with its beginning and its end, where what is wrong can be. */
function middleCut(text: string): string {
  return text.length <= EXAMPLE_MAX
    ? text
    : `${text.slice(0, EXAMPLE_MAX / 2)} … ${text.slice(-EXAMPLE_MAX / 2)}`;
}

const EXAMPLE_MAX = 240;

const SUMMARY_MAX = 3;

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
    return `No answer is wrong, neither alone nor through Dragoman: at least ${
      percent(first.low)
    } of such answers are right. Rarer errors are still possible.`;
  }
  return `${capital(columnTitle(first.name))}, ${columnText(first)}; ${columnTitle(second.name)}, ${
    columnText(second)
  }.`;
}

function gainText(
  { column, strength, comparison }: NonNullable<Evaluation["recommended"]>,
  best: Column,
): string {
  const figures = `${best.k} of ${best.n}, ${comparisonText(comparison)} against \`${comparison.against}\``;
  if (column === THROUGH) {
    return strength === "measured"
      ? "Keep Dragoman between the agent and this server."
      : "Dragoman helped, but there are too few cases to be certain: repeat with --thorough.";
  }
  return strength === "measured"
    ? `Best: ${columnTitle(column)} (${figures}).`
    : `Try: ${
      columnTitle(column)
    } (${figures}); that is too little for a verdict, so repeat with --thorough.`;
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
  /** What helps, in the order in which to try it. */
  readonly advice: readonly string[];
}

export function findingText(finding: Finding, evaluation: Evaluation): FindingText {
  const { id, rules, alone, repaired, left, tasks } = finding;
  const { layer, means, advice } = FINDINGS[id];
  const [first = "", second] = evaluation.columns.map(({ name }) => name);
  const isRepaired = second === THROUGH && alone > 0 && repaired === alone && left === 0;
  const flag = flagOf(finding, evaluation);
  return {
    title: rules[0] === undefined ? id : `${id} (${rules.join(", ")})`,
    layer,
    means,
    figures: figuresText({ alone, repaired, left, tasks }, { first, second }),
    advice: finding.isSeldom && !isRepaired
      ? ["There are too few cases for advice: repeat with --thorough before you change anything"]
      : [
        ...isRepaired ? ["Dragoman repairs all of them: keep it between the agent and the server"] : [],
        ...isRepaired ? [] : finding.tried.map(triedText),
        ...isRepaired && flag !== undefined ? [] : [advice],
        ...flag === undefined ? [] : [`Or start the server with: ${flag}`],
      ],
  };
}

/** `20 wrong answers alone, 20 of them right through Dragoman; in plain_call, types`. */
function figuresText(
  { alone, repaired, left, tasks }: Pick<Finding, "alone" | "repaired" | "left" | "tasks">,
  { first, second }: { readonly first: string; readonly second: string | undefined },
): string {
  const where = `in ${tasks.join(", ")}`;
  if (second !== THROUGH) return `${count(alone)} wrong in ${first}, ${count(left)} in ${second}; ${where}`;
  const parts = [
    alone === 0
      ? ""
      : `${plural(alone, "wrong answer")} alone, ${count(repaired)} of them right through Dragoman`,
    left === 0 ? "" : `${plural(left, "wrong answer")} through Dragoman for this reason`,
  ];
  return `${parts.filter((part) => part !== "").join("; ")}; ${where}`;
}

/** What a setting did in the tasks of a finding. A difference that can be chance gives no advice. */
function triedText(one: Comparison): string {
  const what = columnTitle(one.column);
  return one.won > one.lost && one.p < TRY_P_MAX
    ? `Measured in these tasks: ${what}, ${comparisonText(one)}`
    : `No gain in these tasks: ${what}, ${comparisonText(one)}`;
}

/** What to start a recognized server with. */
function flagOf({ id, rules }: Finding, { facts }: Evaluation): string | undefined {
  const profile: ServerProfile | undefined = PROFILES[facts.server?.kind ?? ""];
  const flag = profile?.flags?.[id];
  if (flag === undefined || !flag.includes("{parser}")) return flag;
  const parser = rules.map((rule) => profile?.parsers?.[rule]).find((name) => name !== undefined);
  return parser === undefined ? undefined : flag.replace("{parser}", parser);
}

/** What to change: the settings that columns measure, as lines of `dragoman.yaml`, and a finding's remedies. @module */
import { count, plural } from "../../engine/diagnostic/figures.ts";
import { isRecord } from "../../engine/object/record.ts";
import { PROFILES, type ServerProfile } from "../../proxy/upstream/profiles/profiles.ts";
import { type Comparison, type Evaluation, type Finding, isWorthTrying, REPEATS_MIN } from "./evaluation.ts";
import { type Advice, FINDINGS } from "./findings.ts";
import { ALONE, THROUGH } from "./sample.ts";

/** Changes of `dragoman.yaml`: a path to a key, in which `UPSTREAM` is the upstream that was evaluated, and its value. */
export type Settings = readonly (readonly [path: readonly string[], value: unknown])[];

interface ColumnFacts {
  readonly title: string;
  readonly does?: string;
  readonly price?: string;
  readonly settings: Settings;
}

const COLUMNS: Readonly<Record<string, ColumnFacts>> = {
  [ALONE]: { title: "the server alone", settings: [] },
  [THROUGH]: { title: "through Dragoman, as it is configured", settings: [] },
  recover: {
    title: "through Dragoman with `policy.reasoning: recover`",
    does: "Dragoman recovers a call from the reasoning if nothing follows it",
    settings: [[["policy", "reasoning"], "recover"]],
  },
  in_reasoning: {
    title: "through Dragoman with `begins_in_reasoning: true`",
    does: "Dragoman treats the beginning of an answer as reasoning",
    settings: [[["UPSTREAM", "begins_in_reasoning"], true]],
  },
  raw: {
    title: "through Dragoman with `tools: raw`",
    does: "Dragoman reads the model's own text, with the server's parser off",
    settings: [[["UPSTREAM", "tools"], "raw"]],
  },
  prompted: {
    title: "through Dragoman with `tools: prompted`",
    does: "Dragoman describes the tools in the prompt, and reads the calls in the answer's text",
    price: "Its price: longer prompts, and the server can't hold calls to their schemas with a grammar",
    settings: [[["UPSTREAM", "tools"], "prompted"]],
  },
  strict: {
    title: "through Dragoman with `strict: add` under `tools:`",
    does: "the server uses a grammar so that calls fit their schemas",
    settings: [[["tools", "strict"], "add"]],
  },
};

export function columnTitle(name: string): string {
  return COLUMNS[name]?.title ?? name;
}

/** What the setting of a column does; empty for a column without one. */
export function columnRemark(name: string): string {
  const does = COLUMNS[name]?.does;
  return does === undefined ? "" : ` (${does})`;
}

/** What to set for the recommended column; nothing if it needs no change. */
export function settingsOf({ recommended, dialect }: Pick<Evaluation, "recommended" | "dialect">): Settings {
  return recommended === undefined ? [] : columnSettings(recommended.column, dialect);
}

function columnSettings(column: string, dialect: string | undefined): Settings {
  const { settings = [] } = COLUMNS[column] ?? {};
  return column === "prompted" && dialect !== undefined
    ? [...settings, [["UPSTREAM", "dialect"], dialect]]
    : settings;
}

/** What to set: a sentence, and lines of YAML; undefined without any, and if a remedy that is shown has them. */
export function settingsText(
  evaluation: Pick<Evaluation, "recommended" | "dialect">,
  shown: readonly Remedy[],
): { readonly intro: string; readonly lines: readonly string[] } | undefined {
  const lines = settingLines(settingsOf(evaluation));
  const isMeasured = evaluation.recommended?.strength === "measured";
  if (lines.length === 0) return undefined;
  if (shown.some((one) => one.lines.join() === lines.join())) {
    return isMeasured
      ? { intro: "With --write, evaluate writes this setting into dragoman.yaml", lines: [] }
      : undefined;
  }
  return {
    intro: isMeasured
      ? "Set in dragoman.yaml, Dragoman's configuration (--write does that):"
      : "To try in dragoman.yaml, Dragoman's configuration:",
    lines,
  };
}

/** Settings as lines of YAML. Those of the upstream go into an entry that exists, so its beginning is a comment. */
function settingLines(settings: Settings): string[] {
  return settings.flatMap(([path, value], at) => {
    const [first = "", ...rest] = path;
    const isUpstream = first === "UPSTREAM";
    const isNext = isUpstream && settings[at - 1]?.[0][0] === first;
    const head = isUpstream ? ENTRY : [`${first}: # at the top level of the file`];
    return [...isNext ? [] : head, `${isUpstream ? "    " : "  "}${rest.join(".")}: ${yamlValue(value)}`];
  });
}

/** Where settings of the upstream go. Only lines without `#` are new. */
const ENTRY = ["# upstreams:", "#   - name: …", "#     url: …"];

function yamlValue(value: unknown): string {
  if (!isRecord(value)) return typeof value === "string" ? value : JSON.stringify(value);
  return `{ ${Object.entries(value).map(([key, one]) => `${key}: ${JSON.stringify(one)}`).join(", ")} }`;
}

export interface Remedy {
  readonly text: string;
  /** What to write in `dragoman.yaml`. */
  readonly lines: readonly string[];
}

/** `Add these lines …`, and where. */
function configureText(lines: readonly string[]): string {
  return lines[0] === ENTRY[0]
    ? "Add these lines to dragoman.yaml, at the end of this server's entry (below its `name` and `url`)"
    : "Add these lines to dragoman.yaml";
}

const FEW = "There are too few answers for advice: before you change anything, run again with --thorough";

const NONE = "None of the measured settings helps: the cause is the model, or you need a different server";

interface Remedies {
  readonly remedies: readonly Remedy[];
  readonly uncertain: readonly string[];
}

/** The remedies of a finding: keep Dragoman, a setting that was measured, and what its cause suggests. */
export function remediesOf(finding: Finding, evaluation: Evaluation): Remedies {
  const keep = keepText(finding, evaluation);
  const isGone = keep !== undefined && finding.left === 0;
  if (finding.isSeldom && !isGone) return { remedies: [{ text: FEW, lines: [] }], uncertain: [] };
  const advised = isGone ? [] : finding.tried.filter((one) => isWorthTrying(one, finding, evaluation));
  const { dialect } = evaluation;
  const settled = new Set(finding.tried.map(({ column }) => column));
  const place = layerOf(finding).layer;
  const suggested = FINDINGS[finding.id].advice.filter(
    ({ column, instead_of, needs_flag, layer = place }) => {
      if (layer !== place) return false;
      if (instead_of !== undefined) return !isPossible(instead_of, evaluation);
      if (column !== undefined) return !isGone && !settled.has(column) && isPossible(column, evaluation);
      const profile = profileOf(evaluation);
      return !needs_flag || profile === undefined || profile.flags?.[finding.id] !== undefined;
    },
  );
  const remedies = [
    ...keep === undefined ? [] : [{ text: keep, lines: [] }],
    ...advised.map((one) => {
      const lines = settingLines(columnSettings(one.column, dialect));
      return { text: `${setText(one.column, { lines, evaluation })}. ${gainText(one, evaluation)}`, lines };
    }),
    ...suggested.map((one) => suggestion(one, finding, evaluation)),
  ];
  return {
    remedies: remedies.length === 0 ? [{ text: NONE, lines: [] }] : remedies,
    uncertain: isGone
      ? []
      : finding.tried.filter((one) => !advised.includes(one) && showsGain(one)).map((one) =>
        `Measured, not certain enough to advise: ${columnTitle(one.column)}. ${gainText(one, evaluation)}; ` +
        "repeat with --thorough"
      ),
  };
}

/** `Keep Dragoman …`, with what it did; undefined if it repaired nothing. */
function keepText({ alone, repaired, left }: Finding, { columns }: Evaluation): string | undefined {
  if (columns[1]?.name !== THROUGH || repaired === 0) return undefined;
  const keep = "Keep Dragoman between the agent and the server";
  if (repaired === alone && left === 0) return `${keep}: it repairs all ${count(alone)} of these answers`;
  const others = left === 0 ? ", and this fault is in none" : "";
  return `${keep}: through it, ${count(repaired)} of these ${count(alone)} answers are right${others}`;
}

/** `Add these lines …, so that …`, with the price of the setting and the tasks that it makes wrong. */
function setText(
  column: string,
  { lines, evaluation }: { readonly lines: readonly string[]; readonly evaluation: Evaluation },
): string {
  const { does = columnTitle(column), price } = COLUMNS[column] ?? {};
  return [
    `${configureText(lines)}, so that ${does}`,
    ...price === undefined ? [] : [price],
    ...brokenTexts(evaluation, column),
  ]
    .join(". ");
}

/** `With tools: prompted, the task chain is never right (0 of 3)`: tasks that are always right without the setting. */
export function brokenTexts({ tasks, columns }: Evaluation, column: string): string[] {
  const before = columns[1]?.name;
  if (before === undefined || column === before || column === ALONE) return [];
  return tasks.flatMap(({ name, cells }) => {
    const [old, now] = [cells[before], cells[column]];
    if (old === undefined || now === undefined || now.n < REPEATS_MIN) return [];
    return old.k === old.n && old.n >= REPEATS_MIN && now.k === 0
      ? [`It breaks the task ${name}: ${old.k} of ${old.n} are right without it, 0 of ${now.n} with it`]
      : [];
  });
}

/** `In these tasks it made 6 wrong answers right and none wrong; …`. */
function gainText(one: Comparison, { columns, comparisons }: Evaluation): string {
  const of = (name: string) => columns.find((column) => column.name === name)!;
  const [setting, before] = [of(one.column), of(one.against)];
  const { p } = comparisons.find(({ column, against }) => column === one.column && against === one.against)!;
  return `In these tasks it made ${plural(one.won, "wrong answer")} right and ${
    one.lost === 0 ? "none" : count(one.lost)
  } wrong; in all tasks, ${count(setting.k)} of ${plural(setting.n, "answer")} are right instead of ${
    count(before.k)
  } of ${count(before.n)} (${probabilityText(p)}, the probability by chance)`;
}

/** `p = 0.004` */
export function probabilityText(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(p < 0.01 ? 3 : 2)}`;
}

/** Whether a gain is large enough to be stated, although it can be chance. */
function showsGain({ won, lost }: Comparison): boolean {
  return lost === 0 && won >= REPEATS_MIN;
}

/** Whether the server that was recognized can do what a column needs; an unknown one may. */
function isPossible(column: string, evaluation: Evaluation): boolean {
  const profile = profileOf(evaluation);
  if (profile === undefined) return true;
  if (column === "strict") return profile.strict !== undefined;
  return column !== "raw" || profile.raw !== undefined;
}

function profileOf({ facts }: Evaluation): ServerProfile | undefined {
  return PROFILES[facts.server?.kind ?? ""];
}

function suggestion(advice: Advice, finding: Finding, evaluation: Evaluation): Remedy {
  const { text, column, defaults, flag, instead_of } = advice;
  const start = flag === true ? flagOf(finding, evaluation) : undefined;
  const lines: readonly string[] = settingLines(
    defaults === undefined
      ? columnSettings(column ?? "", evaluation.dialect)
      : [[["UPSTREAM", "defaults"], JSON.parse(filled(JSON.stringify(defaults), finding))]],
  );
  if (text === undefined) {
    const isUnknown = column === "strict" && profileOf(evaluation) === undefined;
    return {
      text: `${setText(column ?? "", { lines, evaluation })}${
        isUnknown ? `, if it can: ${STRICT_SERVERS} can` : ""
      }`,
      lines,
    };
  }
  const does = filled(text, finding);
  if (start !== undefined) {
    const enough = finding.traits.prompt === undefined
      ? ""
      : ". That is enough for these tasks; longer conversations need more";
    return { text: `${does}. How: start the server with ${start}${enough}`, lines };
  }
  if (lines.length === 0) return { text: does, lines };
  const add = configureText(lines);
  return {
    text: `${does}. ${
      instead_of === undefined ? add : `After the move, ${add.charAt(0).toLowerCase()}${add.slice(1)}`
    }`,
    lines,
  };
}

const STRICT_SERVERS = Object.entries(PROFILES).filter(([_, { strict }]) => strict !== undefined)
  .map(([name]) => name).join(", ");

/** A text with what the answers of the finding show. */
function filled(text: string, { traits: { token, prompt } }: Finding): string {
  const context = prompt === undefined
    ? "as large as the agent's longest conversation"
    : `the longest prompt of these tasks has about ${count(prompt.tokens)} tokens, and its answer can have ${
      count(prompt.answer)
    }`;
  return text.replace("{token}", token ?? "TOKEN").replace("{context}", context)
    .replace("{strict_servers}", STRICT_SERVERS);
}

/** What to start a recognized server with. */
function flagOf({ id, rules, traits: { prompt } }: Finding, evaluation: Evaluation): string | undefined {
  const profile = profileOf(evaluation);
  const flag = profile?.flags?.[id];
  if (flag === undefined) return undefined;
  // The next power of two, as servers are started with.
  const size = prompt === undefined ? "N" : `${2 ** Math.ceil(Math.log2(prompt.tokens + prompt.answer))}`;
  if (!flag.includes("{parser}")) return flag.replace(/\bN\b/g, size);
  const parser = rules.map((rule) => profile?.parsers?.[rule]).find((name) => name !== undefined);
  return parser === undefined ? undefined : flag.replace("{parser}", parser);
}

/** Where a fault is. What is as wrong in the model's own text isn't the parser's. */
export function layerOf({ id, left, tried }: Finding): { readonly layer: string; readonly reason: string } {
  const { layer, layer_without_parser } = FINDINGS[id];
  const other = tried.find(({ column }) => WITHOUT_PARSER.has(column));
  if (layer_without_parser === undefined || (other?.won ?? 0) > 0) return { layer, reason: "" };
  if (other === undefined || left < REPEATS_MIN) return { layer, reason: " or in the model's text" };
  return {
    layer: layer_without_parser,
    reason: `: ${columnTitle(other.column)}, where the server's parser isn't used, they are wrong, too`,
  };
}

const WITHOUT_PARSER: ReadonlySet<string> = new Set(["raw", "prompted"]);

export function introOf({ repaired, left }: Finding, remedies: readonly Remedy[]): string {
  if (remedies.length === 0) return "The change above also fixes this.";
  if (remedies.length === 1) return "What to do:";
  if (repaired === 0) return "Make one of these changes:";
  if (left > 0) {
    return `Do ${
      remedies.length === 2 ? "both" : "the first and any one of the others"
    }; the first fixes only some of the answers:`;
  }
  return "Do one of these. With a change of the server, you no longer need Dragoman for this fault:";
}

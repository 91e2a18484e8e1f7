/** Sums over lines by rule, model, client, wire or mode: the same for reports and the page, so their figures agree. @module */
import type { AuditLine } from "../audit/line.ts";
import { addLine, emptyTally, type Figures, figuresOf, type Tally } from "./tally.ts";
import { compareMeans, compareShares, type Comparison, type Sample, type Share } from "./two_proportion.ts";

/** One row: a rule, a model, a client, a mode, or a day. */
export interface Row extends Figures {
  readonly name: string;
}

export interface SumsFigures {
  readonly all: Figures;
  readonly rules: readonly Row[];
  readonly models: readonly Row[];
  readonly clients: readonly Row[];
  /** By the API that the client speaks; `none` in logs that lack it. */
  readonly wires: readonly Row[];
  /** By the name of the client's key; `none` for those without. */
  readonly keys: readonly Row[];
  readonly upstreams: readonly Row[];
  /** By mode: `live`, `dry_run`, `excluded`. */
  readonly modes: readonly Row[];
  /** The two sides of the canary compared; null without answers on both. */
  readonly canary: SideComparison | null;
}

const ROWS_MAX = 1000;

/** Sums by name; names beyond a maximum are counted nowhere. */
export class NamedTallies {
  readonly #tallies = new Map<string, Tally>();

  add(name: string, line: AuditLine): void {
    const known = this.#tallies.get(name);
    const tally = known ?? emptyTally();
    if (known === undefined && this.#tallies.size < ROWS_MAX) this.#tallies.set(name, tally);
    addLine(tally, line);
  }

  /** The sums of a name; undefined if it has no line. */
  tallyOf(name: string): Tally | undefined {
    return this.#tallies.get(name);
  }

  /** All rows, those with the most candidates first. */
  get rows(): Row[] {
    return [...this.#tallies].map(([name, tally]) => ({ name, ...figuresOf(tally) }))
      .sort((one, other) => other.candidates - one.candidates || other.requests - one.requests);
  }
}

export class Sums {
  readonly #all = emptyTally();
  readonly #rules = new NamedTallies();
  readonly #models = new NamedTallies();
  readonly #clients = new NamedTallies();
  readonly #wires = new NamedTallies();
  readonly #keys = new NamedTallies();
  readonly #upstreams = new NamedTallies();
  readonly #modes = new NamedTallies();

  add(line: AuditLine): void {
    if (line.kind === "gap") return;
    addLine(this.#all, line);
    this.#models.add(line.model ?? "none", line);
    this.#clients.add(line.client ?? "none", line);
    this.#wires.add(line.wire ?? "none", line);
    this.#keys.add(line.key ?? "none", line);
    this.#upstreams.add(line.upstream, line);
    this.#modes.add(line.mode, line);
    const rule = ruleOf(line);
    if (rule !== undefined) this.#rules.add(rule, line);
  }

  get figures(): SumsFigures {
    const [live, excluded] = [this.#modes.tallyOf("live"), this.#modes.tallyOf("excluded")];
    return {
      all: figuresOf(this.#all),
      // A candidate that another one repeats counts for that one's rule.
      rules: this.#rules.rows.filter(({ candidates, reachedAsText, repairs, accepted, rejected }) =>
        candidates + reachedAsText + repairs + accepted + rejected > 0
      ),
      models: this.#models.rows,
      clients: this.#clients.rows,
      wires: this.#wires.rows,
      keys: this.#keys.rows,
      upstreams: this.#upstreams.rows,
      modes: this.#modes.rows,
      canary: live === undefined || excluded === undefined ? null : compareSides({ live, excluded }),
    };
  }
}

/** The rule of a line; undefined for a request, a near miss, and a remark, which can be about something else. */
export function ruleOf(line: AuditLine): string | undefined {
  if (line.kind === "result") return line.rule;
  if (line.kind !== "decision" || line.reason === "near_miss" || line.outcome === "noted") return undefined;
  return line.rule;
}

interface Sides {
  readonly live: Tally;
  readonly excluded: Tally;
}

interface SideComparison {
  /** The live side's share of the answers; null without answers. */
  readonly share: number | null;
  /** One sentence on which differences can be chance, of shares and of times. */
  readonly sentence: string;
}

const COMPARED: readonly { readonly name: string; readonly result: (sides: Sides) => Comparison }[] = [
  { name: "errors", result: shares(({ errors, requests }) => ({ part: errors, whole: requests })) },
  {
    name: "calls that reached the agent as text",
    result: shares(({ reachedAsText, printedCalls }) => ({ part: reachedAsText, whole: printedCalls })),
  },
  {
    name: "success",
    result: shares(({ transformed, wouldTransform, attempts }) => ({
      part: transformed + wouldTransform,
      whole: attempts,
    })),
  },
  {
    name: "the time to the first token",
    result: means(({ begun, firstLog, firstLogSquares }) => ({
      count: begun,
      sum: firstLog,
      squares: firstLogSquares,
    })),
  },
  {
    name: "the total time",
    result: means(({ requests, durationLog, durationLogSquares }) => ({
      count: requests,
      sum: durationLog,
      squares: durationLogSquares,
    })),
  },
];

function shares(of: (side: Tally) => Share): (sides: Sides) => Comparison {
  return ({ live, excluded }) => compareShares(of(live), of(excluded));
}

function means(of: (side: Tally) => Sample): (sides: Sides) => Comparison {
  return ({ live, excluded }) => compareMeans(of(live), of(excluded));
}

/** Compares the sides' shares of errors, of calls that reached the agent as text and of successful ones, and their times. */
export function compareSides(sides: Sides): SideComparison {
  const { live, excluded } = sides;
  const answers = live.answers + excluded.answers;
  const compared = COMPARED.map(({ name, result }) => ({ name, result: result(sides) }));
  const named = (...wanted: Comparison[]) =>
    list(compared.filter(({ result }) => wanted.includes(result)).map(({ name }) => name));
  const real = named("not_chance");
  const few = named("too_few");
  const tested = named("same", "can_be_chance");
  const parts = [
    ...(real === "" ? [] : [`The groups differ significantly in ${real}`]),
    ...(tested === "" ? [] : [`${real === "" ? "N" : "n"}o significant difference in ${tested}`]),
    ...(few === "" ? [] : [`for ${few}, there are too few requests to tell`]),
  ];
  const sentence = parts.join("; ");
  return {
    share: answers === 0 ? null : live.answers / answers,
    sentence: `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`,
  };
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

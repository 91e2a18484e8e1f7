/** Corrects the causes of wrong answers by comparing them with other columns, with streams, and with other requests. @module */
import { type FindingName, FINDINGS } from "./findings.ts";
import { ALONE, keyOf, type Sample, THROUGH } from "./sample.ts";
import { fisher, mcnemar } from "./statistics.ts";

/** A fault of streams alone has to be this unlikely by chance, because it is looked for in each finding. */
const STREAM_P_MAX = 0.01;

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
  "invalid_arguments",
  "missing_required",
  "arguments_differ",
  "names_changed",
  "call_twice",
];

/** The samples with the causes that only a comparison shows. */
export function withCauses(samples: readonly Sample[]): Sample[] {
  const names = [...new Set(samples.map(({ column }) => column))];
  return byColumns(
    names.flatMap((name) => withStreamFaults(withRefusals(samples.filter(({ column }) => column === name)))),
  );
}

/** A server that answers other requests with tools doesn't refuse tools, whatever words its errors have. */
function withRefusals(samples: readonly Sample[]): readonly Sample[] {
  const isTaken = samples.some(({ status, hasTools }) => status === 200 && hasTools);
  return samples.map((sample) =>
    isTaken && sample.finding === "tools_refused"
      ? { ...sample, finding: "request_refused" as const }
      : sample
  );
}

/** An error that all requests of one kind get while others are answered is the server's; one now and then shows nothing. */
export function withRepeatedErrors(samples: readonly Sample[]): Sample[] {
  return [...Map.groupBy(samples, ({ column }) => column).values()].flatMap((own) => {
    const streams = isFailing(own.filter(({ isStreamed }) => isStreamed));
    const tasks = new Map(
      [...Map.groupBy(own, ({ task }) => task)].map(([task, all]) => [task, isFailing(all)]),
    );
    const areWholesAnswered = own.some(({ isStreamed, expectsCall, isRight }) =>
      !isStreamed && expectsCall && isRight !== null
    );
    return own.map((sample): Sample => {
      const isOfStreams = streams && sample.isStreamed;
      if (sample.isRight !== null || !isOfStreams && !tasks.get(sample.task)) return sample;
      const finding = isOfStreams && areWholesAnswered ? "stream_differs" : "request_fails";
      return { ...sample, isRight: false, finding };
    });
  });
}

function isFailing(samples: readonly Sample[]): boolean {
  return samples.length >= REPEATED &&
    samples.every(({ isRight, status }) => isRight === null && status >= 500);
}

/** How often an error comes before it is one that repeats. Each request was sent more than once already. */
const REPEATED = 2;

/**
 * Names the cause of what is wrong through Dragoman by the same answer alone. If it is right alone, Dragoman is the cause;
 * if Dragoman only shows the fault in another way, the cause stays.
 */
function byColumns(samples: readonly Sample[]): Sample[] {
  const alone = new Map(samples.filter(({ column }) => column === ALONE).map((one) => [keyOf(one), one]));
  const losesOthers = losesSampled(samples, alone);
  return samples.map((sample) => {
    const { finding } = sample;
    const other = sample.column === THROUGH && sample.isRight === false
      ? alone.get(keyOf(sample))
      : undefined;
    if (other === undefined || finding === undefined) return sample;
    const isSameAnswer = other.exchange.raw === sample.exchange.raw;
    if (other.isRight === true) {
      return isSameAnswer || losesOthers ? { ...sample, finding: "lost_through_dragoman" as const } : sample;
    }
    if (other.finding === undefined) return sample;
    // Dragoman ends an answer with `length` if it can't finish a call: the server reached no limit.
    const isOwnLimit = finding === "answer_cut" && isSameAnswer;
    const isSame = isOwnLimit || FINDINGS[other.finding].seen_as?.includes(finding);
    return isSame ? { ...sample, finding: other.finding } : sample;
  });
}

/**
 * Whether answers to requests that Dragoman changed, as for `tools: prompted`, are wrong more often than by chance: the model
 * wrote them again, and one that is wrong now and then shows nothing about Dragoman.
 */
function losesSampled(samples: readonly Sample[], alone: ReadonlyMap<string, Sample>): boolean {
  let [won, lost] = [0, 0];
  for (const sample of samples.filter(({ column }) => column === THROUGH)) {
    const other = alone.get(keyOf(sample));
    if (other === undefined || other.exchange.raw === sample.exchange.raw) continue;
    if (other.isRight === true && sample.isRight === false) lost++;
    if (other.isRight === false && sample.isRight === true) won++;
  }
  return lost > won && mcnemar(won, lost) < CHANCE;
}

/** From this probability on, a difference can be chance. */
const CHANCE = 0.05;

/**
 * Whether an answer with one finding would have another one if that fault were in it: a call is in one place only, and of two
 * causes the first in the order of `findings.json` is named.
 */
function wouldShow(name: FindingName, found: FindingName): boolean {
  return PLACES.includes(name) && PLACES.includes(found) || ORDER.indexOf(name) <= ORDER.indexOf(found);
}

const PLACES: readonly FindingName[] = [
  "call_in_reasoning",
  "calls_printed_as_text",
  "unread_dialect",
  "call_lost",
];

const ORDER = Object.keys(FINDINGS) as readonly FindingName[];

/** Renames the findings of one column that only streams have. */
function withStreamFaults(samples: readonly Sample[]): Sample[] {
  const faults = new Set(ANY_CALL.filter((name) => {
    const calls = samples.filter(({ expectsCall, isRight }) => expectsCall && isRight !== null);
    const [streams, wholes] = [true, false].map((isStreamed) =>
      calls.filter((one) => one.isStreamed === isStreamed)
    );
    const shown = (list: readonly Sample[] = []) => list.filter(({ finding }) => finding === name).length;
    const comparable = wholes!.filter(({ finding }) => finding === undefined || wouldShow(name, finding));
    const groups = {
      k: shown(streams),
      n: streams!.length,
      otherK: shown(comparable),
      otherN: comparable.length,
    };
    return groups.k > 0 && groups.otherK === 0 && fisher(groups) < STREAM_P_MAX;
  }));
  return samples.map((sample) =>
    sample.isStreamed && sample.finding !== undefined && faults.has(sample.finding)
      ? { ...sample, finding: "stream_differs" as const }
      : sample
  );
}

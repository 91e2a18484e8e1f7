/**
 * Prints a line about each near miss, with the command that writes a rule from it if answers are recorded. What evidence
 * reads of a model again and again gets a line, too, because a rule reads it while it streams.
 *
 *     09:05:07  near_miss: the answer of my-model looks like a call to write_file, but no rule reads it
 *               dragoman derive captures/2026-….json --name my_model --output rules
 *
 * @module
 */
import { relative } from "node:path";
import { captureRequest } from "../../admin/audit/capture.ts";
import type { Capture } from "../../analysis/replay/capture.ts";
import { withoutKnown } from "../../admin/audit/scrub.ts";
import { shellQuoted } from "../../admin/page/curl.ts";
import { freeName } from "../../admin/page/playground/rule_list.ts";
import { visible } from "../../engine/diagnostic/visible.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { putLast } from "../../engine/object/drop_oldest.ts";
import type { RequestFacts, RequestWatch, WatchRequest } from "../../proxy/exchange/watch.ts";
import { notice } from "./notices.ts";
import type { CliContext } from "./context.ts";

type MissReason = "near_miss" | "call_in_reasoning" | "read_by_evidence";

/** After this many answers of a model that evidence read, a rule is worth writing. */
const EVIDENT_ANSWERS = 3;

/** Answers are counted for the models that were asked last. */
const MODELS_MAXIMUM = 64;

/** A near miss, when its answer is over. */
export interface NearMiss {
  readonly request: string;
  /** The model, as the client calls it. */
  readonly model: string;
  readonly tool: string;
  /** What no rule read: text like a call, a whole call in the reasoning of an empty answer, or calls that evidence read. */
  readonly reason: MissReason;
  /** The file of the recorded answer; undefined if it is not recorded. */
  readonly file: string | undefined;
}

interface NearMissObserver {
  /** Records an answer and gives its file; absent if answers are not recorded. */
  readonly keep?: ((capture: Capture) => Promise<string | undefined>) | undefined;
  /** Whether recorded answers keep the user's last message. */
  readonly keepsMessages?: boolean | undefined;
  readonly report: (miss: NearMiss) => void;
}

/** Records answers, and reports near misses once their file is written. */
export function watchNearMisses({ keep, keepsMessages = false, report }: NearMissObserver): WatchRequest {
  const evident = new Map<string, number>();
  const isThird = (model: string) => {
    const count = (evident.get(model) ?? 0) + 1;
    putLast(evident, model, count, MODELS_MAXIMUM);
    return count === EVIDENT_ANSWERS;
  };
  return (facts: RequestFacts): RequestWatch => {
    let found: { readonly note: NoteEvent; readonly reason: MissReason } | undefined;
    let file: Promise<string | undefined> | undefined;
    const capture = keep &&
      captureRequest(facts, (capture) => void (file = keep(capture)), { keepsMessages });
    return {
      text: (piece) => capture?.text?.(piece),
      observe(event, place) {
        capture?.observe(event, place);
        if (event.kind === "note" && isMiss(event.reason)) found ??= { note: event, reason: event.reason };
      },
      end(outcome) {
        capture?.end(outcome);
        if (found === undefined) return;
        const model = withoutKnown(facts.model ?? "", facts.secrets);
        const { note: { tool = "" }, reason } = found;
        if (reason === "read_by_evidence" && !isThird(model)) return;
        void Promise.resolve(file).then((file) => report({ request: facts.id, model, tool, reason, file }));
      },
    };
  };
}

function isMiss(reason: string): reason is MissReason {
  return reason === "near_miss" || reason === "call_in_reasoning" || reason === "read_by_evidence";
}

interface NearMissPlace {
  readonly context: CliContext;
  /** The folder whose rules the server reads. */
  readonly ruleFolder: string;
  readonly ruleNames: ReadonlySet<string>;
}

export function nearMissLines(miss: NearMiss, place: NearMissPlace): string {
  const { model, tool, reason } = miss;
  const who = model === "" ? "an answer" : `the answer of ${visible(model)}`;
  if (reason === "call_in_reasoning") {
    const what = `${who} is empty, and its reasoning ends with a call to ${visible(tool)}`;
    return notice("call_in_reasoning", what, "to make such calls, set `policy.reasoning: recover`");
  }
  const next = deriveCommand(miss, place) ??
    "to write a rule from such an answer, start `serve` with --record captures";
  if (reason === "read_by_evidence") {
    const what =
      `${EVIDENT_ANSWERS} answers of ${
        visible(model)
      } had calls that only evidence read, at their end, the last ` +
      `one of ${visible(tool)}; a rule would read them while they stream`;
    return notice("read_by_evidence", what, next);
  }
  return notice("near_miss", `${who} looks like a call to ${visible(tool)}, but no rule reads it`, next);
}

/** The command that writes a rule from a near miss; undefined if its answer isn't recorded, or a rule doesn't help. */
export function deriveCommand(
  { file, model, reason }: NearMiss,
  { context, ruleFolder, ruleNames }: NearMissPlace,
): string | undefined {
  if (file === undefined || reason === "call_in_reasoning") return undefined;
  const shown = (path: string) => quoted(relative(context.workingDirectory, path) || ".");
  return `${context.command} derive ${shown(file)} --name ${nameFor(model, ruleNames)} --output ${
    shown(ruleFolder)
  }`;
}

/** A rule's name from the model's, which no rule has. */
function nameFor(model: string, taken: ReadonlySet<string>): string {
  const letters = model.toLowerCase().replace(/[^a-z0-9]+/g, "_").slice(0, 40).replace(/^[^a-z]+|_+$/g, "");
  return freeName(letters === "" ? "derived" : letters, taken);
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : shellQuoted(path);
}

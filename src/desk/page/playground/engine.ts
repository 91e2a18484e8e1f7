/**
 * The engine of the playground: the modules of the command line, without files and plugins. It runs in a worker, and in
 * tests as it is.
 *
 * @module
 */
import type { PlaygroundSetup } from "../../admin/playground.ts";
import { parseCapture } from "../../../lab/replay/capture_text.ts";
import { checkRule, runRuleExamples } from "./checks.ts";
import { choicesAt } from "./completion.ts";
import { deriveRule } from "./derivation.ts";
import type { Answers, Kind, Opened, Questions } from "./protocol.ts";
import { Sources } from "./sources.ts";
import { traceAnswer } from "./trace.ts";

/** The work on a question, in steps; a newer question of the same kind can end it after each. */
export type Work<K extends Kind> = Generator<undefined, Answers[K]>;

/** Answers the page's questions with one setup. */
export class Engine {
  readonly #sources: Sources;

  /** @param setup what the server gives */
  constructor(setup: PlaygroundSetup) {
    this.#sources = new Sources(setup);
  }

  /** Begins to work on a question. */
  begin<K extends Kind>(kind: K, question: Questions[K]): Work<K> {
    return WORK[kind](question, this.#sources);
  }

  /** Answers a question at once. */
  answer<K extends Kind>(kind: K, question: Questions[K]): Answers[K] {
    const work = this.begin(kind, question);
    for (let step = work.next();; step = work.next()) if (step.done) return step.value;
  }
}

const WORK: { readonly [K in Kind]: (question: Questions[K], sources: Sources) => Work<K> } = {
  open: inOneStep(({ text }) => openAnswer(text)),
  complete: inOneStep(({ path, isValue }) => choicesAt(path, isValue)),
  trace: inOneStep(traceAnswer),
  check: inOneStep(({ rule }, sources) => checkRule(rule, sources)),
  examples: ({ rule }, sources) => runRuleExamples(rule, sources),
  derive: inOneStep(deriveRule),
};

function inOneStep<K extends Kind>(
  answer: (question: Questions[K], sources: Sources) => Answers[K],
): (question: Questions[K], sources: Sources) => Work<K> {
  // deno-lint-ignore require-yield -- there is nothing to stop between two steps
  return function* (question, sources) {
    return answer(question, sources);
  };
}

/** The parts of a capture; of any other text only the text. */
function openAnswer(text: string): Opened {
  const capture = parseCapture(text);
  if (capture === undefined) return { text };
  const { tools, system, client } = capture;
  const request = tools.length > 0 ? { tools } : { messages: [{ role: "system", content: system ?? "" }] };
  return { text: capture.text, client, tools: JSON.stringify(request, null, 2) };
}

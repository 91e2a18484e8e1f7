/** The verb `evaluate`: asks tasks with one right answer, alone and through Dragoman; reports faults and remedies. @module */
import project from "../../deno.json" with { type: "json" };
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import { age, count } from "../engine/diagnostic/figures.ts";
import {
  capturedQuestions,
  countRequests,
  estimateTokens,
  type Mode,
  type Question,
  questionsOf,
  REPEATS,
  VERSION,
} from "../analysis/evaluate/battery.ts";
import { type EvaluationFacts, summarize } from "../analysis/evaluate/evaluation.ts";
import { isLoopback } from "../proxy/config/address.ts";
import { CONFIG_FILE } from "../proxy/config/load.ts";
import { complain, complainOf, complainOfUsage } from "./complain.ts";
import { askThrough } from "./evaluate_ask.ts";
import { collectEvaluations, NOT_MEASURED, showEvaluation } from "./evaluate_result.ts";
import { openPartial, readRequests } from "./evaluate_files.ts";
import { Recorder } from "./evaluate_recorder.ts";
import { evaluateSuite } from "./evaluate_suite.ts";
import { type NamedAsk, runEvaluation, type RunOptions } from "./evaluate_run.ts";
import { findTarget, type Target } from "./evaluate_target.ts";
import choices from "./init_choices.json" with { type: "json" };
import type { Server } from "./model_servers.ts";
import { hasErrors, loadSetup, serviceParts } from "./service/setup.ts";
import { wait } from "../proxy/transport/wait.ts";
import { type CliContext, printing } from "./service/context.ts";
import { SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { isSet, numberValue, textValue, textValues, type Verb, type VerbInput } from "./verb.ts";
import { shellQuoted } from "../admin/page/curl.ts";
import { bareName } from "../analysis/evaluate/shared_file.ts";

export const evaluate: Verb = {
  name: "evaluate",
  summary:
    "Check whether a model on a server calls tools correctly, with and without Dragoman, and recommend settings",
  usage:
    "evaluate [--upstream URL] [--model NAME] [--quick | --thorough] [--html FILE] | collect FOLDER --html FILE",
  operandsMax: Infinity,
  words: ["collect"],
  examples: [
    "evaluate --upstream http://127.0.0.1:8080/v1 --quick",
    "evaluate --upstream http://127.0.0.1:8080/v1 --model my-model --html result.html --write",
    "evaluate --compare one.yaml two.yaml --thorough",
    "evaluate --capture requests.jsonl",
    "evaluate --suite conformance",
    "evaluate collect evaluations --html table.html",
  ],
  signals: { "Ctrl-C": "End with the answers so far; the same command goes on from there" },
  options: {
    upstream: {
      type: "string",
      short: "u",
      placeholder: "URL",
      description:
        "The model server; default: the first one of the configuration, or one that runs on this machine",
    },
    model: {
      type: "string",
      placeholder: "NAME",
      description: "The model; default: the first one that the server lists",
    },
    quick: { type: "boolean", description: "12 tasks, 3 times each: 47 requests" },
    thorough: {
      type: "boolean",
      description: "All 24 tasks, 20 times each: 480 answers can distinguish 95% from 90%",
    },
    concurrency: {
      type: "string",
      placeholder: "N",
      description: "Questions that are asked at once; default 1",
    },
    temperature: {
      type: "string",
      placeholder: "NUMBER",
      description: "The temperature; default: the server's own, as agents leave it",
    },
    compare: {
      type: "string",
      multiple: true,
      placeholder: "FILE",
      description: "Compare two configurations: --compare a.yaml b.yaml",
    },
    capture: {
      type: "string",
      multiple: true,
      placeholder: "FILE",
      description:
        "Ask requests of your own agent instead, as JSON or JSON lines; only the form of calls is judged",
    },
    suite: {
      type: "string",
      placeholder: "FOLDER",
      description:
        "Evaluate recorded answers with expected calls (`conformance` files), with and without Dragoman",
    },
    json: {
      type: "boolean",
      description: "Print one JSON object to share: figures, without your prompts or the hostname",
    },
    html: {
      type: "string",
      placeholder: "FILE",
      description: "Write one page with every finding and its answers",
    },
    save: { type: "string", placeholder: "FOLDER", description: "Write the JSON object into a collection" },
    "with-answers": { type: "boolean", description: "Include the model's wrong answers in the JSON object" },
    write: {
      type: "boolean",
      description: `Change ${CONFIG_FILE} to the settings with better results, and show the difference`,
    },
    "fail-under": {
      type: "string",
      placeholder: "SHARE",
      description:
        "Exit with 1 if the lower bound of the interval through Dragoman is below this share, such as 0.95",
    },
    quantization: {
      type: "string",
      placeholder: "TEXT",
      description: "The model's quantization, for the JSON object",
    },
    "key-env": {
      type: "string",
      placeholder: "NAME",
      description: "The environment variable with the server's key",
    },
    yes: { type: "boolean", description: "Don't ask before requests leave this machine" },
    ...SETUP_OPTIONS,
  },
  run: (input, context) =>
    evaluateModel(input, { context, send: (request) => fetch(request), known: choices.servers }),
};

export interface EvaluateOptions {
  readonly context: CliContext;
  readonly send: (request: Request) => Promise<Response>;
  readonly known: Readonly<Record<string, Server>>;
}

export async function evaluateModel(input: VerbInput, options: EvaluateOptions): Promise<number> {
  const { context } = options;
  if (input.positionals[0] === "collect") return await collectEvaluations(input, context);
  const wrong = wrongFlags(input);
  if (wrong !== undefined) return complainOfUsage(wrong, context);
  const setup = await loadSetup(
    setupFlags({ ...input, values: { ...input.values, upstream: undefined } }),
    context,
  );
  context.stderr(printDiagnostics(setup.diagnostics, printing(context)));
  if (hasErrors(setup)) return 1;
  const suite = textValue(input, "suite");
  if (suite !== undefined) return await evaluateSuite(suite, { input, parts: serviceParts(setup), context });
  const target = await findTarget(input, { ...options, parts: serviceParts(setup) });
  if ("exitCode" in target) return target.exitCode;
  const asking = { model: target.model, mode: modeOf(input), temperature: numberValue(input, "temperature") };
  const captured = filesOf(input, "capture");
  const { requests, diagnostics } = await readRequests(captured, context);
  complain(diagnostics, context);
  if (diagnostics.length > 0) return NOT_MEASURED;
  const questions = captured.length === 0 ? questionsOf(asking) : capturedQuestions(requests, asking);
  if (!confirm(questions, { input, target, context })) return NOT_MEASURED;
  const evaluation = await measure(questions, { input, target, options });
  if (typeof evaluation === "number") return evaluation;
  return await showEvaluation(evaluation, { input, upstream: target.upstream, context });
}

function modeOf(input: VerbInput): Mode {
  return isSet(input, "quick") ? "quick" : isSet(input, "thorough") ? "thorough" : "default";
}

/** The files of a flag that takes several: those after it, too. */
function filesOf(input: VerbInput, name: "compare" | "capture"): readonly string[] {
  const named = textValues(input, name);
  return named.length === 0 ? [] : [...named, ...input.positionals];
}

function wrongFlags(input: VerbInput): { readonly message: string; readonly help: string } | undefined {
  const compared = filesOf(input, "compare");
  const isBoth = compared.length > 0 && textValues(input, "capture").length > 0 &&
    input.positionals.length > 0;
  if (isSet(input, "quick") && isSet(input, "thorough")) {
    return { message: "--quick and --thorough can't be combined", help: "choose one" };
  }
  if (isBoth || compared.length !== 0 && compared.length !== 2) {
    return { message: "--compare needs two configurations", help: "write `--compare a.yaml b.yaml`" };
  }
  if (input.positionals.length > 0 && compared.length === 0 && filesOf(input, "capture").length === 0) {
    return {
      message: `\`dragoman evaluate\` does not take \`${input.positionals.join(" ")}\``,
      help: "`dragoman help evaluate` shows the usage",
    };
  }
  for (const [name, isValid] of NUMBERS) {
    const text = textValue(input, name);
    if (text !== undefined && (text.trim() === "" || !isValid(Number(text)))) {
      return {
        message: `Cannot use \`${text}\` for --${name}`,
        help: "write a number, such as --concurrency 4, --temperature 0, or --fail-under 0.95",
      };
    }
  }
  return undefined;
}

const NUMBERS: readonly (readonly [string, (value: number) => boolean])[] = [
  ["concurrency", (value) => Number.isInteger(value) && value >= 1 && value <= 64],
  ["temperature", (value) => value >= 0 && value <= 2],
  ["fail-under", (value) => value >= 0 && value <= 1],
];

/** The tokens that one slot of a server on this machine writes in a second, for an estimate. */
const TOKENS_PER_SECOND = 30;

/** Prints what it costs, and asks before requests leave this machine. */
function confirm(questions: readonly Question[], { input, target, context }: {
  readonly input: VerbInput;
  readonly target: Target;
  readonly context: CliContext;
}): boolean {
  const { read, written } = estimateTokens(questions);
  const { hostname } = new URL(target.upstream.url);
  const known = target.servers.of(target.upstream);
  const server = known === undefined ? "" : ` on ${[known.server, known.version ?? ""].join(" ").trim()}`;
  const slots = numberValue(input, "concurrency") ?? 1;
  context.stderr(
    `Evaluates ${target.model}${server}: ${count(countRequests(questions))} requests, ${
      count(read)
    } tokens read, ${count(written)} written; ${
      age(written / TOKENS_PER_SECOND / slots)
    } at ${TOKENS_PER_SECOND} tokens a second. ` +
      "If something is wrong, settings that can help are asked, too, each as much again\n",
  );
  if (isLoopback(hostname.replace(/^\[|\]$/g, "")) || isSet(input, "yes")) return true;
  const answer = context.ask?.(`Send these requests to ${hostname}? [y/N]`)?.trim().toLowerCase() ?? "";
  if (answer === "y" || answer === "yes") return true;
  context.stderr("Nothing was sent. Add --yes to send the requests to a server that isn't on this machine\n");
  return false;
}

interface Measuring {
  readonly input: VerbInput;
  readonly target: Target;
  readonly options: EvaluateOptions;
}

async function measure(questions: readonly Question[], { input, target, options }: Measuring) {
  const { context, send } = options;
  const { model, upstream, servers, parts } = target;
  const mode = modeOf(input);
  const identity = [VERSION, project.version, upstream.url, questions.map(({ request }) => request)];
  const partial = await openPartial(identity, context);
  if (partial === undefined) return NOT_MEASURED;
  if (partial.known.size > 0) {
    context.stderr(`Goes on with ${count(partial.known.size)} answers of an evaluation that was stopped\n`);
  }
  const { signal } = context;
  const recorder = new Recorder({
    send,
    signal,
    wait: (ms) => wait(ms, signal),
    known: partial.known,
    keep: (key, answer) => partial.keep(key, answer),
  });
  const columns = { parts, upstream, servers, recorder, signal };
  const compared = await comparedAsks(input, { columns, context });
  if (typeof compared === "number") {
    await partial.close({ isFinished: partial.known.size === 0 });
    return compared;
  }
  const ran = await runEvaluation({
    ...columns,
    model,
    questions,
    concurrency: numberValue(input, "concurrency") ?? 1,
    compared,
    progress: progressOf(context),
  });
  const isPartial = signal.aborted || ran.stopped !== undefined;
  await partial.close({ isFinished: !isPartial });
  if (ran.stopped !== undefined) {
    complainOf({
      code: "upstream_refuses",
      message: `The model server stopped answering, also requests without tools: ${ran.stopped}`,
      expected: `an answer to a chat request for the model ${model}`,
      help: "look in the server's log, or wait until its quota is free; the same command goes on from there",
    }, context);
  }
  if (isPartial) {
    context.stderr(`Ended early. The answers are in ${partial.name}; the same command goes on from there\n`);
  }
  if (ran.refusal !== undefined) {
    complainOf({
      code: "upstream_refuses",
      message: `The model server refuses a plain request: ${ran.refusal}`,
      expected: `an answer to a chat request without tools for the model ${model}`,
      help: "check the model's name (--model), its key (--key-env), and whether the server has loaded it",
    }, context);
    return NOT_MEASURED;
  }
  const known = servers.of(upstream);
  const facts: EvaluationFacts = {
    battery: textValues(input, "capture").length > 0 ? "captured" : VERSION,
    dragoman: project.version,
    date: new Date().toISOString().slice(0, 10),
    mode,
    repeats: REPEATS[mode],
    temperature: numberValue(input, "temperature") ?? null,
    model,
    quantization: textValue(input, "quantization"),
    template: target.template,
    server: known && { kind: known.server, version: known.version },
    isVisible: ran.isVisible,
    requests: recorder.sent,
    isPartial,
    dialect: ran.dialect,
    command: commandOf(input, context.command),
    settings: {
      tools: upstream.tools,
      reasoning: parts.config.policy.reasoning,
      begins_in_reasoning: upstream.begins_in_reasoning,
      heal: upstream.heal,
      strict: parts.config.tools.strict,
      plugins: parts.plugins?.length ?? 0,
    },
  };
  return summarize(ran.samples, facts);
}

/** The columns of two configurations; undefined without any, an exit code if one has errors. */
async function comparedAsks(input: VerbInput, { columns, context }: {
  readonly columns: Omit<RunOptions, "model" | "questions" | "concurrency">;
  readonly context: CliContext;
}): Promise<readonly NamedAsk[] | number | undefined> {
  const files = filesOf(input, "compare");
  if (files.length === 0) return undefined;
  const asks: NamedAsk[] = [];
  for (const [at, file] of files.entries()) {
    const setup = await loadSetup({ ...setupFlags(input), upstream: undefined, config: file }, context);
    context.stderr(printDiagnostics(setup.diagnostics, printing(context)));
    if (hasErrors(setup)) return 1;
    const parts = { ...serviceParts(setup), keys: columns.parts.keys };
    const { upstreams } = parts.config;
    const given = textValue(input, "upstream");
    const named = upstreams.find(({ name, url }) => name === given || url === columns.upstream.url);
    const own = named ?? upstreams[0] ?? columns.upstream;
    const { name } = columns.upstream;
    const title = files.indexOf(file) < at ? `${file} again` : file;
    context.stderr(`${title} asks ${own.url}\n`);
    asks.push({ name: title, ask: askThrough({ ...columns, parts, upstream: { ...own, name } }) });
  }
  return asks;
}

/** Prints how far it is and how long it still takes, on one line of a terminal. */
function progressOf({ isTty, stderr }: CliContext): RunOptions["progress"] {
  if (!isTty) return undefined;
  let began = performance.now();
  let before = "";
  return (column, done, all) => {
    if (column !== before) [began, before] = [performance.now(), column];
    const left = done < 2 ? "" : `, ${age((performance.now() - began) / 1000 / done * (all - done))} left`;
    stderr(`\r\x1b[K${column}: ${done} of ${all}${left}${done === all ? "\n" : ""}`);
  };
}

/** What an evaluation that checks a change doesn't need. */
const LEFT_OUT: ReadonlySet<string> = new Set(["write", "json", "save", "with-answers", "yes"]);

const PLAIN = /^[\w.\/:@%+-]+$/;

/** A value; `…/tiny.gguf` for an absolute path. */
function shownValue(value: string): string {
  const bare = bareName(value);
  return bare === value ? value : `…/${bare}`;
}

function commandOf({ values }: VerbInput, command: string): string {
  const flags = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false || LEFT_OUT.has(name)) return [];
    if (name === "upstream") return ['--upstream "$UPSTREAM"'];
    if (value === true) return [`--${name}`];
    const list = (Array.isArray(value) ? value : [value]).map((one) => shownValue(String(one)));
    return list.map((one) => `--${name} ${PLAIN.test(one) ? one : shellQuoted(one)}`);
  });
  return [command, "evaluate", ...flags].join(" ");
}

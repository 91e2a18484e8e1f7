/** Evaluates recorded answers as `conformance` reads them: a server replays them, alone and through Dragoman. @module */
import project from "../../deno.json" with { type: "json" };
import type { ConformanceCase } from "../analysis/conformance/case.ts";
import type { Question } from "../analysis/evaluate/battery.ts";
import type { RequestTool } from "../chat/message/request.ts";
import { type EvaluationFacts, summarize } from "../analysis/evaluate/evaluation.ts";
import { ALONE, THROUGH } from "../analysis/evaluate/sample.ts";
import { isRecord } from "../engine/object/record.ts";
import { parseJson } from "../engine/object/parse.ts";
import defaults from "../proxy/config/defaults.json" with { type: "json" };
import type { UpstreamConfig } from "../proxy/config/schema.ts";
import type { ServiceParts } from "../proxy/exchange/service.ts";
import { Servers } from "../proxy/upstream/servers.ts";
import { complain } from "./complain.ts";
import { readPaths } from "./conformance.ts";
import { askAlone, askThrough } from "./evaluate_ask.ts";
import { Recorder } from "./evaluate_recorder.ts";
import { NOT_MEASURED, showEvaluation } from "./evaluate_result.ts";
import { runEvaluation } from "./evaluate_run.ts";
import type { CliContext } from "./service/context.ts";
import type { VerbInput } from "./verb.ts";

/** Nothing is sent to it: the answers are replayed. */
const URL_OF_NO_ONE = "http://127.0.0.1:9/v1";

const MODEL = "recorded";

/** Evaluates the suite in a folder and shows the result; the exit code. */
export async function evaluateSuite(folder: string, { input, parts, context }: {
  readonly input: VerbInput;
  readonly parts: ServiceParts;
  readonly context: CliContext;
}): Promise<number> {
  const { cases, diagnostics } = await readPaths([folder], context);
  complain(diagnostics, context);
  if (diagnostics.length > 0) return NOT_MEASURED;
  const upstream = { ...defaults.upstream, name: "suite", url: URL_OF_NO_ONE } as unknown as UpstreamConfig;
  const { signal } = context;
  const recorder = new Recorder({ send: replayOf(cases), wait: () => Promise.resolve(), signal });
  const columns = { parts, upstream, servers: new Servers(), recorder, signal };
  const { samples } = await runEvaluation({
    ...columns,
    model: MODEL,
    questions: cases.map(questionOf),
    concurrency: 1,
    compared: [{ name: ALONE, ask: askAlone(columns) }, { name: THROUGH, ask: askThrough(columns) }],
  });
  // A replay takes no time that anyone asks for.
  const timeless = samples.map(({ ms: _, ...sample }) => sample);
  const facts: EvaluationFacts = {
    battery: "suite",
    dragoman: project.version,
    date: new Date().toISOString().slice(0, 10),
    mode: "default",
    repeats: 1,
    temperature: null,
    model: MODEL,
    isVisible: undefined,
    requests: 0,
    isPartial: signal.aborted,
  };
  return await showEvaluation(summarize(timeless, facts), { input, upstream, context });
}

/** A case as a question; the user's message is its number, by which the replay finds it, and its name, for people. */
function questionOf({ id, dialect, tools, expect: { calls } }: ConformanceCase, at: number): Question {
  const wanted = (calls ?? []).map(({ name, arguments: given }) => ({
    tool: name,
    arguments: isRecord(given) ? given : {},
  }));
  // A case without tools doesn't judge which ones are offered: those that it expects are.
  const offered = tools as RequestTool[] | null | undefined ??
    [...new Set(wanted.map(({ tool }) => tool))].map((name) => ({
      type: "function",
      function: { name, parameters: { type: "object" } },
    }));
  return {
    task: dialect,
    repeat: at,
    expect: wanted.length === 0
      ? { calls: "none", shows: true, isExact: true }
      : { calls: wanted, isExact: true },
    request: {
      model: MODEL,
      messages: [{ role: "user", content: `${at} ${id}` }],
      ...offered.length === 0 ? {} : { tools: offered },
    },
  };
}

/** The server: for the number of a case, its recorded message, or its text as the content of one. */
function replayOf(cases: readonly ConformanceCase[]): (request: Request) => Promise<Response> {
  return async (request) => {
    const asked = parseJson(await request.text());
    const messages = isRecord(asked) && Array.isArray(asked["messages"]) ? asked["messages"] : [];
    const last: unknown = messages.at(-1);
    const one = cases[Number.parseInt(String(isRecord(last) ? last["content"] : ""))];
    const message = one?.message ?? { role: "assistant", content: one?.text ?? "Hello." };
    const hasCalls = Array.isArray(message["tool_calls"]) && message["tool_calls"].length > 0;
    const finish = hasCalls ? "tool_calls" : one?.finish_reason ?? "stop";
    return Response.json({
      id: "recorded",
      object: "chat.completion",
      created: 0,
      model: MODEL,
      choices: [{ index: 0, message, finish_reason: finish }],
    });
  };
}

/**
 * Evaluates a scripted server in this process.
 *
 * @module
 */
import { hasErrors, loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { runEvaluation } from "../../../src/cli/evaluate_run.ts";
import { askAlone, askThrough } from "../../../src/cli/evaluate_ask.ts";
import { ALONE, THROUGH } from "../../../src/analysis/evaluate/sample.ts";
import { Recorder } from "../../../src/cli/evaluate_recorder.ts";
import { type Mode, questionsOf, REPEATS, VERSION } from "../../../src/analysis/evaluate/battery.ts";
import { type Evaluation, summarize } from "../../../src/analysis/evaluate/evaluation.ts";
import type { ServiceParts } from "../../../src/proxy/exchange/service.ts";
import { Servers } from "../../../src/proxy/upstream/servers.ts";
import type { UpstreamConfig } from "../../../src/proxy/config/schema.ts";
import defaults from "../../../src/proxy/config/defaults.json" with { type: "json" };
import { createTestContext } from "../../support/context.ts";
import { MODEL } from "./faulty_server.ts";

let loaded: Promise<ServiceParts> | undefined;

/** What a service has without a configuration. */
export function loadParts(): Promise<ServiceParts> {
  return loaded ??= (async () => {
    const setup = await loadSetup({}, createTestContext());
    if (hasErrors(setup)) throw new Error("the shipped files have errors");
    return serviceParts(setup);
  })();
}

export interface EvaluatedOptions {
  readonly send: (request: Request) => Promise<Response>;
  readonly mode?: Mode;
  readonly server?: string | undefined;
  readonly change?: (parts: ServiceParts) => ServiceParts;
  readonly url?: string;
  readonly signal?: AbortSignal;
  /** Whether only the server alone and Dragoman as it is are asked, without settings that can help. */
  readonly isPlain?: boolean;
  /** The tasks; all of the mode by default. */
  readonly tasks?: readonly string[];
}

export async function evaluated(
  {
    send,
    mode = "quick",
    server,
    change,
    url = "http://127.0.0.1:1/v1",
    signal = new AbortController().signal,
    tasks,
    isPlain = false,
  }: EvaluatedOptions,
): Promise<Evaluation & { readonly requests: number }> {
  const parts = await loadParts();
  const upstream = { ...defaults.upstream, name: "model", url } as unknown as UpstreamConfig;
  const servers = new Servers();
  if (server !== undefined) servers.learn({ upstream: "model", url, server });
  const recorder = new Recorder({ send, wait: () => Promise.resolve(), signal });
  const columns = { parts: change?.(parts) ?? parts, upstream, servers, recorder, signal };
  const compared = isPlain
    ? [{ name: ALONE, ask: askAlone(columns) }, { name: THROUGH, ask: askThrough(columns) }]
    : undefined;
  const ran = await runEvaluation({
    ...columns,
    compared,
    model: MODEL,
    questions: questionsOf({ model: MODEL, mode }).filter(({ task }) => tasks?.includes(task) ?? true),
    // One after the other, so that what Dragoman learns from an answer is the same in each run.
    concurrency: 1,
  });
  const facts = {
    battery: VERSION,
    dragoman: "0",
    date: "2026-11-23",
    mode,
    repeats: REPEATS[mode],
    temperature: null,
    model: MODEL,
    isVisible: ran.isVisible,
    requests: recorder.sent,
    isPartial: false,
  };
  return { ...summarize(ran.samples, facts), requests: recorder.sent };
}

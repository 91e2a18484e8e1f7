/** The verb `replay`: reads captures with the current rules and compares. Exit code 1 if anything changed. @module */
import { resolve } from "node:path";
import { captureRequest } from "../admin/audit/capture.ts";
import type { Capture, CapturedCall } from "../analysis/replay/capture.ts";
import { printDiagnostics } from "../engine/diagnostic/print.ts";
import type { ServiceParts, Translator } from "../proxy/exchange/service.ts";
import { isJsonEqual } from "../engine/json/equal.ts";
import { complain, complainOfUsage } from "./complain.ts";
import { readCaptures } from "../analysis/replay/captures.ts";
import { receiveWhole } from "../analysis/replay/recorded.ts";
import { findClient } from "../analysis/replay/recorded_client.ts";
import { recordedParts } from "../analysis/replay/recorded_parts.ts";
import { hasErrors, loadSetup } from "./service/setup.ts";
import { type CliContext, printing } from "./service/context.ts";
import { chosenParts, PLUGIN_OPTION, SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";
import { escaped, visible } from "../engine/diagnostic/visible.ts";
import { parseJson } from "../engine/object/parse.ts";

export const replay: Verb = {
  name: "replay",
  summary: "Run recorded answers through the current rules and show the differences",
  usage: "replay CAPTURE… [--all]",
  operandsMax: Infinity,
  examples: ["replay captures/", "replay captures/ --rules my_rules"],
  options: {
    ...PLUGIN_OPTION,
    ...SETUP_OPTIONS,
    all: { type: "boolean", description: "Also list captures without differences" },
  },
  run,
};

const SHOWN_MAX = 200;

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const { positionals } = input;
  if (positionals.length === 0) {
    return complainOfUsage({
      message: "`dragoman replay` needs files or folders of captures",
      help: "write `dragoman replay captures/`; `serve --record captures` writes them",
    }, context);
  }
  const setup = await loadSetup(setupFlags(input), context);
  context.stderr(printDiagnostics(setup.diagnostics, printing(context)));
  if (hasErrors(setup)) return 1;
  const read = await readCaptures(positionals.map((path) => resolve(context.workingDirectory, path)));
  const help = "a capture is a file that `serve --record DIR` writes";
  complain(
    read.problems.map((message) => ({ code: "file_unreadable", severity: "error", message, help })),
    context,
  );
  const parts = chosenParts(setup, input);
  let changed = 0;
  for (const { name, capture } of read.captures) {
    const difference = compare(capture, parts);
    if (difference.length > 0) changed++;
    if (difference.length > 0 || isSet(input, "all")) {
      context.stdout(
        `${escaped(name)}: ${difference.length === 0 ? "the same" : ["changed", ...difference].join("\n")}\n`,
      );
    }
  }
  const count = read.captures.length;
  context.stdout(`${count} ${count === 1 ? "capture" : "captures"}, ${changed} changed\n`);
  return changed > 0 || read.problems.length > 0 ? 1 : 0;
}

function compare(capture: Capture, parts: ServiceParts): string[] {
  const { client, tools, system, model } = capture;
  const found = findClient(recordedParts(parts), {
    client,
    ...(tools.length === 0 ? {} : { tools }),
    system: system ?? undefined,
    model: model ?? undefined,
  });
  if ("message" in found) return [`  ! ${escaped(found.message)}`];
  const now = readAgain(capture, found.translator);
  // The text does not contain the upstream's own calls.
  const before = capture.calls.filter(({ rule }) => rule !== "native");
  return [
    ...before.filter((call) => !now.calls.some((other) => isSame(call, other))).map((call) =>
      line("-", call)
    ),
    ...now.calls.filter((call) => !before.some((other) => isSame(call, other))).map((call) =>
      line("+", call)
    ),
    ...(isJsonEqual(capture.refused, now.refused) || now.calls.length !== before.length
      ? []
      : [`  refused before: ${list(capture.refused)}; now: ${list(now.refused)}`]),
  ];
}

function readAgain(capture: Capture, translator: Translator): Pick<Capture, "calls" | "refused"> {
  let now: Pick<Capture, "calls" | "refused"> = { calls: [], refused: [] };
  const facts = {
    id: capture.request,
    beganAt: 0,
    client: capture.client,
    wire: "",
    model: undefined,
    upstream: "",
    mode: "live",
    conversation: "",
    isStreamed: false,
    toolCount: 0,
    secrets: [],
  } as const;
  const watch = captureRequest(facts, (again) => void (now = again));
  watch.text?.(capture.text);
  receiveWhole(capture.text, {
    translator,
    observe: (event) => watch.observe(event, { choice: 0, isSent: false }),
  });
  watch.end({ status: 200, durationMs: 0, addedMs: 0, pieces: 0 });
  return now;
}

function isSame(one: CapturedCall, other: CapturedCall): boolean {
  return one.tool === other.tool && one.rule === other.rule &&
    isJsonEqual(parseJson(one.arguments) ?? one.arguments, parseJson(other.arguments) ?? other.arguments);
}

function line(sign: string, { tool, rule, arguments: json }: CapturedCall): string {
  const shown = json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)}…` : json;
  return `  ${sign} ${visible(tool)} ${visible(shown)} (${visible(rule)})`;
}

function list(reasons: readonly string[]): string {
  return reasons.length === 0 ? "nothing" : reasons.map((reason) => visible(reason)).join(", ");
}

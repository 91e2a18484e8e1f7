/**
 * Runs texts through rules to see whether they are read exactly.
 *
 * @module
 */
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import { collect, textAnswer } from "../../engine/event/stage.ts";
import { isJsonEqual } from "../../engine/json/equal.ts";
import { compileRules, type Program } from "../../engine/rule/compile.ts";
import { runExamples } from "../../engine/rule/examples.ts";
import { readOffer } from "../../engine/rule/offer.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import { noSettings, readRules } from "../../engine/rule/read.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { ClosedAgain } from "../../chat/second_reader/closed_again.ts";
import { Matcher } from "../../engine/mod.ts";
import type { OfferedTools } from "../../engine/tool/offered.ts";
import { offeredBy } from "./rule_file.ts";
import type { Sample, SampleCall } from "./sample.ts";

/** Every error in a rule's file, its examples included: whole, by character and at every cut. */
export function checkRuleFile(file: TextFile, shipped: readonly TextFile[]): readonly Diagnostic[] {
  const loaded = readRules([shipped, [file]], noSettings);
  const name = file.file.split("/").at(-1)!.replace(/\.yaml$/, "");
  const own = loaded.diagnostics.filter(({ location }) => location?.file === file.file);
  if (own.some(({ severity }) => severity === "error")) return own;
  return runExamples(loaded, { only: ({ rule }) => rule === name }).diagnostics;
}

/** The calls that a program finds in a text. */
export function readCalls(
  text: string,
  { program, offered }: { readonly program: Program; readonly offered: OfferedTools },
): { readonly calls: readonly SampleCall[]; readonly rules: readonly string[]; readonly text: string } {
  const matcher = new Matcher(program, { offered, minimumConfidence: 0, wholeCalls: false });
  const reader = new ClosedAgain(matcher, { wholeCalls: false });
  const open = new Map<number, { tool: string; rule: string; json: string }>();
  const calls: SampleCall[] = [];
  const rules = new Set<string>();
  let rest = "";
  for (const event of collect(reader, textAnswer([text]))) {
    if (event.kind === "text") rest += event.text;
    if (event.kind === "call_start") open.set(event.call, { tool: event.tool, rule: event.rule, json: "" });
    const call = "call" in event && event.call !== undefined ? open.get(event.call) : undefined;
    if (call === undefined) continue;
    if (event.kind === "arguments") call.json += event.json;
    if (event.kind !== "call_end") continue;
    calls.push({ tool: call.tool, arguments: JSON.parse(call.json === "" ? "{}" : call.json) });
    rules.add(call.rule);
  }
  return { calls, rules: [...rules], text: rest };
}

/** The one rule that reads all samples exactly by itself, if possible without a rest; undefined where none does. */
export function ruleThatReads(samples: readonly Sample[], rules: readonly Rule[]): string | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  // What a rule leaves of a call's marks has to show, so nothing takes it away.
  const opaque = rules.filter(({ body, enabled, opaque: { region = "" } }) =>
    body === "opaque" && enabled && !["residue", "opener", "leak"].includes(region)
  );
  let withRest: string | undefined;
  for (const rule of rules) {
    if (rule.body === "opaque" || rule.body === "group") continue;
    const { program } = compileRules([{ ...rule, enabled: true }, ...opaque]);
    const rests = samples.map((sample) => restOf(sample, program));
    if (rests.some((rest) => rest === undefined)) continue;
    if (rests.every((rest) => rest?.trim() === "")) return rule.rule;
    withRest ??= rule.rule;
  }
  return withRest;
}

/** The text that a program leaves of a sample; undefined if it doesn't read exactly the sample's calls. */
function restOf(sample: Sample, program: Program): string | undefined {
  const { offered } = readOffer(offeredBy(sample));
  const { calls, text } = readCalls(sample.text, { program, offered });
  const areSame = calls.length === sample.calls.length &&
    calls.every(({ tool, arguments: given }, index) =>
      tool === sample.calls[index]?.tool && isJsonEqual(given, sample.calls[index]?.arguments)
    );
  return areSame ? text : undefined;
}

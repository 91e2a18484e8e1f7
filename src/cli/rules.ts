/** The verb `rules`: lists rules, explains one, finds the nearest ones to a text, and begins a new file. @module */
import type { Config } from "../proxy/config/schema.ts";
import { didYouMean } from "../engine/diagnostic/suggest.ts";
import { escaped, visible, visibleJson } from "../engine/diagnostic/visible.ts";
import { createSource } from "../engine/document/source.ts";
import { commitPoint } from "../engine/rule/commit.ts";
import { type Near, nearestRules } from "../engine/rule/nearest.ts";
import { readAnswer } from "../engine/rule/outcome.ts";
import { compileRules } from "../engine/rule/compile.ts";
import type { Rule } from "../engine/rule/schema.ts";
import { toResponseTemplate } from "../analysis/derive/to_response_template.ts";
import { loadSetup, type Setup } from "./service/setup.ts";
import type { CliContext } from "./service/context.ts";
import { anyTool } from "../engine/tool/offered.ts";
import { complain, complainOfUsage, complainOfWriting } from "./complain.ts";
import { SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { printTable } from "./table.ts";
import { isSet, type Verb, type VerbInput } from "./verb.ts";
import { present } from "../engine/object/present.ts";
import { join, resolve } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { readTextFile, readYamlFolder, shownPath } from "../engine/document/load.ts";
import { packRules } from "../engine/rule/pack.ts";
import { noSettings, readRules } from "../engine/rule/read.ts";
import { ownRuleFolder } from "../proxy/config/load.ts";
import { newRuleText } from "../engine/rule/new_rule.ts";
import { DISTRIBUTION } from "./service/distribution.ts";
import { schemaLine, writeNew } from "./service/schema_line.ts";

export const rules: Verb = {
  name: "rules",
  summary: "List, show, find, create, compile, or export rules",
  usage:
    "rules [list | show NAME | nearest TEXT|- | new NAME | compile FILE | export NAME --response-template] [--json]",
  operandsMax: 2,
  operands: "rules",
  words: ["list", "show", "nearest", "new", "compile", "export"],
  examples: [
    "rules",
    "rules show fence",
    "rules nearest '<function=read_file {'",
    "rules nearest - < answer.txt",
    "rules new my_model",
    "rules compile my_model.yaml",
    "rules export my_model --response-template",
  ],
  options: {
    ...SETUP_OPTIONS,
    "response-template": {
      type: "boolean",
      description:
        "With `export`: as a `response_template` of tokenizer_config.json, for Transformers and vLLM",
    },
    json: { type: "boolean", description: "Print JSON instead of tables" },
  },
  run,
};

const LOOKS_LENGTH = 48;

const NEAREST_COUNT = 5;

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const [what = "list", about] = input.positionals;
  if (what === "compile" && about !== undefined) return await compileToData(about, context);
  const setup = await loadSetup(setupFlags(input), context, { withExamples: true });
  complain(setup.diagnostics.filter(({ severity }) => severity === "error"), context);
  if (what === "list" && about === undefined) return list(setup, { input, context });
  if (what === "show" && about !== undefined) return show(setup, { name: about, input, context });
  if (what === "new" && about !== undefined) return await newRule(setup, { name: about, context });
  if (what === "export" && about !== undefined && isSet(input, "response-template")) {
    return exportRule(setup, { name: about, context });
  }
  if (what === "nearest") {
    return nearest(setup, {
      text: about === undefined || about === "-" ? await context.readStdin() : about,
      input,
      context,
    });
  }
  const help =
    "write `dragoman rules`, or `dragoman rules` with `show NAME`, `nearest TEXT`, `new NAME`, `compile FILE`, or `export NAME --response-template`";
  return complainOfUsage({ message: `Cannot read \`rules ${input.positionals.join(" ")}\``, help }, context);
}

interface Invocation {
  readonly input: VerbInput;
  readonly context: CliContext;
}

function list(setup: Setup, { input, context }: Invocation): number {
  const found = setup.rules.rules.map((rule) => summary(rule, setup));
  if (isSet(input, "json")) context.stdout(`${visibleJson(found, 2)}\n`);
  else {
    const rows = found.map(({ rule, on, confidence, dialects, looks }) => [
      rule,
      on,
      confidence === null ? "-" : String(confidence),
      dialects.join(", ") || "-",
      visible(looks, { lengthMax: LOOKS_LENGTH }),
    ]);
    context.stdout(printTable(["rule", "on", "confidence", "dialects", "looks like"], rows));
  }
  return 0;
}

interface Summary {
  readonly rule: string;
  /** `yes`, `no`, for which models and upstreams, or why it never makes a call. */
  readonly on: string;
  /** Null for rules that make no calls. */
  readonly confidence: number | null;
  readonly dialects: readonly string[];
  /** A text that the rule reads. */
  readonly looks: string;
}

function summary(rule: Rule, { config }: Setup): Summary {
  const isOpaque = rule.body === "opaque";
  return {
    rule: rule.rule,
    on: whereOn(rule, config.config),
    confidence: isOpaque ? null : rule.confidence,
    dialects: rule.dialects,
    looks: looksLike(rule),
  };
}

/** Whether a rule makes calls, and for which upstreams and models the configuration decides otherwise. */
export function whereOn(rule: Rule, { policy, upstreams, models }: Config): string {
  const makesCalls = rule.body !== "opaque" && rule.body !== "group";
  if (makesCalls && rule.confidence < policy.minimum_confidence) {
    return rule.enabled ? "below the threshold" : "no";
  }
  if (!makesCalls) return rule.enabled ? "yes" : "no";
  const places = [
    ...Object.entries(models).map(([model, { rules }]) => ({ name: model, rules })),
    ...upstreams.map(({ name, rules }) => ({ name: `upstream ${name}`, rules })),
  ].flatMap(({ name, rules }) => rules === undefined ? [] : [{ name, isOn: rules.includes(rule.rule) }]);
  const others = places.filter(({ isOn }) => isOn !== rule.enabled).map(({ name }) => name).join(", ");
  if (others === "") return rule.enabled ? "yes" : "no";
  return rule.enabled ? `yes, but not for ${others}` : `for ${others}`;
}

function looksLike({ examples, untouched }: Rule): string {
  const inputs = (examples.length > 0 ? examples : untouched).map(({ input }) => input);
  return inputs.reduce(
    (shortest, input) => input.length < shortest.length ? input : shortest,
    inputs[0] ?? "",
  );
}

function show(setup: Setup, { name, input, context }: Invocation & { name: string }): number {
  const rule = setup.rules.rules.find((one) => one.rule === name);
  if (rule === undefined) return complainOfName(setup, { name, context });
  const { commit, because } = commitPoint(rule);
  const { on, confidence, dialects } = summary(rule, setup);
  const facts: Readonly<Record<string, string>> = {
    rule: name,
    ...present({ reads: rule.description, source: rule.source }),
    ...(dialects.length === 0 ? {} : { dialects: dialects.join(", ") }),
    on,
    file: setup.rules.fileOf(name) ?? "",
    pattern: rule.pattern,
    body: rule.body,
    ...(rule.body === "opaque"
      ? { region: rule.opaque.region ?? "", shows: rule.opaque.shows, precedence: rule.opaque.precedence }
      : {
        confidence: String(confidence),
        begins: BEGINS[rule.begins],
        "followed by": rule.followed_by,
        "in code": IN_CODE[rule.in_code],
        commit: `${commit}: ${because}`,
        speaks: speakingOf(rule),
      }),
  };
  if (isSet(input, "json")) {
    context.stdout(`${visibleJson({ ...rule, commit, because, file: facts["file"] }, 2)}\n`);
  } else {
    const width = Math.max(...Object.keys(facts).map((key) => key.length));
    const lines = Object.entries(facts).map(([key, value]) =>
      `${key.padEnd(width)}  ${escaped(String(value))}\n`
    );
    const text = looksLike(rule);
    const example = text === ""
      ? ""
      : `\n${text.split("\n").map((line) => `    ${escaped(line)}\n`).join("")}`;
    context.stdout(lines.join("") + example);
  }
  return 0;
}

function complainOfName(
  setup: Setup,
  { name, context }: { readonly name: string; readonly context: CliContext },
): number {
  const help = didYouMean(name, setup.rules.rules.map((one) => one.rule)) ?? "`dragoman rules` lists them";
  return complainOfUsage({ message: `No rule is named \`${name}\``, help }, context);
}

/** Prints a rule as a template on stdout, and what is lost on stderr. */
function exportRule(
  setup: Setup,
  { name, context }: { readonly name: string; readonly context: CliContext },
): number {
  const rule = setup.rules.rules.find((one) => one.rule === name);
  if (rule === undefined) return complainOfName(setup, { name, context });
  const regions = setup.rules.rules.filter(({ body, enabled }) => body === "opaque" && enabled);
  const written = toResponseTemplate(rule, regions);
  if ("why" in written) {
    context.stderr(`No template: ${written.why}\n`);
    return 1;
  }
  context.stdout(`${JSON.stringify({ response_template: written.template }, undefined, 2)}\n`);
  for (const loss of written.notCarried) context.stderr(`Not carried over: ${loss}\n`);
  return 0;
}

const BEGINS: Readonly<Record<Rule["begins"], string>> = {
  anywhere: "anywhere",
  line: "at the start of a line",
  paragraph: "at the start of a line that doesn't follow JSON or markup",
  answer: "at the start of the answer",
  after_call: "directly after another call",
  after_reasoning: "directly after the reasoning",
};

const IN_CODE: Readonly<Record<Rule["in_code"], string>> = {
  never: "never",
  opening_fence: "in a fence at the start of the answer that contains only calls",
  allowed: "in a fence at the start of the answer or in indented code that contains only calls",
};

/** Whether a rule speaks, and to which models without being named. */
function speakingOf({ speak }: Rule): string {
  if (speak === undefined) return "no";
  return speak.models.length === 0 ? "yes" : `yes, to ${speak.models.join(", ")}`;
}

function nearest(setup: Setup, { text, input, context }: Invocation & { text: string }): number {
  const found = nearestRules(setup.rules.rules, text).slice(0, NEAREST_COUNT);
  const reads = new Set(found.filter(({ rule }) => makesCall(rule, text)).map(({ rule }) => rule.rule));
  const minimum = setup.config.config.policy.minimum_confidence;
  const shown = found.map((near) => describe(near, { text, isRead: reads.has(near.rule.rule), minimum }));
  if (isSet(input, "json")) context.stdout(`${visibleJson(shown, 2)}\n`);
  else if (shown.length === 0) context.stdout("No rule has an opener similar to this text.\n");
  else {
    const rows = shown.map(({ rule, on, place, found: word, then }) => [rule, on, place, word, then]);
    context.stdout(printTable(["rule", "on", "place", "found", "then"], rows));
  }
  return shown.length === 0 ? 1 : 0;
}

/** Whether a rule alone makes a call of a text, whatever tools are offered. */
function makesCall(rule: Rule, text: string): boolean {
  const { program } = compileRules([rule]);
  return readAnswer(program, { pieces: [text], offered: anyTool }).calls.length > 0;
}

function describe(near: Near, about: { text: string; isRead: boolean; minimum: number }) {
  const { rule, start, at, isWhole, expected } = near;
  const { text, isRead, minimum } = about;
  const { line, column } = createSource("", text).locate(at, 1);
  const found = visible(text.slice(start, at), { lengthMax: LOOKS_LENGTH });
  const next = at < text.length ? `\`${visible(text[at]!)}\`` : "the end";
  const then = isRead
    ? "reads a call"
    : isWhole
    ? "the opener matches, but the rest isn't a call that the rule can read"
    : `wants ${expected}, finds ${next}`;
  const on = !rule.enabled ? "no" : rule.confidence < minimum ? "below the threshold" : "yes";
  return { rule: rule.rule, on, place: `${line}:${column}`, found, then };
}

/** Prints a rule file, or the rules of a folder, as data for the library `dragoman-engine`; none if one has an error. */
async function compileToData(path: string, context: CliContext): Promise<number> {
  const full = resolve(context.workingDirectory, path);
  const isFolder = await Deno.stat(full).then((info) => info.isDirectory, () => false);
  const read = isFolder
    ? await readYamlFolder({ path: full, isRequired: true }, context)
    : await readTextFile(full, context);
  const { rules, diagnostics } = readRules([read.files], noSettings);
  const found = [...read.diagnostics, ...diagnostics];
  complain(found, context);
  if (found.some(({ severity }) => severity === "error")) return 1;
  const on = rules.filter(({ enabled }) => enabled);
  context.stdout(
    `${JSON.stringify(packRules(on, { by: `dragoman ${project.version}`, withSpeech: true }))}\n`,
  );
  return 0;
}

/** Writes a rule to begin with, which passes `check`, into the folder of the user's own rules; it overwrites no file. */
async function newRule(
  setup: Setup,
  { name, context }: { readonly name: string; readonly context: CliContext },
): Promise<number> {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    const help = "use lowercase letters, digits, and _, starting with a letter";
    return complainOfUsage({ message: `\`${name}\` cannot be the name of a rule`, help }, context);
  }
  if (setup.rules.rules.some(({ rule }) => rule === name)) {
    const help = `\`dragoman rules show ${name}\` shows it; choose another name`;
    return complainOfUsage({ message: `A rule named \`${name}\` already exists`, help }, context);
  }
  const folder = ownRuleFolder(setup.config);
  const file = join(folder, `${name}.yaml`);
  const shown = shownPath(file, context);
  const written = await schemaLine({ folder, name: "rule.schema.json", form: DISTRIBUTION })
    .then((line) => writeNew(file, line + newRuleText(name)))
    .catch((cause) => complainOfWriting(shown, cause, context));
  if (written === undefined) return 1;
  if (!written) {
    return complainOfUsage({ message: `${shown} already exists`, help: "choose another name" }, context);
  }
  context.stdout(
    `Wrote ${shown}. Next: change its pattern and its examples, and run \`${context.command} check --watch ${shown}\`\n`,
  );
  return 0;
}

/**
 * The verb `derive`: a rule from a model's chat template, from recorded answers, or from both.
 *
 * @module
 */
import { basename, join, relative, resolve } from "node:path";
import type { RequestTool } from "../chat/request.ts";
import { printDiagnostics } from "../diagnostic/print.ts";
import { readTextFile, shownPath } from "../document/load.ts";
import { readAnswers } from "../derive/answer_file.ts";
import {
  type Derivation,
  deriveFromAnswers,
  deriveFromTemplate,
  type DeriveOptions,
} from "../derive/derive.ts";
import { type TemplateFacts, TemplateProbe } from "../derive/probe.ts";
import { ChatTemplate, readTemplates } from "../derive/template.ts";
import { BUILT_IN_RULES } from "../rule/load.ts";
import { noSettings, readRules, type RuleText } from "../rule/read.ts";
import type { World } from "../service/world.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { complain, complainOfUsage } from "./complain.ts";
import { parseTools } from "./recording.ts";
import { isSet, textValue, textValues, type Verb, type VerbInput } from "./verb.ts";

/** `dragoman derive [TEMPLATE] [--answers FILE…]`. */
export const derive: Verb = {
  name: "derive",
  summary: "Write a rule for a model from its chat template or from what it printed",
  usage: "derive [TEMPLATE] [--answers FILE…] [--tools FILE] [--name NAME] [--output FOLDER]",
  operandsMax: 1,
  examples: [
    "derive tokenizer_config.json --name my_model",
    "derive --answers answer.txt --tools request.json --name my_model",
  ],
  options: {
    answers: {
      type: "string",
      multiple: true,
      placeholder: "FILE",
      description:
        "An answer of the model: a file that --record wrote, JSON lines with text and tools, or its text",
    },
    tools: {
      type: "string",
      placeholder: "FILE",
      description:
        "The tools that the answers were given: a JSON list of OpenAI tools, or the request itself",
    },
    name: {
      type: "string",
      placeholder: "NAME",
      description: "The rule's name; default: from the first file's name",
    },
    output: {
      type: "string",
      placeholder: "FOLDER",
      description:
        "Where the rule is written; default: rules if there is such a folder, else the working directory",
    },
    "ignore-known": {
      type: "boolean",
      description: "Derive a rule even if one that exists reads the same",
    },
    print: { type: "boolean", description: "Print the rule instead of writing a file" },
  },
  run,
};

async function run(input: VerbInput, world: World): Promise<number> {
  const [template] = input.positionals;
  const answerFiles = textValues(input, "answers");
  if (template === undefined && answerFiles.length === 0) {
    return complainOfUsage({
      message: "Nothing to derive a rule from",
      help: "name a chat template, or answers of the model with `--answers FILE`",
    }, world);
  }
  const name = nameOf(textValue(input, "name") ?? template ?? answerFiles[0]!);
  const texts = await readAll([...(template === undefined ? [] : [template]), ...answerFiles], world);
  const tools = await readTools(textValue(input, "tools"), world);
  const shipped = await shippedRules(world);
  if (texts === undefined || tools === undefined || shipped === undefined) return 1;
  const folder = await outputFolder(input, world);
  const options = {
    name,
    shipped,
    known: isSet(input, "ignore-known") ? [] : readRules([shipped], noSettings).rules,
    schema: relative(folder, join(BUILT_IN_RULES, "rule.schema.json")),
  };
  const results: Result[] = [];
  if (template !== undefined) {
    results.push(fromTemplate(texts.shift()!, { ...options, origin: basename(template) }));
  }
  if (texts.length > 0 && !hasRule(results)) {
    const answers = texts.flatMap((text) => readAnswers(text, tools));
    const origin = answerFiles.map((file) => basename(file)).join(", ");
    results.push({ derivations: deriveFromAnswers(answers, { ...options, origin }) });
  }
  return await report(results, { name, folder, isPrinted: isSet(input, "print"), world });
}

interface Result {
  readonly derivations: readonly Derivation[];
  readonly facts?: TemplateFacts | undefined;
}

function hasRule(results: readonly Result[]): boolean {
  return results.some(({ derivations }) => derivations.some(({ kind }) => kind !== "refused"));
}

/** The first template of the file that gives a rule. */
function fromTemplate(text: string, options: DeriveOptions): Result {
  let last: Derivation = {
    kind: "refused",
    why: "The file holds no chat template: expected a Jinja text, or JSON with `chat_template`",
    diagnostics: [],
  };
  let facts: TemplateFacts | undefined;
  for (const source of readTemplates(text)) {
    const template = parseTemplate(source);
    if (typeof template === "string") {
      last = { kind: "refused", why: template, diagnostics: [] };
      continue;
    }
    facts ??= TemplateProbe.open(template)?.facts();
    last = deriveFromTemplate(template, options);
    if (last.kind !== "refused") break;
  }
  return { derivations: [last], facts };
}

function parseTemplate({ text, tokens }: { text: string; tokens: Readonly<Record<string, string>> }) {
  try {
    return new ChatTemplate(text, tokens);
  } catch (error) {
    return `The template cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

interface ReportContext {
  readonly name: string;
  readonly folder: string;
  readonly isPrinted: boolean;
  readonly world: World;
}

async function report(results: readonly Result[], context: ReportContext): Promise<number> {
  const { world } = context;
  for (const { facts } of results) world.stdout(factLines(facts));
  let code = 1;
  for (const [index, derivation] of results.flatMap(({ derivations }) => derivations).entries()) {
    const name = index === 0 ? context.name : `${context.name}_${index + 1}`;
    const isDone = await reportOne(derivation, { ...context, name });
    if (isDone) code = 0;
  }
  return code;
}

async function reportOne(
  derivation: Derivation,
  { name, folder, isPrinted, world }: ReportContext,
): Promise<boolean> {
  switch (derivation.kind) {
    case "known":
      world.stdout(`The rule ${derivation.rule} already reads these calls; nothing was written\n`);
      return true;
    case "refused":
      world.stderr(`No rule: ${derivation.why}\n`);
      world.stderr(printDiagnostics(derivation.diagnostics.slice(0, 1), { colours: world.isTerminal }));
      return false;
    case "rule": {
      if (isPrinted) {
        world.stdout(derivation.text);
        return true;
      }
      const file = join(folder, `${name}.yaml`);
      if (!await writeNew(file, derivation.text)) {
        world.stderr(
          `${shownPath(file, world)} already exists; choose another name with --name, or move it away\n`,
        );
        return false;
      }
      world.stdout(
        `Wrote ${
          shownPath(file, world)
        }: ${derivation.exampleCount} examples pass, whole, by character and at every ` +
          `cut\nNext: \`dragoman check ${
            shownPath(file, world)
          }\`; a running proxy that reads this folder uses it now\n`,
      );
      return true;
    }
  }
}

function factLines(facts: TemplateFacts | undefined): string {
  if (facts === undefined) return "";
  const lines: string[] = [];
  if (facts.beginsInReasoning) {
    lines.push(
      "The template opens the model's reasoning itself. In dragoman.yaml, for the upstream of this model:",
    );
    lines.push("  begins_in_reasoning: true");
  }
  if (facts.turnEnd !== "") {
    lines.push(`An answer ends with ${JSON.stringify(facts.turnEnd)}; a server that prints it leaks it`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

/** Writes a file that does not exist; whether it did. */
async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await Deno.writeTextFile(file, text, { createNew: true });
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AlreadyExists) return false;
    throw error;
  }
}

async function outputFolder(input: VerbInput, world: World): Promise<string> {
  const named = textValue(input, "output");
  if (named !== undefined) return resolve(world.workingDirectory, named);
  const rules = resolve(world.workingDirectory, "rules");
  const isFolder = await Deno.stat(rules).then((found) => found.isDirectory, () => false);
  return isFolder ? rules : world.workingDirectory;
}

/** `tokenizer_config.json` → `tokenizer_config`; a rule's name has lower-case letters, digits and `_`. */
function nameOf(file: string): string {
  const stem = basename(file).replace(/\.\w+$/, "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(
    /^[^a-z]+|_+$/g,
    "",
  );
  return stem === "" ? "derived" : stem;
}

async function readAll(names: readonly string[], world: World): Promise<string[] | undefined> {
  const texts: string[] = [];
  for (const name of names) {
    const { files: [file], diagnostics } = await readTextFile(resolve(world.workingDirectory, name), world);
    complain(diagnostics, world);
    if (file === undefined) return undefined;
    texts.push(file.text);
  }
  return texts;
}

async function readTools(name: string | undefined, world: World): Promise<OfferedTool[] | undefined> {
  if (name === undefined) return [];
  const texts = await readAll([name], world);
  if (texts === undefined) return undefined;
  const tools = parseTools(texts[0]!);
  if (tools === undefined) {
    complain([{
      code: "wrong_value",
      severity: "error",
      message: `Cannot read tools from ${shownPath(resolve(world.workingDirectory, name), world)}`,
      expected: "a JSON list of tools in OpenAI's form, or an object with `tools`",
      help: "copy the `tools` of a request as it was sent",
    }], world);
    return undefined;
  }
  return tools.map(offeredTool);
}

function offeredTool({ function: called }: RequestTool): OfferedTool {
  const schema = called?.parameters;
  return {
    name: called?.name ?? "",
    ...(schema === undefined ? {} : { schema: schema as OfferedTool["schema"] & object }),
  };
}

async function shippedRules(world: World): Promise<RuleText[] | undefined> {
  const files: RuleText[] = [];
  for await (const { name, isFile } of Deno.readDir(BUILT_IN_RULES)) {
    if (!isFile || !name.endsWith(".yaml")) continue;
    const { files: [file] } = await readTextFile(join(BUILT_IN_RULES, name), world);
    if (file !== undefined) files.push(file);
  }
  return files.sort((a, b) => a.file < b.file ? -1 : 1);
}

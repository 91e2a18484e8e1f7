/** The verb `derive`: a rule from a model's chat template, from recorded answers, or from both. @module */
import { basename, resolve } from "node:path";
import type { Derivation, DeriveOptions } from "../analysis/derive/derive.ts";
import { deriveFromAnswers, type RecordedAnswer } from "../analysis/derive/from_answers.ts";
import { deriveFromResponseTemplate, deriveFromTemplate } from "../analysis/derive/from_template.ts";
import { type TemplateFacts, TemplateProbe } from "../analysis/derive/probe.ts";
import { ChatTemplate, readTemplates } from "../analysis/derive/template.ts";
import { ownRuleFolder } from "../proxy/config/load.ts";
import { loadSetup, type Setup } from "./service/setup.ts";
import { DISTRIBUTION } from "./service/distribution.ts";
import type { CliContext } from "./service/context.ts";
import { complain, complainOf, complainOfUsage } from "./complain.ts";
import { type DeriveResult, reportResults } from "./derive_report.ts";
import { schemaName } from "./service/schema_line.ts";
import { SETUP_OPTIONS, setupFlags } from "./setup_options.ts";
import { isSet, textValue, textValues, type Verb, type VerbInput } from "./verb.ts";
import { recognize } from "../chat/client/recognize.ts";
import type { Client } from "../chat/client/schema.ts";
import { readAnswers } from "../analysis/derive/answer_file.ts";
import { type Folder, readTextFile, readYamlFolders, shownPath } from "../engine/document/load.ts";
import type { TextFile } from "../engine/document/text_file.ts";
import { parseJson } from "../engine/object/parse.ts";
import { isRecord } from "../engine/object/record.ts";
import { offeredTool, parseTools } from "../analysis/replay/tool_list.ts";
import { SHIPPED_RULES } from "../engine/rule/folder.ts";
import type { OfferedTool } from "../engine/tool/offered.ts";

export const derive: Verb = {
  name: "derive",
  summary: "Write a rule for a model from its chat template or its answers",
  usage:
    "derive [TEMPLATE|RECORD] [--answers FILE…] [--response-template FILE] [--tools FILE] [--name NAME] [--output FOLDER]",
  operandsMax: 1,
  examples: [
    "derive captures/answer.json --name my_model",
    "derive tokenizer_config.json --name my_model",
    "derive --answers answer.txt --tools request.json --name my_model",
    "derive --response-template tokenizer_config.json --name my_model",
  ],
  options: {
    answers: {
      type: "string",
      multiple: true,
      placeholder: "FILE",
      description: "A model's answer: a file from --record, JSON lines with text and tools, or plain text",
    },
    "response-template": {
      type: "string",
      placeholder: "FILE",
      description:
        "The file that defines the model's own parser (Transformers, vLLM): tokenizer_config.json, or only the template from it",
    },
    tools: {
      type: "string",
      placeholder: "FILE",
      description: "The offered tools: a JSON list of OpenAI or Anthropic tools, or the request itself",
    },
    name: {
      type: "string",
      placeholder: "NAME",
      description: "The rule's name; default: from the first file's name",
    },
    output: {
      type: "string",
      placeholder: "FOLDER",
      description: "Where the rule is written; default: the first folder of your own rules, such as rules",
    },
    "ignore-known": {
      type: "boolean",
      description: "Derive a rule even if an existing rule reads the same text",
    },
    print: { type: "boolean", description: "Print the rule and the settings instead of writing files" },
    json: {
      type: "boolean",
      description:
        "Print a JSON list of the rules with the calls that they read, or why there is none; write no files",
    },
    ...SETUP_OPTIONS,
  },
  run,
};

async function run(input: VerbInput, context: CliContext): Promise<number> {
  const [given] = input.positionals;
  const named = textValues(input, "answers");
  const parser = textValue(input, "response-template");
  if (given === undefined && named.length === 0 && parser === undefined) {
    return complainOfUsage({
      message: "Nothing to derive a rule from",
      help:
        "specify a chat template or a recorded answer, the model's answers with `--answers FILE`, or its `--response-template FILE`",
    }, context);
  }
  const texts = await readAll([...(given === undefined ? [] : [given]), ...named], context);
  const tools = await readTools(textValue(input, "tools"), context);
  const parsers = await readAll(parser === undefined ? [] : [parser], context);
  if (texts === undefined || tools === undefined || parsers === undefined) return 1;
  const setup = await loadSetup(setupFlags(input), context);
  const { rules } = setup.rules;
  const answer = given !== undefined && !isRecording(texts[0]!) && !looksLikeTemplate(texts[0]!);
  if (answer) return notATemplate(given, context);
  const name = nameOf(textValue(input, "name") ?? given ?? named[0] ?? parser!);
  if (rules.some(({ rule }) => rule === name)) {
    const message = `A rule named \`${name}\` already exists`;
    return complainOfUsage({ message, help: "choose another name with --name" }, context);
  }
  const folder = outputFolder(input, { setup, context });
  const template = given === undefined || isRecording(texts[0]!) ? undefined : texts.shift();
  const answerFiles = template === undefined && given !== undefined ? [given, ...named] : named;
  const options = {
    name,
    shipped: await ruleTexts(setup.config.ruleFolders, context),
    known: isSet(input, "ignore-known") ? [] : rules,
    schema: schemaName({ folder, name: "rule.schema.json", form: DISTRIBUTION }),
  };
  const results: DeriveResult[] = [];
  for (const text of parsers) {
    const { derivation, notCarried } = deriveFromResponseTemplate(text, {
      ...options,
      origin: basename(parser!),
    });
    results.push({ derivations: [derivation], notCarried });
  }
  if (template !== undefined && !hasRule(results)) {
    results.push(fromTemplate(template, { ...options, origin: basename(given!) }));
  }
  if (texts.length > 0 && !hasRule(results)) {
    const answers = texts.flatMap((text) => answersOf(text, { tools, clients: setup.clients.clients }));
    const origin = answerFiles.map((file) => basename(file)).join(", ");
    results.push({ derivations: deriveFromAnswers(answers, { ...options, origin }) });
  }
  if (isSet(input, "json")) {
    context.stdout(`${JSON.stringify(results.flatMap(({ derivations }) => derivations), undefined, 2)}\n`);
    return hasRule(results) ? 0 : 1;
  }
  const minimum = setup.config.config.policy.minimum_confidence;
  return await reportResults(results, {
    name,
    folder,
    isPrinted: isSet(input, "print"),
    rules,
    minimum,
    context,
  });
}

function hasRule(results: readonly DeriveResult[]): boolean {
  return results.some(({ derivations }) => derivations.some(({ kind }) => kind !== "refused"));
}

function notATemplate(file: string, context: CliContext): number {
  return complainOfUsage({
    message: `${file} is neither a chat template nor a recording`,
    help:
      `if it is an answer of the model, write \`dragoman derive --answers ${file} --tools REQUEST.json\`; ` +
      "a chat template is Jinja, or JSON with `chat_template`",
  }, context);
}

/** The first template of the file that gives a rule. */
function fromTemplate(text: string, options: DeriveOptions): DeriveResult {
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

/** The folder that the user names, or the one from which a proxy reads the user's own rules. */
function outputFolder(input: VerbInput, { setup, context }: { setup: Setup; context: CliContext }): string {
  const named = textValue(input, "output");
  return named === undefined ? ownRuleFolder(setup.config) : resolve(context.workingDirectory, named);
}

/** `tokenizer_config.json` → `tokenizer_config`; a rule's name has lower-case letters, digits and `_`. */
function nameOf(file: string): string {
  const stem = basename(file).replace(/\.\w+$/, "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(
    /^[^a-z]+|_+$/g,
    "",
  );
  return stem === "" ? "derived" : stem;
}

/** The texts of files; undefined if one cannot be read, which is printed. */
async function readAll(names: readonly string[], context: CliContext): Promise<string[] | undefined> {
  const texts: string[] = [];
  for (const name of names) {
    const { files: [file], diagnostics } = await readTextFile(
      resolve(context.workingDirectory, name),
      context,
    );
    complain(diagnostics, context);
    if (file === undefined) return undefined;
    texts.push(file.text);
  }
  return texts;
}

/** The tools of a file; none without a file, undefined if it cannot be read, which is printed. */
async function readTools(name: string | undefined, context: CliContext): Promise<OfferedTool[] | undefined> {
  if (name === undefined) return [];
  const texts = await readAll([name], context);
  if (texts === undefined) return undefined;
  const tools = parseTools(texts[0]!);
  if (tools === undefined) {
    complainOf({
      code: "wrong_value",
      message: `Cannot read tools from ${shownPath(resolve(context.workingDirectory, name), context)}`,
      expected: "a JSON list of tools in OpenAI's form, or an object with `tools`",
      help: "copy the raw `tools` of a request",
    }, context);
    return undefined;
  }
  return tools.map(offeredTool);
}

/** Whether a file is a recorded answer, not a template: JSON with the model's `text`. */
function isRecording(text: string): boolean {
  const value = parseJson(text);
  return isRecord(value) && typeof value["text"] === "string" && value["chat_template"] === undefined;
}

/** Whether a text can be a chat template, or JSON with one: a template has a block or an expression of Jinja. */
function looksLikeTemplate(text: string): boolean {
  return /\{[{%]/.test(text) || isRecord(parseJson(text));
}

/** The answers of a file, with the tools of its own system prompt if its client lists them there. */
function answersOf(
  text: string,
  { tools, clients }: { readonly tools: readonly OfferedTool[]; readonly clients: readonly Client[] },
): RecordedAnswer[] {
  return readAnswers(text, promptTools(text, clients) ?? tools);
}

function promptTools(text: string, clients: readonly Client[]): OfferedTool[] | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value["system"] !== "string" || typeof value["client"] !== "string") {
    return undefined;
  }
  const request = { messages: [{ role: "system", content: value["system"] }] };
  const offered = recognize(request, new Headers(), clients, value["client"])?.offered;
  return (offered?.spellings ?? offered?.names)?.flatMap((name) => {
    const tool = offered?.resolve(name);
    return tool === undefined ? [] : [{ ...tool, name }];
  });
}

async function ruleTexts(folders: readonly Folder[], context: CliContext): Promise<TextFile[]> {
  const all = [SHIPPED_RULES, ...folders];
  return (await readYamlFolders(all, context)).folders.flat();
}

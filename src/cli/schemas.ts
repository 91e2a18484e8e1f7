/** What `deno task generate` writes: schemas, references, defaults, and the shipped rules and clients as data. @module */
import { BUILT_IN_CLIENTS } from "../chat/client/folder.ts";
import { readClients } from "../chat/client/read.ts";
import { READY_CLIENTS_FILE, writeReadyClients } from "../chat/client/ready.ts";
import { clientSchema } from "../chat/client/schema.ts";
import { configReference } from "../proxy/config/reference.ts";
import { configSchema, upstreamSchema } from "../proxy/config/schema.ts";
import { writeJsonSchema } from "../engine/document/json_schema.ts";
import { readYamlFolder } from "../engine/document/load.ts";
import { hashOfAll, nameOf } from "../engine/document/hash.ts";
import { shippedPlugins, shippedPluginsPage } from "../proxy/plugin/shipped_page.ts";
import { sharedSchema } from "../analysis/evaluate/shared_file.ts";
import { BUILT_IN_RULES, SHIPPED_RULES } from "../engine/rule/folder.ts";
import { noSettings, readRules } from "../engine/rule/read.ts";
import { packRules } from "../engine/rule/pack.ts";
import { COMPILED_FILE, READY_FILE } from "../engine/rule/ready.ts";
import { ruleReference } from "../engine/rule/reference.ts";
import { type Rule, ruleFileSchema } from "../engine/rule/schema.ts";
import { shippedPage } from "../engine/rule/shipped_page.ts";
import { speechOf } from "../engine/rule/speech.ts";
import { writeCompiled, writeStored } from "../engine/rule/stored.ts";
import project from "../../deno.json" with { type: "json" };

/** How the shipped rules' dialects are spoken; the library has it in it, and the compiled rules. */
const SPEECH_FILE = "speech.json";

interface SchemaFile {
  /** Its path below the folder of the built-in rules. */
  readonly path: string;
  readonly text: string;
}

export async function schemaFiles(): Promise<SchemaFile[]> {
  return [
    { path: "README.md", text: ruleReference() },
    { path: "shipped_rules.md", text: shippedPage(await shippedRules()) },
    { path: "configuration.md", text: configReference() },
    { path: "../plugins/shipped_plugins.md", text: shippedPluginsPage(await shippedPlugins()) },
    { path: "rule.schema.json", text: writeJsonSchema(ruleFileSchema, { title: "Dragoman rule" }) },
    { path: "clients/client.schema.json", text: writeJsonSchema(clientSchema, { title: "Dragoman client" }) },
    {
      path: "dragoman.schema.json",
      text: writeJsonSchema(configSchema, { title: "Dragoman configuration" }),
    },
    {
      path: "evaluation.schema.json",
      text: writeJsonSchema(sharedSchema, { title: "Dragoman evaluation" }),
    },
    { path: "../src/proxy/config/defaults.json", text: defaultsText() },
    { path: READY_FILE, text: await readyText() },
    ...compiledFiles((await shippedRules()).filter(({ enabled }) => enabled)),
    { path: `clients/${READY_CLIENTS_FILE}`, text: await readyClientsText() },
  ];
}

/** The values of a configuration without a file, and those of an upstream besides its name and URL. */
function defaultsText(): string {
  const { name: _name, url: _url, ...upstream } = upstreamSchema.parse({ name: "any", url: "" });
  return `${JSON.stringify({ config: configSchema.parse({}), upstream }, null, 2)}\n`;
}

/** The rules that are on, compiled, and how their dialects are spoken. */
function compiledFiles(on: readonly Rule[]): SchemaFile[] {
  const speeches = on.flatMap((rule) => speechOf(rule) ?? []).map((speech) => JSON.stringify(speech));
  const compiled = packRules(on, { by: `dragoman ${project.version}` });
  return [
    { path: COMPILED_FILE, text: writeCompiled(compiled) },
    { path: SPEECH_FILE, text: `[\n${speeches.join(",\n")}\n]\n` },
  ];
}

async function shippedRules(): Promise<readonly Rule[]> {
  return (await readShippedRules()).rules;
}

async function readShippedRules() {
  const { files } = await readYamlFolder(SHIPPED_RULES, { workingDirectory: BUILT_IN_RULES });
  return { files, ...readRules([files], noSettings) };
}

/** The rules as a server starts with them. */
async function readyText(): Promise<string> {
  const { files, rules, fileOf } = await readShippedRules();
  return writeStored(hashOfAll(files), rules.map((rule) => [nameOf(fileOf(rule.rule) ?? ""), rule]));
}

/** The clients as a server starts with them. */
async function readyClientsText(): Promise<string> {
  const { files } = await readYamlFolder({ path: BUILT_IN_CLIENTS, isRequired: true }, {
    workingDirectory: BUILT_IN_CLIENTS,
  });
  return writeReadyClients(files, readClients([files]).clients);
}

/** Loads configuration, rules, clients and plugins in one step, with every error of every file. @module */
import { dirname, resolve } from "node:path";
import { loadConfig, type LoadConfigFlags, type LoadedConfig } from "../../proxy/config/load.ts";
import { loadClients } from "../../chat/client/load.ts";
import type { LoadedClients } from "../../chat/client/read.ts";
import type { Diagnostic, Location } from "../../engine/diagnostic/diagnostic.ts";
import { didYouMean } from "../../engine/diagnostic/suggest.ts";
import type { ServiceParts } from "../../proxy/exchange/service.ts";
import { present } from "../../engine/object/present.ts";
import { type LoadedPlugins, loadPlugins } from "../../proxy/plugin/load.ts";
import { loadRules } from "../../engine/rule/load.ts";
import type { LoadedRules, RuleSettings } from "../../engine/rule/read.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import { type LoadedTemplates, loadTemplates } from "./chat_templates.ts";
import { dialectProblems } from "./dialects.ts";
import { wrongOldFiles } from "./audit_file.ts";
import { linkOut, linkProblem } from "./linked_path.ts";
import { openRuleCache } from "./rule_cache.ts";
import type { CliContext } from "./context.ts";
import { readTextFile } from "../../engine/document/load.ts";

/** Everything that is loaded before the server starts. */
export interface Setup {
  readonly config: LoadedConfig;
  readonly rules: LoadedRules;
  readonly clients: LoadedClients;
  readonly plugins: LoadedPlugins;
  readonly templates: LoadedTemplates;
  /** Every diagnostic. The server starts only if none is an error. */
  readonly diagnostics: readonly Diagnostic[];
}

interface SetupOptions {
  readonly withExamples?: boolean;
  /** Whether a server starts, which keeps the rules for its next start. */
  readonly isServing?: boolean;
}

export async function loadSetup(
  flags: LoadConfigFlags,
  context: CliContext,
  { withExamples = false, isServing = false }: SetupOptions = {},
): Promise<Setup> {
  const config = await loadSetupConfig(flags, context);
  const { workingDirectory } = context;
  const [rules, clients, plugins, templates] = await Promise.all([
    loadRules({
      folders: config.ruleFolders,
      settings: ruleSettings(config),
      workingDirectory,
      withExamples,
      cache: isServing ? openRuleCache(context) : undefined,
    }),
    loadClients({ folders: config.clientFolders, workingDirectory }),
    loadPlugins({
      entries: config.config.plugins,
      folder: dirname(config.path),
      workingDirectory,
      locate: (path) => config.locate(path),
      locateKey: (path) => config.locateKey(path),
    }),
    loadTemplates(config, context),
  ]);
  const parts = [config, rules, clients, plugins, templates].flatMap((part) => [...part.diagnostics]);
  const diagnostics = [
    ...parts,
    ...chosenRuleProblems(config, rules),
    ...dialectProblems(config, rules),
    ...await auditProblems(config, flags),
    ...await authorityProblems(config, context),
  ];
  return { config, rules, clients, plugins, templates, diagnostics };
}

/** What is wrong with the rules that the configuration names for upstreams and models. */
function chosenRuleProblems(config: LoadedConfig, { rules, diagnostics }: LoadedRules): Diagnostic[] {
  const { upstreams, models, policy } = config.config;
  const lists = [
    ...upstreams.map(({ rules }, index) => ({ rules: rules ?? [], path: ["upstreams", index, "rules"] })),
    ...Object.entries(models).map(([model, { rules = [] }]) => ({ rules, path: ["models", model, "rules"] })),
  ];
  // A rule whose own file has an error has a diagnostic already.
  const isBroken = (name: string) =>
    diagnostics.some(({ location }) => location?.file.endsWith(`${name}.yaml`));
  return lists.flatMap(({ rules: names, path }) =>
    names.flatMap((name, index): Diagnostic[] => {
      const location = config.locate([...path, index]);
      const found = rules.find(({ rule }) => rule === name);
      if (found === undefined) return isBroken(name) ? [] : [unknownRule(name, { location, rules })];
      return found.confidence < policy.minimum_confidence
        ? [underThreshold(found, { location, minimum: policy.minimum_confidence })]
        : [];
    })
  );
}

function unknownRule(
  name: string,
  { location, rules }: { location: Location | undefined; rules: readonly Rule[] },
): Diagnostic {
  const help = didYouMean(name, rules.map(({ rule }) => rule)) ?? "`dragoman rules` lists the rules";
  return {
    code: "unknown_rule",
    severity: "error",
    message: `Cannot use rule "${name}": it does not exist`,
    ...present({ location }),
    expected: "the name of a rule",
    help,
  };
}

function underThreshold(
  { rule, confidence }: Rule,
  { location, minimum }: { location: Location | undefined; minimum: number },
): Diagnostic {
  return {
    code: "confidence_under_threshold",
    severity: "warning",
    message: `Rule "${rule}" is chosen but can never make a call: its confidence is ${confidence}`,
    ...present({ location }),
    expected: `at least ${minimum}, which is \`policy.minimum_confidence\``,
    help: `set a higher value in \`rules.confidence\`, or lower the threshold`,
  };
}

async function auditProblems(config: LoadedConfig, flags: LoadConfigFlags): Promise<Diagnostic[]> {
  const { auditPath, path, config: { audit } } = config;
  if (auditPath === undefined || auditPath === "") return [];
  const location = flags.audit === undefined ? config.locate(["audit", "file"]) : undefined;
  const reason = await linkOut(auditPath, { folder: dirname(path) });
  if (reason !== undefined) return [linkProblem(reason, { what: "audit log", location })];
  const wrong = await wrongOldFiles({ path: auditPath, keep: audit.keep });
  return wrong.map((reason) => oldFileProblem(reason, location));
}

function oldFileProblem(reason: string, location: Location | undefined): Diagnostic {
  return {
    code: "link_leads_out",
    severity: "warning",
    message: `The audit log can't store an old file at this path: ${reason}`,
    ...present({ location }),
    expected: "only regular files at the paths where the log stores its old files",
    help:
      "remove it; when the log starts a new file, a link is removed and not followed, and a folder stops the log",
  };
}

export function loadSetupConfig(flags: LoadConfigFlags, context: CliContext): Promise<LoadedConfig> {
  return loadConfig({
    flags,
    readEnvironment: (name) => context.readEnvironment(name),
    workingDirectory: context.workingDirectory,
  });
}

export function ruleSettings(resolved: LoadedConfig): RuleSettings {
  const { rules, policy, upstreams, models } = resolved.config;
  return {
    chosen: [...upstreams, ...Object.values(models)].flatMap(({ rules = [] }) => rules),
    enable: rules.enable,
    disable: rules.disable,
    confidence: rules.confidence,
    minimumConfidence: policy.minimum_confidence,
    fencedCalls: policy.fenced_calls,
    quotations: policy.quotations,
    locate: (setting, rule) =>
      setting === "confidence"
        ? resolved.locateKey(["rules", "confidence", rule])
        : locateName(resolved, { setting, rule }),
  };
}

function locateName(
  resolved: LoadedConfig,
  { setting, rule }: { setting: "enable" | "disable"; rule: string },
): ReturnType<LoadedConfig["locate"]> {
  // Flags change the list, so search the list of the file.
  for (let index = 0;; index++) {
    const location = resolved.locate(["rules", setting, index]);
    if (location === undefined) return undefined;
    const written = location.text.slice(location.column - 1, location.column - 1 + location.length);
    if (written.replace(/^['"]|['"]$/g, "") === rule) return location;
  }
}

/** The parts of a service: the rules, those that are on compiled, with configuration, clients and plugins. */
export function serviceParts({ config, rules, clients, plugins, templates }: Setup): ServiceParts {
  return {
    config: config.config,
    keys: config.keys,
    clientKeys: config.clientKeys,
    keyNames: config.keyNames,
    rules: rules.rules,
    program: rules.program,
    clients: clients.clients,
    plugins: plugins.plugins,
    templates: templates.templates,
  };
}

export function hasErrors({ diagnostics }: Pick<Setup, "diagnostics">): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

/** What is wrong with the file that the variable of `store.ca_env` names. */
export async function authorityProblems(
  config: LoadedConfig,
  { workingDirectory }: Pick<CliContext, "workingDirectory">,
): Promise<Diagnostic[]> {
  const { storeServer, config: { store } } = config;
  if (storeServer?.caFile === undefined) return [];
  const read = await readTextFile(resolve(workingDirectory, storeServer.caFile), {
    workingDirectory,
    isRegular: true,
  });
  const location = config.locate(["store", "ca_env"]);
  const [file] = read.files;
  const isCertificate = file?.text.includes("-----BEGIN CERTIFICATE-----");
  const problem = file && `Cannot use file ${file.file}: it contains no certificate`;
  const messages = isCertificate ? [] : [problem, ...read.diagnostics.map(({ message }) => message)];
  return messages.filter((message) => message !== undefined).map((message) => ({
    code: "file_unreadable",
    severity: "error",
    message,
    ...present({ location }),
    expected: "a PEM file with the certificate of the authority that signed the store's certificate",
    help: `set ${store.ca_env} to its path`,
  }));
}

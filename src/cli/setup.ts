/**
 * Configuration, rules, clients and plugins as the verbs need them, loaded in one step. In: the command line and
 * the world. Out: all of them with every mistake of every file at once.
 *
 * @module
 */
import { dirname } from "node:path";
import { loadConfig, type LoadedConfig } from "../config/load.ts";
import { loadClients } from "../client/load.ts";
import type { LoadedClients } from "../client/read.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { type LoadedPlugins, loadPlugins } from "../plugin/load.ts";
import { loadRules } from "../rule/load.ts";
import type { LoadedRules, RuleSettings } from "../rule/read.ts";
import { isSet, textValue, textValues, type VerbInput, type VerbOption, type World } from "./verb.ts";

/** The flags of every verb that reads the configuration. */
export const SETUP_OPTIONS: Readonly<Record<string, VerbOption>> = {
  config: {
    type: "string",
    short: "c",
    placeholder: "FILE",
    description: "Configuration file; default dragoman.yaml, which need not exist",
  },
  rules: {
    type: "string",
    multiple: true,
    placeholder: "DIR",
    description: "One more folder of rule files; its rules replace built-in ones of the same name",
  },
  enable: { type: "string", multiple: true, placeholder: "RULE", description: "Switch a rule on" },
  disable: { type: "string", multiple: true, placeholder: "RULE", description: "Switch a rule off" },
  "min-confidence": {
    type: "string",
    placeholder: "NUMBER",
    description: "Threshold from 0 to 1 under which no rule makes a call; default 0.9",
  },
};

/** The further flags of verbs that serve. */
export const SERVE_OPTIONS: Readonly<Record<string, VerbOption>> = {
  host: {
    type: "string",
    placeholder: "ADDRESS",
    description: "Address to listen on; default 127.0.0.1 (environment: DRAGOMAN_HOST)",
  },
  port: {
    type: "string",
    short: "p",
    placeholder: "PORT",
    description: "Port to listen on, 0 for any; default 8787 (environment: DRAGOMAN_PORT)",
  },
  upstream: {
    type: "string",
    short: "u",
    placeholder: "URL",
    description: "Model server to use instead of those of the file (environment: DRAGOMAN_UPSTREAM)",
  },
  "dry-run": {
    type: "boolean",
    description: "Change nothing: clients get the original answers, the decisions are only recorded",
  },
  audit: {
    type: "string",
    placeholder: "FILE",
    description: "Write every decision and every request to this file, one JSON object a line",
  },
  record: {
    type: "string",
    placeholder: "DIR",
    description: "Keep what the model prints, without secrets, as files for `dragoman replay`",
  },
};

/** Everything that is loaded before anything runs. */
export interface Setup {
  /** The configuration. */
  readonly config: LoadedConfig;
  /** The rules. */
  readonly rules: LoadedRules;
  /** The clients. */
  readonly clients: LoadedClients;
  /** The plugins. */
  readonly plugins: LoadedPlugins;
  /** Every mistake; none may be an error when the port opens. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Loads the configuration that the command line asks for, and by it rules and clients. */
export async function loadSetup(input: VerbInput, world: World): Promise<Setup> {
  const config = await loadSetupConfig(input, world);
  const { workingDirectory } = world;
  const [rules, clients, plugins] = await Promise.all([
    loadRules({ folders: config.ruleFolders, settings: ruleSettings(config), workingDirectory }),
    loadClients({ folders: config.clientFolders, workingDirectory }),
    loadPlugins({
      entries: config.config.plugins,
      folder: dirname(config.path),
      workingDirectory,
      locate: (path) => config.locate(path),
      locateKey: (path) => config.locateKey(path),
    }),
  ]);
  const diagnostics = [config, rules, clients, plugins].flatMap((part) => [...part.diagnostics]);
  return { config, rules, clients, plugins, diagnostics };
}

/** Loads only the configuration that the command line asks for. */
export function loadSetupConfig(input: VerbInput, world: World): Promise<LoadedConfig> {
  const flags = {
    config: textValue(input, "config"),
    rules: textValues(input, "rules"),
    enable: textValues(input, "enable"),
    disable: textValues(input, "disable"),
    minimumConfidence: textValue(input, "min-confidence"),
    host: textValue(input, "host"),
    port: textValue(input, "port"),
    upstream: textValue(input, "upstream"),
    dryRun: isSet(input, "dry-run"),
    audit: textValue(input, "audit"),
  };
  return loadConfig({
    flags,
    readEnvironment: (name) => world.readEnvironment(name),
    workingDirectory: world.workingDirectory,
  });
}

/** What a configuration says about rules, with the places where it says so. */
export function ruleSettings(resolved: LoadedConfig): RuleSettings {
  const { rules, policy } = resolved.config;
  return {
    enable: rules.enable,
    disable: rules.disable,
    confidence: rules.confidence,
    minimumConfidence: policy.minimum_confidence,
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
  // Flags change the list, so the entry is looked for in the file's own.
  for (let index = 0;; index++) {
    const location = resolved.locate(["rules", setting, index]);
    if (location === undefined) return undefined;
    const written = location.text.slice(location.column - 1, location.column - 1 + location.length);
    if (written.replace(/^['"]|['"]$/g, "") === rule) return location;
  }
}

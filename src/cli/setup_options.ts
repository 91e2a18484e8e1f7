/** The flags of verbs that load the configuration, and their conversion for `loadSetup`. @module */
import type { LoadConfigFlags } from "../proxy/config/load.ts";
import { isSet, textValue, textValues, type VerbInput, type VerbOption } from "./verb.ts";
import type { ServiceParts } from "../proxy/exchange/service.ts";
import { serviceParts, type Setup } from "./service/setup.ts";

export const SETUP_OPTIONS: Readonly<Record<string, VerbOption>> = {
  config: {
    type: "string",
    short: "c",
    placeholder: "FILE",
    description: "Configuration file; default dragoman.yaml, if it exists",
  },
  rules: {
    type: "string",
    multiple: true,
    placeholder: "DIR",
    description: "Another folder of rule files; its rules replace built-in rules of the same name",
  },
  enable: {
    type: "string",
    multiple: true,
    placeholder: "RULE",
    values: "rules",
    description: "Enable a rule",
  },
  disable: {
    type: "string",
    multiple: true,
    placeholder: "RULE",
    values: "rules",
    description: "Disable a rule",
  },
  "min-confidence": {
    type: "string",
    placeholder: "NUMBER",
    description: "Lowest confidence, from 0 to 1, at which a rule makes calls; default 0.9",
  },
};

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
    description: "Model server to use instead of the configured upstreams (environment: DRAGOMAN_UPSTREAM)",
  },
  "upstream-name": {
    type: "string",
    placeholder: "NAME",
    description: "Use only this upstream from the configuration",
  },
  "tool-mode": {
    type: "string",
    placeholder: "MODE",
    values: ["auto", "native", "raw", "prompted"],
    description:
      "How upstreams get tools: `auto` (default), `native`, `raw` without the server's parser, or `prompted` for servers without tools; instead of their `tools`",
  },
  "dry-run": {
    type: "boolean",
    description: "Dry run: send clients the original answers, and only log decisions",
  },
  audit: {
    type: "string",
    placeholder: "FILE",
    description: "Write every decision and every request to this file, one JSON object per line",
  },
  quiet: {
    type: "boolean",
    short: "q",
    description: "Print nothing about requests; errors, warnings and reloads are still printed",
  },
  "log-format": {
    type: "string",
    placeholder: "FORMAT",
    values: ["text", "json"],
    description: "`text` (default), or `json`: one JSON object per line for every request and message",
  },
  workers: {
    type: "string",
    placeholder: "N",
    description:
      "Threads that answer requests, `auto` for one per core; default 1. They share one port (Linux only)",
  },
  record: {
    type: "string",
    placeholder: "DIR",
    description: "Save the model's answers, without secrets, as files for `dragoman replay`",
  },
  "with-messages": {
    type: "boolean",
    description: "With --record: also save the last user message, for a data set of tasks and calls",
  },
};

export function setupFlags(input: VerbInput): LoadConfigFlags {
  return {
    config: textValue(input, "config"),
    rules: textValues(input, "rules"),
    enable: textValues(input, "enable"),
    disable: textValues(input, "disable"),
    minimumConfidence: textValue(input, "min-confidence"),
    host: textValue(input, "host"),
    port: textValue(input, "port"),
    upstream: textValue(input, "upstream"),
    upstreamName: textValue(input, "upstream-name"),
    toolMode: textValue(input, "tool-mode"),
    dryRun: isSet(input, "dry-run"),
    audit: textValue(input, "audit"),
  };
}

/** For verbs that read recorded answers as the proxy would: with the configured plugins, or without them. */
export const PLUGIN_OPTION: Readonly<Record<string, VerbOption>> = {
  "no-plugins": { type: "boolean", description: "Don't run the plugins in the configuration" },
};

/** The parts of a service, without plugins if the flag is set. */
export function chosenParts(setup: Setup, input: VerbInput): ServiceParts {
  const parts = serviceParts(setup);
  return isSet(input, "no-plugins") ? { ...parts, plugins: [] } : parts;
}

/**
 * `dragoman.yaml` as one value: the types, the checks and the JSON Schema for editors come from here. Every key
 * has a default; a file is needed only to say something else.
 *
 * @module
 */
import { z } from "zod";

const milliseconds = z.number().int().positive();

/** One model server; what is left out has its default. */
export const upstreamSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "a name of lower-case letters, digits, _ and -").describe(
    "The upstream's name, for logs and for the path /upstream/NAME/v1/…",
  ),
  url: z.string().describe("The base URL that ends in /v1, as the model server documents it"),
  key_env: z.string().optional().describe(
    "The environment variable that holds the key; without it the client's own Authorization header is passed on",
  ),
  models: z.array(z.string()).default([]).describe(
    "Model names that this upstream serves, * for any run of characters; empty: it serves every model",
  ),
  model_names: z.record(z.string(), z.string()).default({}).describe(
    "What the client calls a model → what this upstream calls it",
  ),
  defaults: z.record(z.string(), z.unknown()).default({}).describe(
    "Request fields that are added where the client left them out (max_tokens, temperature …)",
  ),
  begins_in_reasoning: z.boolean().default(false).describe(
    "Whether the model's template opens its reasoning (<think>) itself, so that an answer begins inside it",
  ),
});

/** The configuration as it stands in `dragoman.yaml`. */
export const configSchema = z.strictObject({
  listen: z.strictObject({
    hostname: z.string().default("127.0.0.1").describe("The address to listen on"),
    port: z.number().int().min(0).max(65535).default(8787).describe("The port; 0 lets the system choose one"),
  }).prefault({}),
  upstreams: z.array(upstreamSchema).default([]).describe(
    "Model servers, first match by model name wins; none: the embedded sample model answers",
  ),
  policy: z.strictObject({
    minimum_confidence: z.number().min(0).max(1).default(0.9).describe(
      "A rule under this confidence never makes a call",
    ),
    reasoning: z.enum(["ignore", "recover"]).default("ignore").describe(
      "`recover`: a whole call at the end of the reasoning is made if the answer has no other call and no text",
    ),
    echo_guard: z.boolean().default(true).describe(
      "Whether markup that stands word for word in the messages that the model answers is a quotation, not a call",
    ),
  }).prefault({}),
  rules: z.strictObject({
    folders: z.array(z.string()).default(["rules"]).describe(
      "Folders of rule files beside the built-in rules; relative to this file. A rule of the same name replaces a built-in one",
    ),
    enable: z.array(z.string()).default([]).describe("Rules to switch on that are off by default"),
    disable: z.array(z.string()).default([]).describe("Rules to switch off"),
    confidence: z.record(z.string(), z.number().min(0).max(1)).default({}).describe(
      "Rule → confidence, instead of the one in its file",
    ),
  }).prefault({}),
  clients: z.strictObject({
    folders: z.array(z.string()).default(["rules/clients"]).describe(
      "Folders of client files beside the built-in ones; relative to this file",
    ),
  }).prefault({}),
  limits: z.strictObject({
    connect_timeout_ms: milliseconds.default(10_000).describe("How long connecting to an upstream may take"),
    first_byte_timeout_ms: milliseconds.default(600_000).describe(
      "How long an upstream may think before it answers",
    ),
    silence_timeout_ms: milliseconds.default(300_000).describe("How long an answer may pause"),
    request_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The largest request that is read",
    ),
    answer_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The largest answer without streaming that is read",
    ),
    drain_timeout_ms: milliseconds.default(10_000).describe(
      "How long running answers may go on after Ctrl-C",
    ),
  }).prefault({}),
});

/** The configuration with its defaults filled in. */
export type Config = z.infer<typeof configSchema>;

/** One model server of the configuration. */
export type UpstreamConfig = Config["upstreams"][number];

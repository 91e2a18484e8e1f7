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
  dry_run: z.boolean().default(false).describe(
    "Whether this upstream's answers reach the client as they came, and the decisions are only recorded",
  ),
});

/** The configuration as it stands in `dragoman.yaml`. */
export const configSchema = z.strictObject({
  listen: z.strictObject({
    hostname: z.string().default("127.0.0.1").describe("The address to listen on"),
    port: z.number().int().min(0).max(65535).default(8787).describe("The port; 0 lets the system choose one"),
    key_env: z.union([z.string(), z.array(z.string()).min(1)]).optional().describe(
      "The environment variable, or several, with the keys that clients have to send; required to listen beyond this machine",
    ),
    open: z.boolean().default(false).describe(
      "Whether to listen beyond this machine without a client key, so that everybody who reaches the port uses the upstreams",
    ),
    hosts: z.array(z.string()).default([]).describe(
      "Names by which clients reach this proxy, beside localhost and the address it listens on",
    ),
    origins: z.array(z.string()).default([]).describe(
      "Origins of web pages that may use this proxy and read its answers, such as https://chat.example",
    ),
  }).prefault({}),
  upstreams: z.array(upstreamSchema).default([]).describe(
    "Model servers, first match by model name wins; none: the embedded sample model answers",
  ),
  policy: z.strictObject({
    dry_run: z.boolean().default(false).describe(
      "Every client gets the original answer byte for byte; the decisions are only recorded (flag: --dry-run)",
    ),
    dry_run_rules: z.array(z.string()).default([]).describe(
      "Rules on trial: their decisions are recorded, their calls are not made",
    ),
    rollout_percent: z.number().min(0).max(100).default(100).describe(
      "How many per cent of the conversations are translated; a conversation never changes sides",
    ),
    minimum_confidence: z.number().min(0).max(1).default(0.9).describe(
      "A rule under this confidence never makes a call",
    ),
    mend_history: z.boolean().default(false).describe(
      "Mend earlier calls of a conversation that a strict server would refuse: arguments that are no JSON, results without an id",
    ),
    reasoning: z.enum(["ignore", "recover"]).default("ignore").describe(
      "`recover`: a whole call at the end of the reasoning is made if the answer has no other call and no text",
    ),
    echo_guard: z.boolean().default(true).describe(
      "Whether a call that stands in a user's or a tool's message, in whatever white space, escapes or line numbers, is a quotation, not a call",
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
  audit: z.strictObject({
    file: z.string().optional().describe(
      "Where every decision and every request is written, one JSON object a line; relative to this file (flag: --audit)",
    ),
    contents: z.boolean().default(false).describe(
      "Whether the text of a candidate and the arguments that were made of it are written too; secrets never are",
    ),
    max_bytes: z.number().int().min(4096).default(64 * 1024 * 1024).describe(
      "The size at which a new file is begun; the old one is kept as FILE.1, FILE.2 …",
    ),
    keep: z.number().int().min(0).max(1000).default(5).describe("How many old files are kept"),
  }).prefault({}),
  admin: z.strictObject({
    key_env: z.string().optional().describe(
      "The environment variable with a key that opens /_dragoman/ and /metrics from any machine; without it only this machine may look, and needs none",
    ),
  }).prefault({}),
  plugins: z.array(z.union([
    z.string(),
    z.looseObject({ use: z.string().describe("A built-in plugin's name, or a path relative to this file") }),
  ])).default([]).describe(
    "Plugins by name or path, or `use` with the plugin's options beside it; they run with the rights of Dragoman",
  ),
  limits: z.strictObject({
    connect_timeout_ms: milliseconds.default(10_000).describe("How long connecting to an upstream may take"),
    first_byte_timeout_ms: milliseconds.default(600_000).describe(
      "How long an upstream may think before it answers",
    ),
    silence_timeout_ms: milliseconds.default(300_000).describe("How long an answer may pause"),
    headers_timeout_ms: milliseconds.default(15_000).describe(
      "How long a client may take to send the head of a request",
    ),
    request_timeout_ms: milliseconds.default(300_000).describe(
      "How long a client may take to send a whole request",
    ),
    request_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The largest request that is read",
    ),
    answer_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The largest answer without streaming that is read",
    ),
    plugin_timeout_ms: milliseconds.default(250).describe(
      "How long a hook of a plugin may take before its result is not used",
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

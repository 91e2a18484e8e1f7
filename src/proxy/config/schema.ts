/** `dragoman.yaml` as one value: types, checks and JSON Schema for editors. Every key has a default. @module */
import * as z from "zod";
import { QUOTATIONS } from "../../engine/rule/quotations.ts";
import { SERVER_NAMES } from "../upstream/profiles/profiles.ts";

const quota = z.number().int().positive().optional();

/** The name of an environment variable. Some people put the key itself there, so no message repeats the text. */
const variable = z.string().refine(
  (name) => /^[A-Za-z_][\w.]*(?:-[\w.]+)*$/.test(name) && !SECRET.test(name),
  {
    error: "This isn't the name of an environment variable",
    params: {
      expected: "a name such as MODEL_SERVER_KEY",
      help:
        "if this is the key itself, put it in an environment variable, because a key in a file gets copied and committed",
    },
  },
);

/** The beginnings of known services' keys. */
const SECRET = /^(?:sk|pk|hf|gsk|xai|ghp|nvapi)[-_]|^AIza/;

const milliseconds = z.number().int().positive();

const STORE_URL = "memory, or an address without a password, such as valkey://127.0.0.1:6379/0";

const toolsField = z.enum(["native", "raw", "prompted", "auto"]);

const dialectField = z.string().optional().describe(
  "The rule whose dialect `tools: prompted` uses; if absent, the one whose `speak.models` matches the model",
);

const budget = z.number().int().min(0);

const budgetField = z.union([budget, z.record(z.string(), budget)]).optional().describe(
  "The maximum number of reasoning tokens before an answer; without it, there is no limit. A mapping such as `{ low: 1000, high: 16000 }` sets one for each effort level that clients can request. Servers that have a field for this limit enforce it themselves. For other servers, Dragoman counts every 4 characters in an agent's stream as one token, stops the reasoning at the limit, and asks the model for its answer. A number in the request (`reasoning_budget`, Anthropic's `budget_tokens`, Google's `thinkingBudget`) can only lower it",
);

export const upstreamSchema = z.strictObject({
  name: z.string().regex(
    /^[a-z0-9][a-z0-9_-]*$/,
    "a name that consists of lowercase letters, digits, _, and -",
  ).describe(
    "The upstream's name, for logs and for the path /upstream/NAME/v1/…",
  ),
  url: z.string().describe("The model server's base URL, which ends in /v1"),
  server: z.enum(SERVER_NAMES).default("auto").describe(
    "The model server's software, which determines how Dragoman switches off the server's parser and parses its errors. `auto`: Dragoman asks the server once, in the background; `none`: Dragoman doesn't ask and treats the server as unknown",
  ),
  heal: z.boolean().default(true).describe(
    "Whether to adapt requests to the server, and to recover an answer that its parser lost: from the server's error, or by asking once more with the parser off",
  ),
  key_env: variable.optional().describe(
    "The environment variable that contains the upstream's key; without it, Dragoman forwards the client's Authorization header",
  ),
  models: z.array(z.string()).default([]).describe(
    "The models that this upstream serves, with * as a wildcard; if empty, it serves every model",
  ),
  model_names: z.record(z.string(), z.string()).default({}).describe(
    "The client's name for a model → the upstream's name",
  ),
  one_model: z.boolean().default(true).describe(
    "Whether to request a known server's only model, regardless of the name that the agent sends; `model_names` takes precedence",
  ),
  defaults: z.record(z.string(), z.unknown()).default({}).describe(
    "Request fields to add if the client leaves them out (max_tokens, temperature …)",
  ),
  rules: z.array(z.string()).min(1).optional().describe(
    "The only rules that read calls in this upstream's answers, even if they are off by default. By default, all enabled rules do. `models` takes precedence",
  ),
  begins_in_reasoning: z.union([z.boolean(), z.literal("auto")]).default("auto").describe(
    "Whether answers start inside the reasoning because the model's template opens it (<think>) in the prompt. `auto`: Dragoman asks the server how its prompt ends, if the server can report that, and learns from the model's answers. The request header `x-dragoman-begins-in-reasoning` takes precedence",
  ),
  tools: toolsField.default("auto").describe(
    "How the upstream gets a request's tools. `native`: as the client sends them. `raw`: the same, but with the server's parser off, so that Dragoman reads the model's own text; not every server supports it. `prompted`: described in the prompt, in the model's own dialect, for servers without tool support. `auto`: `native`, or `raw` where that is known to work better; `prompted` after the upstream refuses `tools`, and `raw` after its parser fails",
  ),
  dialect: dialectField,
  reasoning_budget: budgetField,
  chat_template: z.string().refine((text) => !/^https?:/i.test(text) || URL.canParse(text), {
    error: "This isn't a valid server address",
    params: { expected: "a file, or an address such as http://127.0.0.1:8080/apply-template" },
  }).optional().describe(
    "A Jinja chat template or a tokenizer_config.json, relative to this file, or the URL at which a server applies its own template, such as http://127.0.0.1:8080/apply-template. Dragoman then sends each conversation as one prompt to /v1/completions",
  ),
  context_tokens: z.number().int().positive().optional().describe(
    "The model's context size in tokens; it overrides the server's own number",
  ),
  dry_run: z.boolean().default(false).describe(
    "Whether to send this upstream's answers to clients unchanged and only log the decisions",
  ),
});

export const configSchema = z.strictObject({
  listen: z.strictObject({
    hostname: z.string().default("127.0.0.1").describe("The address to listen on"),
    port: z.number().int().min(0).max(65535).default(8787).describe("The port; 0 lets the system choose one"),
    key_env: z.union([variable, z.array(variable).min(1)]).optional().describe(
      "One or more environment variables that contain the client keys, separated by spaces or commas. Required if other machines can connect",
    ),
    keys: z.record(
      z.string().regex(
        /^[A-Za-z0-9][\w.@-]{0,63}$/,
        "a name that consists of letters, digits, _, ., @, and -",
      ),
      z.string().min(1),
    ).default({}).describe(
      "Named client keys: name → the environment variable or file (relative to this one) that contains the key. The name appears in the log, the metrics, the report, and limit errors",
    ),
    open: z.boolean().default(false).describe(
      "Whether to accept connections from other machines without requiring a client key. Anyone who reaches the port can then use the upstreams",
    ),
    hosts: z.array(z.string()).default([]).describe(
      "Hostnames that clients use to reach this proxy, in addition to localhost and the listening address",
    ),
    origins: z.array(z.string()).default([]).describe(
      "Origins of web pages that may use this proxy and read its answers, such as https://chat.example",
    ),
  }).prefault({}),
  upstreams: z.array(upstreamSchema).default([]).describe(
    "Model servers; the first match by model name wins. If there are none, the embedded sample model answers",
  ),
  routing: z.strictObject({
    strategy: z.enum(["first", "order", "spread"]).default("first").describe(
      "How to choose among several upstreams for one model. `first`: Dragoman uses only the first match. `order`: Dragoman tries the next one if an upstream is unreachable, answers 429, 502, or 503, or sends an empty answer (`policy.empty_answer`). `spread`: like `order`, but conversations start with different upstreams. After an answer has begun, its upstream doesn't change",
    ),
    cooldown_ms: milliseconds.default(30_000).describe(
      "How long a failed upstream stays at the end of the order",
    ),
  }).prefault({}),
  models: z.record(
    z.string(),
    z.strictObject({
      rules: z.array(z.string()).min(1).optional().describe(
        "The only rules that read calls in this model's answers, even if they are off by default",
      ),
      tools: toolsField.optional().describe("How the model gets tools; overrides the upstream's `tools`"),
      dialect: dialectField,
      reasoning_budget: budgetField,
    }),
  ).default({}).describe(
    "Model name (the client's or the upstream's, with * as a wildcard) → the model's settings. The first match wins",
  ),
  tools: z.strictObject({
    whitelist: z.array(z.string()).optional().describe(
      "The only tools that printed calls can use, with * as a wildcard; if absent, every tool in the request. It doesn't affect the upstream's own tool calls",
    ),
    server_tools: z.enum(["leave_out", "refuse", "pass_on"]).default("leave_out").describe(
      "How to treat tools that run on the API provider's servers, such as Anthropic's web search. `leave_out`: remove them, and refuse a request without any other tool; `refuse`: refuse every such request; `pass_on`: send them to the upstream unchanged in `tools`",
    ),
    strict: z.enum(["pass", "add"]).default("pass").describe(
      "Whether to have servers constrain the model's calls with a grammar, if they can. `add`: Dragoman adds `strict` to functions that lack it, and a structural tag in `response_format` for printed calls; it stops for a model after the first grammar error. `pass`: requests stay unchanged, because a grammar can reject calls that the tools allow",
    ),
  }).prefault({}),
  policy: z.strictObject({
    dry_run: z.boolean().default(false).describe(
      "Send every client the original answer, byte for byte, and only log the decisions (flag: --dry-run)",
    ),
    dry_run_rules: z.array(z.string()).default([]).describe(
      "Rules on trial: their decisions are logged, but they make no calls",
    ),
    rollout_percent: z.number().min(0).max(100).default(100).describe(
      "The percentage of conversations in which calls are converted; a conversation always stays in the same group",
    ),
    minimum_confidence: z.number().min(0).max(1).default(0.9).describe(
      "A rule below this confidence never makes a call",
    ),
    repair_history: z.boolean().default(false).describe(
      "Whether to repair earlier calls in a conversation that a strict server would refuse or the model would copy, such as results without an id and calls printed as text. Off by default, because it changes the model's own wording. Arguments that aren't JSON are always repaired",
    ),
    reasoning: z.enum(["ignore", "recover"]).default("recover").describe(
      "How to treat a complete call at the end of the reasoning when the finished answer has no text and no other call. `recover`: make the call; `ignore`: leave it in the reasoning",
    ),
    reasoning_text: z.enum(["separate", "keep"]).default("separate").describe(
      "How to send reasoning that the model prints in its text, such as <think>…</think>. `separate`: as reasoning, without its tags, except to clients that read the tags themselves; `keep`: in the text",
    ),
    calls: z.enum(["streamed", "whole"]).default("streamed").describe(
      "When to send a call in a stream. `streamed`: while the model writes its arguments, so that an agent can show a long file as it grows; `whole`: only after it is complete, so that a client never gets part of a call",
    ),
    long_prompt: z.enum(["reword", "pass"]).default("reword").describe(
      "How to report a prompt that is longer than the model's context. `reword`: with status 400 and the wording that makes agents compact the conversation; `pass`: in the server's own words",
    ),
    unreadable_call: z.enum(["pass", "ask_again"]).default("pass").describe(
      "How to treat a printed call that no rule can read. `pass`: send its text to the client; `ask_again`: ask the model again, at most twice, with the error and an example. In that case, the client gets each answer only after the answer's first complete call or its end. Off by default, because a second answer costs time and tokens",
    ),
    empty_answer: z.enum(["ask_again", "pass"]).default("ask_again").describe(
      "How to treat an answer that contains neither text nor calls, if the request is from an agent. `ask_again`: ask the model once more, with its own reasoning if it has any, then the next upstream (`routing.strategy`); if all answers are empty, the agent gets the last one. `pass`: send it at once; most agents then end their turn",
    ),
    loop: z.enum(["warn", "stop", "pass"]).default("warn").describe(
      "How to treat a model that keeps making the same call and gets the same result, with no user message in between. `warn`: tell the model after the fourth identical result; `stop`: also end the turn after the sixth, with an answer that explains why; `pass`: do nothing",
    ),
    dropped_thoughts: z.enum(["restore", "pass"]).default("restore").describe(
      "How to treat a request in which the agent dropped or renamed the reasoning before earlier calls. `restore`: put it back for models whose template reads it and for servers that require it; `pass`: leave the request unchanged",
    ),
    repeated_thoughts: z.enum(["end", "pass"]).default("end").describe(
      "How to treat reasoning in an agent's stream that repeats the same passage at least four times. `end`: stop it and ask the model for its answer; `pass`: let it continue until the token limit",
    ),
    quotations: z.array(z.enum(QUOTATIONS)).default([...QUOTATIONS]).describe(
      "The Markdown and HTML structures in which a call counts as an example. To convert the calls in one of them, remove it from the list",
    ),
    fenced_calls: z.enum(["ending", "anywhere", "never"]).default("ending").describe(
      "Which calls in code fences Dragoman converts to tool calls. `ending`: in a fence named for calls, such as `tool_call`, anywhere; in a `json` or unnamed fence, only if the answer ends with one. `anywhere`: in every fence; `never`: in none",
    ),
    second_reader: z.enum(["on", "off"]).default("on").describe(
      "Whether to use evidence to read a call that is damaged or that no rule reads: the tool's name, its schema, and the markup around it. Dragoman makes such a call at the end of the answer, and only if a single interpretation remains (`read_by_evidence`). It is off wherever a model's or an upstream's `rules`, or `dry_run_rules`, select the rules",
    ),
    repair_shapes: z.enum(["on", "off"]).default("on").describe(
      "Whether to repair arguments and names that don't fit a tool if its schema shows the intended form, such as JSON in a string, a string instead of a list, null for an optional parameter, or a different spelling. `off`: keep them as the model wrote them",
    ),
    echo_guard: z.boolean().default(true).describe(
      "Whether to treat a call that already appears in a user's or tool's message as a quotation, regardless of whitespace, escapes, and line numbers",
    ),
  }).prefault({}),
  cache: z.strictObject({
    watch: z.boolean().default(true).describe(
      "Whether to report a request that doesn't begin like the previous one in its conversation. The server has to process the prompt again, starting from the first change",
    ),
    stable_tools: z.boolean().default(false).describe(
      "Whether to sort the tools in each request by name, for agents that change their order",
    ),
    volatile_lines: z.array(z.string().min(1)).default([]).describe(
      "Lines to remove from system prompts because they change with every request, with * as a wildcard, such as `Current time: *`",
    ),
  }).prefault({}),
  rules: z.strictObject({
    folders: z.array(z.string()).default(["rules"]).describe(
      "Folders that contain your own rule files, relative to this file. A rule replaces a built-in rule that has the same name. In a clone, the default is `my_rules`, because `rules` contains the shipped rules",
    ),
    enable: z.array(z.string()).default([]).describe("Rules to enable although they are off by default"),
    disable: z.array(z.string()).default([]).describe("Rules to disable"),
    confidence: z.record(z.string(), z.number().min(0).max(1)).default({}).describe(
      "Rule → confidence; overrides the value in the rule's file",
    ),
  }).prefault({}).describe(
    "The rules that read calls, such as `{ enable: [NAME], disable: [NAME] }`. To keep every answer unchanged, set `policy: { dry_run: true }`",
  ),
  clients: z.strictObject({
    folders: z.array(z.string()).default(["rules/clients"]).describe(
      "Folders that contain your own client files, relative to this file. In a clone, the default is `my_rules/clients`",
    ),
  }).prefault({}),
  store: z.strictObject({
    url: z.string().regex(
      /^(?:memory|(?:valkey|redis|valkeys|rediss):\/\/(?:[\w.~-]+@)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/\d{1,3})?)$/i,
      STORE_URL,
    ).refine((url) => url === "memory" || URL.canParse(url), {
      error: "This isn't a valid server address",
      params: { expected: STORE_URL },
    }).default("memory").describe(
      "Where plugins and limits store their state between requests. `memory`: in this process; valkey://USER@HOST:PORT/DATABASE or redis://…: in a Valkey or Redis server that replicas share; valkeys:// or rediss:// uses TLS",
    ),
    password_env: variable.optional().describe(
      "The environment variable that contains the server's password",
    ),
    ca_env: variable.optional().describe(
      "The environment variable that contains the path of a PEM file with the server's certificate authority",
    ),
    timeout_ms: milliseconds.default(50).describe(
      "Timeout for one operation on the shared server. After a timeout, requests use their process's memory until the server responds again",
    ),
    prefix: z.string().regex(/^[\w.-]{1,64}$/, "1 to 64 letters, digits, _, . and -").default("dragoman")
      .describe(
        "The prefix of every key on the server",
      ),
  }).prefault({}),
  audit: z.strictObject({
    file: z.string().optional().describe(
      "The log of every decision and request, one JSON object per line; relative to this file (flag: --audit)",
    ),
    contents: z.boolean().default(false).describe(
      "Whether to log the text and arguments of each candidate; secrets are always removed",
    ),
    max_bytes: z.number().int().min(4096).default(64 * 1024 * 1024).describe(
      "The size at which the log starts a new file; old files become FILE.1, FILE.2 …",
    ),
    keep: z.number().int().min(0).max(1000).default(5).describe("The number of old files to keep"),
  }).prefault({}),
  admin: z.strictObject({
    key_env: variable.optional().describe(
      "The environment variable that contains the key for /_dragoman/ and /metrics. With a key, other machines can open them, too; without one, only this machine can",
    ),
    contents: z.boolean().default(false).describe(
      "Whether the page at /_dragoman/ shows the contents of requests and answers; secrets are always removed",
    ),
  }).prefault({}),
  plugins: z.array(z.union([
    z.string(),
    z.looseObject({
      use: z.string().describe("A built-in plugin's name, or a path relative to this file"),
      on_failure: z.enum(["pass", "refuse"]).optional().describe(
        "Whether to allow (default) or refuse a call if the plugin fails while it checks the call",
      ),
    }),
  ])).default([]).describe(
    "Plugins by name or path. To set options, write `use` with the name or path, and the options next to it. Plugins run with Dragoman's permissions",
  ),
  limits: z.strictObject({
    connect_timeout_ms: milliseconds.default(10_000).describe("Timeout for connecting to an upstream"),
    first_byte_timeout_ms: milliseconds.default(600_000).describe(
      "Timeout for the first byte of an upstream's answer",
    ),
    silence_timeout_ms: milliseconds.default(300_000).describe("Timeout for a pause in an answer"),
    keep_alive_ms: z.number().int().min(0).default(15_000).describe(
      "How long a stream may be silent before Dragoman sends something to keep the client's connection alive. The first data that it sends is the headers with status 200, so a later error becomes the stream's last event. 0: never",
    ),
    headers_timeout_ms: milliseconds.default(15_000).describe(
      "Timeout for receiving a request's headers",
    ),
    request_timeout_ms: milliseconds.default(300_000).describe(
      "Timeout for receiving a complete request",
    ),
    request_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The maximum size of a request, in bytes",
    ),
    answer_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The maximum size of an answer that is not streamed, in bytes",
    ),
    plugin_timeout_ms: milliseconds.default(250).describe(
      "Timeout for one plugin hook. Dragoman doesn't use the result of a late `onRequest`; other late hooks are reported",
    ),
    per_key: z.strictObject({
      requests_per_minute: quota.describe(
        "Requests per minute for each client key: a client can send this many at once, and then one at a time, spread evenly over the minute. Without client keys, all clients share one limit. With a shared store, replicas count together",
      ),
      tokens_per_minute: quota.describe(
        "Tokens per minute for each client key. Dragoman counts them when an answer ends, so one answer can exceed the limit; it then refuses requests until tokens are available again",
      ),
      requests_per_day: quota.describe("Requests per day for each client key, counted like those per minute"),
      tokens_per_day: quota.describe("Tokens per day for each client key, counted like those per minute"),
      streams: quota.describe("The maximum number of concurrent answers for each client key"),
    }).prefault({}),
    drain_notice_ms: z.number().int().min(0).default(2000).describe(
      "How long Dragoman accepts requests after SIGTERM while /health/ready responds with status 503, so that a load balancer can redirect them. If nothing has queried /health/ready, the port closes immediately",
    ),
    drain_timeout_ms: milliseconds.default(10_000).describe(
      "How long open streams may continue after Ctrl-C or SIGTERM",
    ),
  }).prefault({}),
});

/** The configuration with its defaults filled in. */
export type Config = z.infer<typeof configSchema>;

export type UpstreamConfig = Config["upstreams"][number];

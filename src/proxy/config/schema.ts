/**
 * `dragoman.yaml` as one value: types, checks and the JSON Schema for editors come from here. Every key has a default.
 *
 * @module
 */
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
      help: "if it is a key, put it into the variable: a key in a file gets copied and committed",
    },
  },
);

/** The beginnings of known services' keys. */
const SECRET = /^(?:sk|pk|hf|gsk|xai|ghp|nvapi)[-_]|^AIza/;

const milliseconds = z.number().int().positive();

const STORE_URL = "memory, or an address without a password, such as valkey://127.0.0.1:6379/0";

const toolsField = z.enum(["native", "raw", "prompted", "auto"]);

const dialectField = z.string().optional().describe(
  "The rule whose dialect `tools: prompted` speaks; if absent, the one whose `speak.models` names the model",
);

const budget = z.number().int().min(0);

const budgetField = z.union([budget, z.record(z.string(), budget)]).optional().describe(
  "The most tokens of thoughts before an answer; without it, there is no limit. A mapping such as `{ low: 1000, high: 16000 }` has one for each effort that clients ask for. A server that has a field for it gets it there; for the others, an agent's stream is watched (4 characters count as a token): past the budget it is stopped, and the model is asked for its answer with its thoughts. A number in the request (`reasoning_budget`, Anthropic's `budget_tokens`, Google's `thinkingBudget`) can only make it smaller",
);

export const upstreamSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "a name of lower-case letters, digits, _ and -").describe(
    "The upstream's name, for logs and for the path /upstream/NAME/v1/…",
  ),
  url: z.string().describe("The base URL that ends in /v1, as the model server documents it"),
  server: z.enum(SERVER_NAMES).default("auto").describe(
    "Which model server this is, so that its parser can be switched off and its errors are understood. `auto`: Dragoman asks it once, in the background; `none`: it isn't asked, and is treated as an unknown server",
  ),
  heal: z.boolean().default(true).describe(
    "Whether requests are brought into the form that the server takes, and an answer that the server's parser lost is read from its error, or asked for once more with the parser off",
  ),
  key_env: variable.optional().describe(
    "The environment variable with the key; without it, Dragoman forwards the client's own Authorization header",
  ),
  models: z.array(z.string()).default([]).describe(
    "Model names that this upstream serves, with * for any run of characters; if empty, it serves every model",
  ),
  model_names: z.record(z.string(), z.string()).default({}).describe(
    "The client's name for a model → the upstream's name",
  ),
  one_model: z.boolean().default(true).describe(
    "Whether a known server that lists one model is asked for that model, whatever name the agent sends; names in `model_names` come first",
  ),
  defaults: z.record(z.string(), z.unknown()).default({}).describe(
    "Request fields to add if the client leaves them out (max_tokens, temperature …)",
  ),
  rules: z.array(z.string()).min(1).optional().describe(
    "The only rules that make calls of this upstream's answers, on or off by default; if absent, every rule that is on. `models` comes first",
  ),
  begins_in_reasoning: z.union([z.boolean(), z.literal("auto")]).default("auto").describe(
    "Whether the model's template opens its reasoning (<think>) itself, so that an answer starts inside it. `auto`: the server is asked how its prompt ends, where it can be, and the model's answers show it. The header `x-dragoman-begins-in-reasoning` of a request comes first",
  ),
  tools: toolsField.default("auto").describe(
    "How the upstream gets the tools of a request. `native`: as the client sends them; `raw`: the same prompt, but the server's parser is off, and Dragoman reads the model's own text (for the servers that can do that); `prompted`: in the prompt, in the model's own dialect, for a server that knows nothing of tools; `auto`: natively, or raw where that is known to be better, prompted once the upstream refuses `tools`, and raw once the server's parser fails at an answer; an upstream that takes tools sees no difference",
  ),
  dialect: dialectField,
  reasoning_budget: budgetField,
  chat_template: z.string().refine((text) => !/^https?:/i.test(text) || URL.canParse(text), {
    error: "No server can have this address",
    params: { expected: "a file, or an address such as http://127.0.0.1:8080/apply-template" },
  }).optional().describe(
    "A chat template in Jinja, or a tokenizer_config.json with one, relative to this file; or the address where a server writes prompts with its own template, such as http://127.0.0.1:8080/apply-template. The upstream then gets each conversation as one prompt at /v1/completions",
  ),
  context_tokens: z.number().int().positive().optional().describe(
    "How many tokens a prompt and its answer may have together, if the server doesn't state it, or states another number",
  ),
  dry_run: z.boolean().default(false).describe(
    "Whether clients get this upstream's answers unchanged and decisions are only logged",
  ),
});

export const configSchema = z.strictObject({
  listen: z.strictObject({
    hostname: z.string().default("127.0.0.1").describe("The address to listen on"),
    port: z.number().int().min(0).max(65535).default(8787).describe("The port; 0 lets the system choose one"),
    key_env: z.union([variable, z.array(variable).min(1)]).optional().describe(
      "The environment variable, or several, with the keys that clients must send, separated by spaces or commas; required to listen beyond this machine",
    ),
    keys: z.record(
      z.string().regex(/^[A-Za-z0-9][\w.@-]{0,63}$/, "a name of letters, digits, _, ., @ and -"),
      z.string().min(1),
    ).default({}).describe(
      "Client keys with names: name → the environment variable with the key, or the path of a file that has it, relative to this file. The name is in the log, the metrics and the report, and in what a limit answers",
    ),
    open: z.boolean().default(false).describe(
      "Whether to listen beyond this machine without a client key, so that anyone who reaches the port can use the upstreams",
    ),
    hosts: z.array(z.string()).default([]).describe(
      "Names of this proxy for clients, besides localhost and the listening address",
    ),
    origins: z.array(z.string()).default([]).describe(
      "Origins of web pages that can use this proxy and read its answers, such as https://chat.example",
    ),
  }).prefault({}),
  upstreams: z.array(upstreamSchema).default([]).describe(
    "Model servers; the first match by model name wins. If there are none, the embedded sample model answers",
  ),
  routing: z.strictObject({
    strategy: z.enum(["first", "order", "spread"]).default("first").describe(
      "What several upstreams for one model mean. `first`: the first match answers, and no other; `order`: the next one is asked if one can't be reached, answers 429, 502 or 503, or has nothing to answer (`policy.empty_answer`); `spread`: the same, and each conversation begins with its own upstream. An answer that has begun stays with its upstream",
    ),
    cooldown_ms: milliseconds.default(30_000).describe(
      "How long an upstream that failed is asked after the others",
    ),
  }).prefault({}),
  models: z.record(
    z.string(),
    z.strictObject({
      rules: z.array(z.string()).min(1).optional().describe(
        "The only rules that make calls of this model's answers, on or off by default",
      ),
      tools: toolsField.optional().describe("How the model gets tools, instead of the upstream's `tools`"),
      dialect: dialectField,
      reasoning_budget: budgetField,
    }),
  ).default({}).describe(
    "Model name, the client's or the upstream's, with * for any run of characters → settings of the model. The first match wins",
  ),
  tools: z.strictObject({
    whitelist: z.array(z.string()).optional().describe(
      "The only tools that text can call, with * for any run of characters; if absent, every tool that the request offers. Calls that the upstream sends itself are not affected",
    ),
    server_tools: z.enum(["leave_out", "refuse", "pass_on"]).default("leave_out").describe(
      "What happens to tools that run on the servers of an agent's API, such as Anthropic's web search. `leave_out`: the model is not offered them, and a request without another tool is refused; `refuse`: every such request is refused; `pass_on`: the upstream gets them unchanged in `tools`",
    ),
    strict: z.enum(["pass", "add"]).default("pass").describe(
      "Whether servers that can do that constrain a model's calls by a grammar. `add`: functions without `strict` get it, and calls in text get a structural tag in `response_format`; withdrawn for a model at the first error about a grammar. `pass`, the default: requests stay as they are, because a grammar can refuse what the tools allow",
    ),
  }).prefault({}),
  policy: z.strictObject({
    dry_run: z.boolean().default(false).describe(
      "Every client gets the original answer byte for byte; decisions are only logged (flag: --dry-run)",
    ),
    dry_run_rules: z.array(z.string()).default([]).describe(
      "Rules on trial: their decisions are logged, but they make no calls",
    ),
    rollout_percent: z.number().min(0).max(100).default(100).describe(
      "The percentage of conversations in which calls are converted; a conversation never changes sides",
    ),
    minimum_confidence: z.number().min(0).max(1).default(0.9).describe(
      "A rule below this confidence never makes a call",
    ),
    repair_history: z.boolean().default(false).describe(
      "Repair earlier calls of a conversation that a strict server would refuse or the model would copy: arguments that are not JSON, results without an id, calls that the model printed as text. Off, because it changes the model's own words; arguments that aren't JSON are repaired for every server even so",
    ),
    reasoning: z.enum(["ignore", "recover"]).default("recover").describe(
      "`recover`: make a complete call at the end of the reasoning if the answer has no other call and no text and ends by itself; `ignore`: leave it there",
    ),
    reasoning_text: z.enum(["separate", "keep"]).default("separate").describe(
      "Reasoning that the model prints in its text, such as <think>…</think>. `separate`: clients get it as reasoning, without its marks, except those that read the marks themselves; `keep`: it stays in the text",
    ),
    calls: z.enum(["streamed", "whole"]).default("streamed").describe(
      "When a stream has a call. `streamed`: its arguments arrive while the model writes them, which shows a long file as it grows; `whole`: the client gets it when it is whole, and never a part of one that the token limit cuts off",
    ),
    long_prompt: z.enum(["reword", "pass"]).default("reword").describe(
      "What becomes of the error for a prompt that is longer than the model's context. `reword`: the client gets it in words by which agents compact the conversation, with status 400; `pass`: in the server's own words",
    ),
    unreadable_call: z.enum(["pass", "ask_again"]).default("pass").describe(
      "What becomes of a printed call that no rule can read. `pass`: its text goes to the client; `ask_again`: the model is asked again, at most twice, with the error and an example. The client then gets an answer only when it has a whole call or is over. Off, because a second answer costs time and tokens",
    ),
    empty_answer: z.enum(["ask_again", "pass"]).default("ask_again").describe(
      "What becomes of an answer to an agent that has no text and no call: nothing, white space, only thoughts, or nothing at the token limit. `ask_again`: the model is asked once more with a sentence, or with its own thoughts, then the next upstream of the list (`routing.strategy`), and only then the agent gets it, with the tokens of all of them; `pass`: the agent gets it at once, and most agents end their turn there",
    ),
    loop: z.enum(["warn", "stop", "pass"]).default("warn").describe(
      "What becomes of a model that makes the same call with the same result again and again, without a message of the user in between. `warn`: after the fourth equal result, a sentence tells the model so; `stop`: the same, and after the sixth the turn ends with a plain answer that states why; `pass`: nothing. Reads of a file that changed don't count",
    ),
    dropped_thoughts: z.enum(["restore", "pass"]).default("restore").describe(
      "What becomes of thoughts of earlier answers with calls that an agent leaves out or renames. `restore`: they are remembered by the conversation and their first call, and put back for models whose template reads them, and for servers that refuse a request without them; `pass`: the request stays",
    ),
    repeated_thoughts: z.enum(["end", "pass"]).default("end").describe(
      "What becomes of thoughts that repeat the same stretch at least four times, up to their end, in an agent's stream. `end`: they are ended, and the model is asked for its answer with them; `pass`: they go on until the token limit",
    ),
    quotations: z.array(z.enum(QUOTATIONS)).default([...QUOTATIONS]).describe(
      "The structures of Markdown and HTML in which a call is an example. Leave out one to make the calls in it",
    ),
    fenced_calls: z.enum(["ending", "anywhere", "never"]).default("ending").describe(
      "Where a call in a fence counts. `ending`: in a block marked `json` or not marked only at the end of an answer, and then in all such blocks of it; in a block whose mark names calls, such as `tool_call`, wherever it is. `anywhere`: everywhere; `never`: nowhere",
    ),
    second_reader: z.enum(["on", "off"]).default("on").describe(
      "Whether a call that no rule reads, or that is damaged, is read by evidence: by the offered tool's name, its schema and the marks around it. Such a call is made only if one reading is left, and at the end of the answer; its repair is `read_by_evidence`. Where `rules` of a model or an upstream, or `dry_run_rules`, choose what reads an answer, it is off",
    ),
    repair_shapes: z.enum(["on", "off"]).default("on").describe(
      "Whether arguments and names that don't fit a tool are repaired where its schema shows what is meant: JSON in a string, a lone string for the only required one or for a list, null for an optional parameter, a required parameter or a tool in another spelling. `off`: they stay as the model wrote them",
    ),
    echo_guard: z.boolean().default(true).describe(
      "Whether a call that a user's or a tool's message already contains, in whatever white space, escapes or line numbers, is a quotation",
    ),
  }).prefault({}),
  cache: z.strictObject({
    watch: z.boolean().default(true).describe(
      "Whether a request that doesn't begin as the one before of its conversation is noted, with what changed: from there on, the server reads the prompt again",
    ),
    stable_tools: z.boolean().default(false).describe(
      "Whether the tools of a request are sent in the order of their names, for agents that change it",
    ),
    volatile_lines: z.array(z.string().min(1)).default([]).describe(
      "Lines of system prompts that change from request to request, with * for any text, such as `Current time: *`: the model doesn't get them",
    ),
  }).prefault({}),
  rules: z.strictObject({
    folders: z.array(z.string()).default(["rules"]).describe(
      "More folders of rule files, relative to this file. A rule of the same name replaces a built-in one. In a clone, where `rules` has the shipped ones, the default is `my_rules`",
    ),
    enable: z.array(z.string()).default([]).describe("Rules to enable that are off by default"),
    disable: z.array(z.string()).default([]).describe("Rules to disable"),
    confidence: z.record(z.string(), z.number().min(0).max(1)).default({}).describe(
      "Rule → confidence, overriding its file",
    ),
  }).prefault({}).describe(
    "Which rules read calls, such as `{ enable: [NAME], disable: [NAME] }`. So that no answer changes, write `policy: { dry_run: true }`",
  ),
  clients: z.strictObject({
    folders: z.array(z.string()).default(["rules/clients"]).describe(
      "More folders of client files, relative to this file; in a clone, the default is `my_rules/clients`",
    ),
  }).prefault({}),
  store: z.strictObject({
    url: z.string().regex(
      /^(?:memory|(?:valkey|redis|valkeys|rediss):\/\/(?:[\w.~-]+@)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/\d{1,3})?)$/i,
      STORE_URL,
    ).refine((url) => url === "memory" || URL.canParse(url), {
      error: "No server can have this address",
      params: { expected: STORE_URL },
    }).default("memory").describe(
      "Where plugins and limits keep what one request leaves for the next. `memory`: in this process; valkey://USER@HOST:PORT/DATABASE or redis://…: in a Valkey or Redis server that replicas share; valkeys:// or rediss:// uses TLS",
    ),
    password_env: variable.optional().describe("The environment variable with the server's password"),
    ca_env: variable.optional().describe(
      "The environment variable with the path of a PEM file: the authority that signed the server's certificate",
    ),
    timeout_ms: milliseconds.default(50).describe(
      "The longest that a request waits for the server. After that, requests go on with what their process remembers until the server answers again",
    ),
    prefix: z.string().regex(/^[\w.-]{1,64}$/, "1 to 64 letters, digits, _, . and -").default("dragoman")
      .describe(
        "The beginning of every key in the server",
      ),
  }).prefault({}),
  audit: z.strictObject({
    file: z.string().optional().describe(
      "The file for every decision and every request, one JSON object per line; relative to this file (flag: --audit)",
    ),
    contents: z.boolean().default(false).describe(
      "Whether to include the text of a candidate and its arguments; secrets are always removed",
    ),
    max_bytes: z.number().int().min(4096).default(64 * 1024 * 1024).describe(
      "The size at which a new file starts; the old ones become FILE.1, FILE.2 …",
    ),
    keep: z.number().int().min(0).max(1000).default(5).describe("The number of old files to keep"),
  }).prefault({}),
  admin: z.strictObject({
    key_env: variable.optional().describe(
      "The environment variable with a key for /_dragoman/ and /metrics from any machine; without it, only this machine can see them and needs no key",
    ),
    contents: z.boolean().default(false).describe(
      "Whether the page at /_dragoman/ shows texts: requests, and what the model wrote and the client got; secrets are always removed",
    ),
  }).prefault({}),
  plugins: z.array(z.union([
    z.string(),
    z.looseObject({
      use: z.string().describe("A built-in plugin's name, or a path relative to this file"),
      on_failure: z.enum(["pass", "refuse"]).optional().describe(
        "What becomes of a call if the plugin fails while it decides about it: it passes (default), or it is refused",
      ),
    }),
  ])).default([]).describe(
    "Plugins by name or path, or `use` with `on_failure` and the plugin's options next to it; they run with Dragoman's permissions",
  ),
  limits: z.strictObject({
    connect_timeout_ms: milliseconds.default(10_000).describe("Timeout for connecting to an upstream"),
    first_byte_timeout_ms: milliseconds.default(600_000).describe(
      "Timeout for the first byte of an upstream's answer",
    ),
    silence_timeout_ms: milliseconds.default(300_000).describe("Timeout for a pause in an answer"),
    keep_alive_ms: z.number().int().min(0).default(15_000).describe(
      "How long a client of a stream gets nothing before it gets something that only keeps its connection alive: headers first, whose status is then 200, and after that what the client's file (`keep_alive`) or its API takes. An error that comes later is the stream's last event. 0: never",
    ),
    headers_timeout_ms: milliseconds.default(15_000).describe(
      "Timeout for the head of a request",
    ),
    request_timeout_ms: milliseconds.default(300_000).describe(
      "Timeout for a whole request",
    ),
    request_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The largest request",
    ),
    answer_bytes_max: z.number().int().positive().default(64 * 1024 * 1024).describe(
      "The largest answer that is not streamed",
    ),
    plugin_timeout_ms: milliseconds.default(250).describe(
      "How long a hook of a plugin may take: the result of a later `onRequest` is not used, another one is reported",
    ),
    per_key: z.strictObject({
      requests_per_minute: quota.describe(
        "Requests of one client key a minute: this many at once, then one each time that a part of the minute has passed. Without `listen.key_env`, all clients share one limit. With `store`, replicas count together",
      ),
      tokens_per_minute: quota.describe(
        "Tokens of one client key a minute. They are counted when an answer ends, so one answer may pass the limit, and the next ones wait",
      ),
      requests_per_day: quota.describe("Requests of one client key a day, counted like those of a minute"),
      tokens_per_day: quota.describe("Tokens of one client key a day, counted like those of a minute"),
      streams: quota.describe("Answers of one client key at a time"),
    }).prefault({}),
    drain_notice_ms: z.number().int().min(0).default(2000).describe(
      "After SIGTERM, how long requests are still taken while /health/ready answers 503, so that a balancer sends them elsewhere. If no one has asked /health/ready, the port closes at once",
    ),
    drain_timeout_ms: milliseconds.default(10_000).describe(
      "How long open streams may continue after Ctrl-C or SIGTERM",
    ),
  }).prefault({}),
});

/** The configuration with its defaults filled in. */
export type Config = z.infer<typeof configSchema>;

export type UpstreamConfig = Config["upstreams"][number];

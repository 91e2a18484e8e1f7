/**
 * Requests as agents send them, in every form that some server takes: each has the answer that is right. The model repeats the
 * last message, so an answer to a person who says hello says hello.
 *
 * @module
 */
import { functionCall } from "../support/chat_tools.ts";
import { readChatAnswer } from "../support/chat_answer.ts";
import { user } from "../support/chat_messages.ts";

/** One request and its right answer. */
export interface RequestRow {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What its text contains; or the status and the words of an error. */
  readonly right: string | { readonly status: number; readonly words: RegExp };
}

const ID = "call_abcdefghijklmnopqrstuvwxyz";
const S = { type: "string" };

const tool = (parameters: unknown, more = {}) => ({
  type: "function",
  function: { name: "read_file", description: "d", parameters, ...more },
});
const object = (properties: Readonly<Record<string, unknown>>, more = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  ...more,
});
const TOOLS = [tool(object({ path: S }))];

const hello = user("Hello.");
const assistant = (content: unknown, more = {}) => ({ role: "assistant", content, ...more });
const call = (json: string) => ({ tool_calls: [functionCall(ID, "read_file", json)] });
const called = (content: unknown, more = {}) => assistant(content, { ...call('{"path":"a.txt"}'), ...more });
const result = (content: unknown) => ({ role: "tool", tool_call_id: ID, content });
const system = (content: string) => ({ role: "system", content });

/** A conversation with the tool. */
const chat = (
  name: string,
  messages: readonly unknown[],
  right: RequestRow["right"] = "Hello",
): RequestRow => ({
  name,
  body: { messages, tools: TOOLS },
  right,
});
/** Another tool. */
const tooled = (name: string, tools: readonly unknown[]): RequestRow => ({
  name,
  body: { messages: [hello], tools },
  right: "Hello",
});
/** Other fields. */
const fielded = (name: string, fields: Readonly<Record<string, unknown>>, right = "Hello"): RequestRow => ({
  name,
  body: { messages: [hello], tools: TOOLS, ...fields },
  right,
});
const schema = (name: string, parameters: unknown) => tooled(name, [tool(parameters)]);

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const named = { type: "function", function: { name: "read_file" } };

export const REQUESTS: readonly RequestRow[] = [
  chat("the role developer", [{ role: "developer", content: "Be brief." }, hello]),
  chat("a system message in the middle", [user("Hi."), assistant("Yes?"), system("Be brief."), hello]),
  chat("two system messages", [system("A."), system("B."), hello]),
  chat("content null next to a call", [user("Read."), called(null), result("Hello.")]),
  chat("a call without the key content", [
    user("Read."),
    { role: "assistant", ...call('{"path":"a"}') },
    result("Hello."),
  ]),
  chat("an empty content", [user("Read."), called(""), result("Hello.")]),
  chat("a result in parts", [user("Read."), called(null), result([{ type: "text", text: "Hello." }])]),
  chat("an empty result", [user("Read."), called(null), result(""), hello]),
  chat("broken arguments", [user("Read."), assistant(null, call('{"path":"a.t')), result("Error."), hello]),
  chat("empty arguments", [user("Read."), assistant(null, call("")), result("Hello.")]),
  chat("a call without its result", [user("Read."), called(null), hello]),
  chat("a result without its call", [user("Hi."), result("x"), hello]),
  chat("two messages of the user", [user("A."), hello]),
  chat("parts with cache_control", [
    user([{ type: "text", text: "Hello.", cache_control: { type: "ephemeral" } }]),
  ]),
  chat("an assistant's message at the end", [user("Hi."), assistant("Hel")], ""),
  chat("reasoning in the conversation", [
    user("Read."),
    called(null, { reasoning_content: "I read." }),
    result("Hello."),
  ]),
  tooled("a strict tool", [tool(object({ path: S }, { additionalProperties: false }), { strict: true })]),
  schema("$ref", object({ path: { $ref: "#/$defs/P" } }, { $defs: { P: object({ p: S }) } })),
  schema("a recursive $ref", {
    type: "object",
    $defs: { N: { type: "object", properties: { next: { $ref: "#/$defs/N" } } } },
    properties: { n: { $ref: "#/$defs/N" } },
  }),
  schema("a $ref that leads nowhere", object({ path: { $ref: "#/$defs/None" } })),
  schema("a pattern with a look-ahead", object({ path: { type: "string", pattern: "^(?!/)[a-z]+$" } })),
  schema("a list of types", object({ path: { type: ["string", "null"] } })),
  tooled("no parameters", [{ type: "function", function: { name: "read_file" } }]),
  schema("parameters {}", {}),
  schema("parameters null", null),
  schema("the schema true", object({ path: true })),
  schema("a large maxLength", object({ path: { type: "string", maxLength: 1_000_000 } })),
  schema("a large enum", object({ path: { enum: Array.from({ length: 3000 }, (_, at) => `v${at}`) } })),
  schema("propertyNames", {
    type: "object",
    propertyNames: { pattern: "^[a-z]+$" },
    additionalProperties: S,
  }),
  tooled("a custom tool", [{ type: "custom", custom: { name: "apply_patch", description: "d" } }]),
  tooled("an unknown type of tool", [...TOOLS, { type: "web_search" }]),
  tooled("a name with a dot", [tool(object({ path: S }), { name: "mcp.files/read" })]),
  tooled("an empty list of tools", []),
  fielded("tool_choice required", { tool_choice: "required" }, ""),
  fielded("tool_choice with a name", { tool_choice: named }, ""),
  fielded("tool_choice any", { tool_choice: "any" }, ""),
  fielded("a tool_choice with a name, as in Messages", {
    tool_choice: { type: "tool", name: "read_file" },
  }, ""),
  fielded("a tool_choice with a name, as in Responses", {
    tool_choice: { type: "function", name: "read_file" },
  }, ""),
  fielded("tool_choice any, as in Messages", { tool_choice: { type: "any" } }, ""),
  fielded("allowed_tools as in Responses", {
    tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "read_file" }] },
  }),
  fielded("tool_choice null", { tool_choice: null }),
  fielded("allowed_tools", {
    tool_choice: { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [named] } },
  }),
  fielded("parallel_tool_calls", { parallel_tool_calls: false }),
  fielded("max_completion_tokens", { max_completion_tokens: 50 }),
  fielded("both limits", { max_completion_tokens: 50, max_tokens: 50 }),
  fielded("fields of OpenAI", {
    store: false,
    metadata: { a: "b" },
    prompt_cache_key: "k",
    service_tier: "auto",
    user: "u",
    verbosity: "low",
  }),
  fielded("reasoning_effort", { reasoning_effort: "medium" }),
  {
    name: "response_format json_object",
    body: { messages: [user('{"a": 1}')], response_format: { type: "json_object" } },
    right: "",
  },
  fielded("response_format text", { response_format: { type: "text" } }),
  fielded("fields that are null", { temperature: null, top_p: null, stop: null }),
  chat("a picture for a model that can't see", [
    user([{ type: "text", text: "Hello." }, { type: "image_url", image_url: { url: PIXEL } }]),
  ], "Hello.\n(an image"),
  chat("a recording and a file", [
    user([
      { type: "text", text: "Hello." },
      { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
    ]),
  ], "Hello.\n(a recording"),
  chat("a prompt that is too long", [user("word ".repeat(40_000))], {
    status: 400,
    words: /context/i,
  }),
  chat("an empty list as content", [user("Read."), called([]), result("Hello.")]),
  chat("an assistant's message in parts", [user("Hi."), assistant([{ type: "text", text: "Yes?" }]), hello]),
  chat("a refusal in the conversation", [user("Hi."), assistant(null, { refusal: "No." }), hello]),
  chat("an empty list of calls", [user("Hi."), assistant("Yes?", { tool_calls: [] }), hello]),
  chat("names of people", [{ role: "user", name: "Ann", content: "Hello." }]),
  chat("a result with its tool's name", [user("Read."), called(null), {
    ...result("Hello."),
    name: "read_file",
  }]),
  chat("a call with an index", [
    user("Read."),
    assistant("", { tool_calls: [{ index: 0, ...call('{"path":"a"}').tool_calls[0] }] }),
    result("Hello."),
  ]),
  chat("arguments that are a list", [user("Read."), assistant(null, call("[1]")), result("Hello.")]),
  tooled("no description", [{
    type: "function",
    function: { name: "read_file", parameters: object({ path: S }) },
  }]),
  tooled("a tool twice", [...TOOLS, ...TOOLS]),
  schema("anyOf and const", object({ path: { anyOf: [{ const: "a" }, { type: "null" }] } })),
  schema("$schema and a format", {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...object({ path: { type: "string", format: "uri" } }),
  }),
  chat("parts of other APIs", [
    user([{ type: "input_text", text: "Hi." }]),
    assistant([{ type: "thinking", thinking: "t" }, { type: "output_text", text: "Yes?" }]),
    user("Again."),
    assistant([{ type: "refusal", refusal: "No." }]),
    hello,
  ]),
  chat("two texts in parts", [user([{ type: "text", text: "" }, { type: "text", text: "Hello." }])]),
  chat("a system message in parts", [{ role: "system", content: [{ type: "text", text: "A." }] }, hello]),
  chat("calls and results without an id", [
    user("Read."),
    assistant("", {
      tool_calls: ['{"path":"a"}', '{"path":"b"}'].map((json) => {
        const { id: _, ...made } = functionCall(ID, "read_file", json);
        return made;
      }),
    }),
    { role: "tool", content: "A." },
    { role: "tool", content: "B." },
    hello,
  ]),
  chat("a message that is null", [user("Hi."), assistant("Yes?"), user(null), hello]),
  chat("a result that is null", [user("Read."), called(null), result(null), hello]),
  chat("a result that is an object", [user("Read."), called(null), result({ ok: true }), hello]),
  chat("a picture in a result", [
    user("Read."),
    called(null),
    result([{ type: "text", text: "Done." }, { type: "image_url", image_url: { url: PIXEL } }]),
    hello,
  ]),
  chat("no messages", [], { status: 400, words: /messages/ }),
  chat("a call without its type", [
    user("Read."),
    assistant("", { tool_calls: [{ id: ID, function: { name: "read_file", arguments: "{}" } }] }),
    result("Hello."),
  ]),
  chat("arguments as an object", [
    user("Read."),
    assistant("", {
      tool_calls: [{ ...call("").tool_calls[0], function: { name: "read_file", arguments: {} } }],
    }),
    result("Hello."),
  ]),
  chat("a call of a tool that is gone", [
    user("Read."),
    assistant("", { tool_calls: [functionCall(ID, "gone", "{}")] }),
    result("Hello."),
  ]),
  chat("fields of the conversation that are null", [
    user("Hi."),
    assistant("Yes?", { function_call: null, tool_calls: null, refusal: null, audio: null }),
    hello,
  ]),
  chat("two messages of the assistant", [user("Hi."), assistant("A."), assistant("B."), hello]),
  chat("a message of the assistant first", [assistant("Hi."), hello]),
  chat("unknown fields of a message", [{ ...hello, id: "m1", cache_control: { type: "ephemeral" } }]),
  {
    name: "calls without tools",
    body: { messages: [user("Read."), called(""), result("Hello.")] },
    right: "Hello",
  },
  {
    name: "functions, the older tools",
    body: { messages: [hello], functions: [TOOLS[0]!.function], function_call: "auto" },
    right: "Hello",
  },
  {
    name: "a call of an older API",
    body: {
      messages: [
        user("Read."),
        assistant(null, { function_call: { name: "read_file", arguments: "{}" } }),
        { role: "function", name: "read_file", content: "Hello." },
      ],
      functions: [TOOLS[0]!.function],
    },
    right: "Hello",
  },
  tooled("a tool as in Responses", [{
    type: "function",
    name: "read_file",
    parameters: object({ path: S }),
  }]),
  tooled("a tool as in Messages", [{ name: "read_file", input_schema: object({ path: S }) }]),
  tooled("a tool with fields that are null", [
    tool(object({ path: S }), { strict: null, description: null }),
  ]),
  tooled("a custom tool with a grammar", [{
    type: "custom",
    custom: {
      name: "patch",
      format: { type: "grammar", grammar: { syntax: "lark", definition: "start: /.+/" } },
    },
  }]),
  fielded("an empty stop", { stop: "" }),
  fielded("an empty logit_bias", { logit_bias: {} }),
  fielded("a logit_bias", { logit_bias: { 5: 1 } }),
  fielded("unknown fields", { foo: 1, chat_template_kwargs: { enable_thinking: false } }),
  fielded("reasoning of other APIs", { reasoning: { effort: "low" }, thinking: { type: "disabled" } }),
  fielded("more tokens than the context", { max_tokens: 1_000_000 }),
  {
    name: "a schema for the answer",
    body: {
      messages: [user('{"a": 1}')],
      response_format: {
        type: "json_schema",
        json_schema: { name: "x", schema: object({ a: { type: "integer" } }) },
      },
    },
    right: "",
  },
  fielded("tool_choice none", { tool_choice: "none" }),
  fielded("usage in a stream", { stream_options: { include_usage: true } }),
  fielded("an empty list of stops", { stop: [] }),
  fielded("a seed", { seed: 7 }),
  fielded("two choices", { n: 2 }, ""),
  fielded("logprobs", { logprobs: true, top_logprobs: 2 }),
  fielded("another model", { model: "other" }),
];

/** Sends one request; undefined if it has its right answer, else what it has. */
export async function wrongRequest(
  url: string,
  { model, row, isStreamed }: {
    readonly model: string;
    readonly row: RequestRow;
    readonly isStreamed: boolean;
  },
): Promise<string | undefined> {
  const { body: { max_completion_tokens: limit, ...body }, right } = row;
  const limits = limit === undefined ? { max_tokens: 40 } : { max_completion_tokens: limit };
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, ...limits, stream: isStreamed, ...body }),
    signal: AbortSignal.timeout(90_000),
  });
  const { status } = response;
  const text = await response.text();
  const shown = `${status} ${text.slice(0, 300)}`;
  if (typeof right !== "string") return status === right.status && right.words.test(text) ? undefined : shown;
  if (status !== 200) return shown;
  const { content, calls, error } = readChatAnswer(text, isStreamed);
  const isAnswered = error === undefined && content.length + calls.length > 0;
  return isAnswered && content.includes(right) ? undefined : shown;
}

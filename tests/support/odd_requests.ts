/**
 * Requests of every wire that are wrong somewhere: values of other types at every place of a valid request, deep nesting,
 * texts full of brackets, bodies in odd encodings.
 *
 * @module
 */
/** A request that a client of a wire could send. */
export interface OddRequest {
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const SCHEMA = {
  type: "object",
  properties: { path: { type: "string" }, tags: { type: "array", items: { type: ["string", "null"] } } },
  required: ["path"],
  $defs: { a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/a" }] } },
};
const FUNCTION = { name: "write_file", description: "Writes a file", parameters: SCHEMA, strict: false };
const CHAT_TOOL = { type: "function", function: FUNCTION };
const ARGUMENTS = { path: "a.ts", tags: ["x", null], content: "a\n" };

/** A conversation, as chat completions and Ollama take it. */
const CHAT_MESSAGES = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [{ type: "text", text: "Go" }, { type: "image_url", image_url: { url: "data:," } }],
  },
  {
    role: "assistant",
    content: null,
    reasoning_content: "hm",
    tool_calls: [{
      id: "c1",
      type: "function",
      function: { name: "write_file", arguments: JSON.stringify(ARGUMENTS) },
    }],
  },
  { role: "tool", tool_call_id: "c1", name: "write_file", content: "ok" },
  { role: "user", content: "And now?" },
];

const IMAGE = { type: "image", source: { type: "base64", media_type: "image/png", data: "AA==" } };

const ANTHROPIC = {
  model: "m",
  max_tokens: 100,
  stream: true,
  temperature: 1,
  thread: { type: "create" },
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  metadata: { user_id: "u" },
  stop_sequences: ["x"],
  tool_choice: { type: "tool", name: "write_file", disable_parallel_tool_use: true },
  output_config: { format: { type: "json_schema", schema: SCHEMA } },
  tools: [
    { name: "write_file", description: "Writes a file", input_schema: SCHEMA, strict: false },
    { name: "deploy", input_schema: SCHEMA, defer_loading: true },
    { type: "web_search_20250305", name: "web_search" },
  ],
  messages: [
    { role: "user", content: [{ type: "text", text: "Go" }, IMAGE] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "Writing." },
        { type: "tool_use", id: "c1", name: "write_file", input: ARGUMENTS },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          is_error: true,
          content: [{ type: "text", text: "ok" }, IMAGE, { type: "tool_reference", tool_name: "deploy" }],
        },
        { type: "document", title: "d", source: { type: "text", media_type: "text/plain", data: "text" } },
        { type: "document", source: { type: "content", content: [{ type: "text", text: "b" }] } },
        { type: "search_result", title: "t", source: "s", content: [{ type: "text", text: "found" }] },
        { type: "tool_addition", tool: { definition: { name: "more", input_schema: SCHEMA } } },
        { type: "tool_removal", tool: { type: "tool_reference", name: "deploy" } },
      ],
    },
    { role: "system", content: "Mind the time." },
    { role: "user", content: "And now?" },
  ],
};

const RESPONSES = {
  model: "m",
  stream: true,
  instructions: "Be brief.",
  max_output_tokens: 100,
  reasoning: { effort: "low", summary: "auto" },
  text: { format: { type: "json_schema", name: "answer", schema: SCHEMA, strict: true } },
  metadata: { a: "b" },
  parallel_tool_calls: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "write_file" }] },
  tools: [
    { type: "function", name: "write_file", description: "Writes a file", parameters: SCHEMA, strict: false },
    {
      type: "custom",
      name: "apply_patch",
      format: { type: "grammar", syntax: "lark", definition: "start: x" },
    },
    { type: "namespace", name: "n", tools: [{ type: "function", name: "f", parameters: SCHEMA }] },
    { type: "local_shell" },
    { type: "web_search" },
  ],
  input: [
    { role: "developer", content: [{ type: "input_text", text: "Mind the time." }] },
    {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "Go" },
        { type: "input_image", image_url: "data:," },
        { type: "input_file", file_data: "data:,", filename: "f" },
      ],
    },
    { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: null },
    {
      type: "reasoning",
      content: [{ type: "reasoning_text", text: "hm" }],
      encrypted_content: "dragoman:aGk=",
    },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "Writing." }] },
    { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
    { type: "function_call", call_id: "c1", name: "write_file", arguments: JSON.stringify(ARGUMENTS) },
    { type: "function_call", id: "c3", name: "f", namespace: "n", arguments: "{}" },
    { type: "custom_tool_call", call_id: "c2", name: "apply_patch", input: "x" },
    { type: "local_shell_call", call_id: "c4", action: { type: "exec", command: ["ls"] } },
    { type: "function_call_output", call_id: "c1", output: "ok" },
    { type: "function_call_output", call_id: "c3", output: [{ type: "input_text", text: "ok" }] },
    { type: "custom_tool_call_output", call_id: "c2", output: { content: "ok" } },
    { type: "local_shell_call_output", call_id: "c4", output: { output: "ok" } },
    { type: "additional_tools", tools: [{ type: "function", name: "g", parameters: SCHEMA }] },
    { role: "user", content: "And now?" },
  ],
};

const OLLAMA = {
  model: "m",
  stream: true,
  think: "low",
  format: SCHEMA,
  keep_alive: "5m",
  options: { temperature: 1, num_predict: 100, stop: ["x"], seed: 1 },
  tools: [CHAT_TOOL],
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Go", images: ["/9j/AA=="] },
    {
      role: "assistant",
      content: "",
      thinking: "hm",
      tool_calls: [
        { id: "c1", function: { name: "write_file", arguments: ARGUMENTS } },
        { function: { name: "write_file", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_name: "write_file", tool_call_id: "c1", content: "ok" },
    { role: "user", content: "And now?" },
  ],
};

const GEMINI_SCHEMA = {
  type: "OBJECT",
  properties: {
    path: { type: "STRING", nullable: true },
    tags: { type: "ARRAY", items: { anyOf: [{ type: "STRING" }, { type: ["INTEGER", "NULL"] }] } },
  },
};

const GEMINI = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  generationConfig: {
    temperature: 1,
    maxOutputTokens: 100,
    stopSequences: ["x"],
    responseMimeType: "application/json",
    responseSchema: GEMINI_SCHEMA,
    thinkingConfig: { includeThoughts: true },
  },
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["write_file"] } },
  tools: [
    {
      functionDeclarations: [{ name: "write_file", description: "Writes a file", parameters: GEMINI_SCHEMA }],
    },
    { function_declarations: [{ name: "g", parametersJsonSchema: SCHEMA }] },
  ],
  contents: [
    {
      role: "user",
      parts: [
        { text: "Go" },
        { inlineData: { mimeType: "image/png", data: "AA==" } },
        { fileData: { mimeType: "image/png", fileUri: "data:," } },
      ],
    },
    {
      role: "model",
      parts: [
        { text: "hm", thought: true },
        { text: "Writing." },
        { functionCall: { id: "c1", name: "write_file", args: ARGUMENTS }, thoughtSignature: "s" },
        { functionCall: { name: "g", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "c1", name: "write_file", response: { output: "ok" } } },
        { functionResponse: { name: "g", response: { a: [1] }, parts: [{ inlineData: { data: "AA==" } }] } },
      ],
    },
    { role: "user", parts: [{ text: "And now?" }] },
  ],
};

const CHAT = {
  model: "m",
  stream: true,
  n: 1,
  seed: 1,
  max_tokens: 100,
  stream_options: { include_usage: true },
  stop: ["x"],
  tools: [CHAT_TOOL],
  tool_choice: { type: "function", function: { name: "write_file" } },
  parallel_tool_calls: false,
  response_format: { type: "json_schema", json_schema: { name: "answer", schema: SCHEMA } },
  messages: CHAT_MESSAGES,
};

const LEGACY_CHAT = {
  model: "m",
  functions: [FUNCTION],
  function_call: { name: "write_file" },
  messages: [
    { role: "user", content: "Go" },
    { role: "assistant", content: null, function_call: { name: "write_file", arguments: "{}" } },
    { role: "function", name: "write_file", content: "ok" },
  ],
};

/** Wire → path → a valid body that has every field that the wire reads. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  chat: {
    "/v1/chat/completions": CHAT,
    "/v1/chat/completions?whole": { ...CHAT, stream: false },
    "/v1/chat/completions?legacy": LEGACY_CHAT,
    "/roo/v1/chat/completions": CHAT,
    "/upstream/prompted/v1/chat/completions": CHAT,
    "/upstream/prompted/v1/chat/completions?legacy": LEGACY_CHAT,
  },
  anthropic: {
    "/v1/messages": ANTHROPIC,
    "/v1/messages?beta=true": { ...ANTHROPIC, stream: false },
    "/v1/messages/count_tokens": ANTHROPIC,
  },
  responses: {
    "/v1/responses": RESPONSES,
    "/v1/responses/": { ...RESPONSES, stream: false },
    "/v1/responses?text": { ...RESPONSES, input: "Go" },
  },
  ollama: {
    "/api/chat": OLLAMA,
    "/api/chat?whole": { ...OLLAMA, stream: false },
    "/api/embed": { model: "m", input: ["Go", "on"], dimensions: 2, truncate: true },
    "/api/embeddings": { model: "m", prompt: "Go" },
    "/api/show": { model: "m", verbose: true },
    "/api/generate": { model: "m", prompt: "Go" },
  },
  gemini: {
    "/v1beta/models/m:streamGenerateContent?alt=sse": GEMINI,
    "/v1beta/models/m:generateContent": { ...GEMINI, contents: GEMINI.contents[0] },
    "/v1beta/models/m:generateContent?many": GEMINI,
    "/v1beta/models/m:countTokens": { contents: GEMINI.contents, generateContentRequest: GEMINI },
  },
};

/** A source of numbers from 0 to below 1. */
type Random = () => number;

/** JSON texts of values that are wrong at most places. */
const ODD_VALUES: readonly string[] = [
  '{"toString":1,"valueOf":1}',
  '{"toString":null,"toJSON":1,"length":-1}',
  '{"__proto__":{"type":"text"},"constructor":null}',
  '[{"toString":1}]',
  "null",
  "true",
  "false",
  "0",
  "-1.5e300",
  "1e400",
  "12345678901234567890",
  '""',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"text"',
  '"' + "[{".repeat(5000) + '"',
  '"\\"' + "\\\\".repeat(2000) + '"',
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '[{"type":"text","text":{"toString":1}}]',
  '{"type":{"toString":1}}',
  '{"type":"tool_result"}',
  '{"$ref":"#"}',
  "[".repeat(300) + "]".repeat(300),
  '{"a":'.repeat(8000) + "1" + "}".repeat(8000),
  "[".repeat(50_000) + "]".repeat(50_000),
  '{"a":['.repeat(100) + "1" + "]}".repeat(100),
];

/** The requests before they become odd. */
export function validRequests(wire: string): OddRequest[] {
  return Object.entries(REQUESTS[wire]!).map(([path, body]) => plainRequest(path, JSON.stringify(body)));
}

/** The requests of a wire with an object instead of each value, one after the other. */
export function* wronglyTyped(wire: string): Generator<OddRequest> {
  for (const { path, body } of validRequests(wire)) {
    const json = String(body);
    for (const { start, end } of placesOf(json)) {
      yield plainRequest(path, json.slice(0, start) + ODD_VALUES[0] + json.slice(end));
    }
  }
}

/** Endless different requests of a wire; equal random numbers give equal requests. */
export function* oddRequests(wire: string, random: Random): Generator<OddRequest> {
  const requests = validRequests(wire);
  for (;;) {
    const { path, body } = pick(requests, random);
    let json = String(body);
    for (let left = random() < 0.7 ? 1 : 1 + Math.floor(random() * 4); left > 0; left--) {
      json = change(json, random);
    }
    yield encode(plainRequest(path, json), random);
  }
}

function plainRequest(path: string, body: string): OddRequest {
  return { path, body, headers: { "content-type": "application/json" } };
}

/** A place in a JSON text: a value, or a field with its key. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** Where the key begins; undefined for an entry of a list. */
  readonly key?: number;
}

function change(text: string, random: Random): string {
  const places = placesOf(text);
  if (places.length === 0) return text;
  const { start, end, key } = pick(places, random);
  const replaced = (json: string) => text.slice(0, start) + json + text.slice(end);
  const kind = random();
  if (kind < 0.8 || key === undefined) return replaced(pick(ODD_VALUES, random));
  const rest = text.slice(end);
  if (kind < 0.87) return text.slice(0, key) + `"odd":0` + rest;
  if (kind < 0.94) return `${text.slice(0, end)},${text.slice(key, start)}${pick(ODD_VALUES, random)}${rest}`;
  return replaced(`[${text.slice(start, end)},${text.slice(start, end)}]`);
}

/** All values in a JSON text without white space. Iterative: the text may be nested deep. */
function placesOf(text: string): Place[] {
  const places: Place[] = [];
  const open: { readonly start: number; readonly key?: number }[] = [];
  let key: number | undefined;
  const end = (place: { start: number; key?: number }, at: number) => {
    places.push({ ...place, end: at });
    key = undefined;
  };
  const token = /[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const start = match.index;
    const first = match[0][0]!;
    const place = key === undefined ? { start } : { start, key };
    if (first === "{" || first === "[") {
      open.push(place);
      key = undefined;
    } else if (first === "}" || first === "]") end(open.pop()!, start + 1);
    else if (first === ":" || first === ",") continue;
    else if (first === '"' && text[token.lastIndex] === ":") key = start;
    else end(place, token.lastIndex);
  }
  return places.filter(({ end, start }) => end - start < text.length);
}

function encode(request: OddRequest, random: Random): OddRequest {
  if (random() < 0.95) return request;
  const json = String(request.body);
  const odd: readonly (() => Partial<OddRequest>)[] = [
    () => ({ body: `\ufeff${json}` }),
    () => ({ body: json.slice(0, Math.floor(random() * json.length)) }),
    () => ({ body: json.slice(1) }),
    () => ({ body: `[${json}]` }),
    () => ({ body: pick(ODD_VALUES, random) }),
    () => ({ body: "" }),
    () => ({ body: `${json}\0` }),
    () => ({ body: new Uint8Array([...new TextEncoder().encode(json.slice(0, -20)), 0xff, 0xc3, 0x28]) }),
    () => ({ body: new Uint8Array(new Uint16Array([...json].map((unit) => unit.charCodeAt(0))).buffer) }),
    () => ({ headers: { "content-type": "application/json", "content-encoding": "gzip" } }),
    () => ({ headers: { "content-type": "application/json", "content-encoding": "odd" } }),
    () => ({ headers: { "content-type": "text/plain; charset=utf-16" } }),
  ];
  return { ...request, ...pick(odd, random)() };
}

function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

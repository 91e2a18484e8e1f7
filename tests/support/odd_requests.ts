/**
 * Requests of every wire that are wrong somewhere: values of other types at every place of a valid request, deep nesting,
 * texts full of brackets, bodies in odd encodings. `requests` has the valid ones, with every field that a wire reads.
 *
 * @module
 */
import ANTHROPIC from "./requests/anthropic.json" with { type: "json" };
import CHAT from "./requests/chat.json" with { type: "json" };
import GEMINI from "./requests/gemini.json" with { type: "json" };
import LEGACY_CHAT from "./requests/legacy_chat.json" with { type: "json" };
import OLLAMA from "./requests/ollama.json" with { type: "json" };
import RESPONSES from "./requests/responses.json" with { type: "json" };

/** A request that a client of a wire could send. */
export interface OddRequest {
  readonly path: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

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

/** The requests of a wire with null instead of each entry of a list, one after the other. */
export function* withoutEntries(wire: string): Generator<OddRequest> {
  for (const { path, body } of validRequests(wire)) {
    const json = String(body);
    for (const { start, end, key } of placesOf(json)) {
      if (key === undefined && start > 0) {
        yield plainRequest(path, `${json.slice(0, start)}null${json.slice(end)}`);
      }
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

/** All values in a JSON text without whitespace. Iterative: the text may be nested deep. */
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

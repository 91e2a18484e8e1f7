/**
 * The other processes of the proxy bench:
 *
 * - `upstream PORT` streams chat chunks as the request's `bench` field, or its model's name, asks for;
 * - `raw PORT URL` forwards the upstream's body without reading it, the least a Deno proxy can cost;
 * - `json PORT URL` splits the stream into events, parses each one and writes it again: what any proxy costs that
 *   looks at every message. The bounds of the bench are ratios to this one.
 *
 * @module
 */
import { corpora, longCall } from "./proxy_corpus.ts";

/** What the bench asks of the upstream. */
export interface BenchRequest {
  /** The name of the text to stream. */
  readonly corpus: string;
  /** How many events to send; the text repeats as often as needed. */
  readonly events: number;
  /** Milliseconds between two events; 0 sends as fast as the reader takes them. */
  readonly intervalMs: number;
  /** How long a paced stream waits before its first interval, in milliseconds, if it keeps to a schedule of its own. */
  readonly phaseMs?: number;
  /** How many events a paced stream sends at once; 1 unless given. */
  readonly burst?: number;
  /** Whether to stop after the first event and leave the stream open until the reader leaves. */
  readonly isIdle?: boolean;
}

/** A clock that all processes of a machine share, in milliseconds. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}

const encoder = new TextEncoder();

function eventBytes(content: string, written?: number): Uint8Array {
  return encoder.encode(eventText(content, written));
}

/** One event. `written` carries the time only when the stream is paced, because servers send constant fields. */
function eventText(content: string, written?: number): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }];
  const chunk = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "bench", choices };
  const timed = written === undefined ? "" : `: written ${written}\n`;
  return `${timed}data: ${JSON.stringify(chunk)}\n\n`;
}

const LAST = encoder.encode(
  `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
);

interface EncodedCorpus {
  readonly pieces: readonly string[];
  readonly bytes: readonly Uint8Array[];
}

/** Made by the first request: a proxy has none, and must not hold what it doesn't need. */
let encodedCorpora: ReadonlyMap<string, EncodedCorpus> | undefined;

function encodeCorpora(): ReadonlyMap<string, EncodedCorpus> {
  const all = [...corpora(), longCall()];
  return new Map(
    all.map(({ name, pieces }) => [name, { pieces, bytes: pieces.map((piece) => eventBytes(piece)) }]),
  );
}

function answer(request: BenchRequest): ReadableStream<Uint8Array> {
  encodedCorpora ??= encodeCorpora();
  const corpus = encodedCorpora.get(request.corpus);
  if (corpus === undefined) throw new Error(`No corpus is named ${request.corpus}`);
  const { pieces, bytes } = corpus;
  let sent = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const close = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    clearInterval(timer);
    controller.enqueue(LAST);
    controller.close();
  };
  if (request.isIdle) {
    return new ReadableStream({ start: (controller) => controller.enqueue(bytes[0]!) });
  }
  if (request.intervalMs === 0) {
    return new ReadableStream({
      pull(controller) {
        if (sent === request.events) return close(controller);
        controller.enqueue(bytes[sent++ % bytes.length]!);
      },
    });
  }
  const { burst = 1, intervalMs, phaseMs } = request;
  return new ReadableStream({
    start(controller) {
      const send = () => {
        if (sent >= request.events) return close(controller);
        if (burst > 1) {
          const from = sent;
          sent += burst;
          const events = Array.from({ length: burst }, (_, index) => pieces[(from + index) % pieces.length]!);
          return controller.enqueue(encoder.encode(events.map((piece) => eventText(piece)).join("")));
        }
        const index = sent++;
        // Every tenth event carries the time at which it was written.
        if (index % 10 !== 9) return controller.enqueue(bytes[index % bytes.length]!);
        controller.enqueue(eventBytes(pieces[index % pieces.length]!, sharedNow()));
      };
      if (phaseMs === undefined) return void (timer = setInterval(send, intervalMs));
      // An interval counts from when it fired, so after some wake-ups all intervals would fire together.
      let due = performance.now() + phaseMs;
      const wait = () => {
        due += intervalMs;
        timer = setTimeout(() => {
          wait();
          send();
        }, Math.max(0, due - performance.now()));
      };
      wait();
    },
    cancel: () => clearInterval(timer),
  });
}

/** What a request asks for. No wire has a field for it, so it can be in the name of the model. */
function benchOf({ bench, model }: { readonly bench?: BenchRequest; readonly model: string }): BenchRequest {
  return bench ?? JSON.parse(model.slice(model.indexOf(" ")));
}

/** Parses and writes every event, and nothing else. */
function parseAndWrite(body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  const decoder = new TextDecoder();
  let buffer = new ArrayBuffer(16 * 1024);
  let rest = "";
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(buffer));
        if (done) return controller.close();
        buffer = value.buffer;
        const events = (rest + decoder.decode(value, { stream: true })).split("\n\n");
        rest = events.pop()!;
        if (events.length === 0) continue;
        return controller.enqueue(encoder.encode(events.map(rewriteEvent).join("")));
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

function rewriteEvent(event: string): string {
  const at = event.indexOf("data: ");
  const data = event.slice(at + 6);
  if (data === "[DONE]") return `${event}\n\n`;
  return `${event.slice(0, at)}data: ${JSON.stringify(JSON.parse(data))}\n\n`;
}

if (import.meta.main) {
  const [role, port, url] = Deno.args;
  const options = { hostname: "127.0.0.1", port: Number(port), onListen() {} };
  const stream = { headers: { "content-type": "text/event-stream" } };
  Deno.serve(options, async (request) => {
    if (request.method === "GET") return new Response("ok");
    if (role === "upstream") {
      return new Response(answer(benchOf(await request.json())), stream);
    }
    const response = await fetch(new URL(new URL(request.url).pathname, url), {
      method: request.method,
      headers: { "content-type": "application/json" },
      body: await request.text(),
      signal: request.signal,
    });
    if (role === "raw" || response.body === null) return new Response(response.body, stream);
    return new Response(parseAndWrite(response.body), stream);
  });
}

/**
 * A model server that prints what a test specifies: a real HTTP server on 127.0.0.1 whose answers come in pieces of
 * 3 to 8 characters, streamed or not as the request asks, with switches for what odd servers do.
 *
 * @module
 */

/** What the server prints, and how oddly. */
export interface Script {
  /** The text of every choice, or one text for each. */
  readonly text?: string | readonly string[];
  /** `reasoning_content`, before the text. */
  readonly reasoning?: string;
  /** The token counts, if not those of every answer. */
  readonly usage?: Readonly<Record<string, number>>;
  /** The finish reason; `stop` by default. */
  readonly finish?: string;
  /** Fields of every chunk and of the whole answer. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The whole stream and the whole body to the letter, instead of what is printed. */
  readonly raw?: { readonly stream: string; readonly body: string };
  /** An HTTP status and a body instead of an answer. */
  readonly error?: {
    readonly status: number;
    readonly body: string;
    readonly headers?: Record<string, string>;
  };
  /** `silent`: never answers; `pause`: stops in the middle; `break`: the connection breaks there; `end`: it ends. */
  readonly fate?: "silent" | "pause" | "break" | "end";
  /** About where the fate strikes, in characters of the text: by default its middle; exactly at its end if it is infinite. */
  readonly fateAt?: number;
  /** How many UTF-16 units a piece of a stream has, if not 3 to 8. */
  readonly pieceLength?: number;
  /** How long the server is silent before its answer begins. */
  readonly delayMs?: number;
  readonly lineEnd?: "\n" | "\r\n";
  /** The body is compressed although no one asked for it. */
  readonly isCompressed?: boolean;
  /** Prints its text again and again until the client leaves. */
  readonly isEndless?: boolean;
}

export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** Resolves when whoever asked has gone before the answer was over. */
  readonly left: Promise<void>;
  leave(): void;
}

/** A server that is running. */
export interface ScriptedUpstream {
  /** Its base URL, ending in /v1. */
  readonly url: string;
  /** The requests so far. */
  readonly requests: readonly Arrived[];
  /** Resolves with the next request. */
  next(): Promise<Arrived>;
  [Symbol.asyncDispose](): Promise<void>;
}

const IDENTITY = { id: "chatcmpl-scripted", created: 1700000000, system_fingerprint: "fp_scripted" };
export const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/** Starts a server. `script` may look at the request. */
export function startUpstream(script: Script | ((request: Arrived) => Script)): ScriptedUpstream {
  const requests: Arrived[] = [];
  const waiting: ((request: Arrived) => void)[] = [];
  const stopping = new AbortController();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    request.signal.addEventListener("abort", () => leave());
    const { method, headers } = request;
    const arrived = {
      method,
      path: pathname + search,
      headers,
      body: await request.text().catch(() => ""),
      left,
      leave,
    };
    requests.push(arrived);
    waiting.shift()?.(arrived);
    return await answer(arrived, {
      script: typeof script === "function" ? script(arrived) : script,
      stopping,
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    requests,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await server.shutdown();
    },
  };
}

interface Scene {
  readonly script: Script;
  readonly stopping: AbortController;
}

async function answer(arrived: Arrived, { script, stopping }: Scene): Promise<Response> {
  if (script.error) {
    const { status, body, headers } = script.error;
    return new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
  }
  if (!arrived.path.startsWith("/v1/chat/completions")) return echo(arrived);
  if (script.delayMs !== undefined) await Promise.race([arrived.left, delay(script.delayMs)]);
  if (script.fate === "silent") await Promise.race([arrived.left, aborted(stopping.signal)]);
  const request = JSON.parse(arrived.body);
  if (script.raw) return rawAnswer(script.raw, { isStreamed: request.stream === true, fate: script.fate });
  if (request.stream !== true) return compress(Response.json(whole(request, script)), script);
  const messages = streamed(request, script);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = messages.next();
      if (done) return controller.close();
      if (value === "break") return controller.error(new Error("the script breaks off"));
      if (value === "pause") {
        await Promise.race([arrived.left, aborted(stopping.signal)]);
        return controller.close();
      }
      controller.enqueue(new TextEncoder().encode(value.replaceAll("\n", script.lineEnd ?? "\n")));
    },
    // A server that is writing learns from its stream that no one reads, one that is waiting from the request.
    cancel: () => arrived.leave(),
  });
  return compress(
    new Response(body, { headers: { "content-type": "text/event-stream", "x-upstream": "yes" } }),
    script,
  );
}

/** Raw bytes in pieces that keep to no message and no character; `break`: the connection breaks at their end. */
function rawAnswer(
  { stream, body }: { stream: string; body: string },
  { isStreamed, fate }: { isStreamed: boolean; fate: Script["fate"] },
): Response {
  if (!isStreamed) return new Response(body, { headers: { "content-type": "application/json" } });
  const bytes = new TextEncoder().encode(stream);
  let at = 0;
  const pieces = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at < bytes.length) return controller.enqueue(bytes.slice(at, at += 301));
      if (fate === "break") return controller.error(new Error("the script breaks off"));
      controller.close();
    },
  });
  return new Response(pieces, { headers: { "content-type": "text/event-stream" } });
}

function echo({ method, path, body, headers }: Arrived): Response {
  return Response.json({ method, path, body }, { headers: { "x-echo": headers.get("x-echo") ?? "" } });
}

function compress(response: Response, { isCompressed }: Script): Response {
  if (!isCompressed || response.body === null) return response;
  const headers = new Headers(response.headers);
  headers.set("content-encoding", "gzip");
  return new Response(response.body.pipeThrough(new CompressionStream("gzip")), { headers });
}

function texts({ text = "" }: Script, n: number): string[] {
  return Array.from({ length: n }, (_, index) => typeof text === "string" ? text : text[index] ?? "");
}

function whole(request: { model?: string; n?: number }, script: Script): unknown {
  return {
    ...IDENTITY,
    object: "chat.completion",
    model: request.model,
    choices: texts(script, request.n ?? 1).map((content, index) => ({
      index,
      message: {
        role: "assistant",
        content,
        ...(script.reasoning ? { reasoning_content: script.reasoning } : {}),
        refusal: null,
      },
      logprobs: null,
      finish_reason: script.finish ?? "stop",
    })),
    usage: script.usage ?? USAGE,
    ...script.extra,
  };
}

interface StreamRequest {
  readonly model?: string;
  readonly n?: number;
  readonly stream_options?: { readonly include_usage?: boolean };
}

function* streamed(request: StreamRequest, script: Script): Generator<string> {
  const wantsUsage = request.stream_options?.include_usage === true;
  const chunk = (fields: Record<string, unknown>) => {
    const usage = wantsUsage ? { usage: null } : {};
    const all = {
      ...IDENTITY,
      object: "chat.completion.chunk",
      model: request.model,
      ...usage,
      ...script.extra,
    };
    return `data: ${JSON.stringify({ ...all, ...fields })}\n\n`;
  };
  const choices = texts(script, request.n ?? 1);
  const each = (index: number, delta: unknown, finish: string | null = null) =>
    chunk({ choices: [{ index, delta, logprobs: null, finish_reason: finish }] });
  for (const index of choices.keys()) yield each(index, { role: "assistant", content: "" });
  const { pieceLength } = script;
  for (const piece of pieces(script.reasoning ?? "", pieceLength)) {
    yield each(0, { reasoning_content: piece });
  }
  const printed = choices.map((text, index) =>
    [...pieces(text, pieceLength)].map((piece) => each(index, { content: piece }))
  );
  const longest = Math.max(...printed.map((each) => each.length));
  const fateAt = script.fateAt ?? Math.floor((choices[0]?.length ?? 0) / 2);
  for (let round = 0, length = 0; round < longest || script.isEndless; round++) {
    if (script.fate && length >= fateAt) {
      if (script.fate !== "end") yield script.fate;
      return;
    }
    for (const messages of printed) {
      const message = messages[script.isEndless ? round % messages.length : round];
      if (message !== undefined) yield message;
    }
    length += 8;
  }
  if (script.fate && fateAt === Infinity) {
    if (script.fate !== "end") yield script.fate;
    return;
  }
  for (const index of choices.keys()) yield each(index, {}, script.finish ?? "stop");
  if (wantsUsage) yield chunk({ choices: [], usage: script.usage ?? USAGE });
  yield "data: [DONE]\n\n";
}

/** A text in pieces of this many UTF-16 units, or 3 to 8, never cut inside a character. */
function* pieces(text: string, length?: number): Generator<string> {
  let piece = "";
  let count = 0;
  for (const character of text) {
    piece += character;
    if (piece.length < (length ?? 3 + (count * 5) % 6)) continue;
    yield piece;
    piece = "";
    count++;
  }
  if (piece !== "") yield piece;
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** The embedded sample model: an upstream inside this process, so that the first request works on a fresh machine. @module */
import { type ChatRequest, readRequest } from "../../chat/message/request.ts";
import { errorBody } from "../../chat/message/error.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";
import { SAMPLE_MODELS, writeAnswer } from "./answer.ts";

interface SampleOptions {
  /** The time now, in milliseconds since 1970. */
  readonly now: () => number;
  /** Waits before the next piece of a streamed answer; without it, all pieces come at once. */
  readonly wait?: () => Promise<void>;
}

/** The header that marks every response of the sample model. */
export const SAMPLE_HEADER = "x-dragoman-sample";

/** The shortest pieces, in characters. The sizes repeat, so that every run prints the same pieces. */
const PIECE_LENGTH_MIN = 3;
const PIECE_LENGTHS = 6;

export function createSample(options: SampleOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    const seconds = Math.floor(options.now() / 1000);
    if (request.method === "GET" && pathname === "/v1/models") return respond(models(seconds));
    if (request.method !== "POST" || pathname !== "/v1/chat/completions") return notServed(pathname);
    const chat = readRequest(await request.text());
    if (chat === undefined) return badRequest();
    const answer = { chat, text: writeAnswer(chat), created: seconds };
    return chat.stream === true ? stream(chunksOf(answer), options) : respond(completion(answer));
  };
}

interface Answer {
  readonly chat: ChatRequest;
  readonly text: string;
  readonly created: number;
}

function models(created: number): unknown {
  const data = SAMPLE_MODELS.map((id) => ({ id, object: "model", created, owned_by: "dragoman" }));
  return { object: "list", data };
}

function completion({ chat, text, created }: Answer): unknown {
  const choices = choiceIndexes(chat).map((index) => ({
    index,
    message: { role: "assistant", content: text },
    logprobs: null,
    finish_reason: "stop",
  }));
  return { ...identity({ chat, created }), object: "chat.completion", choices, usage: usage(chat, text) };
}

/** The messages of a streamed answer, one piece of text each. */
function* chunksOf({ chat, text, created }: Answer): Generator<string> {
  const chunk = (fields: Record<string, unknown>) =>
    encodeMessage(
      JSON.stringify({ ...identity({ chat, created }), object: "chat.completion.chunk", ...fields }),
    );
  const each = (delta: unknown, finish: string | null) =>
    choiceIndexes(chat).map((index) => chunk({ choices: [{ index, delta, finish_reason: finish }] })).join(
      "",
    );
  yield each({ role: "assistant", content: "" }, null);
  for (const piece of pieces(text)) yield each({ content: piece }, null);
  yield each({}, "stop");
  const wantsUsage = (chat.stream_options as { include_usage?: unknown } | undefined)?.include_usage === true;
  if (wantsUsage) yield chunk({ choices: [], usage: usage(chat, text) });
  yield DONE;
}

/** The text in pieces of a token's size, never cut inside a character. */
function* pieces(text: string): Generator<string> {
  const characters = [...text];
  for (let start = 0, count = 0; start < characters.length; count++) {
    const length = PIECE_LENGTH_MIN + (count % PIECE_LENGTHS);
    yield characters.slice(start, start + length).join("");
    start += length;
  }
}

function stream(messages: Generator<string>, { wait }: SampleOptions): Response {
  const encoder = new TextEncoder();
  const source: UnderlyingByteSource = {
    // Bytes, so that the reader can use its own buffer, as with a body from the network.
    type: "bytes",
    async pull(controller) {
      await wait?.();
      const { done, value } = messages.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      controller.close();
      controller.byobRequest?.respond(0);
    },
  };
  return new Response(new ReadableStream(source), {
    headers: { "content-type": "text/event-stream", [SAMPLE_HEADER]: "true" },
  });
}

function identity({ chat, created }: Pick<Answer, "chat" | "created">): Record<string, unknown> {
  return { id: `chatcmpl-sample-${created}`, created, model: chat.model ?? "sample" };
}

function choiceIndexes({ n }: ChatRequest): number[] {
  return Array.from(
    { length: Math.min(Math.max(Math.floor(Number(n ?? 1)) || 1, 1), 8) },
    (_, index) => index,
  );
}

/** Counts four characters as a token. */
function usage(chat: ChatRequest, text: string): unknown {
  const prompt = Math.ceil(JSON.stringify(chat.messages ?? []).length / 4);
  const answer = Math.ceil(text.length / 4);
  return { prompt_tokens: prompt, completion_tokens: answer, total_tokens: prompt + answer };
}

function respond(value: unknown): Response {
  return Response.json(value, { headers: { [SAMPLE_HEADER]: "true" } });
}

function notServed(path: string): Response {
  return failure(404, {
    code: "not_found",
    message: `Dragoman's embedded sample model does not serve ${path}. It serves GET /v1/models and ` +
      "POST /v1/chat/completions; for everything else, set a model server with `--upstream URL`",
  });
}

function badRequest(): Response {
  return failure(400, {
    code: "invalid_json",
    message: "Cannot read the request: its body is not a JSON object",
  });
}

function failure(status: number, error: { readonly code: string; readonly message: string }): Response {
  return new Response(errorBody({ type: "invalid_request_error", ...error }), {
    status,
    headers: { "content-type": "application/json", [SAMPLE_HEADER]: "true" },
  });
}

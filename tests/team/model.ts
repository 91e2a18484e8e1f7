/**
 * A model server that knows nothing but the conversation: what it answers follows from the messages.
 *
 *     "strike N"   a call with an argument of the wrong type
 *     "queue N"    all reads that are still missing, in one wrapper; then "All done."
 *     "stream N"   50 pieces, one every 60 ms
 *
 * @module
 */
import { chunkMessage, message } from "../support/chunks.ts";

/** The files that each queue reads, in order. */
export const FILES = ["a", "b", "c"];

/** How many pieces a long stream has, and the time between them. */
export const PIECES = 50;
const PIECE_MS = 60;

export interface Model {
  readonly url: string;
  /** Task → how often the model was asked about it. */
  readonly asked: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface Message {
  readonly role: string;
  readonly content: unknown;
}

export function startModel(): Model {
  const asked = new Map<string, number>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method === "GET") return Response.json({ object: "list", data: [{ id: "m" }] });
    const { messages } = await request.json() as { messages: readonly Message[] };
    const task = taskOf(messages);
    asked.set(task, (asked.get(task) ?? 0) + 1);
    const headers = { "content-type": "text/event-stream" };
    return new Response(ReadableStream.from(answer(task, messages)).pipeThrough(new TextEncoderStream()), {
      headers,
    });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/v1`, asked, stop: () => server.shutdown() };
}

/** The task of a conversation: its first user message. */
export function taskOf(messages: readonly Message[]): string {
  const text = JSON.stringify(messages.find(({ role }) => role === "user")?.content);
  return /(?:strike|queue|stream) \d+/.exec(text)?.[0] ?? "unknown";
}

async function* answer(task: string, messages: readonly Message[]): AsyncGenerator<string> {
  yield chunkMessage({ role: "assistant", content: "" });
  if (task.startsWith("stream")) {
    for (let piece = 0; piece < PIECES; piece++) {
      yield chunkMessage({ content: `piece ${piece}\n` });
      await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
    }
  } else {
    const text = task.startsWith("strike") ? WRONG : readsOf(messages);
    for (let at = 0; at < text.length; at += 24) yield chunkMessage({ content: text.slice(at, at + 24) });
  }
  yield chunkMessage({}, { finish: "stop" });
  yield message("[DONE]");
}

const WRONG = '<tool_call>\n{"name": "count", "arguments": {"n": "not a number"}}\n</tool_call>';

/** The reads whose results the conversation lacks. */
function readsOf(messages: readonly Message[]): string {
  const results = messages.filter(({ role }) => role === "user").map(({ content }) =>
    JSON.stringify(content)
  );
  const missing = FILES.filter((file) =>
    !results.some((text) => text.includes(`[read_file for '${file}'] Result:`))
  );
  if (missing.length === 0) return "All done.";
  const calls = missing.map((file) => `<read_file>\n<path>${file}</path>\n</read_file>`);
  return `<multi_tool_use mode="sequential">\n${calls.join("\n")}\n</multi_tool_use>`;
}

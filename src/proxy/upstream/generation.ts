/**
 * The raw route `/api/generate`: it gets an unchanged prompt, and returns the model's text in lines of JSON.
 *
 *     {"model":"m","response":"I lo","done":false}
 *     {"model":"m","response":"","done":true,"done_reason":"stop","prompt_eval_count":20,"eval_count":9}
 *
 * Source of the format: Ollama fb3076099, api/types.go (GenerateRequest, GenerateResponse) and openai/openai.go
 * (`FromChatRequest` for the options that a chat has, and their presets).
 *
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";
import type { Fields } from "./completions.ts";
import { convertBody } from "./converted.ts";
import type { UpstreamAnswer } from "./upstream.ts";

export function generationFields(request: Fields, prompt: unknown): Fields {
  const { model, stream, stop, max_tokens, max_completion_tokens = max_tokens } = request;
  const { temperature = 1, top_p = 1, seed, frequency_penalty, presence_penalty } = request;
  const options = {
    temperature,
    top_p,
    seed,
    frequency_penalty,
    presence_penalty,
    num_predict: max_completion_tokens,
    stop: typeof stop === "string" ? [stop] : stop,
  };
  const given = Object.entries(options).filter(([_, value]) => value != null);
  return { model, prompt, raw: true, stream: stream === true, options: Object.fromEntries(given) };
}

export interface GenerationReading {
  readonly isStreamed: boolean;
  readonly wantsUsage: boolean;
  /** The longest line, in characters. */
  readonly lengthMax: number;
}

/** The answer as one of the route for completions; an error stays. */
export function generationToCompletion(
  answered: UpstreamAnswer,
  { isStreamed, wantsUsage, lengthMax }: GenerationReading,
): UpstreamAnswer {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  const id = `cmpl-${crypto.randomUUID()}`;
  const write = (lines: readonly string[]) =>
    lines.filter((line) => line.trim() !== "").map((line) => {
      const completion = completionOf(line, id);
      if (completion === undefined) return isStreamed ? encodeMessage(line) : line;
      if (!isStreamed) return JSON.stringify(completion);
      const { usage, ...piece } = completion;
      const isLast = usage !== undefined;
      const counts = isLast && wantsUsage
        ? encodeMessage(JSON.stringify({ ...piece, choices: [], usage }))
        : "";
      return encodeMessage(JSON.stringify(piece)) + counts + (isLast ? DONE : "");
    }).join("");
  const lines = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, out) {
      held += decoder.decode(bytes, { stream: true });
      if (held.length > lengthMax) return out.error(new Error("a line is too long"));
      if (!isStreamed) return;
      const whole = held.split("\n");
      held = whole.pop() ?? "";
      const text = write(whole);
      if (text !== "") out.enqueue(encoder.encode(text));
    },
    flush(out) {
      out.enqueue(encoder.encode(write([held + decoder.decode()])));
    },
  });
  const type = isStreamed ? "text/event-stream" : "application/json";
  return convertBody(answered, (body) => body.pipeThrough(lines), type);
}

/** One line as a completion: a piece of its text, or its end with the token counts; undefined if it is an error. */
function completionOf(line: string, id: string): Fields | undefined {
  const value = parseJson(line);
  if (!isRecord(value) || value.error !== undefined) return undefined;
  const { model, created_at: created, response: text, done, done_reason: reason } = value;
  const { prompt_eval_count: prompt, eval_count: completion } = value;
  const isDone = done === true;
  const counts = [prompt, completion].map((count) => typeof count === "number" ? count : 0);
  const [prompt_tokens = 0, completion_tokens = 0] = counts;
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  return {
    id,
    created: Math.floor(Date.parse(String(created)) / 1000) || 0,
    model,
    choices: [{ index: 0, text, finish_reason: isDone ? reason ?? "stop" : null }],
    ...isDone ? { usage } : {},
  };
}

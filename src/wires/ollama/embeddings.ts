/**
 * Converts Ollama's two routes for vectors to the upstream's `/embeddings` and back.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { recordsIn, withoutNulls } from "../chat_body.ts";
import type { JsonObject, WireOperation } from "../wire.ts";

export const EMBEDDINGS: Readonly<Record<string, WireOperation>> = {
  "POST /api/embed": {
    kind: "embeddings",
    read: ({ model, input, dimensions }) => requestOf({ model, input, dimensions }),
    write: (answer, { model }) => ({
      model,
      embeddings: vectorsOf(answer),
      // Durations are unknown, and clients divide by them.
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: countOf(answer),
    }),
  },
  "POST /api/embeddings": {
    kind: "embeddings",
    read: ({ model, prompt }) => requestOf({ model, input: prompt }),
    write: (answer) => ({ embedding: vectorsOf(answer)[0] ?? [] }),
  },
};

function requestOf(fields: JsonObject): JsonObject {
  return { ...withoutNulls(fields), encoding_format: "float" };
}

/** The vectors in the order of the texts. */
function vectorsOf({ data }: JsonObject): unknown[] {
  const at = ({ index }: JsonObject) => typeof index === "number" ? index : 0;
  return recordsIn(data).toSorted((a, b) => at(a) - at(b)).map(({ embedding }) => embedding);
}

function countOf({ usage }: JsonObject): number {
  const count = isRecord(usage) ? usage["prompt_tokens"] : undefined;
  return typeof count === "number" ? count : 0;
}

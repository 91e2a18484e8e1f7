/**
 * Ollama's own API, as Zed, ollama-js and Home Assistant speak it.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 * @module
 */
import type { JsonObject, Wire, WireChat, WireOperation, WireRefusal } from "../wire.ts";
import { readChatRequest } from "./request.ts";
import { OllamaWriter, writeOllamaAnswer } from "./writer.ts";

/** The version that clients get; some refuse to work with an older one. */
const VERSION = "0.18.3";

/** What a model's page has for every model: clients offer tools only to a model that can use them. */
const MODEL_DETAILS = {
  parent_model: "",
  format: "gguf",
  family: "",
  families: [],
  parameter_size: "",
  quantization_level: "",
};

/** Routes that are answered without an upstream. */
const REPLIES: Readonly<
  Record<string, (body: JsonObject | undefined) => { status?: number; body: unknown }>
> = {
  "GET /": () => ({ body: "Ollama is running" }),
  "GET /api/version": () => ({ body: { version: VERSION } }),
  "GET /api/ps": () => ({ body: { models: [] } }),
  "POST /api/show": () => ({
    body: {
      capabilities: ["completion", "tools", "thinking", "vision"],
      details: MODEL_DETAILS,
      model_info: { "general.architecture": "model", "model.context_length": 131_072 },
      modelfile: "",
      parameters: "",
      template: "{{ .Prompt }}",
    },
  }),
  "POST /api/generate": () => ({
    status: 400,
    body: { error: "Dragoman answers chats only. Send the prompt to /api/chat, as one message of the user" },
  }),
};

/** The wire of Ollama's API. */
export const ollama: Wire = {
  name: "ollama",
  find({ method, path }): WireOperation | undefined {
    if (method === "POST" && path === "/api/chat") return { kind: "chat", read };
    if (method === "GET" && path === "/api/tags") return { kind: "models", write: writeModels };
    const reply = REPLIES[`${method} ${path}`];
    return reply && { kind: "reply", reply };
  },
  writeError: ({ message }) => ({ error: message }),
};

function read(body: JsonObject): WireChat | WireRefusal {
  const request = readChatRequest(body);
  if ("refusal" in request) return request;
  const { model } = body;
  return {
    body: request.chat,
    contentType: "application/x-ndjson",
    createWriter: (identity) => new OllamaWriter(model, identity),
    writeWhole: (answer, identity) => writeOllamaAnswer(answer, { model, identity }),
  };
}

function writeModels(models: readonly string[]): unknown {
  return {
    models: models.map((name) => ({
      name,
      model: name,
      modified_at: "1970-01-01T00:00:00Z",
      size: 0,
      digest: "",
      details: MODEL_DETAILS,
    })),
  };
}

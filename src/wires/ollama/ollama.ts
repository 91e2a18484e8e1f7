/**
 * Ollama's own API, as Zed, ollama-js and Home Assistant speak it.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 * @module
 */
import type {
  JsonObject,
  KnownModels,
  Wire,
  WireChat,
  WireFailure,
  WireOperation,
  WireRefusal,
} from "../wire.ts";
import { readChatRequest, readServerTools } from "./request.ts";
import { OllamaWriter, writeOllamaAnswer } from "./writer.ts";
import { isRecord } from "../../engine/object/record.ts";
import { recordsIn, withoutNulls } from "../chat_body.ts";

/** The version that clients get; some refuse an older one. */
const VERSION = "0.18.3";

/** What the page of every model states; clients offer tools only to a model that can use them. */
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
  Record<
    string,
    (body: JsonObject | undefined, known?: KnownModels) => { status?: number; body: unknown }
  >
> = {
  "GET /": () => ({ body: "Ollama is running" }),
  "GET /api/version": () => ({ body: { version: VERSION } }),
  "GET /api/ps": () => ({ body: { models: [] } }),
  "POST /api/show": (asked, known) => ({
    body: {
      capabilities: ["completion", "tools", "thinking", "vision"],
      details: MODEL_DETAILS,
      model_info: { "general.architecture": "model", "model.context_length": contextOf(asked, known) },
      modelfile: "",
      parameters: "",
      template: "{{ .Prompt }}",
    },
  }),
};

/** The size of a context that nothing states; a client that gets none takes a much smaller one. */
const CONTEXT = 131_072;

function contextOf(asked: JsonObject | undefined, known: KnownModels | undefined): number {
  const model = asked?.["model"] ?? asked?.["name"];
  return known?.contextOf(typeof model === "string" ? model : "") ?? CONTEXT;
}

/** Routes that only a server with its own models can answer, and what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  generate: "answers chats only. Send the prompt to /api/chat, as a single user message",
  pull: "has no models of its own. Load the model on the model server",
  push: "has no models of its own. Use the model server",
  create: "has no models of its own. Use the model server",
  copy: "has no models of its own. Use the model server",
  delete: "has no models of its own. Use the model server",
  blobs: "has no models of its own. Use the model server",
};

export const ollama: Wire = {
  name: "ollama",
  find({ method, path: given }): WireOperation | undefined {
    const path = given.length > 1 ? given.replace(/\/$/, "") : given;
    if (method === "POST" && path === "/api/chat") return { kind: "chat", read };
    const asked = method === "HEAD" ? "GET" : method;
    if (asked === "GET" && path === "/api/tags") return { kind: "models", write: writeModels };
    const reply = REPLIES[`${asked} ${path}`];
    if (reply !== undefined) return { kind: "reply", reply };
    const embeddings = EMBEDDINGS[`${method} ${path}`];
    if (embeddings !== undefined) return embeddings;
    // Its other routes are answered in its own form, too.
    return /^\/api(?:\/|$)/.test(path) ? { kind: "refusal", failure: refusalOf(method, path) } : undefined;
  },
  writeError: ({ message }) => ({ error: message }),
};

function refusalOf(method: string, path: string): WireFailure {
  const name = path.split("/")[2] ?? "";
  const why = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
  const routes = ["POST /api/chat", "GET /api/tags", ...Object.keys(EMBEDDINGS), ...Object.keys(REPLIES)]
    .join(", ");
  return {
    status: why === undefined ? 404 : 400,
    type: "invalid_request_error",
    code: "not_found",
    message: why === undefined
      ? `Nothing is served at ${method} ${path}. Expected one of: ${routes}`
      : `Dragoman doesn't serve /api/${name}: it ${why}`,
  };
}

function read(body: JsonObject): WireChat | WireRefusal {
  const request = readChatRequest(body);
  if ("refusal" in request) return request;
  const { model } = body;
  return {
    body: request.chat,
    serverTools: readServerTools(body["tools"]),
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

/** Ollama's two routes for vectors; the upstream has one. */
const EMBEDDINGS: Readonly<Record<string, WireOperation>> = {
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

function vectorsOf({ data }: JsonObject): unknown[] {
  const at = ({ index }: JsonObject) => typeof index === "number" ? index : 0;
  return recordsIn(data).toSorted((a, b) => at(a) - at(b)).map(({ embedding }) => embedding);
}

function countOf({ usage }: JsonObject): number {
  const count = isRecord(usage) ? usage["prompt_tokens"] : undefined;
  return typeof count === "number" ? count : 0;
}

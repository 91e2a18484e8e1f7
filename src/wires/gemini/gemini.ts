/**
 * Google's Gemini API, as Gemini CLI and Google's SDKs speak it. The model and the kind of answer are in the path.
 *
 * @see https://ai.google.dev/api/generate-content
 * @module
 */
import { estimateTokens } from "../estimate.ts";
import type { JsonObject, Wire, WireChat, WireOperation, WireRefusal, WireReply } from "../wire.ts";
import { refuseMismatch } from "../shape_check.ts";
import { googleWords } from "../overflow.ts";
import { COUNT_REQUEST } from "./request_schema.ts";
import { type GeminiPath, readGenerateRequest, readServerTools } from "./request.ts";
import { errorOf, GeminiWriter, writeGeminiAnswer } from "./writer.ts";

const PATH =
  /^\/v1(?:beta)?\/models\/(?<model>.+):(?<method>generateContent|streamGenerateContent|countTokens)$/;

export const gemini: Wire = {
  name: "gemini",
  find({ method, path }): WireOperation | undefined {
    if (method === "GET" && path === "/v1beta/models") return { kind: "models", write: writeModels };
    const match = method === "POST" ? PATH.exec(path)?.groups : undefined;
    if (match === undefined) return undefined;
    if (match["method"] === "countTokens") return { kind: "reply", reply: countTokens };
    const model = decode(match["model"] ?? "");
    const isStreamed = match["method"] === "streamGenerateContent";
    return { kind: "chat", read: (body) => read(body, { model, isStreamed }) };
  },
  writeError: ({ status, message, code }) => errorOf(status, googleWords({ code, message }) ?? message),
};

/** A name without its escapes; a name whose escapes are not UTF-8 stays as it is. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function read(body: JsonObject, path: GeminiPath): WireChat | WireRefusal {
  const request = readGenerateRequest(body, path);
  if ("refusal" in request) return request;
  const { model } = path;
  return {
    body: request.chat,
    serverTools: readServerTools(body["tools"]),
    contentType: "text/event-stream",
    createWriter: (identity) => new GeminiWriter({ model, identity }),
    writeWhole: (answer, identity) => writeGeminiAnswer(answer, { model, identity }),
  };
}

function countTokens(body: JsonObject = {}): WireReply {
  const wrong = refuseMismatch(body, COUNT_REQUEST)?.refusal;
  if (wrong !== undefined) return { status: wrong.status, body: errorOf(wrong.status, wrong.message) };
  const { systemInstruction, contents, tools, generateContentRequest } = body;
  return {
    body: { totalTokens: estimateTokens(systemInstruction, contents, tools, generateContentRequest) },
  };
}

function writeModels(models: readonly string[]): unknown {
  return {
    models: models.map((model) => ({
      name: `models/${model}`,
      displayName: model,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  };
}

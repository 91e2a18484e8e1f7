/**
 * The error of a server that doesn't have the model, in words that agents know. Each server has its own form for it.
 *
 *     404 "Repository Not Found for url: …"  ─▶  404 model_not_found "Repository Not Found for url: …"
 *
 * @module
 */
import type { ApiError } from "../../chat/message/error.ts";
import everyServer from "./profiles/every_server.json" with { type: "json" };

const { words: WORDS } = everyServer.unknown_model;

/** The code that agents know. */
export const MODEL_NOT_FOUND = "model_not_found";

/** Whether an error is about a model that the server doesn't have. */
export function isUnknownModel(status: number, message: string): boolean {
  return status === 404 && WORDS.some((words) => words.every((word) => message.includes(word)));
}

/** The error for agents. */
export function unknownModel(message: string): ApiError {
  return { message, type: "invalid_request_error", param: "model", code: MODEL_NOT_FOUND };
}

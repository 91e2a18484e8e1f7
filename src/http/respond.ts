/**
 * Answers of our own: errors in OpenAI's shape, so that every client shows them to its person.
 *
 * @module
 */
import { type ApiError, errorBody } from "../chat/error.ts";

/** An error that ends a request, with its HTTP status. */
export interface HttpError extends ApiError {
  /** The HTTP status. */
  readonly status: number;
}

/** The response that says an error. */
export function errorResponse(error: HttpError): Response {
  return new Response(errorBody(error), {
    status: error.status,
    headers: { "content-type": "application/json" },
  });
}

/** A response with a JSON body. */
export function jsonResponse(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } });
}

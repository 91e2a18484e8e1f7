/** Our own responses: errors in the form of OpenAI's API, which every client shows to its user. @module */
import { type ApiError, errorBody } from "../../chat/message/error.ts";
import { encodeText } from "../../chat/sse/utf8_encoder.ts";
import { endingWith } from "./push_body.ts";

export interface HttpError extends ApiError {
  readonly status: number;
}

export function isError(value: object): value is HttpError {
  return "status" in value && "code" in value;
}

/** Error responses and their codes; on another wire, the body has no field for the code. */
const CODES = new WeakMap<Response, string>();

/** Error responses and their errors, so that another wire can write them in its own form. */
const REFUSALS = new WeakMap<Response, HttpError>();

export function errorResponse(error: HttpError): Response {
  const response = new Response(errorBody(error), {
    status: error.status,
    headers: { "content-type": "application/json" },
  });
  REFUSALS.set(response, error);
  return withCode(response, error.code);
}

/** The error of a response that `errorResponse` made; undefined if the response is another one. */
export function refusalOf(response: Response): HttpError | undefined {
  return REFUSALS.get(response);
}

/** The same response; `codeOf` finds its error code. */
export function withCode(response: Response, code: string): Response {
  CODES.set(response, code);
  return response;
}

/** The code of an error response; undefined if the response has none. */
export function codeOf(response: Response): string | undefined {
  return CODES.get(response);
}

const UNREADABLE = {
  400:
    "This is not an HTTP/1.1 request with a valid method, path, and `Host` header. Check the client's base URL",
  408: "The request took too long to arrive. Send it again; `limits.headers_timeout_ms` and " +
    "`limits.request_timeout_ms` say how long it may take",
  431: "The request's headers are too large. Send fewer or shorter headers",
};

export function unreadableRequest(status: 400 | 408 | 431): HttpError {
  const code = status === 408 ? "request_timeout" : "unreadable_request";
  return { status, type: "invalid_request_error", code, message: UNREADABLE[status] };
}

export function jsonResponse(value: unknown, status = 200): Response {
  const headers = new Headers({ "content-type": "application/json" });
  return wholeResponse(JSON.stringify(value), { status, headers });
}

/** A response whose body is known. Its flow costs less than the stream that Deno makes of bytes. */
export function wholeResponse(
  body: string | Uint8Array,
  { status, headers }: { readonly status: number; readonly headers: Headers },
): Response {
  const bytes = typeof body === "string" ? encodeText(body) : body;
  headers.set("content-length", String(bytes.length));
  return new Response(endingWith(bytes), { status, headers });
}

export function internalError(cause: unknown): HttpError {
  return {
    status: 500,
    type: "internal_error",
    code: "internal_error",
    message: `Dragoman failed on this request: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      "Please report it with the request",
  };
}

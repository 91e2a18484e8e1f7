/**
 * Errors in the shape of OpenAI's API, which clients show to their users.
 *
 * @module
 */

/** An error of OpenAI's API. */
export interface ApiError {
  /** What happened, where, what was expected, and how to fix it. */
  readonly message: string;
  /** The kind: `invalid_request_error`, `upstream_error`, `timeout`. */
  readonly type: string;
  /** Dragoman's own code, for programs. */
  readonly code: string;
  /** The field of the request that caused the error, if there is one. */
  readonly param?: string;
}

/** The JSON text of an error: the body of a response, or the data of a message in a stream. */
export function errorBody(error: ApiError): string {
  const { message, type, code, param } = error;
  return JSON.stringify({ error: { message, type, param: param ?? null, code } });
}

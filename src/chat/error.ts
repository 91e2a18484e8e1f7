/**
 * OpenAI's error shape: what a client shows to its person when something went wrong on the way.
 *
 * @module
 */

/** One error as OpenAI's API words it. */
export interface ApiError {
  /** What happened, where, what was expected, how to mend it. */
  readonly message: string;
  /** The kind: `invalid_request_error`, `upstream_error`, `timeout`. */
  readonly type: string;
  /** Our own code, for programs. */
  readonly code: string;
  /** The field of the request that is to blame, where there is one. */
  readonly param?: string;
}

/** The JSON of an error, as a response's body and as the data of a message in a stream. */
export function errorBody(error: ApiError): string {
  const { message, type, code, param } = error;
  return JSON.stringify({ error: { message, type, param: param ?? null, code } });
}

/** Errors in the form of OpenAI's API, which clients show to their users. @module */
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

export interface ApiError {
  readonly message: string;
  /** The kind: `invalid_request_error`, `upstream_error`, `timeout`. */
  readonly type: string;
  /** Dragoman's own code, for programs. */
  readonly code: string;
  readonly param?: string;
}

/** The JSON text of an error: the body of a response, or the data of a message in a stream. */
export function errorBody(error: ApiError): string {
  const { message, type, code, param } = error;
  return JSON.stringify({ error: { message, type, param: param ?? null, code } });
}

/** The code of an error that the upstream sent with status 200; also the type and the code of one that states none. */
export const UPSTREAM_ERROR = "upstream_error";

/**
 * The error in the data of a message or in a body; undefined if it holds none. Servers send an object, a text, or the
 * fields of the error without an object around them.
 *
 * @param event the name of the message's event; whatever an event named `error` has is an error
 */
export function errorOf(data: string, event?: string): ApiError | undefined {
  const isNamed = event === "error";
  if (!isNamed && !data.includes('"error"')) return undefined;
  const value = parseJson(data);
  const fields = isRecord(value) ? value : {};
  const isError = isNamed || fields["object"] === "error";
  const error = fields["error"] ?? (isError ? value ?? data : undefined);
  if (error == null) return undefined;
  const { message = error, type, code, param } = isRecord(error) ? error : {};
  return {
    message: typeof message === "string" ? message : JSON.stringify(error),
    type: typeof type === "string" ? type : UPSTREAM_ERROR,
    code: typeof code === "string" ? code : UPSTREAM_ERROR,
    ...typeof param === "string" ? { param } : {},
  };
}

const MESSAGE_MAX = 2000;

/** The error in the body of an answer that isn't a success: the one that it states, its text, or that it has no text. */
export function errorIn(
  text: string,
  { status, statusText }: Pick<Response, "status" | "statusText">,
): ApiError {
  const stated = errorOf(text);
  if (stated !== undefined && hasWords(stated.message)) return stated;
  const message = stated === undefined && hasWords(text)
    ? text.slice(0, MESSAGE_MAX)
    : `The model server answered ${`${status} ${statusText}`.trim()} without an error text`;
  return { type: UPSTREAM_ERROR, code: "upstream_status", ...stated, message };
}

/** Whether a person can read a text: `{}` and a web page have no words. */
function hasWords(text: string): boolean {
  return /^[^<]*\p{L}/u.test(text);
}

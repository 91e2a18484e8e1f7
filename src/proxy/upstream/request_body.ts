/** The body of a request to an upstream. @module */

/** The body of a request; null if there is none. */
export type RequestBody = string | Uint8Array<ArrayBuffer> | null;

export function bodyText(body: RequestBody): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined);
}

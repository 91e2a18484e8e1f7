/** The body of a request to an upstream. @module */

export type RequestBody = string | Uint8Array<ArrayBuffer> | null;

export function bodyText(body: RequestBody): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined);
}

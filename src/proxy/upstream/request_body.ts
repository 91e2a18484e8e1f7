/** The body of a request to an upstream. @module */
import { parseExact } from "../../chat/message/number_spelling.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

/** The body of a request; null if there is none. */
export type RequestBody = string | Uint8Array<ArrayBuffer> | null;

export function bodyText(body: RequestBody): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body ?? undefined);
}

/** The object that a body is; undefined for any other body. Numbers keep their spelling. */
export function fieldsOf(body: RequestBody): Record<string, unknown> | undefined {
  const text = bodyText(body);
  return isRecord(parseJson(text)) ? parseExact(text) as Record<string, unknown> : undefined;
}

/** What is read of a request before the client is known: its bytes and the client that it names, or an error. @module */
import { hasTooManyKeys, KEYS_MAXIMUM } from "../../engine/object/keys.ts";
import { deepPlace, isNestedTooDeep, NESTING_MAXIMUM } from "../../engine/object/nesting.ts";
import { readWhole } from "./body.ts";
import { canDecode, codingsOf, decode } from "./encoding.ts";
import { CLIENT_HEADER } from "./headers.ts";
import type { HttpError } from "./respond.ts";
import type { ApiRoute } from "../server/route.ts";
import type { Service } from "../exchange/service.ts";

/** The client that the path or a header names; without a name, the client is recognized later. */
export function forcedClient(
  request: Pick<Request, "headers">,
  { route, service }: { readonly route: ApiRoute; readonly service: Service },
): { readonly name?: string } | HttpError {
  const name = route.client ?? request.headers.get(CLIENT_HEADER) ?? undefined;
  if (name === undefined) return {};
  if (service.clientNames.includes(name)) return { name };
  return {
    status: 404,
    type: "invalid_request_error",
    code: "client_not_found",
    message: `No client is named "${name}". Expected one of: ${service.clientNames.join(", ")}`,
  };
}

/** All bytes of the request's body, or the error that the client gets instead. */
export async function readBody(
  request: Request,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | HttpError> {
  try {
    const codings = codingsOf(request.headers);
    const isCoded = request.body !== null && codings.length > 0 && canDecode(codings);
    const body = isCoded && request.body !== null ? decode(request.body, codings) : request.body;
    // The body is forwarded decoded.
    if (isCoded) request.headers.delete("content-encoding");
    const bytes = await readWhole(body, { bytesMax });
    return bytes ?? tooLargeRequest(bytesMax);
  } catch {
    return {
      status: 400,
      type: "invalid_request_error",
      code: "request_broke_off",
      message: "The request's body was cut off before its end. Send it again",
    };
  }
}

/** The error for a body whose JSON has more than anything here reads; undefined for any other body. */
export function refuseUnreadable(body: string): HttpError | undefined {
  if (!isNestedTooDeep(body)) return hasTooManyKeys(body) ? TOO_MANY_KEYS : undefined;
  const place = deepPlace(body);
  return {
    status: 400,
    type: "invalid_request_error",
    code: "nested_too_deep",
    param: place,
    message:
      `\`${place}\` is nested too deeply. Expected at most ${NESTING_MAXIMUM} nested objects and lists`,
  };
}

const TOO_MANY_KEYS: HttpError = {
  status: 400,
  type: "invalid_request_error",
  code: "too_many_keys",
  message: `The request's JSON has too many different keys. Expected at most ${KEYS_MAXIMUM}`,
};

/** The error of a request that is too long, with the items that it refers to. */
export function tooLargeRequest(bytesMax: number): HttpError {
  return {
    status: 413,
    type: "invalid_request_error",
    code: "request_too_large",
    message:
      `The request is longer than ${bytesMax} bytes. If you need such requests, raise \`limits.request_bytes_max\``,
  };
}

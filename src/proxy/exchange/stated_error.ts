/**
 * Errors that an upstream sends with status 200: as a message of a stream that has begun, or as the whole body.
 *
 *     data: {"error": {"message": "The model produced output that …"}}
 *
 * The client gets them unchanged; the watches learn that the request has failed, and why.
 *
 * @module
 */
import { type ApiError, UPSTREAM_ERROR } from "../../chat/message/error.ts";
import type { RequestOutcome } from "./watch.ts";

/**
 * How a request ended whose upstream may have stated an error. A client that leaves after that isn't the cause.
 *
 * @param error the code of what went wrong otherwise
 * @param stated the upstream's error
 */
export function endWith(
  error: string | undefined,
  stated: ApiError | undefined,
): Pick<RequestOutcome, "error" | "message"> {
  const isOther = error !== undefined && error !== "client_left" && error !== "upstream_status";
  if (stated === undefined || isOther) return { error };
  return { error: error === "upstream_status" ? error : UPSTREAM_ERROR, message: stated.message };
}

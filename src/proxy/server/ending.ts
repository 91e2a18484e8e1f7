/** How an answer ends if the thread that makes it hangs or fails: another thread has to write it. @module */
import { errorBody } from "../../chat/message/error.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Ending } from "../transport/listen.ts";
import type { HttpError } from "../transport/respond.ts";
import { findRoute } from "./route.ts";

/** The error code of an answer whose thread hangs or fails. */
export const WORKER_FAILED = "worker_failed";

const FAILURE: HttpError = {
  status: 500,
  type: "internal_error",
  code: WORKER_FAILED,
  message:
    "The worker of Dragoman that made this answer hung or failed, because of a plugin or an error in Dragoman",
};

const CHAT_ERROR = errorBody(FAILURE);

/** The ends of a request's answer on its wire: before its head is sent, and after it. */
export function endingsOf(request: Request): { readonly first: Ending; after(answered: Response): Ending } {
  const route = findRoute(request);
  const wire = route.kind === "wire" ? route.wire : undefined;
  return {
    first: { response: wire === undefined ? CHAT_ERROR : JSON.stringify(wire.writeError(FAILURE)) },
    after({ headers }) {
      const type = headers.get("content-type") ?? "";
      const isLines = type.startsWith("application/x-ndjson");
      // Nothing can be added to a whole answer, whose length is stated.
      if (!isLines && !type.startsWith("text/event-stream")) return { stream: "" };
      const error = (wire?.writeLateError ?? wire?.writeError)?.(FAILURE);
      const line = error === undefined ? CHAT_ERROR : JSON.stringify(error);
      if (isLines) return { stream: `${line}\n` };
      const event = isRecord(error) && typeof error["type"] === "string" ? `event: ${error["type"]}\n` : "";
      return { stream: `${event}data: ${line}\n\n` };
    },
  };
}

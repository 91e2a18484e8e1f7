/**
 * Numbers and encodes the events of one Responses stream.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 * @module
 */
import type { JsonObject } from "../wire.ts";
import { type ResponseContext, responseObject } from "./response.ts";

/** Encodes events; every event has the next number. */
export class EventEncoder {
  #number = 0;

  /** The events with which every stream begins. */
  begin(context: ResponseContext): string {
    const response = responseObject(context, { status: "in_progress" });
    return this.encode("response.created", { response }) + this.encode("response.in_progress", { response });
  }

  encode(type: string, fields: JsonObject): string {
    const data = JSON.stringify({ type, sequence_number: this.#number++, ...fields });
    return `event: ${type}\ndata: ${data}\n\n`;
  }
}

/**
 * Reads the text of an upstream's error, so that the error can still reach the client.
 *
 * @module
 */
import { errorOf } from "../../chat/message/error.ts";
import { type ReadLimits, watchReads } from "../exchange/deadline.ts";
import { readStart, readWhole } from "../transport/body.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** The longest error that is read. */
const ERROR_BYTES_MAX = 1024 * 1024;

/** An error that was read. */
export interface ReadError {
  /** Its message, or its whole text if it has none; empty if it can't be read. */
  readonly message: string;
  /** The same answer, to be read again. */
  readonly same: UpstreamAnswer;
}

/** Reads an error. */
export async function readError(answered: UpstreamAnswer, limits: ReadLimits): Promise<ReadError> {
  const { response, deadline } = answered;
  const { status, statusText, headers, body } = response;
  const codings = codingsOf(headers);
  if (body === null || !canDecode(codings)) return { message: "", same: answered };
  const start = await readStart(body, {
    bytesMax: ERROR_BYTES_MAX,
    beforeRead: watchReads(deadline, limits),
    afterRead: () => deadline.pause(),
  });
  const same = { response: new Response(start.body, { status, statusText, headers }), deadline };
  if (start.whole === undefined) return { message: "", same };
  const decoded = readWhole(decode(new Blob([start.whole]).stream(), codings), { bytesMax: ERROR_BYTES_MAX });
  const text = new TextDecoder().decode(await decoded.catch(() => undefined));
  return { message: errorOf(text)?.message ?? text, same };
}

/** Ends an unread answer. */
export async function drop({ response, deadline }: UpstreamAnswer): Promise<void> {
  deadline.stop();
  await response.body?.cancel();
}

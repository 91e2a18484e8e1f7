/** Reads the text of an upstream's answer, or of its error, which can still reach the client. @module */
import { type ApiError, errorBody, errorOf } from "../../chat/message/error.ts";
import { type ReadLimits, timedReads } from "../exchange/deadline.ts";
import { readStart, readWhole } from "../transport/body.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import type { UpstreamAnswer } from "./upstream.ts";

const ERROR_BYTES_MAX = 1024 * 1024;

interface ReadError {
  /** Its text; empty if it is too long, or its coding is broken or unknown. */
  readonly text: string;
  /** Its message, or its whole text if it has none. */
  readonly message: string;
  /** The same answer, to be read again. */
  readonly same: UpstreamAnswer;
}

/** Reads an error of at most `bytesMax` bytes. */
export async function readError(
  answered: UpstreamAnswer,
  limits: ReadLimits,
  bytesMax: number = ERROR_BYTES_MAX,
): Promise<ReadError> {
  const { response, deadline } = answered;
  const { status, statusText, headers, body } = response;
  const codings = codingsOf(headers);
  if (body === null || !canDecode(codings)) return { text: "", message: "", same: answered };
  const start = await readStart(body, { bytesMax, ...timedReads(deadline, limits) });
  const same = { response: new Response(start.body, { status, statusText, headers }), deadline };
  if (start.whole === undefined) return { text: "", message: "", same };
  const decoded = readWhole(decode(new Blob([start.whole]).stream(), codings), { bytesMax });
  const text = new TextDecoder().decode(await decoded.catch(() => undefined));
  return { text, message: errorOf(text)?.message ?? text, same };
}

/** The text of an answer; empty if it is an error or too long, or its coding is broken or unknown. */
export async function readAnswerText(
  { response: { ok, headers, body }, deadline }: UpstreamAnswer,
  { limits, bytesMax }: { readonly limits: ReadLimits; readonly bytesMax: number },
): Promise<string> {
  const codings = codingsOf(headers);
  try {
    if (!ok || !canDecode(codings)) {
      await body?.cancel();
      return "";
    }
    const bytes = await readWhole(body && decode(body, codings), {
      bytesMax,
      ...timedReads(deadline, limits),
    });
    return new TextDecoder().decode(bytes);
  } catch {
    return "";
  } finally {
    deadline.stop();
  }
}

export async function drop({ response, deadline }: UpstreamAnswer): Promise<void> {
  deadline.stop();
  await response.body?.cancel();
}

/** A response in the place of a server's error. Unlike one of `errorResponse`, it is read as the server's own. */
export function errorAnswer(status: number, error: ApiError): Response {
  return new Response(errorBody(error), { status, headers: { "content-type": "application/json" } });
}

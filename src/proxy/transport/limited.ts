/**
 * Bodies whose reads fail when the exchange does: a time limit was reached, the client left, or the server stops. The
 * signal of the fetch isn't enough: after a garbage collection, Deno 2.9 doesn't abort a body that is being read.
 *
 * @module
 */
import type { Deadline } from "../exchange/deadline.ts";
import { openSource, type Source } from "./source.ts";

/** The same source; it is canceled when the deadline fails. */
export function limitSource(source: Source, deadline: Deadline): Source {
  const check = (bytes: Uint8Array | undefined) => {
    if (deadline.error !== undefined) throw new Error(deadline.error.message);
    return bytes;
  };
  const cancel = () => source.cancel().catch(() => {});
  if (deadline.signal.aborted) cancel();
  else deadline.signal.addEventListener("abort", cancel, { once: true });
  return { read: () => source.read().then(check), cancel: () => source.cancel() };
}

export function limitBody(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = limitSource(openSource(body), deadline);
  return new ReadableStream({
    async pull(controller) {
      const bytes = await source.read();
      if (bytes === undefined) controller.close();
      else controller.enqueue(bytes.slice());
    },
    cancel: () => source.cancel(),
  }, { highWaterMark: 0 });
}

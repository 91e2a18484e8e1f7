/** Waits that can be ended, and those for something that can be late. @module */

export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}

export function until(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** The value if it arrives in time, however long that is if the limit is 0; otherwise undefined. */
export async function inTime<T>(arriving: Promise<T>, limitMs: number): Promise<T | undefined> {
  if (limitMs === 0) return await arriving;
  const over = new AbortController();
  const late = wait(limitMs, over.signal).then(() => undefined);
  return await Promise.race([arriving, late]).finally(() => over.abort());
}

/** A signal that aborts after a time, or with another one. */
export function stopAfter(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const late = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? late : AbortSignal.any([late, signal]);
}

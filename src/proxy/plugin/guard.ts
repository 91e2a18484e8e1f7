/**
 * Calls hooks so that a plugin can never break an answer. A hook that throws or returns an invalid result counts as one that
 * returns nothing, and so does an async one that takes too long; its failure is reported in one sentence. The result of
 * a slow hook that isn't async is used: its time is spent, and a busy machine must not skip what a guard decided.
 *
 * @module
 */

import { unknownField } from "./result.ts";
import { describeThrown } from "./thrown.ts";

interface GuardOptions<T> {
  readonly name: string;
  /** How long the hook may take, in milliseconds. One that isn't async can only be measured. */
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Whether a result is one that the hook may give; `undefined` always is. */
  readonly isResult: (value: unknown) => value is T;
  /** Receives the error, as the end of a sentence that begins with the hook's name. */
  readonly onFailure: (what: string) => void;
  /** Receives how long it took if that is too long, in the same way. */
  readonly onSlow: (what: string) => void;
}

/** Calls a hook that isn't async. */
export function guard<T>(hook: () => unknown, options: GuardOptions<T>): T | undefined {
  const began = options.now();
  let result: unknown;
  try {
    result = hook();
  } catch (cause) {
    options.onFailure(`threw ${describeThrown(cause)}`);
    return undefined;
  }
  const took = options.now() - began;
  if (took > options.timeoutMs) {
    options.onSlow(`took ${Math.round(took)} ms, more than ${options.timeoutMs} ms; its result was used`);
  }
  if (result instanceof Promise) result.catch(() => {});
  return accept(result, options);
}

/** Calls a hook that may be async; `wait` resolves after its milliseconds and must give up when aborted. */
export async function guardAsync<T>(
  hook: () => unknown,
  options: Omit<GuardOptions<T>, "now" | "onSlow"> & {
    readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): Promise<T | undefined> {
  const late = Symbol("late");
  const over = new AbortController();
  const running = (async () => await hook())();
  try {
    const result = await Promise.race([
      running,
      options.wait(options.timeoutMs, over.signal).then(() => late),
    ]);
    if (result !== late) return accept(result, options);
    running.catch(() => {});
    options.onFailure(`took more than ${options.timeoutMs} ms; its result was not used`);
  } catch (cause) {
    options.onFailure(`threw ${describeThrown(cause)}`);
  } finally {
    over.abort();
  }
  return undefined;
}

function accept<T>(
  result: unknown,
  { name, isResult, onFailure }: Pick<GuardOptions<T>, "name" | "isResult" | "onFailure">,
): T | undefined {
  if (result === undefined) return undefined;
  let fits = false;
  let unknown: string | undefined;
  try {
    fits = isResult(result);
    unknown = unknownField(name, result);
  } catch {
    // Reading a field of the result threw.
  }
  if (result instanceof Promise) onFailure("must not be async");
  else if (unknown !== undefined) {
    onFailure(`returned a result with the unknown field ${unknown}${fits ? "; the rest was used" : ""}`);
  } else if (!fits) onFailure("returned an invalid result");
  return fits ? result as T : undefined;
}

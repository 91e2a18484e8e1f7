/** The token counts of an answer in the form of OpenAI's API: numbers, some of them in groups. @module */
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";

/** Whether an upstream states a count: less than nothing, parts and infinities would spoil every sum. */
export function isTokenCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Adds token counts; a value that isn't a number is the last one. */
export function addUsage(before: unknown, now: unknown): unknown {
  if (typeof before === "number" && typeof now === "number") return before + now;
  if (!isRecord(before) || !isRecord(now)) return now ?? before;
  return Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])].map((
      key,
    ) => [key, addUsage(before[key], now[key])]),
  );
}

/**
 * The token counts of an answer, or of the chunk that ends it. llama.cpp states in `timings` what it read of the prompt
 * (`prompt_n`) and what came from its cache (`cache_n`), also in a stream that doesn't ask for `usage`.
 *
 * @example
 * ```ts
 * import { statedUsage } from "./usage.ts";
 * const usage = statedUsage({ timings: { cache_n: 90, prompt_n: 10, predicted_n: 5 } });
 * console.assert(JSON.stringify(usage).includes('"cached_tokens":90'));
 * ```
 */
export function statedUsage({ usage, timings }: Readonly<Record<string, unknown>>): unknown {
  if (!isRecord(timings)) return usage;
  const { cache_n: cached, prompt_n: read, predicted_n: written } = timings;
  if (!isTokenCount(cached) || !isTokenCount(read)) return usage;
  const details = { prompt_tokens_details: { cached_tokens: cached } };
  if (isRecord(usage)) return { ...details, ...usage };
  const [prompt, completion] = [cached + read, isTokenCount(written) ? written : undefined];
  const total = prompt + (completion ?? 0);
  return {
    prompt_tokens: prompt,
    ...present({ completion_tokens: completion }),
    total_tokens: total,
    ...details,
  };
}

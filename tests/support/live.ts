/**
 * Reads the recent requests of a server as the page does.
 *
 * @module
 */
import type { LiveBatch } from "../../src/admin/live/request.ts";

/** The requests that a page sees when it opens. */
export async function readLiveBatch(origin: string): Promise<LiveBatch> {
  const stop = new AbortController();
  const response = await fetch(`${origin}/_dragoman/live`, { signal: stop.signal });
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes("\n\n")) text += decoder.decode((await reader.read()).value, { stream: true });
  stop.abort();
  return JSON.parse(text.slice("data: ".length, text.indexOf("\n\n")));
}

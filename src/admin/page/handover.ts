/** Gives an answer to the playground. Its text stays in the browser's session, out of the address and its history. @module */
/// <reference lib="dom" />
import { writeRoute } from "./route.ts";

interface Handover {
  /** What the model wrote. */
  readonly text: string;
  readonly client: string | null;
  /** The request as JSON: it offers the tools. */
  readonly chat: string | null;
}

const KEY = "dragoman.playground";

/** Stores an answer; gives the address of the playground. */
export function handOver(handover: Handover): string {
  sessionStorage.setItem(KEY, JSON.stringify(handover));
  return writeRoute("playground", { from: "live" });
}

/** The answer that was stored last; undefined if there is none. */
export function takeHandover(): Handover | undefined {
  const stored = sessionStorage.getItem(KEY);
  return stored === null ? undefined : JSON.parse(stored);
}

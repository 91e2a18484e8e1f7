/**
 * What the second reader, which knows no dialect, reads in an answer: where it finds calls, a rule has to read the same ones,
 * and where tags are around their values, its reading shows where these begin and end.
 *
 * @module
 */
import { callableTools, type ReadCall, readEvidence } from "../../engine/mod.ts";
import { offer, type OfferedTool } from "../../engine/tool/offered.ts";
import type { MarkedCall, MarkedItem } from "./sample.ts";

/** The calls that the second reader finds. */
export function evidentCalls(text: string, tools: readonly OfferedTool[]): readonly ReadCall[] {
  return readEvidence(text, { tools: callableTools(offer(tools)), isCut: false, isShown: () => false }).calls;
}

/** Calls whose values are between tags; undefined where one is written in another way, or none is read. */
export function taggedCalls(text: string, tools: readonly OfferedTool[]): MarkedCall[] | undefined {
  const calls = evidentCalls(text, tools);
  const isWhole = calls.every(({ items, damage }) => items !== undefined && damage === 0);
  if (calls.length === 0 || !isWhole) return undefined;
  return calls.map(({ at, tool, items }) => ({
    name: { start: at, end: at + tool.name.length },
    items: items!.map((item) => markedItem(text, item)),
  }));
}

const CDATA = "<![CDATA[";

function markedItem(text: string, { key, start, end }: NonNullable<ReadCall["items"]>[number]): MarkedItem {
  const keyStart = text.lastIndexOf(key, start - key.length);
  const raw = text.slice(start, end);
  const own = { key: { start: keyStart, end: keyStart + key.length } };
  if (raw.trim().startsWith(CDATA)) {
    const from = start + raw.indexOf(CDATA);
    return { ...own, value: { start: from, end: from + raw.trim().length }, isCdata: true };
  }
  const last = raw.startsWith("\n") ? /\n[^\S\n]*$/.exec(raw.slice(1))?.[0].length : undefined;
  return { ...own, value: last === undefined ? { start, end } : { start: start + 1, end: end - last } };
}

/**
 * Finds the places of known calls in a text that was made from them.
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import { envelopeKeys, type FoundObject, objectsIn } from "./json_object.ts";
import type { MarkedCall, MarkedItem, MarkedText, Sample, SampleCall, Span } from "./sample.ts";
import { writePythonCall } from "./python_call.ts";

/** The sample with the places of its calls; undefined where a call is not found. */
export function markSample(sample: Sample): MarkedText | undefined {
  return markPythonSample(sample) ?? markCalls(sample);
}

function markCalls({ text, calls, ids }: Sample): MarkedText | undefined {
  const marked: MarkedCall[] = [];
  let from = 0;
  for (const call of calls) {
    const found = markCall(text, { call, from });
    if (found === undefined) return undefined;
    marked.push(found);
    from = endOf(found);
  }
  return { text, calls: marked, ids };
}

/** Where a call's known parts end. */
function endOf(call: MarkedCall): number {
  return Math.max(call.name.end, call.object?.end ?? 0, call.items.at(-1)?.value.end ?? 0);
}

function markCall(
  text: string,
  { call, from }: { readonly call: SampleCall; readonly from: number },
): MarkedCall | undefined {
  const objects = objectsIn(text, from);
  const name = spanOf(text, { part: call.tool, from });
  if (name === undefined) return undefined;
  return envelopeCall(objects, { call, text }) ?? jsonCall(objects, { call, text, from, name }) ??
    taggedCall(text, { call, name });
}

/** The smallest object that holds the name and the arguments. */
function envelopeCall(
  objects: readonly FoundObject[],
  { call, text }: { readonly call: SampleCall; readonly text: string },
): MarkedCall | undefined {
  const isArguments = (value: unknown) => isJsonEqual(value, call.arguments);
  for (const object of objects) {
    const envelope = envelopeKeys(object.value, { tool: call.tool, isArguments });
    if (envelope === undefined) continue;
    const name = spanOf(text, { part: call.tool, from: object.start })!;
    const { start, end } = object;
    return { name, object: { start, end, envelope }, items: [] };
  }
  return undefined;
}

/** The first object that is the arguments, with the name before it. */
function jsonCall(
  objects: readonly FoundObject[],
  { call, text, from, name }: { call: SampleCall; text: string; from: number; name: Span },
): MarkedCall | undefined {
  const object = objects.find(({ value, start }) => start >= name.end && isJsonEqual(value, call.arguments));
  if (object === undefined) return undefined;
  const start = text.lastIndexOf(call.tool, object.start - call.tool.length);
  if (start < from) return undefined;
  const { end } = object;
  return { name: { start, end: start + call.tool.length }, object: { start: object.start, end }, items: [] };
}

function taggedCall(text: string, { call, name }: { call: SampleCall; name: Span }): MarkedCall | undefined {
  const items: MarkedItem[] = [];
  let at = name.end;
  for (const [key, value] of Object.entries(call.arguments)) {
    const keySpan = spanOf(text, { part: key, from: at });
    const valueSpan = keySpan && spellings(value).map((part) => spanOf(text, { part, from: keySpan.end }))
      .filter((span) => span !== undefined).sort((a, b) => a.start - b.start)[0];
    if (keySpan === undefined || valueSpan === undefined) return undefined;
    const item = { key: keySpan, ...placeOf(text, valueSpan) };
    items.push(item);
    at = item.value.end;
  }
  return { name, items };
}

const CDATA = { opener: "<![CDATA[", closer: "]]>" } as const;

/** The place of a value, with the marks of a CDATA section that is around it. */
function placeOf(text: string, { start, end }: Span): Pick<MarkedItem, "value" | "isCdata"> {
  const { opener, closer } = CDATA;
  const isCdata = text.startsWith(opener, start - opener.length) && text.startsWith(closer, end);
  return isCdata
    ? { value: { start: start - opener.length, end: end + closer.length }, isCdata }
    : { value: { start, end } };
}

/** How a value can be written outside of JSON. */
function spellings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const json = JSON.stringify(value);
  const python = json === "true" ? "True" : json === "false" ? "False" : json === "null" ? "None" : json;
  return [json, python, json.replaceAll(",", ", ").replaceAll(":", ": ")];
}

function spanOf(text: string, { part, from }: { part: string; from: number }): Span | undefined {
  const start = text.indexOf(part, from);
  return start < 0 ? undefined : { start, end: start + part.length };
}

/**
 * The sample with the places of its calls in Python's syntax; undefined if it writes one of them in another way. Templates
 * put values between quotes without escaping them, or print them without quotes; models print Python.
 *
 *     [read_file(path=src/a "b".ts)]   →   [read_file(path="src/a \"b\".ts")]
 */
export function markPythonSample({ text, calls, ids }: Sample): MarkedText | undefined {
  const marked: MarkedCall[] = [];
  let written = "";
  let from = 0;
  for (const call of calls) {
    const start = text.indexOf(`${call.tool}(`, from);
    const end = start < 0 ? undefined : callEnd(text, { start, keys: Object.keys(call.arguments) });
    if (end === undefined) return undefined;
    written += text.slice(from, start);
    const name = { start: written.length, end: written.length + call.tool.length };
    written += writePythonCall(call);
    marked.push({ name, object: { start: name.start, end: written.length, isPython: true }, items: [] });
    from = end;
  }
  return { text: written + text.slice(from), calls: marked, ids };
}

/** Where the call ends that has these keys in this order; undefined if it has others. */
function callEnd(
  text: string,
  { start, keys }: { start: number; keys: readonly string[] },
): number | undefined {
  let at = text.indexOf("(", start) + 1;
  for (const [index, key] of keys.entries()) {
    const found = index === 0 ? at : text.indexOf(`, ${key}=`, at) + 2;
    if (found < at || !text.startsWith(`${key}=`, found)) return undefined;
    at = found + key.length + 1;
  }
  const end = text.indexOf(")", at);
  return end < 0 ? undefined : end + 1;
}

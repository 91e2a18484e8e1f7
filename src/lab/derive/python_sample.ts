/**
 * Finds calls in Python's syntax in a text that was made from them. Templates put values between quotes without escaping
 * them, or print them without quotes; models print Python. So the marked text holds the calls as Python writes them.
 *
 *     [read_file(path=src/a "b".ts)]   →   [read_file(path="src/a \"b\".ts")]
 *
 * @module
 */
import { writePythonCall } from "./python_call.ts";
import type { MarkedCall, MarkedText, Sample } from "./sample.ts";

/** The sample with the places of its calls; undefined if it writes one of them in another way. */
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

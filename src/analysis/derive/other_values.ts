/**
 * A recorded answer with other values in its calls: a rule that reads it has not only learned the answer by heart.
 *
 * @module
 */
import { escapeJson } from "../../engine/json/writer.ts";
import { parseObject } from "./json_object.ts";
import { readPythonCall, writePythonCall } from "./python_call.ts";
import type { MarkedCall, MarkedText, Sample, SampleCall, SignMarks } from "./sample.ts";

const TEXTS = ["another value", "src/b.ts", "a < b && c", "two\nlines", 'a "quoted" word'];

export function otherValues({ text, calls, ids }: MarkedText): Sample {
  let written = "";
  let from = 0;
  let count = 0;
  const next = () => TEXTS[count++ % TEXTS.length]!;
  const read: SampleCall[] = [];
  for (const call of calls) {
    const changed = changedCall(text, { call, next });
    written += text.slice(from, changed.start) + changed.text;
    from = changed.end;
    read.push(changed.call);
  }
  return { text: written + text.slice(from), calls: read, ids };
}

interface ChangedCall {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly call: SampleCall;
}

function changedCall(text: string, { call, next }: { call: MarkedCall; next: () => string }): ChangedCall {
  const tool = text.slice(call.name.start, call.name.end);
  return call.object === undefined
    ? changedItems(text, { call, tool, next })
    : changedObject(text, { object: call.object, tool, next });
}

function changedItems(
  text: string,
  { call: { items, name }, tool, next }: { call: MarkedCall; tool: string; next: () => string },
): ChangedCall {
  const start = items[0]?.key.start ?? name.end;
  const given: Record<string, unknown> = {};
  let written = "";
  let from = start;
  for (const { key, value, marks } of items) {
    // The longest value is a text in any case; a value that reads as JSON keeps its type.
    const old = text.slice(value.start, value.end);
    const isText = !isJson(old);
    const changed = isText ? fitting(next, marks) : old;
    written += text.slice(from, value.start) + (marks?.quote ? escapeJson(changed) : changed);
    from = value.end;
    given[text.slice(key.start, key.end)] = isText ? changed : JSON.parse(old);
  }
  return { start, end: from, text: written, call: { tool, arguments: given } };
}

/** The next text that a value between these signs can be. */
function fitting(next: () => string, marks: SignMarks | undefined): string {
  for (;;) {
    const text = next();
    if (marks === undefined || !/[\n"'\\|]/.test(text)) return text;
  }
}

function changedObject(
  text: string,
  { object, tool, next }: { object: NonNullable<MarkedCall["object"]>; tool: string; next: () => string },
): ChangedCall {
  const { start, end, envelope } = object;
  if (object.isPython) return changedPython(text.slice(start, end), { start, end, tool, next });
  const value = parseObject(text.slice(start, end)) ?? {};
  const change = (given: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(given).map(([key, old]) => [key, typeof old === "string" ? next() : old]),
    );
  if (envelope === undefined) {
    const given = change(value);
    return { start, end, text: JSON.stringify(given), call: { tool, arguments: given } };
  }
  const held = envelope.isKeyed ? envelope.name : envelope.arguments;
  if (held === undefined) {
    const { [envelope.name]: name, ...rest } = value;
    const given = change(rest);
    return {
      start,
      end,
      text: JSON.stringify({ [envelope.name]: name, ...given }),
      call: { tool, arguments: given },
    };
  }
  const { nested } = envelope;
  const outer = nested === undefined ? value : value[nested] as Readonly<Record<string, unknown>>;
  const old = outer[held];
  const given = change((typeof old === "string" ? parseObject(old) : old as Record<string, unknown>) ?? {});
  const inner = { ...outer, [held]: typeof old === "string" ? JSON.stringify(given) : given };
  const written = nested === undefined ? inner : { ...value, [nested]: inner };
  return { start, end, text: JSON.stringify(written), call: { tool, arguments: given } };
}

/** A call in Python; one that can't be read stays, with the arguments that it seems to have. */
function changedPython(
  text: string,
  { start, end, tool, next }: { start: number; end: number; tool: string; next: () => string },
): ChangedCall {
  const old = readPythonCall(text)?.arguments ?? {};
  const given = Object.fromEntries(
    Object.entries(old).map(([key, value]) => [key, typeof value === "string" ? next() : value]),
  );
  const call = { tool, arguments: given };
  return { start, end, text: writePythonCall(call), call };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

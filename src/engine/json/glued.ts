/**
 * Finds the arguments of a call in text that isn't one object: their beginning twice, words before them, several objects
 * in a row, or quotes that are all escaped.
 *
 *     {"command":"pwd"{"command": "pwd"}   →   {"command":"pwd"}
 *     Use grep.{"pattern":"class"}         →   {"pattern":"class"}
 *     {\\"query\\": \\"foo\\"}               →   {"query":"foo"}
 *     {"path":"a"}{"path":"b"}             →   {"path":"a"} and {"path":"b"}
 *
 * Whatever else is in the text, nothing is certain, and nothing is found.
 *
 * @module
 */
import { unitsOf } from "../pattern/characters.ts";
import { isSpace } from "../pattern/node.ts";
import { JsonReader, readWhole } from "./reader.ts";
import { JsonWriter } from "./writer.ts";

/** The most braces at which an object is looked for. */
const TRIES_MAXIMUM = 64;

/** The longest tag or token next to an object. */
const TAG_MAXIMUM = 64;

/** Marks that can be left next to an object. */
const LEFT = unitsOf("`,;]})");

/** The objects in a text that `fit` takes, in order, each once; empty if there are none, or more than they. */
export function readGlued(text: string, fit: (object: string) => string | undefined): readonly string[] {
  const found = objectsIn(text, fit);
  if (found.length > 0 || !text.includes("\\")) return found;
  const bare = withoutEscapes(text);
  return bare === undefined ? [] : objectsIn(bare, fit);
}

function objectsIn(text: string, fit: (object: string) => string | undefined): readonly string[] {
  const found = new Set<string>();
  let last = 0;
  let tries = 0;
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", Math.max(last, start + 1))) {
    if (++tries > TRIES_MAXIMUM) return [];
    const reader = new JsonReader(new JsonWriter(() => {}));
    const object = text.slice(start, reader.read(text, start));
    const fitted = reader.state === "done" ? fit(object) : undefined;
    const json = fitted === undefined ? undefined : readWhole(fitted)?.json;
    if (json === undefined) continue;
    const gap = text.slice(last, start);
    if (found.size === 0 ? !mayPrecede(gap, object) : !isLeft(gap)) return [];
    found.add(json);
    last = start + object.length;
  }
  return isLeft(text.slice(last)) ? [...found] : [];
}

/** Whether a text can precede the first object: marks, words without brackets and quotes, or the beginning of the object itself. */
function mayPrecede(text: string, object: string): boolean {
  if (isLeft(text) || !["{", "}", '"'].some((mark) => text.includes(mark))) return true;
  return withoutSpaces(object).startsWith(withoutSpaces(text));
}

function withoutSpaces(text: string): string {
  return text.split("").filter((unit) => unit.trim() !== "").join("");
}

/** Whether a text has only whitespace, marks, closing tags and tokens, and the name of JSON. */
function isLeft(text: string): boolean {
  for (let at = 0; at < text.length;) {
    if (isSpace(text.charCodeAt(at)) || LEFT.has(text.charCodeAt(at))) at++;
    else if (text.startsWith("json", at)) at += "json".length;
    else {
      const end = text.indexOf(">", at);
      const isTag = text[at] === "<" && "/|｜".includes(text[at + 1] ?? " ") && end > 0;
      if (!isTag || end - at > TAG_MAXIMUM) return false;
      at = end + 1;
    }
  }
  return true;
}

/** The text with its escaped quotes bare; undefined if a string isn't escaped at both ends alike. */
function withoutEscapes(text: string): string | undefined {
  const parts = text.split('"');
  const areEscaped = parts.slice(0, -1).map((part) => part.endsWith("\\"));
  const isEven = areEscaped.every((is, index) => is === areEscaped[index % 2 === 0 ? index + 1 : index - 1]);
  if (!isEven) return undefined;
  return parts.map((part, index) => areEscaped[index] ? part.slice(0, -1) : part).join('"');
}

/** What completes the beginning of an object to an object in JSON; undefined if it begins another way. */
export function continuation(beginning: string, json: string): string | undefined {
  let read = "";
  const reader = new JsonReader(new JsonWriter((piece) => read += piece));
  reader.read(beginning, 0);
  return reader.repairs.size === 0 && json.startsWith(read) ? json.slice(read.length) : undefined;
}

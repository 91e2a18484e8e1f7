/**
 * Writes one value so that the client reads back exactly that value: raw, with the client's entities guarded, escaped,
 * or as JSON. A value of which the client would read another one is not written, unless the client's file allows it.
 *
 * @module
 */
import type { Client, Parameter } from "../client/schema.ts";

interface Place {
  /** What the client decodes, and how much it takes. */
  readonly client: Pick<Client, "entities" | "value_limit">;
  readonly parameter: Parameter;
  /** Texts that would end the value, the nearest first: `</content>`. */
  readonly closers: readonly string[];
  /** The client decodes nothing here (`raw_if` holds). */
  readonly isRaw: boolean;
}

type WrittenValue =
  | { readonly text: string }
  /** Why it cannot be written: one short phrase, without contents of the value. */
  | { readonly problem: string };

/**
 * Writes a value.
 *
 * @param value the value as the model meant it
 *
 * @example
 * ```ts
 * import { clientSchema } from "../client/schema.ts";
 * import { writeValue } from "./escape.ts";
 * const client = clientSchema.parse({
 *   client: "mine",
 *   writes: "text",
 *   entities: { guarded: ["&lt;", "&amp;"] },
 *   tools: { save: { parameters: { text: { escape: "entities" } } } },
 * });
 * const parameter = client.tools.save?.parameters.text;
 * if (parameter === undefined) throw new Error("the parameter is there");
 * const written = writeValue("a & b &lt; c</text>", { client, parameter, closers: ["</text>"], isRaw: false });
 * console.assert("text" in written && written.text === "a & b &amp;lt; c&lt;/text>");
 * ```
 */
export function writeValue(value: string, place: Place): WrittenValue {
  const problem = misreading(value, place.parameter);
  if (problem !== undefined) return { problem };
  const whole = withDroppedLines(value, place.parameter);
  const replaced = Object.entries(place.parameter.written_as).reduce(
    (text, [from, to]) => text.replaceAll(from, () => to),
    whole,
  );
  const text = escapeValue(replaced, place);
  return typeof text === "string" ? withinLimit(text, { value: whole, place }) : text;
}

function escapeValue(value: string, place: Place): string | WrittenValue {
  const { closers, parameter, client } = place;
  const isClosed = closers.some((closer) => closer !== "" && value.includes(closer));
  const raw = isClosed ? { problem: "the value contains its own closing tag" } : value;
  if (place.isRaw && parameter.escape === "markup" && !closesItsTags(value, elementOf(closers[0] ?? ""))) {
    return { problem: "the value contains tags that are not closed" };
  }
  switch (place.isRaw ? "none" : parameter.escape) {
    case "none":
      return raw;
    case "entities":
    case "markup": {
      if (client.entities.lost.some((entity) => value.includes(entity))) {
        return { problem: "the value contains an entity that the client always decodes" };
      }
      const guarded = guardEntities(value, client.entities.guarded);
      return parameter.escape === "markup" ? escapeOpenings(guarded) : guardClosers(guarded, closers);
    }
    case "balanced":
      return isClosed || !closesItsTags(value, elementOf(closers[0] ?? "")) ? escapeOpenings(value) : value;
    case "xml":
      // XML readers turn \r\n and \r into \n before anything else, so a \r cannot be written.
      return value.trim().includes("\r")
        ? { problem: "the value contains a carriage return" }
        : escapeXml(value);
    case "json":
      return value.replaceAll("</", "<\\/");
  }
}

/** The value as a client's decoder gives it back: `&` is escaped where it begins what the decoder knows. */
function guardEntities(value: string, entities: readonly string[]): string {
  let guarded = "";
  let from = 0;
  for (let at = value.indexOf("&"); at !== -1; at = value.indexOf("&", at + 1)) {
    if (!entities.some((entity) => value.startsWith(entity, at))) continue;
    guarded += `${value.slice(from, at)}&amp;`;
    from = at + 1;
  }
  return guarded + value.slice(from);
}

function guardClosers(value: string, closers: readonly string[]): string {
  return closers.reduce((text, closer) => text.replaceAll(closer, () => `&lt;${closer.slice(1)}`), value);
}

function escapeOpenings(value: string): string {
  return value.replaceAll("<", "&lt;");
}

function escapeXml(value: string): string {
  return escapeOpenings(value.replaceAll("&", "&amp;")).replaceAll(">", "&gt;");
}

function withinLimit(text: string, { value, place }: { value: string; place: Place }): WrittenValue {
  const { client, parameter, isRaw } = place;
  if (client.value_limit === undefined || text.length <= client.value_limit) return { text };
  if (parameter.over_limit === "refuse") return { problem: "the value is longer than the client's limit" };
  if (!isRaw && parameter.escape !== "none") {
    return { text: escapeOpenings(guardEntities(value, client.entities.guarded)) };
  }
  return value.includes("<")
    ? { problem: "the value is longer than the client's limit and cannot be escaped" }
    : { text };
}

/** The value with the lines that the client drops from it: one at its beginning, one at its end. */
function withDroppedLines(value: string, { dropped_lines, trimmed }: Parameter): string {
  const read = trimmed ? value.trim() : value;
  const first = dropped_lines.find((mark) => read.startsWith(mark));
  const last = dropped_lines.find((mark) => read.endsWith(mark));
  return (first === undefined ? "" : `${first}\n`) + value + (last === undefined ? "" : `\n${last}`);
}

/** What the client would make another value of, whatever way it is written. */
function misreading(value: string, { unwritable, trimmed }: Parameter): string | undefined {
  const read = trimmed ? value.trim() : value;
  if (unwritable.contains.some((text) => read.includes(text))) {
    return "the value contains text that the client would misread";
  }
  if (unwritable.numbered_lines && hasNumberedLines(read)) return "the client would strip the line numbers";
  return undefined;
}

/** Whether every line is whitespace, digits, whitespace and `|`. */
function hasNumberedLines(text: string): boolean {
  return text.split("\n").every((line) => {
    const bar = line.indexOf("|");
    if (bar === -1) return false;
    const number = line.slice(0, bar).trim();
    return number !== "" && line[bar - 1]?.trim() === "" &&
      [...number].every((digit) => digit >= "0" && digit <= "9");
  });
}

/** The element's name in its closing tag: `</suggest>` → `suggest`. */
function elementOf(closer: string): string {
  return closer.slice(2, -1);
}

/**
 * Whether a reader that takes an element's inside as it is, but follows the tags in it, finds the right end:
 * every `<` has its `>`, quotes in tags are closed, and no tag is the element's own.
 */
function closesItsTags(text: string, element: string): boolean {
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    if (text[at + 1] === "?" || text[at + 1] === "!") return false;
    const isClosing = text[at + 1] === "/";
    const end = isClosing ? text.indexOf(">", at) : tagEnd(text, at);
    if (end === -1) return false;
    const tag = text.slice(at + (isClosing ? 2 : 1), end).trim();
    if (tag.startsWith(element)) return false;
    at = end;
  }
  return true;
}

/** Where the tag that begins at `from` ends: the first `>` outside quotes, or -1. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return at;
  }
  return -1;
}

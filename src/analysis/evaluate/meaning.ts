/**
 * Whether arguments mean what a task asks for. A path can be written in several ways, a list of folders has no order, a text
 * file ends with a line end or not, and a tool can be given more than was asked, as far as its schema allows.
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import battery from "./battery.json" with { type: "json" };

type Values = Readonly<Record<string, unknown>>;

/** What a parameter of the battery's tools means: its name → how it is compared. */
const MEANINGS: Readonly<Record<string, string>> = battery.meanings;

/** Whether the values have everything that is wanted. What else they have, the schema judges. */
export function isSameMeaning(given: Values, wanted: Values): boolean {
  const keys = Object.keys(wanted);
  // A call with nothing is only the same as another one with nothing.
  if (keys.length === 0) return Object.values(given).every((value) => value === null);
  return keys.every((key) => isJsonEqual(plain(key, given[key]), plain(key, wanted[key])));
}

/** A value in the form that all of its spellings share. */
function plain(key: string, value: unknown): unknown {
  switch (MEANINGS[key]) {
    case "path":
      return plainPath(value);
    case "paths":
      return Array.isArray(value) ? value.map(plainPath).sort() : value;
    case "text":
      return typeof value === "string" ? value.replace(/\n$/, "") : value;
    default:
      return value;
  }
}

/** `./src//x.ts`, `src/x.ts` and `src/./x.ts` are one file; `src/` and `src` are one folder. */
function plainPath(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const parts = value.replaceAll("\\", "/").split("/");
  const kept = parts.filter((part, at) => part !== "." && (part !== "" || at === 0));
  return kept.join("/") || (value.startsWith("/") ? "/" : ".");
}

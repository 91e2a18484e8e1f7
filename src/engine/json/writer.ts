/** Converts the parts of a JSON value to JSON text without whitespace, piece by piece. @module */
import type { JsonHandler } from "./handler.ts";

/** Writes JSON. At any time, the text written so far is the beginning of a valid JSON value. */
export class JsonWriter implements JsonHandler {
  readonly #write: (json: string) => void;
  readonly #kinds: ("object" | "array")[] = [];
  #needsComma = false;

  /**
   * A writer that has written nothing.
   *
   * @param write receives each piece of JSON text
   */
  constructor(write: (json: string) => void) {
    this.#write = write;
  }

  begin(kind: "object" | "array"): void {
    this.#value(kind === "object" ? "{" : "[");
    this.#kinds.push(kind);
    this.#needsComma = false;
  }

  end(): void {
    this.#write(this.#kinds.pop() === "object" ? "}" : "]");
    this.#needsComma = true;
  }

  key(key: string): void {
    this.#write(`${this.#needsComma ? "," : ""}${JSON.stringify(key)}:`);
    this.#needsComma = false;
  }

  stringBegin(): void {
    this.#value('"');
  }

  stringPiece(escaped: string): void {
    this.#write(escaped);
  }

  /** The string ends. */
  stringEnd(): void {
    this.#write('"');
    this.#needsComma = true;
  }

  scalar(json: string): void {
    this.#value(json);
    this.#needsComma = true;
  }

  #value(json: string): void {
    this.#write(this.#needsComma ? `,${json}` : json);
  }
}

/** Escapes a text as the inside of a JSON string, without the quotes. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** An object as JSON, of its keys and the JSON of their values. */
export function objectJson(members: Iterable<readonly [key: string, json: string]>): string {
  return `{${Array.from(members, ([key, json]) => `${JSON.stringify(key)}:${json}`).join()}}`;
}

/** The text that the inside of a JSON string means. */
export function unescapeJson(escaped: string): string {
  return JSON.parse(`"${escaped}"`);
}

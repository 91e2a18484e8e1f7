/**
 * Parts of a JSON value → JSON text without white space, piece by piece as they come.
 *
 * @module
 */
import type { JsonHandler } from "./handler.ts";

/** Writes JSON; what it has written is a valid beginning of a JSON value at any time. */
export class JsonWriter implements JsonHandler {
  readonly #write: (json: string) => void;
  readonly #kinds: ("object" | "array")[] = [];
  #needsComma = false;

  /**
   * A writer that has written nothing yet.
   *
   * @param write takes each piece of JSON text
   */
  constructor(write: (json: string) => void) {
    this.#write = write;
  }

  /** How many objects and arrays are open. */
  get depth(): number {
    return this.#kinds.length;
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

  /** The string is over. */
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

/** A text as the inside of a JSON string, without the quotes. */
export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

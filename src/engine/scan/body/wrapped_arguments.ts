/**
 * Reads a value that isn't one parameter's but contains all of them as one object, whose members become the arguments.
 *
 *     <param name="arguments">{"city": "Paris"}</param>   →   {"city": "Paris"}
 *
 * @module
 */
import { readWhole } from "../../json/reader.ts";
import { escapeJson } from "../../json/writer.ts";
import type { ArgumentsWriter } from "../arguments_writer.ts";
import { type ItemValue, KEPT_MAXIMUM } from "./value_writer.ts";

/** Collects the value. If it isn't an object, it is a parameter's value after all. */
export class WrappedArguments implements ItemValue {
  readonly isText = false;
  readonly isList = false;
  readonly unsent = undefined;
  readonly #writer: ArgumentsWriter;
  readonly #key: string;
  #text = "";

  /** @param key the key of the value */
  constructor(writer: ArgumentsWriter, key: string) {
    this.#writer = writer;
    this.#key = key;
  }

  isComplete(text: string): boolean {
    return this.#objectIn(text) !== undefined;
  }

  /** An object of parameters is never an element. */
  next(): void {}

  write(text: string): void {
    this.#text += text;
    if (this.#text.length <= KEPT_MAXIMUM) return;
    this.#writer.isRefused = true;
    this.#text = "";
  }

  finish(): { isKeptAsText: boolean; isRepaired: boolean } {
    const json = this.#objectIn(this.#text);
    if (json !== undefined) this.#writer.members(json);
    else {
      this.#writer.key(this.#key);
      this.#writer.scalar(`"${escapeJson(this.#text)}"`);
    }
    return { isKeptAsText: json === undefined, isRepaired: false };
  }

  /** The object that a text consists of, as JSON. */
  #objectIn(text: string): string | undefined {
    const trimmed = text.trim();
    return trimmed.startsWith("{") ? readWhole(trimmed, { isPython: true })?.json : undefined;
  }
}

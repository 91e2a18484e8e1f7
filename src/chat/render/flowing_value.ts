/**
 * One value that spans lines, passed on in pieces as the model wrote it in the client's own notation. Only what would
 * end the value too early changes: its own closing tag, and a tag past the length that the client reads.
 *
 *     It ends with </content> and goes on.   →   It ends with &lt;/content> and goes on.
 *
 * @module
 */
import type { Client, Parameter } from "../client/schema.ts";

export interface FlowingPlace {
  readonly client: Pick<Client, "value_limit">;
  readonly parameter: Pick<Parameter, "escape" | "over_limit">;
  /** What ends the value: `</content>`. */
  readonly closer: string;
  /** Whether the client decodes nothing here. */
  readonly isRaw: boolean;
}

/** Passes a value on up to its end or its first problem; holds only the beginning of a tag that may be its closer. */
export class FlowingValue {
  readonly #place: FlowingPlace;
  readonly #decodes: boolean;
  #held = "";
  #length = 0;
  lineCount = 1;
  /** Why the client would read another value. */
  problem: string | undefined;

  constructor(place: FlowingPlace) {
    this.#place = place;
    this.#decodes = !place.isRaw &&
      (place.parameter.escape === "entities" || place.parameter.escape === "markup");
  }

  take(text: string): string {
    const { closer } = this.#place;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) this.lineCount++;
    const all = this.#held + text;
    const tag = all.lastIndexOf("<");
    const isOpen = tag !== -1 && closer.startsWith(all.slice(tag)) && all.length - tag < closer.length;
    this.#held = isOpen ? all.slice(tag) : "";
    return this.#send(isOpen ? all.slice(0, tag) : all);
  }

  end(): string {
    const held = this.#held;
    this.#held = "";
    return this.#send(held);
  }

  #send(text: string): string {
    if (this.problem !== undefined) return "";
    const { closer, client, parameter } = this.#place;
    const end = this.#decodes ? -1 : text.indexOf(closer);
    if (end !== -1) this.problem = "the value contains its own closing tag";
    const sent = this.#decodes
      ? text.replaceAll(closer, () => `&lt;${closer.slice(1)}`)
      : text.slice(0, end === -1 ? text.length : end);
    const room = Math.max((client.value_limit ?? Infinity) - this.#length, 0);
    this.#length += sent.length;
    if (sent.length <= room) return sent;
    if (this.#decodes && parameter.over_limit === "escape") {
      return sent.slice(0, room) + sent.slice(room).replaceAll("<", "&lt;");
    }
    this.problem = "the value is longer than the client reads";
    return sent.slice(0, room);
  }
}

/**
 * Tags in ordinary text that a client would execute. Clients that read calls in text take every exact `<tool>` for
 * the beginning of one, in prose, code, or reasoning, and execute it even if the answer ends there. A space in the tag
 * makes it text for them and changes little for people.
 *
 * @module
 */

/**
 * Makes tags of tools inert in a text that comes in pieces, and holds only what may still become such a tag.
 *
 * @example
 * ```ts
 * import { TagGuard } from "./live_tag.ts";
 * const guard = new TagGuard(["look"]);
 * console.assert(guard.take("Use <lo") === "Use ");
 * console.assert(guard.take("ok> for <b>that</b>.") === "<look > for <b>that</b>.");
 * ```
 */
export class TagGuard {
  readonly #tools: ReadonlySet<string>;
  /** Every beginning of a tool's name, the empty one included. */
  readonly #beginnings: ReadonlySet<string>;
  #held = "";

  /** @param tools names of all tools that the client's parser knows, offered or not */
  constructor(tools: Iterable<string>) {
    this.#tools = new Set(tools);
    this.#beginnings = new Set(
      [...this.#tools].flatMap((name) =>
        Array.from({ length: name.length + 1 }, (_, end) => name.slice(0, end))
      ),
    );
  }

  take(text: string): string {
    const all = this.#held + text;
    let sent = "";
    let from = 0;
    this.#held = "";
    for (let start = all.indexOf("<"); start !== -1; start = all.indexOf("<", start + 1)) {
      const end = nameEnd(all, start + 1);
      const name = all.slice(start + 1, end);
      if (end === all.length && this.#beginnings.has(name)) {
        this.#held = all.slice(start);
        return sent + all.slice(from, start);
      }
      if (all[end] !== ">" || !this.#tools.has(name)) continue;
      sent += `${all.slice(from, end)} `;
      from = end;
    }
    return sent + all.slice(from);
  }

  /** The text is over, or a call follows: gives what was held. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}

function nameEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isNameCharacter(text.charCodeAt(at))) at++;
  return at;
}

function isNameCharacter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) ||
    code === 95;
}

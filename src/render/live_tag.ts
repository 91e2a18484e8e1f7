/**
 * Tags in ordinary text that a client would take for a call. In: the text that was sent, in any cuts. Out: the
 * call that the client believes to be open, and a form of a text in which nothing is executed. Linear in the text.
 *
 * @module
 */

/** Longest tag that is looked at; names of tools and parameters are shorter. */
const TAG_LENGTH_MAX = 128;

/** What a client takes for tags. */
export interface LiveNames {
  /** Names of all its tools, offered or not. */
  readonly tools: ReadonlySet<string>;
  /** Names of all its parameters: inside one of them nothing else is a tag. */
  readonly parameters: ReadonlySet<string>;
}

/**
 * Follows the text as a client does that executes exact `<tool>` tags wherever they stand.
 *
 * @example
 * ```ts
 * import { LiveTags } from "./live_tag.ts";
 * const tags = new LiveTags({ tools: new Set(["look"]), parameters: new Set() });
 * tags.feed("Use <lo");
 * tags.feed("ok> for that.");
 * console.assert(tags.openTool === "look");
 * ```
 */
export class LiveTags {
  readonly #names: LiveNames;
  #tail = "";
  #tool: string | undefined;
  #parameter: string | undefined;

  /** @param names what the client takes for tags */
  constructor(names: LiveNames) {
    this.#names = names;
  }

  /** The tool whose call the client believes to be open. */
  get openTool(): string | undefined {
    return this.#tool;
  }

  /** Takes the next text that is sent. */
  feed(text: string): void {
    const all = this.#tail + text;
    let start = all.indexOf("<");
    let end = start === -1 ? -1 : all.indexOf(">", start);
    while (start !== -1) {
      const next = all.indexOf("<", start + 1);
      // Looked for again only when passed: a run of "<" without ">" would otherwise be read once for each.
      if (end !== -1 && end < start) end = all.indexOf(">", start);
      if (next === -1 && end === -1) break;
      if (end !== -1 && (next === -1 || end < next)) this.#take(all.slice(start + 1, end));
      start = next;
    }
    const tail = start === -1 ? "" : all.slice(start);
    this.#tail = tail.length > TAG_LENGTH_MAX ? "" : tail;
  }

  #take(tag: string): void {
    const { tools, parameters } = this.#names;
    if (this.#tool === undefined) {
      if (tools.has(tag)) this.#tool = tag;
    } else if (this.#parameter !== undefined) {
      if (tag === `/${this.#parameter}`) this.#parameter = undefined;
    } else if (tag === `/${this.#tool}`) this.#tool = undefined;
    else if (parameters.has(tag)) this.#parameter = tag;
  }
}

/**
 * The text with every exact `<tool>` as `<tool >`, which reads the same and executes nothing.
 *
 * @param text a text that must not be executed
 * @param tools names of the client's tools
 */
export function makeInert(text: string, tools: ReadonlySet<string>): string {
  let inert = "";
  let from = 0;
  for (let start = text.indexOf("<"); start !== -1; start = text.indexOf("<", start + 1)) {
    const end = text.slice(start, start + TAG_LENGTH_MAX).indexOf(">");
    if (end === -1 || !tools.has(text.slice(start + 1, start + end))) continue;
    inert += `${text.slice(from, start + end)} `;
    from = start + end;
  }
  return inert + text.slice(from);
}

/**
 * Where a text's last `<tool>` begins, if nothing but white space stands behind it; else the text's length.
 *
 * @param text the text so far
 * @param tools names of the client's tools
 */
export function lastTagIn(text: string, tools: ReadonlySet<string>): number {
  const end = text.trimEnd();
  const start = end.lastIndexOf("<");
  const isTag = end.endsWith(">") && tools.has(end.slice(start + 1, -1));
  return start >= 0 && isTag && text.length - start <= TAG_LENGTH_MAX ? start : text.length;
}

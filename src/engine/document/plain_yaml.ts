/**
 * Reads YAML that has nothing unusual in it: mappings and lists by indentation or on one line, texts on one line, and
 * blocks of text after `|`. It takes less than a tenth of the time of the YAML parser, which makes a tree for locations; a
 * start with many rules spent a quarter of its time there. Whatever else a text contains, even an error, is the
 * parser's: then there is no value.
 *
 * @module
 */

/** A mapping's key and what follows it on its line. */
const ENTRY = /^([A-Za-z][\w-]*):(?: ([^ ].*))?$/;
/** Characters that the parser treats in a way of its own, anywhere. */
// deno-lint-ignore no-control-regex
const UNUSUAL = /[\0-\x09\x0b-\x1f\x7f\x85\u2028\u2029\ufeff]/;
/** A text without quotes that goes on to the end of its line. It must not look like an entry. */
const LINE_TEXT = /^[A-Za-z_](?!.*(?::(?: |$)| $)).*$/;
const COMMENT = / +#.*$/y;
const NUMBER = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,8})?$/;
const NESTING_MAXIMUM = 20;
/** The longest key; the parser has a limit for keys, too. */
const KEY_MAXIMUM = 100;

/** Texts on one line, in which the next value begins at `lastIndex`. */
const SINGLE_QUOTED = /'((?:[^']|'')*)'/y;
const DOUBLE_QUOTED = /"(?:[^"\\]|\\["\\/bfnrtu])*"/y;
const BARE = /(?:[A-Za-z_]|-?\d)[\w./-]*(?: +[\w./-]+)*/y;
const SPACES = / */y;

/** Something that only the parser reads. */
class Unusual extends Error {}

/** The value of a text; undefined if the parser has to read it. */
export function readPlainYaml(text: string): { readonly value: unknown } | undefined {
  if (UNUSUAL.test(text) || !text.endsWith("\n")) return undefined;
  try {
    const lines = new Lines(text.split("\n").slice(0, -1));
    const value = lines.mapping(0);
    return lines.isOver ? { value } : undefined;
  } catch (error) {
    // A text that JSON can't read has an escape that only YAML has, or a wrong one.
    if (error instanceof Unusual || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

class Lines {
  readonly #lines: string[];
  #at = 0;

  constructor(lines: string[]) {
    this.#lines = lines;
    this.#skip();
  }

  get isOver(): boolean {
    return this.#at === this.#lines.length;
  }

  /** The mapping whose entries begin at a column. */
  mapping(column: number): Record<string, unknown> {
    const value: Record<string, unknown> = {};
    do {
      const [, key, rest] = ENTRY.exec(this.#line.slice(column)) ?? [];
      if (!isKey(key && bare(key)) || Object.hasOwn(value, key!)) throw new Unusual();
      this.#at++;
      value[key!] = rest === undefined ? this.#nested(column) : this.#value(rest, column);
      this.#skip();
    } while (this.#goesOn(column));
    return value;
  }

  /** What begins on the line after a key: a list may have the key's own column. */
  #nested(column: number): unknown {
    this.#skip();
    const inner = this.#column;
    if (this.#isItem(inner) && inner >= column) return this.#list(inner);
    if (inner <= column || inner > column + NESTING_MAXIMUM) throw new Unusual();
    return this.mapping(inner);
  }

  #list(column: number): unknown[] {
    const items: unknown[] = [];
    do {
      const rest = this.#line.slice(column + 2);
      if (!this.#isItem(column) || rest === "" || rest.startsWith(" ")) throw new Unusual();
      if (ENTRY.test(rest)) {
        // The mapping begins on the item's own line.
        this.#lines[this.#at] = " ".repeat(column + 2) + rest;
        items.push(this.mapping(column + 2));
      } else {
        this.#at++;
        items.push(this.#value(rest, column));
        this.#skip();
      }
    } while (this.#goesOn(column) && this.#isItem(column));
    return items;
  }

  /** A value that begins on the line of its key or item. */
  #value(text: string, column: number): unknown {
    if (text === "|" || text === "|-") return this.#block(column) + (text === "|" ? "\n" : "");
    const comment = text.indexOf(" #");
    const written = comment < 0 ? text : text.slice(0, comment).trimEnd();
    if (LINE_TEXT.test(written)) return bare(written);
    return new Line(text).only();
  }

  /** The lines after `|`, which have more spaces in front than the entry. */
  #block(column: number): string {
    const begin = this.#column;
    if (begin <= column || this.#line.trim() === "") throw new Unusual();
    const texts: string[] = [];
    for (; !this.isOver && (this.#column >= begin || this.#line.trim() === ""); this.#at++) {
      texts.push(this.#line.slice(begin));
    }
    while (texts.at(-1) === "") texts.pop();
    return texts.join("\n");
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  /** How many spaces the line begins with. */
  get #column(): number {
    SPACES.lastIndex = 0;
    return SPACES.exec(this.#line)![0].length;
  }

  #isItem(column: number): boolean {
    return this.#line.startsWith("- ", column);
  }

  /** Whether the next line is of the same mapping or list; one with more spaces would be part of what was just read. */
  #goesOn(column: number): boolean {
    if (!this.isOver && this.#column > column) throw new Unusual();
    return !this.isOver && this.#column === column;
  }

  /** Skips empty lines and comments. */
  #skip(): void {
    while (!this.isOver && /^ *(?:#.*)?$/.test(this.#line)) this.#at++;
  }
}

/** Values on one line. */
class Line {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value of the whole line. */
  only(): unknown {
    const value = this.value();
    this.#match(COMMENT);
    if (this.#at < this.#text.length) throw new Unusual();
    return value;
  }

  value(depth = 0): unknown {
    if (depth > NESTING_MAXIMUM) throw new Unusual();
    if (this.#take("[")) return this.#items("]", () => this.value(depth + 1));
    if (this.#take("{")) return this.#object(depth);
    const [, single] = this.#match(SINGLE_QUOTED) ?? [];
    if (single !== undefined) return single.replaceAll("''", "'");
    const [double] = this.#match(DOUBLE_QUOTED) ?? [];
    if (double !== undefined) return JSON.parse(double);
    const [text] = this.#match(BARE) ?? [];
    if (text === undefined) throw new Unusual();
    return bare(text);
  }

  #object(depth: number): Record<string, unknown> {
    const entries = this.#items("}", () => {
      const key = this.value(NESTING_MAXIMUM);
      if (!isKey(key) || !this.#take(": ")) throw new Unusual();
      this.#match(SPACES);
      return [key, this.value(depth + 1)] as const;
    });
    const value = Object.fromEntries(entries);
    if (Object.keys(value).length < entries.length) throw new Unusual();
    return value;
  }

  #items<Item>(closer: string, read: () => Item): Item[] {
    const items: Item[] = [];
    this.#match(SPACES);
    if (this.#take(closer)) return items;
    for (;;) {
      items.push(read());
      this.#match(SPACES);
      if (this.#take(closer)) return items;
      if (!this.#take(",")) throw new Unusual();
      this.#match(SPACES);
    }
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.#at = pattern.lastIndex;
    return match;
  }
}

function isKey(value: unknown): value is string {
  return typeof value === "string" && value.length <= KEY_MAXIMUM;
}

/** The value of a text without quotes. */
function bare(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  if (NUMBER.test(text)) return Number(text);
  if (!/^[A-Za-z_]/.test(text) || /^(?:null|true|false)$/i.test(text)) throw new Unusual();
  return text;
}

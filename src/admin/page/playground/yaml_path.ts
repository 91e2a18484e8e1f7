/**
 * Finds which field of a YAML text a cursor is in, by indentation alone, so that it works while the text is incomplete.
 *
 *     envelope:
 *       na|            the keys of `envelope`, beginning with "na"
 *     body: ta|        the values of `body`
 *
 * @module
 */

/** What can be completed at a cursor. */
interface YamlPlace {
  /** The mapping that holds the key, or the field whose value it is. A list's entry is 0. */
  readonly path: readonly (string | number)[];
  readonly isValue: boolean;
  /** The offset at which the word begins that is being written. */
  readonly from: number;
}

interface Line {
  /** The column of the first dash, or of the key. */
  readonly indent: number;
  readonly column: number;
  readonly key: string;
  readonly isEntry: boolean;
  readonly isBlock: boolean;
}

/** What is at a cursor; undefined if nothing can be completed there. */
export function yamlPlace(text: string, cursor: number): YamlPlace | undefined {
  const lineStart = text.lastIndexOf("\n", cursor - 1) + 1;
  const before = text.slice(lineStart, cursor);
  const key = /^( *)((?:- +)*)(\w*)$/.exec(before);
  const value = /^( *)((?:- +)*)(\w+): +(\w*)$/.exec(before);
  const found = key ?? value;
  if (found === null) return undefined;
  const [, spaces = "", dashes = "", word = "", written = ""] = found;
  const parents = parentsOf(text.slice(0, lineStart), {
    indent: spaces.length,
    column: spaces.length + dashes.length,
    isEntry: dashes !== "",
  });
  if (parents === undefined) return undefined;
  return value === null
    ? { path: parents, isValue: false, from: cursor - word.length }
    : { path: [...parents, word], isValue: true, from: cursor - written.length };
}

/** The fields around a line, the outermost first; undefined inside a block of text. */
function parentsOf(
  before: string,
  { indent, column, isEntry }: Pick<Line, "indent" | "column" | "isEntry">,
): (string | number)[] | undefined {
  const path: (string | number)[] = isEntry ? [0] : [];
  // A key belongs to a key that is further to the left; an entry's list may be as far to the left as its key.
  let limit = isEntry ? indent + 1 : column;
  for (const text of before.split("\n").reverse()) {
    const line = readLine(text);
    if (line === undefined) continue;
    if (line.isEntry && line.column === limit && !isWaitingForList(path)) {
      path.unshift(0);
      limit = line.indent + 1;
    } else if (
      line.column < limit && !(isWaitingForList(path) && line.isEntry && line.indent + 1 === limit)
    ) {
      if (line.isBlock) return undefined;
      path.unshift(line.key);
      limit = line.column;
      if (line.isEntry) {
        path.unshift(0);
        limit = line.indent + 1;
      }
    }
    if (limit === 0) break;
  }
  return path;
}

/** Whether the outermost field so far is an entry, whose list is looked for. */
function isWaitingForList([first]: readonly (string | number)[]): boolean {
  return first === 0;
}

function readLine(text: string): Line | undefined {
  const [, spaces = "", dashes = "", key = "", rest = ""] = /^( *)((?:- +)*)(\w+):(?:\s+(.*))?$/.exec(text) ??
    [];
  if (key === "") return undefined;
  const column = spaces.length + dashes.length;
  return {
    indent: spaces.length,
    column,
    key,
    isEntry: dashes !== "",
    isBlock: /^[|>][-+\d]*\s*$/.test(rest),
  };
}

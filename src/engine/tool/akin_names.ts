/**
 * Spellings of a tool's name that models confuse: with other separators, without its server's prefix, with other
 * namespaces, and with a channel's name glued to it.
 *
 *     todo_write                             →   todowrite
 *     create_issue, github.create_issue      →   mcp__github__create_issue
 *     read..commentary                       →   read
 *     google:files:read                      →   read
 *
 * @module
 */

/** What clients put between the parts of a name: `mcp__`, the server, and the tool. */
const PARTS = "__";

/** What a namespace before a name ends in. */
const NAMESPACE = ":";

/** What stays of a channel's tokens between a name and the channel. */
const CHANNEL = "..";

/** The offered spellings that a name can mean. */
export function akinNames(name: string, spellings: readonly string[]): string[] {
  const bare = joined(name.split(CHANNEL, 1)[0]!.split(NAMESPACE).at(-1)!);
  return bare === ""
    ? []
    : spellings.filter((spelling) => endsOf(spelling).some((end) => joined(end) === bare));
}

/** A name, without its first part, and its last part. */
function endsOf(name: string): string[] {
  const parts = name.split(PARTS);
  return [name, parts.slice(1).join(PARTS), parts.at(-1)!].filter((end) => end !== "");
}

/** A name in one case, without separators. */
function joined(name: string): string {
  return name.toLowerCase().split("").filter((unit) => !"_-. ".includes(unit)).join("");
}

/** Whether two names of parameters differ only in separators, case and words that one of them has more: `file_path`, `path`. */
export function areAkin(one: string, other: string): boolean {
  const [few, many] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length);
  return joined(one) === joined(other) || (few!.length > 0 && few!.every((word) => many!.includes(word)));
}

/** The words of a name in snake or camel case. */
function wordsOf(name: string): string[] {
  const words = [""];
  for (const unit of name) {
    if ("_-. ".includes(unit)) words.push("");
    else if (unit !== unit.toLowerCase() && words.at(-1) === words.at(-1)!.toLowerCase()) words.push(unit);
    else words[words.length - 1] += unit;
  }
  return words.filter((word) => word !== "").map((word) => word.toLowerCase());
}

/** Whether a name is another one without one of its letters. */
export function lacksLetter(name: string, other: string): boolean {
  if (name.length !== other.length - 1 || name.length < 2) return false;
  let at = 0;
  while (at < name.length && name[at] === other[at]) at++;
  return name.slice(at) === other.slice(at + 1);
}

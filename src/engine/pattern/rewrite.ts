/**
 * Rewrites regular expressions that people bring from other programs, so that an automaton can run them. Each change keeps
 * the meaning, or what its author can only have meant.
 *
 *     /^RUN: (.+)$/i          ^[Rr][Uu][Nn]: (.+)$
 *     (?P<path>\S+)           (?<path>\S+)
 *     (?<=do: )(?<cmd>.+)     (?<before>do: )(?<cmd>.+)
 *
 * @module
 */

/** One bracket, class, escape or character of a pattern. */
const TOKEN = /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<(?![=!])\w*>|P<\w+>|<?[=!:]|[a-z]+\)|>))?|[^]/g;

/** A pattern in today's notation; the same text if there is nothing to change. */
export function rewritePattern(text: string): string {
  // A block of YAML ends with a line break that no one sees.
  const { pattern, flags } = withoutDelimiters(text.replace(/\n$/, ""));
  const plain = pattern.replace(/^\(\?<=((?:\\[^]|[^()\\])+)\)/, "(?<before>$1)").match(TOKEN) ?? [];
  const tokens = plain.map((token, at) => rewriteToken(token, { flags, previous: plain[at - 1] ?? "" }));
  return tokens.join("");
}

/** A pattern without the slashes, the letter or the group that states its flags. */
function withoutDelimiters(text: string): { readonly pattern: string; readonly flags: string } {
  const literal = /^\/([^]*)\/([dgimsuy]*)$/.exec(text) ?? /^r(["'])(?<pattern>[^]*)\1$/.exec(text);
  const bare = literal === null ? text : literal.groups?.["pattern"] ?? literal[1] ?? "";
  const flags = literal?.groups === undefined ? literal?.[2] ?? "" : "";
  const group = /^\(\?([ims]+)\)/.exec(bare);
  return group === null
    ? { pattern: bare, flags }
    : { pattern: bare.slice(group[0].length), flags: flags + group[1] };
}

function rewriteToken(
  token: string,
  { flags, previous }: { readonly flags: string; readonly previous: string },
): string {
  if (token.startsWith("(?P<")) return `(?<${token.slice(4)}`;
  if (token === "(?>") return "(?:";
  if (token === "\\b") return "";
  if (token === "\\A") return "^";
  if (token === "\\Z" || token === "\\z") return "$";
  if (token === "+" && /^[*+?}]$/.test(previous)) return "";
  if (token === "." && flags.includes("s")) return "[\\s\\S]";
  return flags.includes("i") ? anyCase(token) : token;
}

/** A letter, or the letters of a class, in both cases. */
function anyCase(token: string): string {
  if (token.startsWith("[")) {
    return token.replace(/\\[^]|([a-z])-([a-z])|([A-Z])-([A-Z])|[A-Za-z]/g, (part) => {
      const other = part === part.toLowerCase() ? part.toUpperCase() : part.toLowerCase();
      return part.startsWith("\\") ? part : part + other;
    });
  }
  return /^[A-Za-z]$/.test(token) ? `[${token.toUpperCase()}${token.toLowerCase()}]` : token;
}

/** The same pattern with a group, by name or number, that repeats as little as it can. */
export function lazyGroup(text: string, group: string): string {
  const open: string[] = [];
  let at = 0;
  let number = 0;
  for (const token of text.match(TOKEN) ?? []) {
    if (token.startsWith("(") && !token.endsWith(")")) {
      const name = /^\(\?P?<(\w+)>$/.exec(token)?.[1];
      if (token === "(" || name !== undefined) number++;
      open.push(token === "(" ? String(number) : name ?? "");
    }
    if (token === ")" && open.pop() === group) return `${text.slice(0, at)}?${text.slice(at)}`;
    at += token.length;
  }
  return text;
}

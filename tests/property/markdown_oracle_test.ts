/**
 * Where micromark and commonmark.js both read a position of a document as code, a quotation, a table or a link, a call
 * there is not made. micromark alone knows tables. Prose ends each document, because a line without a mark of its own is
 * quoted only before prose.
 */
import assert from "node:assert/strict";
import { HtmlRenderer, Parser } from "commonmark";
import fc from "fast-check";
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { OFFERED } from "../support/dialect_text.ts";
import { runs, tell } from "../support/fuzz.ts";
import { defaultProgram, eventsOf } from "../support/matcher_events.ts";

const program = defaultProgram();

const CALL = "<tool_call><function=read_file><parameter=path>a</parameter></function></tool_call>";

/** The word that is in the place of the call in the documents that the other parsers read. */
const WORD = "callhere";

/** What can begin a line: containers and whitespace. */
const begin = fc.constantFrom("", "", "", "> ", ">", "- ", "1. ", "2) ", "   ", "    ", "  ", "\t", "     ");

const PIECES = ["a", "b c", " ", "`", "``", "\\", "|", " | ", "&", "]", "\u00a0", "\ufffc"];

/** What a line can contain. The matcher reads links only within a line, so only the line of the call has their marks. */
const textLine = joined(fc.constantFrom(...PIECES));
const beforeCall = joined(fc.constantFrom(...PIECES, "[", "!["));
const afterCall = joined(fc.constantFrom(...PIECES, "](x)", "]"));

function joined(piece: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
}

/** Lines that open or close a block. */
const block = fc.constantFrom(
  ...[
    "```",
    "~~~",
    "````",
    "```js",
    "``` x`",
    "```\u2003",
    "~~~ \t",
    "#",
    "# a",
    "## ",
    "---",
    "--",
    "-",
    "=",
    "===",
  ],
  ...["* * *", "| a | b |", "|---|---|", "|-|", "-|-", ":-:", "a | b", "| a \\| b |", "-", "", "", "", "a"],
);

const line = fc.tuple(fc.array(begin, { maxLength: 2 }), fc.oneof(block, block, textLine))
  .map(([begins, rest]) => begins.join("") + rest);

/** Lines before the line of the call, what is before it and after it in its line, and the lines after it. */
const document = fc.record({
  above: fc.array(line, { maxLength: 6 }),
  begins: fc.array(begin, { maxLength: 2 }),
  before: fc.oneof(fc.constant(""), beforeCall),
  after: fc.oneof(fc.constant(""), afterCall),
  below: fc.array(line, { maxLength: 3 }),
}).map(({ above, begins, before, after, below }) => (call: string) =>
  ["So.", "", ...above, `${begins.join("")}${before}${call}${after}`, ...below, "", "So it is.", ""].join(
    "\n",
  )
);

/** Whether the word is in one of the elements that show a call; undefined if it isn't shown at all. */
function isQuoted(html: string): boolean | undefined {
  const open: string[] = [];
  for (const [part, closing, name] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>|[^<]+/g)) {
    if (part.includes(WORD)) return name !== undefined || open.some((tag) => QUOTING.has(tag));
    if (closing === "/") open.splice(open.lastIndexOf(name!));
    else if (name !== undefined && !/^(?:br|hr|img|input)$/.test(name)) open.push(name);
  }
  return undefined;
}

const QUOTING = new Set(["pre", "code", "blockquote", "table", "a"]);

/** What both parsers find, or undefined if they don't agree, or if the matcher reads the document in another way. */
function agreed(text: string): boolean | undefined {
  if (DELIBERATE.some((pattern) => pattern.test(text))) return undefined;
  const html = micromark(text, { extensions: [gfmTable()], htmlExtensions: [gfmTableHtml()] });
  const quoted = isQuoted(html);
  if (html.includes("<table")) {
    return UNLIKE_GITHUB.test(text) || isHeadWithoutBar(html, text) ? undefined : quoted;
  }
  return isQuoted(new HtmlRenderer().render(new Parser().parse(text))) === quoted ? quoted : undefined;
}

/**
 * Where the matcher differs from micromark: a table's head can be indented, as in GitHub's parser; and a fence can begin
 * after words or deep in a line, as models write it.
 */
const DELIBERATE = [/^(?:\t| {4}).*\n.*[:|]-/m, /(?:[^\s>.)`~-]|\t| {4}).*```/];

/** Where micromark reads a table, and GitHub's parser doesn't. */
const UNLIKE_GITHUB = /^[\s>]*(?:[-+*]|\d+[.)])[ \t]*$|^[\s>]*2\)/m;

/** Whether the call is in a table's head without a bar before it. To wait for the line after each call would hold all. */
function isHeadWithoutBar(html: string, text: string): boolean {
  return new RegExp(`<th[^>]*>[^<]*${WORD}`).test(html) && !new RegExp(`\\|.*${WORD}`).test(text);
}

Deno.test("a call is not made where other parsers of Markdown see a quotation", () => {
  const figures = { quoted: 0, meant: 0, "meant, but not made": 0 };
  fc.assert(
    fc.property(document, (write) => {
      const quoted = agreed(write(WORD));
      if (quoted === undefined) return;
      const events = eventsOf([write(CALL)], { program, offered: OFFERED, minimumConfidence: 0.9 });
      const isMade = events.some(({ kind }) => kind === "call_end");
      assert.ok(!(quoted && isMade), JSON.stringify(write(WORD)));
      figures[quoted ? "quoted" : "meant"]++;
      if (!quoted && !isMade) figures["meant, but not made"]++;
    }),
    runs(10_000),
  );
  tell("Markdown", figures);
  assert.ok(figures.quoted > 100 && figures.meant > 100);
  assert.ok(figures["meant, but not made"] < figures.meant / 100, JSON.stringify(figures));
});

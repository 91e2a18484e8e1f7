/**
 * Texts that hurt a client's parser: tags of its own dialect, entities, quotes, all kinds of whitespace.
 *
 * @module
 */
import fc from "fast-check";
import { anyText } from "./any_text.ts";

const PIECES = [
  ..."<>&;/|\\\"'`= \t\n",
  ..."&lt; &gt; &amp; &amp;lt; &amp;amp; &quot; &apos; &#39; &#91; &#93; &lsqb; &nbsp; &#x41; &am &lt".split(
    " ",
  ),
  ..."</ /> </> <> <b> </b> <br/> <!-- --> <![CDATA[ ]]> <?xml ?> <a href='x'> <b title=\"".split(" "),
  ..."``` ```ts 😀 é 漢 word 12 0 ${a} {path} [[ ]] $& $1 \uFFFD \u00A0 \u2028 \u0000 __proto__".split(" "),
  "\r\n",
  "\r",
  "\n\n",
  "  ",
  "1 | x",
  "\n 2 |",
  "a < b && c > d",
  "it's",
  "\\@",
  "\\\\@",
  "[ ] ",
  '["a"]',
];

/** Tags that every client's parser may know. */
const TAGS = [
  "content",
  "path",
  "args",
  "file",
  "diff",
  "suggest",
  "follow_up",
  "read_file",
  "write_to_file",
];

/**
 * A text of such pieces.
 *
 * @param names names whose tags it may hold besides the common ones
 */
export function nastyText(names: readonly string[]): fc.Arbitrary<string> {
  const tags = [...TAGS, ...names, ...names].flatMap((name) => [`<${name}>`, `</${name}>`, `</${name}`]);
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...PIECES) },
    { weight: 1, arbitrary: fc.constantFrom(...tags) },
    { weight: 1, arbitrary: anyText(6) },
  );
  return fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));
}

/**
 * Texts that the bench reads: plain code, a page full of angle brackets, and answers with calls in three dialects.
 * They are made here, the same in every run.
 *
 * @module
 */

/** A text and the protocol of the peer that reads its dialect. */
export interface Corpus {
  readonly name: string;
  readonly text: string;
  /** Which of the peer's protocols read it; a text without calls is given to two. */
  readonly peers: readonly ("hermes" | "qwen3coder" | "morph-xml")[];
  /** How many times the matcher's time the fastest of them takes at least; well under what was measured. */
  readonly atLeast: number;
}

const PLAIN = `export function total(items: readonly number[]): number {
  let sum = 0;
  for (const item of items) sum += item;
  return sum;
}

The function adds the items one by one. It returns 0 for an empty list, so the caller needs no test of its own.
`;

const RICH = `<section class="card">
  <h2>Title</h2>
  <p>Some <b>bold</b> and <i>italic</i> words, a <a href="#x">link</a> and a list:</p>
  <ul><li>one</li><li>two</li></ul>
  <table><tr><th>Name</th><th>Size</th></tr><tr><td>a.txt</td><td>12</td></tr></table>
  {items.map((item) => <Row key={item.id} value={item.a < item.b ? item.a : item.b} />)}
</section>

- a **list** item with \`code\` in it
`;

/** What documentation of tools has in it, and what a parser that looks again at all it holds trips over. */
const MENTION =
  `<p>The model writes a &lt;tool_call> tag; without escaping that is <tool_call> in the page.</p>\n`;

const CONTENT =
  `import { readFile } from "node:fs/promises";\n\nconst text = await readFile("a.txt", "utf8");\nif (text.length > 0 && text !== "x") console.log(\`<b>\${text}</b>\`);\n`;

/** All texts, each of about this many characters. */
export function corpora(length: number): Corpus[] {
  const qwen =
    `I'll write it.\n<tool_call>\n<function=write_file>\n<parameter=path>\nsrc/a.ts\n</parameter>\n` +
    `<parameter=content>\n${CONTENT.repeat(4)}\n</parameter>\n</function>\n</tool_call>\n`;
  const call = JSON.stringify({
    name: "write_file",
    arguments: { path: "src/a.ts", content: CONTENT.repeat(4) },
  });
  const hermes = `I'll write it.\n<tool_call>\n${call}\n</tool_call>\n`;
  const roo = `I'll write it.\n\n<write_file>\n<path>src/a.ts</path>\n<content>\n${
    CONTENT.repeat(4)
  }\n</content>\n</write_file>\n`;
  return [
    { name: "plain text", text: fill(PLAIN, length), peers: ["hermes", "qwen3coder"], atLeast: 1.5 },
    {
      name: "HTML-rich text",
      text: fill(RICH + MENTION, length / 5),
      peers: ["hermes", "qwen3coder"],
      atLeast: 8,
    },
    {
      name: "HTML-rich text without any mention of a tag",
      text: fill(RICH, length),
      peers: ["hermes", "qwen3coder"],
      // Here the peer's whole cost is that of one stream stage.
      atLeast: 1.3,
    },
    { name: "Qwen XML calls", text: fill(qwen, length), peers: ["qwen3coder"], atLeast: 2 },
    { name: "Hermes calls", text: fill(hermes, length), peers: ["hermes"], atLeast: 2.5 },
    { name: "Roo XML calls", text: fill(roo, length), peers: ["morph-xml"], atLeast: 10 },
  ];
}

/** The text in pieces of 4 to 20 characters, as tokens come: each a string of its own, out of JSON. */
export function pieces(text: string): string[] {
  const list: string[] = [];
  let seed = 1;
  for (let at = 0; at < text.length;) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const size = 4 + (seed >>> 8) % 17;
    list.push(text.slice(at, at + size));
    at += size;
  }
  return JSON.parse(JSON.stringify(list)) as string[];
}

function fill(text: string, length: number): string {
  return text.repeat(Math.max(1, Math.ceil(length / text.length)));
}

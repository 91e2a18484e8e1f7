/**
 * The texts that the proxy bench streams, in pieces of about seven characters, as tokens come. They are made here,
 * the same in every run.
 *
 * @module
 */

/** A text in pieces. */
export interface StreamCorpus {
  /** Its name on the command line and in the table. */
  readonly name: string;
  /** The pieces; each is the content of one event. */
  readonly pieces: readonly string[];
}

const PROSE =
  `The function adds the items one by one and returns the sum. It returns zero for an empty list, so the caller ` +
  `needs no test of its own. When an item is not a number, the result is not a number either.\n\n`;

const CODE = `export function total(items: readonly number[]): number {
  let sum = 0;
  for (const item of items) if (item > 0 && item < 100) sum += item;
  return items.map((item) => <Row key={item.id} value={item.a} />);
}
`;

function call(repetitions: number): string {
  return `I'll write the file.
<tool_call>
<function=write_file>
<parameter=path>
src/total.ts
</parameter>
<parameter=content>
${CODE.repeat(repetitions)}
</parameter>
</function>
</tool_call>
`;
}

/** The content of the long call in pieces of four characters, of about this many in all. */
const LONG_CHARACTERS = 1_000_000;

/** Prose, code, and one call in the notation of a shipped rule. */
export function corpora(): StreamCorpus[] {
  return [
    { name: "prose", pieces: pieces(PROSE.repeat(120), 7) },
    { name: "code", pieces: pieces(CODE.repeat(120), 7) },
    { name: "call", pieces: pieces(call(120), 7) },
  ];
}

/** One call with a megabyte of content in pieces of four characters. */
export function longCall(): StreamCorpus {
  return { name: "long call", pieces: pieces(call(Math.ceil(LONG_CHARACTERS / CODE.length)), 1) };
}

/** Cuts a text into pieces of four characters and up to `spread` − 1 more, the same ones every time. */
function pieces(text: string, spread: number): string[] {
  const list: string[] = [];
  let seed = 1;
  for (let at = 0; at < text.length;) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const size = 4 + (seed >>> 8) % spread;
    list.push(text.slice(at, at + size));
    at += size;
  }
  return list;
}

import assert from "node:assert/strict";
import { Automaton, type State } from "../../../src/engine/pattern/automaton.ts";
import { type Node, sequence } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";
import {
  type Found,
  HELD_MAXIMUM,
  isLineStart,
  Search,
  type TextWindow,
} from "../../../src/engine/pattern/search.ts";
import { oneByOne, twoCuts } from "../../support/cuts.ts";

function node(pattern: string): Node {
  const { node, problems } = parsePattern(pattern);
  assert.deepEqual(problems, []);
  assert.ok(node);
  return node;
}

/** Patterns in the order of their priority; patterns in one list share it. */
function automatonOf(...patterns: (string | string[])[]): Automaton {
  return new Automaton(
    patterns.flatMap((same, priority) => [same].flat().map((pattern) => ({ node: node(pattern), priority }))),
  );
}

function windowOf(text: string, options: Partial<TextWindow> = {}): TextWindow {
  return { text, base: 0, at: 0, atLineStart: true, isEnd: false, ...options };
}

/** The results of a search after each piece of a text, none of which is dropped. */
function find(search: Search, pieces: readonly string[], isEnd = false): Found[] {
  let text = "";
  const found: Found[] = [];
  for (const [index, piece] of pieces.entries()) {
    text += piece;
    found.push(search.next(windowOf(text, { isEnd: isEnd && index === pieces.length - 1 })));
    if (found.at(-1)?.type === "match") break;
  }
  return found;
}

function matchOf(found: Found | undefined): [alternative: number, start: number, end: number] | undefined {
  return found?.type === "match" ? [found.alternative, found.start, found.end] : undefined;
}

Deno.test("Search holds the beginning of an opener at every cut and finds it when the rest arrives", () => {
  const text = "see <call a>";
  for (const pieces of twoCuts(text)) {
    const search = new Search(automatonOf("<call \\w>"));
    const [first, last] = find(search, pieces);
    const cut = pieces[0]!.length;
    assert.deepEqual(first, cut > 4 ? { type: "held", start: 4 } : { type: "nothing" });
    assert.deepEqual(matchOf(last), [0, 4, text.length]);
  }
});

Deno.test("Search finds nothing in a text in which no match can begin", () => {
  for (const text of ["", "plain", "a > b", "<b>", "< call"]) {
    assert.deepEqual(new Search(automatonOf("<call>")).next(windowOf(text)), { type: "nothing" }, text);
  }
});

const priorities = [
  { name: "the earliest start", patterns: ["bc", "abcd"], text: "abcd!", match: [1, 0, 4] },
  { name: "at one start the lower priority number", patterns: ["ab", "abc"], text: "abc!", match: [0, 0, 2] },
  { name: "of equal priorities the longer match", patterns: [["ab", "abc"]], text: "abc!", match: [1, 0, 3] },
  { name: "of equal lengths the first pattern", patterns: [["a[bx]", "ab"]], text: "ab!", match: [0, 0, 2] },
  { name: "the more urgent though it is longer", patterns: ["abc", "ab"], text: "abc!", match: [0, 0, 3] },
  {
    name: "the shorter where the more urgent fails",
    patterns: ["abc", "ab"],
    text: "abx!",
    match: [1, 0, 2],
  },
  { name: "the longest of one pattern", patterns: ["ab+"], text: "abbbc", match: [0, 0, 4] },
  { name: "the next start where the first fails", patterns: ["aab"], text: "aaab", match: [0, 1, 4] },
] as const;

for (const { name, patterns, text, match } of priorities) {
  Deno.test(`Search prefers ${name} at every cut`, () => {
    for (const pieces of [[text], oneByOne(text), ...twoCuts(text)]) {
      const automaton = automatonOf(...patterns.map((same) => typeof same === "string" ? same : [...same]));
      assert.deepEqual(matchOf(find(new Search(automaton), pieces).at(-1)), match);
    }
  });
}

Deno.test("Search continues without a refused alternative", () => {
  const search = new Search(automatonOf("abc", "ab", "b"));
  const text = windowOf("abc!");
  assert.deepEqual(matchOf(search.next(text)), [0, 0, 3]);
  search.refuse(0);
  assert.deepEqual(matchOf(search.next(text)), [1, 0, 2]);
  search.refuse(1);
  assert.deepEqual(matchOf(search.next(text)), [2, 1, 2]);
  search.refuse(2);
  assert.deepEqual(search.next(text), { type: "nothing" });
});

Deno.test("Search holds a refused start as long as another alternative may match there", () => {
  const search = new Search(automatonOf("ab", "abcd"));
  assert.deepEqual(matchOf(search.next(windowOf("abc"))), [0, 0, 2]);
  search.refuse(0);
  assert.deepEqual(search.next(windowOf("abc")), { type: "held", start: 0 });
  assert.deepEqual(matchOf(search.next(windowOf("abcd"))), [1, 0, 4]);
});

Deno.test("Search that is anchored begins only at its first character", () => {
  const anchored = () => new Search(automatonOf("ab"), true);
  assert.deepEqual(matchOf(anchored().next(windowOf("ab"))), [0, 0, 2]);
  assert.deepEqual(anchored().next(windowOf("xab")), { type: "nothing" });
  assert.deepEqual(anchored().next(windowOf("aab")), { type: "nothing" });
  assert.deepEqual(anchored().next(windowOf("a")), { type: "held", start: 0 });
});

Deno.test("Search holds at most 512 characters, whole or one by one", () => {
  const text = "<" + "a".repeat(HELD_MAXIMUM) + ">";
  const tooLong = new Search(automatonOf("<a*>"));
  let longest = 0;
  for (const [index, found] of find(tooLong, oneByOne(text)).entries()) {
    assert.notEqual(found.type, "match");
    if (found.type === "held") longest = Math.max(longest, index + 1 - found.start);
  }
  assert.equal(longest, HELD_MAXIMUM - 1);
  assert.deepEqual(new Search(automatonOf("<a*>")).next(windowOf(text)), { type: "nothing" });
  const fits = "<" + "a".repeat(HELD_MAXIMUM - 2) + ">";
  for (const pieces of [[fits + "b"], [...oneByOne(fits), "b"]]) {
    assert.deepEqual(matchOf(find(new Search(automatonOf("<a*>")), pieces).at(-1)), [0, 0, HELD_MAXIMUM]);
  }
});

Deno.test("Search matches a shorter alternative if the longer one exceeds the limit", () => {
  const text = "<" + "a".repeat(2 * HELD_MAXIMUM);
  const search = new Search(automatonOf("<a*>", "<a"));
  assert.deepEqual(matchOf(search.next(windowOf(text))), [1, 0, 2]);
});

Deno.test("Search sees the end of the answer if a pattern waits for it", () => {
  const end = sequence(node("x\\s*"), { type: "end" });
  const automaton = new Automaton([{ node: end, priority: 0 }]);
  assert.deepEqual(new Search(automaton).next(windowOf("ax ")), { type: "held", start: 1 });
  assert.deepEqual(matchOf(new Search(automaton).next(windowOf("ax ", { isEnd: true }))), [0, 1, 3]);
  assert.deepEqual(new Search(automaton).next(windowOf("ax y", { isEnd: true })), { type: "nothing" });
});

Deno.test("Search finds a pattern that requires only the end", () => {
  const automaton = new Automaton([{ node: sequence(node("\\s*"), { type: "end" }), priority: 0 }]);
  assert.deepEqual(matchOf(new Search(automaton).next(windowOf("ab", { at: 2, isEnd: true }))), [0, 2, 2]);
  assert.deepEqual(new Search(automaton).next(windowOf("ab", { at: 2 })), { type: "nothing" });
  assert.deepEqual(new Search(automaton, true).next(windowOf("ab", { at: 1, isEnd: true })), {
    type: "nothing",
  });
});

Deno.test("Search begins a line after its indentation, even at the beginning of a piece", () => {
  const cases: [text: string, atLineStart: boolean, expected: number | undefined][] = [
    [">", true, 0],
    [">", false, undefined],
    ["  >", true, 2],
    ["  >", false, undefined],
    ["a\n\t>", false, 3],
    ["a >", true, undefined],
    ["a\r>", true, undefined],
  ];
  for (const [text, atLineStart, expected] of cases) {
    const found = new Search(automatonOf("^>")).next(windowOf(text, { atLineStart }));
    assert.equal(found.type === "match" ? found.start : undefined, expected, JSON.stringify(text));
  }
});

Deno.test("isLineStart looks back over spaces and tabs to the beginning of the line or of the text", () => {
  const cases: [text: string, at: number, atLineStart: boolean, expected: boolean][] = [
    ["a\n  b", 4, false, true],
    ["a  b", 3, true, false],
    ["", 0, true, true],
    [" ", 1, false, false],
    [" \t b", 3, true, true],
    ["a \nb", 3, false, true],
  ];
  for (const [text, at, atLineStart, expected] of cases) {
    assert.equal(isLineStart(text, at, atLineStart), expected, JSON.stringify(text));
  }
});

Deno.test("Search reads whitespace a few times at most, whatever a user's pattern begins with", () => {
  const text = new CountedText(" ".repeat(4000));
  new Search(automatonOf("^ *-")).next(windowOf(text as unknown as string));
  assert.ok(text.looks <= 6 * text.length, `${text.looks} looks`);
});

Deno.test("Search ignores text that can't begin a match, and only if the text before it is consumed", () => {
  const automaton = automatonOf("<a>", "^#");
  const ignores = (text: string, before: string, at = before.length) => {
    const search = new Search(automaton);
    return search.ignores(text, windowOf(before, { at }));
  };
  assert.equal(ignores("plain", "x"), true);
  assert.equal(ignores("a < b", "x"), true);
  assert.equal(ignores("see <a", "x"), false);
  assert.equal(ignores("#", "x"), true);
  assert.equal(ignores("#", "x\n"), false);
  assert.equal(ignores("plain", "x", 0), false);
  assert.equal(ignores("plain", ""), false, "nothing is consumed yet");
});

Deno.test("Search ignores nothing while it holds", () => {
  const search = new Search(automatonOf("<a>"));
  search.next(windowOf("<"));
  assert.equal(search.ignores("plain", windowOf("<", { at: 1 })), false);
});

Deno.test("Search reads each character a few times at most, whatever a user's pattern begins with", () => {
  // Each `a` can begin a match that never comes; the reads must not grow with the rest of the text.
  const length = 8 * HELD_MAXIMUM;
  const automaton = new CountingAutomaton([{ node: node("a+b"), priority: 0 }]);
  new Search(automaton).next(windowOf("a".repeat(length)));
  assert.ok(automaton.steps <= 6 * length, `${automaton.steps} steps`);
});

/** Counts the characters that it reads. */
class CountingAutomaton extends Automaton {
  steps = 0;

  override step(state: State, unit: number): State | null {
    this.steps++;
    return super.step(state, unit);
  }
}

/** Counts the reads of its characters. */
class CountedText {
  looks = 0;
  readonly length: number;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  charCodeAt(at: number): number {
    this.looks++;
    return this.#text.charCodeAt(at);
  }
}

Deno.test("Search outside words begins no match that starts with a certain letter inside a word, at any cut", () => {
  const patterns = ["call:", "[d-f]x:", "<a>"].map((pattern) => ({ node: node(pattern), priority: 0 }));
  const cases: [text: string, start: number | undefined][] = [
    ["recall: call:", 8],
    ["recall:", undefined],
    ["1call:", 1],
    ["é call:", 2],
    [".call:", 1],
    ["aex:", 1],
    ["re<a>", 2],
    ["\nCall:", undefined],
  ];
  for (const [text, start] of cases) {
    for (const pieces of [[text], oneByOne(text), ...twoCuts(text)]) {
      const search = new Search(new Automaton(patterns, {}, true));
      assert.equal(matchOf(find(search, pieces).at(-1))?.[1], start, JSON.stringify(pieces));
    }
  }
});

Deno.test("Search outside words knows the letter before the text, and no word before the floor", () => {
  const search = (options: Partial<TextWindow>) =>
    new Search(new Automaton([{ node: node("call:"), priority: 0 }], {}, true))
      .next(windowOf("call:", { base: 9, atLineStart: false, ...options })).type;
  assert.equal(search({ previous: 0x65 }), "nothing");
  assert.equal(search({ previous: 0x20 }), "match");
  assert.equal(search({ previous: 0x65, wordFloor: 9 }), "match");
});

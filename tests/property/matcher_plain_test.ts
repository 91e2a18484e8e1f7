/**
 * What plain text costs: with all rules on at most one and a half times the work of the default set, and with the
 * default set at most one and a half times that of the rules whose openers begin with a bracket. Work is counted, not
 * timed (`tests/support/work.ts`); `tests/bench/plain_text.ts` times.
 */
import assert from "node:assert/strict";
import { corpora } from "../bench/corpus.ts";
import { piecesOf } from "../support/cuts.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { defaultRules, eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";
import { PROSE } from "../support/ordinary_text.ts";
import { countWork } from "../support/work.ts";
import { Runs } from "../../src/engine/pattern/runs.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";

const LENGTH = 20_000;
const RATIO_MAXIMUM = 1.5;
/** A run costs as much as many characters of plain text, so plain text has few. */
const CHARACTERS_PER_RUN = 1_000;

const few = programOf(
  ...defaultRules().filter(({ pattern }) => /^[<{(]/.test(pattern) && pattern.includes("<")),
);
const byDefault = programOf(...defaultRules());
const all = programOf(...shippedRules());

const plain = corpora(LENGTH)[0]!.text;
/** Text with the words that openers begin with. */
const WORDS =
  '```python\ndef main(args):\n    print("hello", args)\n    for a in args:\n        count = call(a)\n' +
  "        assert count, 'analysis'\n    return parse_all(config, path)\n```\n\n" +
  "The assistant then calls a function, and prints a court case and its count; also, a [link](to/the/commentary).\n\n";

const texts: readonly [name: string, text: string][] = [
  ["the words of openers", WORDS.repeat(Math.ceil(LENGTH / WORDS.length))],
  ["code and prose", plain],
  ["prose", PROSE.repeat(Math.ceil(LENGTH / PROSE.length))],
];

for (const [name, text] of texts) {
  Deno.test(`Matcher takes at most half as much work again for ${name} with more rules`, () => {
    for (const pieces of [[text], piecesOf(text, [7, 3, 16, 5])]) {
      const work = [few, byDefault, all].map((program) => {
        // States are made once for all answers.
        eventsOf(pieces, { program, offered: OFFERED });
        return countWork(() => eventsOf(pieces, { program, offered: OFFERED }));
      });
      const [least = 0, usual = 0, most = 0] = work;
      assert.ok(most <= RATIO_MAXIMUM * usual, `all rules ${most}, default rules ${usual}`);
      assert.ok(usual <= RATIO_MAXIMUM * least, `default rules ${usual}, few rules ${least}`);
    }
  });
}

for (const [name, text] of texts) {
  Deno.test(`Search begins no run in ${name} where the text shows that no opener fits`, () => {
    const { begin } = Runs.prototype;
    let begun = 0;
    Runs.prototype.begin = function (atLineStart) {
      begun++;
      begin.call(this, atLineStart);
    };
    try {
      eventsOf([text], { program: byDefault, offered: OFFERED });
    } finally {
      Runs.prototype.begin = begin;
    }
    assert.ok(begun <= text.length / CHARACTERS_PER_RUN, `${begun} runs`);
  });
}

Deno.test("Matcher holds no whitespace at the end of a piece: most tokens end with it", () => {
  for (const piece of ["word ", "A line.\n", "A paragraph.\n\n", "a\t", "windows\r\n"]) {
    const matcher = new Matcher(byDefault, { offered: OFFERED, minimumConfidence: 0.9, wholeCalls: false });
    let sent = "";
    matcher.push({ kind: "text", text: piece }, {
      push: (event) => void (event.kind === "text" && (sent += event.text)),
    });
    assert.equal(sent, piece, JSON.stringify(piece));
  }
});

import assert from "node:assert/strict";
import { speaks } from "../../../src/chat/prompt/speaker.ts";
import { shippedRules, speakerOf } from "../../support/spoken.ts";

/** Marks of the frames of all dialects: each result contains all of them, also in other cases. */
function marksOf(texts: readonly string[]): string[] {
  const marks = texts.flatMap((text) => text.match(/<\/?[^<>\s]+>|\[\/?[A-Z_]+\]/g) ?? []);
  return [...new Set(marks.flatMap((mark) => [mark, mark.toUpperCase(), mark.toLowerCase()]))];
}

const count = (text: string, mark: string) => text.toLowerCase().split(mark.toLowerCase()).length - 1;

Deno.test("a result never ends its frame, in every dialect that is spoken", async () => {
  const rules = (await shippedRules()).filter(speaks);
  const marks = marksOf(rules.flatMap(({ speak }) => [speak.result, speak.results, speak.between_results]));
  assert.ok(marks.length > 20);
  let framed = 0;
  for (const rule of rules) {
    const speaker = speakerOf(rule.rule, [rule]);
    const write = (content: string) =>
      speaker.writeResults([{ tool: "f", content, index: 0 }, { tool: "g", content, index: 1 }]);
    const plain = write("RESULT");
    const { result, results, between_results: between } = rule.speak;
    const closers = marksOf([result.split("{content").at(-1)!, results.split("{results}").at(-1)!, between]);
    framed += Math.min(1, closers.length);
    const text = `a ${marks.join(" RESULT ")} b${marks.join("")}`;
    for (const mark of closers) {
      assert.equal(count(write(text), mark), count(plain, mark), `${rule.rule}: ${mark}`);
    }
    // Everything else arrives byte for byte.
    const others = marks.filter((mark) =>
      !closers.some((closer) => closer.toLowerCase() === mark.toLowerCase())
    );
    const kept = `${others.join(" ")} $& $1 \\ </a>`;
    assert.ok(write(kept).includes(kept) || write(kept).includes(JSON.stringify(kept)), rule.rule);
  }
  assert.ok(framed > 12);
});

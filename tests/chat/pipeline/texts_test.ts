import assert from "node:assert/strict";
import { Texts } from "../../../src/chat/pipeline/texts.ts";

const NOWHERE = { push() {} };

Deno.test("Texts keeps the text from where its matcher can still cite it, and each text apart", () => {
  const seen: (string | undefined)[] = [];
  const texts = new Texts((transcript) => ({
    citedFrom: 1998,
    push: () => void seen.push(transcript.cite(1998, 2002)),
  }));
  const long = `${"a".repeat(1998)}bcde`;
  texts.push({ kind: "text", text: long }, NOWHERE);
  assert.deepEqual([texts.transcript.cite(1998, 2002), texts.transcript.cite(1997, 2002)], [
    "bcde",
    undefined,
  ]);
  texts.push({ kind: "reasoning", text: "r" }, NOWHERE);
  texts.push({ kind: "text_end", truncated: false, isAnswered: false }, NOWHERE);
  texts.push({ kind: "text", text: "xyz" }, NOWHERE);
  assert.equal(texts.transcript.cite(0, 2), "xy");
  assert.deepEqual(seen, ["bcde", "bcde", "bcde", undefined]);
});

import assert from "node:assert/strict";
import { collect } from "../../../src/engine/event/stage.ts";
import { Texts } from "../../../src/chat/pipeline/texts.ts";
import { BracketSource } from "../../support/bracket_source.ts";

const NOWHERE = { push() {} };

Deno.test("Texts reads each text with a matcher of its own", () => {
  let count = 0;
  const texts = new Texts(() => {
    count++;
    return new BracketSource();
  });
  const end = { kind: "text_end", truncated: false, isAnswered: true } as const;
  const events = collect(texts, [
    { kind: "text", text: "a[" },
    end,
    end,
    { kind: "text", text: "[t {}]]" },
    end,
  ]);
  assert.deepEqual(
    events,
    [
      { kind: "text", text: "a" },
      { kind: "text", text: "[" },
      { kind: "text", text: "[t {}]]" },
    ].slice(0, 2).concat([{ kind: "text", text: "[t {}]]" }]),
  );
  assert.equal(count, 2);
});

Deno.test("Texts lets every other event pass as it is", () => {
  const call = { kind: "call_end", call: 0 } as const;
  assert.equal(collect(new Texts(() => new BracketSource()), [call])[0], call);
});

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

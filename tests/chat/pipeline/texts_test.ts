import assert from "node:assert/strict";
import { collect } from "../../../src/engine/event/stage.ts";
import { Texts } from "../../../src/chat/pipeline/texts.ts";
import { BracketSource } from "../../support/bracket_source.ts";

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

Deno.test("Texts cites from where its matcher does", () => {
  const texts = new Texts(() => ({ citedFrom: 7, push() {} }));
  assert.equal(texts.citedFrom, 7);
  collect(texts, [{ kind: "text_end", truncated: false, isAnswered: false }]);
  assert.equal(texts.citedFrom, 0);
});

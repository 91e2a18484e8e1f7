import assert from "node:assert/strict";
import { MemoryTexts, TEXT_TTL_MS } from "../../../src/proxy/store/text.ts";

Deno.test("MemoryTexts keeps a text for a time after its last use", async () => {
  let now = 0;
  const texts = new MemoryTexts(() => now);
  await texts.keep("a", "1");
  await texts.keep("a", "2");
  await texts.keep("b", "3");
  now = TEXT_TTL_MS - 1;
  assert.deepEqual(await texts.recall(["a", "x"]), ["2", undefined]);
  now = TEXT_TTL_MS + 1;
  assert.deepEqual(await texts.recall(["a", "b"]), ["2", undefined]);
});

Deno.test("MemoryTexts drops what was used longest ago: too many texts, or too many characters", async () => {
  const few = new MemoryTexts(() => 0, { countMax: 2, charactersMax: 100 });
  for (const name of ["a", "b"]) await few.keep(name, name);
  await few.recall(["a"]);
  await few.keep("c", "c");
  assert.deepEqual(await few.recall(["a", "b", "c"]), ["a", undefined, "c"]);
  const short = new MemoryTexts(() => 0, { countMax: 100, charactersMax: 10 });
  await short.keep("a", "x".repeat(6));
  await short.keep("a", "y".repeat(5));
  await short.keep("b", "z".repeat(5));
  assert.deepEqual(await short.recall(["a", "b"]), ["yyyyy", "zzzzz"]);
  await short.keep("c", "w".repeat(11));
  assert.deepEqual(await short.recall(["a", "b", "c"]), ["yyyyy", "zzzzz", undefined]);
  await short.keep("d", "w".repeat(6));
  assert.deepEqual(await short.recall(["a", "b", "d"]), [undefined, undefined, "wwwwww"]);
});

Deno.test("MemoryTexts lets go of texts whose time is over, before any limit is reached", async () => {
  let now = 0;
  const texts = new MemoryTexts(() => now);
  for (const name of ["a", "b"]) await texts.keep(name, "x".repeat(100));
  now = TEXT_TTL_MS;
  await texts.keep("c", "y");
  assert.equal(texts.characters, 1);
});

import assert from "node:assert/strict";
import { ItemMemory } from "../../../src/proxy/exchange/item_memory.ts";
import { MemoryTexts, type Texts } from "../../../src/proxy/store/text.ts";

const MAX = 1_000_000;

function items(texts: Texts = new MemoryTexts(() => 0), requester = "mine"): ItemMemory {
  return new ItemMemory(texts, requester);
}

Deno.test("ItemMemory gives the items of an answer to the same keys only, as they were at the save", async () => {
  const texts = new MemoryTexts(() => 0);
  const answer = items(texts).begin("1");
  assert.equal(answer.save(), undefined, "there is nothing to save");
  let text = "a";
  answer.keep("msg_1_0", () => ({ id: "msg_1_0", text }));
  text += "b";
  answer.keep("fc_1_1", () => ({ id: "fc_1_1" }));
  await answer.save();
  assert.equal(answer.save(), undefined, "all is saved");
  const found = await items(texts).recall(["1", "2"], MAX);
  assert.deepEqual(
    [found.take("msg_1_0"), found.take("fc_1_1"), found.take("msg_2_0")],
    [{ id: "msg_1_0", text: "ab" }, { id: "fc_1_1" }, undefined],
  );
  const stranger = await items(texts, "another").recall(["1"], MAX);
  assert.equal(stranger.take("msg_1_0"), undefined);
});

Deno.test("ItemMemory keeps nothing of an answer whose items are too long", async () => {
  const texts = new MemoryTexts(() => 0);
  const answer = items(texts).begin("1");
  answer.keep("msg_1_0", () => ({ id: "msg_1_0", text: "x".repeat(1024 * 1024) }));
  await answer.save();
  assert.equal((await items(texts).recall(["1"], 10 * MAX)).take("msg_1_0"), undefined);
});

Deno.test("ItemMemory stops where references would make a request too long", async () => {
  const texts = new MemoryTexts(() => 0);
  for (const id of ["1", "2"]) {
    const answer = items(texts).begin(id);
    answer.keep(`msg_${id}_0`, () => ({ id: `msg_${id}_0`, text: "x".repeat(1000) }));
    await answer.save();
  }
  const once = await items(texts).recall(["1"], 2500);
  assert.ok(once.take("msg_1_0") && once.take("msg_1_0"));
  assert.deepEqual([once.take("msg_1_0"), once.isTooLong], [undefined, true], "named three times");
  assert.equal((await items(texts).recall(["1", "2"], 1500)).isTooLong, true);
});

Deno.test("ItemMemory lets an answer end if the memory fails", async () => {
  const broken: Texts = { recall: () => Promise.resolve([]), keep: () => Promise.reject(new Error("away")) };
  const answer = items(broken).begin("1");
  answer.keep("a", () => ({ id: "a" }));
  await answer.save();
});

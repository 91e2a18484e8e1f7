import assert from "node:assert/strict";
import type { OfferedTool } from "../../../src/engine/tool/offered.ts";
import { WrittenTexts } from "../../../src/chat/prompt/speaker.ts";

const call = (value: string) => [{ tool: "f", arguments: { value }, index: 0 }];

function writer(texts: WrittenTexts) {
  const written: string[] = [];
  const find = (value: string, tools: readonly OfferedTool[] = []) =>
    texts.find(call(value), {
      tools,
      write() {
        written.push(value);
        return { text: `<${value}>`, isOtherwise: false };
      },
    });
  return { written, find };
}

Deno.test("WrittenTexts writes each call once for each schema of its tool", () => {
  const { written, find } = writer(new WrittenTexts());
  assert.equal(find("a").text, "<a>");
  assert.equal(find("a").text, "<a>");
  find("b");
  find("a", [{ name: "other", schema: { type: "object" } }]);
  assert.deepEqual(written, ["a", "b"]);
  find("a", [{ name: "f", schema: { type: "object" } }]);
  assert.deepEqual(written, ["a", "b", "a"]);
});

Deno.test("WrittenTexts forgets what was used least recently", () => {
  const texts = new WrittenTexts(150);
  const { written, find } = writer(texts);
  for (const value of ["a", "b", "a", "c", "a", "b"]) find(value);
  assert.deepEqual(written, ["a", "b", "c", "b"]);
  assert.equal(texts.size, 2);
});

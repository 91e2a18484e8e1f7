import assert from "node:assert/strict";
import { readSwallowed, SwallowedWatch, withoutLines } from "../../../src/engine/tool/swallowed.ts";
import { everyCut } from "../../support/cut_places.ts";

const declared = (name: string) => ["path", "content", "mode"].includes(name);

Deno.test("SwallowedWatch holds a value from its closer before another parameter on, at every cut", () => {
  const text = "a < b </i></path> <content>x";
  for (const pieces of everyCut(text)) {
    const watch = new SwallowedWatch("path", declared);
    const sent = pieces.map((piece) => watch.push(piece)).join("") + watch.end();
    assert.deepEqual([sent, watch.held], ["a < b </i>", "</path> <content>x"]);
  }
});

Deno.test("SwallowedWatch holds the line break before the closer, and no letter after a backslash", () => {
  const held = (text: string) => {
    const watch = new SwallowedWatch("path", declared);
    return [watch.push(text), watch.held];
  };
  assert.deepEqual(held("a\\r\\n</path><content>"), ["a", "\\r\\n</path><content>"]);
  assert.deepEqual(held("a\\\\n</path><content>"), ["a\\\\n", "</path><content>"]);
});

Deno.test("SwallowedWatch lets a value pass that shows its own tag", () => {
  const watch = new SwallowedWatch("path", declared);
  const text = "<path>a</path><content>x";
  assert.deepEqual([watch.push(text) + watch.end(), watch.held], [text, undefined]);
});

Deno.test("readSwallowed reads each parameter once, without the closers after the last", () => {
  const text = "</path><content>\nx\n</content>\n<mode>w</mode>\n</tool_call>";
  assert.deepEqual(readSwallowed("</path><content>x</content>\n</tool_call>", "path", declared), [
    { name: "content", text: "x" },
  ]);
  assert.deepEqual(readSwallowed(text, "path", declared), [
    { name: "content", text: "x" },
    { name: "mode", text: "w" },
  ]);
  assert.equal(readSwallowed("</path><content>x</content></write>", "path", declared), undefined);
  assert.equal(readSwallowed("</path><content>x</content><content>y", "path", declared), undefined);
  assert.equal(readSwallowed("</path><town>x", "path", declared), undefined);
});

Deno.test("withoutLines removes the line breaks of a notation, both or none", () => {
  assert.equal(withoutLines("\r\na\r\n"), "a");
  assert.equal(withoutLines("\na\n\n"), "a\n");
  assert.equal(withoutLines("a\n"), "a\n");
});

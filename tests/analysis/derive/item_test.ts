import assert from "node:assert/strict";
import { itemOf } from "../../../src/analysis/derive/item.ts";
import { markSample } from "../../../src/analysis/derive/locate_calls.ts";

function itemIn(text: string, given: Readonly<Record<string, unknown>>) {
  const marked = markSample({ text, calls: [{ tool: "send", arguments: given }], ids: [] });
  assert.ok(marked);
  return itemOf([marked]);
}

Deno.test("itemOf gives one line break on each side of a value to the dialect", () => {
  const item = itemIn("<do=send>\n<p=to>\nAnna\n</p>\n<p=body>\nHi there\n</p>\n</do>", {
    to: "Anna",
    body: "Hi there",
  });
  assert.ok("pattern" in item);
  assert.equal(item.pattern, "<p=(?<key>[^>\\s]{1,64})>(?:\\r?\\n)?(?<value>…)(?:\\r?\\n)?</p>");
});

Deno.test("itemOf refers back to the key where the closer names it", () => {
  const item = itemIn("<send>\n<to>Anna</to>\n<body>Hi there</body>\n</send>", {
    to: "Anna",
    body: "Hi there",
  });
  assert.ok("pattern" in item);
  assert.equal(item.pattern, "<(?<key>[A-Za-z_]\\w{0,63})>(?<value>…)</\\k<key>>");
});

Deno.test("itemOf makes a class of what differs with the type of a value", () => {
  const text = '<do="send"><p n="to" s="true">Anna</p><p n="count" s="false">73519</p></do>';
  const item = itemIn(text, { to: "Anna", count: 73519 });
  assert.ok("pattern" in item);
  assert.match(String(item.pattern), /s="\\w\{0,32\}/);
});

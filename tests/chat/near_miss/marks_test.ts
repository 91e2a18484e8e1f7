import assert from "node:assert/strict";
import { keyForm, leadOf } from "../../../src/chat/near_miss/marks.ts";

/** What is before `read`, in texts that name it once. */
const LEADS: readonly [text: string, lead: string | undefined][] = [
  ['{"name": "read"', "json"],
  ["<call read", "tag"],
  ['<call name="read"', "json"],
  ["<name>read", "tag"],
  ["<|call|>functions.read:0", "tag"],
  ["[read(", "tag"],
  ["@@invoke read", "sign"],
  ["@read", "sign"],
  ["Action: read", "label"],
  ["read", "line"],
  ["call read", "word"],
  ["I would call read", undefined],
  ["- [x] read", undefined],
  ["files = [read(", undefined],
  ["it is done. > read", undefined],
];

for (const [text, lead] of LEADS) {
  Deno.test(`leadOf gives ${lead ?? "nothing"} for ${text}`, () =>
    assert.equal(leadOf(text, text.indexOf("read")), lead));
}

/** How `path` is marked, in texts that name it once. */
const FORMS: readonly [text: string, form: string | undefined][] = [
  ['{"path": 1}', "json"],
  ['{\\"path\\": 1}', "json"],
  ["{path: 1}", "json"],
  ['(path="a")', "keyword"],
  ["<path>a</path>", "tag"],
  ['<arg name="path">a', "tag"],
  ["<key>path</key>", "tag"],
  ["<<ARG path>>a", "tag"],
  ["a path in a sentence", undefined],
  ["the path: this one", undefined],
  ["- `path`: the path", undefined],
  ["(path)", undefined],
  ['<input name="path"></form>', undefined],
  ["fn read(path: &str)", undefined],
];

for (const [text, form] of FORMS) {
  Deno.test(`keyForm gives ${form ?? "nothing"} for ${text}`, () => {
    const start = text.indexOf("path");
    assert.equal(keyForm(text, start, start + 4), form);
  });
}

import assert from "node:assert/strict";
import { type FlowingPlace, FlowingValue } from "../../../src/chat/render/flowing_call.ts";

const PLACE: FlowingPlace = {
  client: { value_limit: undefined },
  parameter: { escape: "entities", over_limit: "refuse" },
  closer: "</content>",
  isRaw: false,
};

function pass(text: string, place: FlowingPlace, length: number): { text: string; problem?: string } {
  const value = new FlowingValue(place);
  let sent = "";
  for (let at = 0; at < text.length; at += length) sent += value.take(text.slice(at, at + length));
  sent += value.end();
  return { text: sent, ...(value.problem === undefined ? {} : { problem: value.problem }) };
}

Deno.test("FlowingValue changes nothing but what would end the value, wherever it is cut", () => {
  const limited = { ...PLACE, client: { value_limit: 6 } };
  const cases: [string, FlowingPlace, { text: string; problem?: string }][] = [
    ["a < b &lt; c </p>\n", PLACE, { text: "a < b &lt; c </p>\n" }],
    ["x</content>y</content></cont", PLACE, { text: "x&lt;/content>y&lt;/content></cont" }],
    [
      "x</content>y",
      { ...PLACE, isRaw: true },
      { text: "x", problem: "the value contains its own closing tag" },
    ],
    [
      "x</content>y",
      { ...PLACE, parameter: { escape: "none", over_limit: "refuse" } },
      { text: "x", problem: "the value contains its own closing tag" },
    ],
    ["<1>\n45<6>", limited, { text: "<1>\n45", problem: "the value is longer than the client's limit" }],
    ["<1>\n45<6><", { ...limited, parameter: { escape: "entities", over_limit: "escape" } }, {
      text: "<1>\n45&lt;6>&lt;",
    }],
  ];
  for (const [text, place, expected] of cases) {
    for (const length of [1, 2, 3, 5, 100]) assert.deepEqual(pass(text, place, length), expected);
  }
});

Deno.test("FlowingValue holds nothing but the beginning of its closer", () => {
  const value = new FlowingValue(PLACE);
  assert.equal(value.take("a < b"), "a < b");
  assert.equal(value.take(" </con"), " ");
  assert.equal(value.take("fig>"), "</config>");
});

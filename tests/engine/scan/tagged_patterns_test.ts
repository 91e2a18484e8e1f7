import assert from "node:assert/strict";
import { beforeLookAhead } from "../../../src/engine/scan/rewrite.ts";
import { hasEdge, innerCloser, isKeyed, type ItemBody } from "../../../src/engine/scan/tagged_patterns.ts";
import { programOf } from "../../support/matcher_events.ts";

function compiled(item: string, pattern = "<f={tool}>(?<body>…)</f>") {
  const rule = programOf({ rule: "r", pattern, body: "tagged", item }).rules[0]!;
  return { rule, body: rule.body as ItemBody };
}

Deno.test("hasEdge recognizes items whose closer includes a line break", () => {
  assert.equal(hasEdge(compiled("<p=(?<key>\\w+)>\\n?(?<value>…)\\n?</p>").body), true);
  assert.equal(hasEdge(compiled("<p=(?<key>\\w+)>(?<value>…)</p>").body), false);
});

Deno.test("isKeyed recognizes items whose closer contains the key", () => {
  assert.equal(isKeyed(compiled("<(?<key>\\w+)>(?<value>…)</\\k<key>>").body), true);
  assert.equal(isKeyed(compiled("<p=(?<key>\\w+)>(?<value>…)</p>").body), false);
});

Deno.test("beforeLookAhead removes an opener's look-ahead", () => {
  const { rule } = compiled("<(?<key>\\w+)>(?<value>…)</p>", "<{tool}>(?=<)(?<body>…)</f>");
  const count = (node: unknown): number => JSON.stringify(node).split('"mark"').length - 1;
  assert.equal(count(rule.opener), 1);
  assert.equal(count(beforeLookAhead(rule.opener)), 0);
});

Deno.test("innerCloser ends before any whitespace, and not at optional spaces inside a tag", () => {
  const closerOf = (pattern: string) =>
    innerCloser(compiled("<p=(?<key>\\w+)>(?<value>…)</p>", pattern).rule);
  const whole = closerOf("<f={tool}>(?<body>…)</f>");
  assert.deepEqual(closerOf("<f={tool}>(?<body>…)</f>\\s*</w>"), whole);
  const spaced = closerOf("<f={tool}>(?<body>…)<\\s{0,2}/f>");
  assert.notDeepEqual(spaced, closerOf("<f={tool}>(?<body>…)<"));
});

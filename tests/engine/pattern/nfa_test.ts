import assert from "node:assert/strict";
import { Nfa } from "../../../src/engine/pattern/nfa.ts";
import type { Node } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

function nfaOf(...patterns: string[]) {
  return new Nfa(patterns.map((pattern, priority) => {
    const { node } = parsePattern(pattern);
    assert.ok(node, pattern);
    return { node, priority };
  }));
}

Deno.test("Nfa names each reference once and lists the bounds of characters", () => {
  const nfa = nfaOf("(?:(?<key>x)|(?<fence>x)){0}</\\k<key>>[b-d]\\k<fence>\\k<key>");
  assert.deepEqual(nfa.names, ["key", "fence"]);
  assert.deepEqual([...nfa.bounds].sort((a, b) => a - b), [..."/0<=>?be"].map((one) => one.charCodeAt(0)));
});

Deno.test("Nfa refuses a hole, which must be split first", () => {
  const hole: Node = { type: "hole", name: "body" };
  assert.throws(() => new Nfa([{ node: hole, priority: 0 }]), /hole/);
});

import assert from "node:assert/strict";
import { Neighbor } from "../../../../src/engine/scan/body/neighbor.ts";
import { Cursor } from "../../../../src/engine/scan/cursor.ts";
import { RuleAutomata } from "../../../../src/engine/scan/rule_automata.ts";
import { programOf } from "../../../support/matcher_events.ts";

const program = programOf({ rule: "json", pattern: "<c {tool}>(?<body>…)</c>", body: "json" });
const automata = new RuleAutomata(program.automata, program.rules[0]!, {});

/** The text at the cursor after a broken call that consists of these pieces. */
function restAfter(pieces: readonly string[], rest = ""): string {
  const cursor = new Cursor();
  const neighbor = new Neighbor(automata);
  for (const piece of pieces) {
    cursor.append(piece);
    const { offset } = cursor;
    neighbor.see(cursor.take(cursor.text.length), offset);
  }
  cursor.append(rest);
  neighbor.restore(cursor);
  cursor.extend(1 << 21);
  return cursor.text.slice(cursor.at);
}

Deno.test("Neighbor returns to the first call after the broken one's closer, at every cut", () => {
  const text = 'x}</c>\n<c g>{"a": 1}</c><c h>{}';
  for (let at = 0; at <= text.length; at++) {
    assert.equal(restAfter([text.slice(0, at), text.slice(at)], "</c>!"), '\n<c g>{"a": 1}</c><c h>{}</c>!');
  }
});

Deno.test("Neighbor returns to an opener without a closer before it, which can be a mention", () => {
  assert.equal(restAfter(['x\n<c g>{"'], "!"), '<c g>{"!');
  assert.equal(restAfter(["[<c"], " g>{}!"), "<c g>{}!");
  // The text broke at the first quote of the call.
  assert.equal(restAfter(["x\n<c g>{"], '"!'), '<c g>{"!');
});

Deno.test("Neighbor stays where it is without an opener, or where only a string mentions one", () => {
  for (const text of ["x}</c>", "x", "see <c g>{}", 'see <c g>{\\"a\\": 1}']) {
    assert.equal(restAfter([text], "!"), "!", text);
  }
});

Deno.test("Neighbor knows where a line begins, at every cut", () => {
  const { rules, automata } = programOf({
    rule: "json",
    pattern: "^!{tool} (?<body>…)",
    body: "json",
  });
  const text = 'x\n!g {"';
  for (let at = 0; at <= text.length; at++) {
    const neighbor = new Neighbor(new RuleAutomata(automata, rules[0]!, {}));
    const cursor = new Cursor();
    for (const piece of [text.slice(0, at), text.slice(at)]) {
      cursor.append(piece);
      const { offset } = cursor;
      neighbor.see(cursor.take(cursor.text.length), offset);
    }
    assert.equal(neighbor.restore(cursor), "ambiguous call", `cut at ${at}`);
  }
});

Deno.test("Neighbor keeps at most 1 Mi characters", () => {
  assert.equal(restAfter(["x}</c><c g>", "y".repeat(1 << 20), "z"], "!"), "!");
});

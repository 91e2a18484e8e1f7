/**
 * Model text that is nested thousands of levels deep, in the notation of every rule: reading it never overflows the stack,
 * and a call that is read is one whose arguments everything else can follow.
 *
 * @module
 */
import assert from "node:assert/strict";
import { parseJson } from "../../src/engine/object/parse.ts";
import { anyTool } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { callsOf, eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";

/** How deep the texts are; V8 has room for about 2,000 calls of a function that follows a value. */
const DEPTH = 5000;

const NESTS: readonly string[] = [
  "[".repeat(DEPTH) + "]".repeat(DEPTH),
  '{"a":'.repeat(DEPTH) + "1" + "}".repeat(DEPTH),
  "{'a':(".repeat(DEPTH) + ")}".repeat(DEPTH),
  "<a>".repeat(DEPTH) + "x" + "</a>".repeat(DEPTH),
  '"[{\\"a\\":'.repeat(DEPTH),
  "\n" + Array.from({ length: 300 }, (_, level) => " ".repeat(level) + "- a:").join("\n"),
];

/** The signs after which a value, a name or a call begins. */
const VALUE_BEGINS = /[:=>([{|]\s*/g;

const rules = shippedRules();
const program = programOf(...rules);

for (const [turn, { rule, examples }] of rules.entries()) {
  // A short run nests each rule's call in two of the six ways, and all rules together in each.
  const nests = IS_THOROUGH ? NESTS : NESTS.filter((_, index) => index % 3 === turn % 3);
  Deno.test(`${rule}: deep nesting in a call is read without overflow`, () => {
    let count = 0;
    for (const { input } of examples.slice(0, IS_THOROUGH ? undefined : 1)) {
      const places = [...input.matchAll(VALUE_BEGINS)].map(({ index, 0: sign }) => index + sign.length);
      // One place of each example: all of them took eight minutes.
      for (const place of places.slice(0, 1)) {
        for (const nest of nests) {
          const deep = input.slice(0, place) + nest + input.slice(place);
          // One text whole, the next one in pieces.
          const pieces = (turn + count) % 2 === 0 ? [deep] : piecesOf(deep, [700, 3]);
          count++;
          for (const { json, end } of callsOf(eventsOf(pieces, { program, offered: anyTool }))) {
            if (end?.kind === "call_end") {
              assert.notEqual(parseJson(json || "{}"), undefined, json.slice(0, 200));
            }
          }
        }
      }
    }
    assert.ok(count > 0 || !examples[0]?.input.match(VALUE_BEGINS), "nothing was read");
  });
}

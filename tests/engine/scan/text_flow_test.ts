import assert from "node:assert/strict";
import { eventsOf, programOf } from "../../support/matcher_events.ts";
import type { MatcherOptions } from "../../../src/engine/scan/matcher.ts";

const call = { rule: "call", pattern: "<<{tool}>>(?<body>…)<</>>", body: "json" };
const think = { pattern: "<t>(?<body>…)</t>", body: "opaque", region: "reasoning" };
const shown = programOf(call, { rule: "think", ...think });
const silent = programOf(call, { rule: "think", ...think, shows: "nothing" });

function read(text: string, program = shown, reasoning: MatcherOptions["reasoning"] = "ignore"): string[] {
  return eventsOf([text], { program, reasoning }).flatMap((event) =>
    event.kind === "text" ? event.text : event.kind === "call_start" ? `call ${event.tool}` : []
  );
}

Deno.test("TextFlow shows a region's text and marks, or neither", () => {
  assert.equal(read("a<t>b</t>c").join(""), "a<t>b</t>c");
  assert.equal(read("a<t>b</t>c", silent).join(""), "ac");
});

Deno.test("TextFlow recovers a call in the reasoning only if the answer is empty", () => {
  const thought = "<t>b <<f>>{}<</>></t>";
  assert.ok(read(thought, silent, "recover").includes("call f"));
  assert.ok(!read(thought, silent).includes("call f"));
  assert.deepEqual(read(`${thought}c`, silent, "recover"), ["c"]);
  assert.deepEqual(read(`${thought}<<g>>{}<</>>`, silent, "recover"), ["call g"]);
});

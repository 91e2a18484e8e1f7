import assert from "node:assert/strict";
import { Calls } from "../../../src/engine/scan/calls.ts";
import { Cursor } from "../../../src/engine/scan/cursor.ts";
import type { Opening } from "../../../src/engine/scan/calls.ts";
import { anyTool } from "../../../src/engine/tool/offered.ts";
import { CollectedEmission, programOf, told } from "../../support/matcher_events.ts";

const program = programOf({ rule: "r", pattern: "<f {tool}>(?<body>…)</f>", body: "json" });

function open(): { calls: Calls; emission: CollectedEmission } {
  const emission = new CollectedEmission();
  const options = { offered: anyTool, minimumConfidence: 0, wholeCalls: false };
  const session = { program, options, cursor: new Cursor(), emission, calls: 0 };
  const opening: Opening = {
    rule: program.rules[0]!,
    groups: {},
    tool: { name: "f" },
    offset: 0,
    atLineStart: true,
    group: undefined,
  };
  return { calls: new Calls(opening, session), emission };
}

Deno.test("Calls keeps its events until they are released", () => {
  const { calls, emission } = open();
  const writer = calls.beginNamed();
  writer.begin("object");
  assert.equal(calls.reached, "call");
  writer.key("a");
  assert.equal(calls.reached, "item");
  assert.deepEqual(emission.take(), []);
  calls.release();
  writer.scalar("1");
  writer.end();
  assert.deepEqual(told(emission.take()), ['f {"a":1']);
  calls.finish();
  assert.deepEqual(emission.take().map(({ kind }) => kind), ["arguments", "call_end", "note"]);
});

Deno.test("Calls breaks off what was released and forgets the rest", () => {
  const released = open();
  released.calls.beginNamed();
  released.calls.release();
  released.calls.abort({ reason: "malformed" }, { unsent: "rest}", offset: 0 });
  assert.deepEqual(released.emission.take().map(({ kind }) => kind), ["call_start", "call_abort", "text"]);
  const kept = open();
  kept.calls.beginNamed();
  kept.calls.abort({ reason: "malformed" }, { unsent: "rest}", offset: 0 });
  kept.calls.release();
  assert.deepEqual(kept.emission.take(), []);
  assert.equal(kept.calls.beginNamed().tool.name, "f");
});

Deno.test("Calls notes a hundred repairs, and one of each further kind", () => {
  const { calls, emission } = open();
  calls.beginNamed();
  for (let count = 0; count < 1000; count++) calls.repair("unknown_parameter", `k${count}`);
  for (let count = 0; count < 2; count++) calls.repair("closer_missing");
  calls.release();
  calls.finish();
  const reasons = emission.take().flatMap((event) => event.kind === "note" ? [event.reason] : []);
  assert.equal(reasons.filter((reason) => reason === "unknown_parameter").length, 100);
  assert.equal(reasons.filter((reason) => reason === "closer_missing").length, 1);
});

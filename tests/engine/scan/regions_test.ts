import assert from "node:assert/strict";
import { Cursor } from "../../../src/engine/scan/cursor.ts";
import { Emission } from "../../../src/engine/scan/emission.ts";
import { Region } from "../../../src/engine/scan/region.ts";
import { Regions } from "../../../src/engine/scan/regions.ts";
import type { Session } from "../../../src/engine/scan/session.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { programOf } from "../../support/matcher_events.ts";

function begin(beginsInReasoning: boolean): { session: Session; regions: Regions } {
  const session: Session = {
    program: programOf({ rule: "think", pattern: "<t>(?<body>…)</t>", body: "opaque", region: "reasoning" }),
    options: { offered: offer([]), minimumConfidence: 0, wholeCalls: false, beginsInReasoning },
    calls: 0,
    cursor: new Cursor(),
    emission: new Emission(),
  };
  return { session, regions: new Regions(session) };
}

Deno.test("Regions begins in the answer, or in its reasoning", () => {
  assert.equal(begin(false).regions.innermost.kind, "answer");
  const { regions } = begin(true);
  assert.equal(regions.innermost.kind, "reasoning");
  regions.leave();
  assert.equal(regions.innermost.kind, "answer");
});

Deno.test("Regions returns to the open regions of an earlier position", () => {
  const { session, regions } = begin(false);
  const before = regions.state;
  const [rule] = session.program.rules;
  regions.enter(Region.open(rule!, { session, groups: {}, offset: 3, atLineStart: false }));
  const inside = regions.state;
  assert.equal(regions.innermost.kind, "reasoning");
  regions.restore(before);
  assert.equal(regions.innermost.kind, "answer");
  regions.restore(inside);
  assert.deepEqual([regions.innermost.kind, regions.group], ["reasoning", undefined]);
});

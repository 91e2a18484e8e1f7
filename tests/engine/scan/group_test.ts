import assert from "node:assert/strict";
import { Cursor } from "../../../src/engine/scan/cursor.ts";
import { Group } from "../../../src/engine/scan/group.ts";
import type { Session } from "../../../src/engine/scan/session.ts";
import { anyTool } from "../../../src/engine/tool/offered.ts";
import { CollectedEmission, programOf } from "../../support/matcher_events.ts";

const program = programOf({ rule: "g", pattern: "<g>(?<body>…)</g>", body: "group", meta: ["id"] });

function groupOf(mode: string | undefined): { group: Group; emission: CollectedEmission } {
  const emission = new CollectedEmission();
  const options = { offered: anyTool, minimumConfidence: 0, wholeCalls: false };
  const session: Session = { program, options, cursor: new Cursor(), emission, calls: 0 };
  return { group: new Group(program.rules[0]!, { session, mode }), emission };
}

Deno.test("Group opens once, with its mode, and closes", () => {
  const { group, emission } = groupOf("parallel");
  group.open();
  group.open();
  group.close();
  assert.deepEqual(emission.take(), [{ kind: "group_start", rule: "g", mode: "parallel" }, {
    kind: "group_end",
  }]);
});

Deno.test("Group without a call sends nothing", () => {
  const { group, emission } = groupOf(undefined);
  group.close();
  assert.deepEqual(emission.take(), []);
  group.open();
  assert.deepEqual(emission.take(), [{ kind: "group_start", rule: "g", mode: null }]);
});

Deno.test("Group lists the items that name a call", () => {
  assert.deepEqual(groupOf(undefined).group.meta, ["id"]);
});

Deno.test("Group notes text between its calls, and a missing closer", () => {
  const { group, emission } = groupOf(undefined);
  group.open();
  group.text("\n");
  group.text("<nope>");
  group.close({ isClosed: false });
  assert.deepEqual(emission.take().map((event) => event.kind === "note" ? event.reason : event.kind), [
    "group_start",
    "malformed",
    "closer_missing",
    "group_end",
  ]);
});

import assert from "node:assert/strict";
import type { Event } from "../../src/event/event.ts";
import { Group } from "../../src/scan/group.ts";
import type { Session } from "../../src/scan/session.ts";
import { anyTool } from "../../src/tool/offered.ts";
import { programOf } from "../support/matcher_events.ts";

const program = programOf({ rule: "g", pattern: "<g>(?<body>…)</g>", body: "group", meta: ["id"] });

function groupOf(mode: string | undefined): { group: Group; events: Event[] } {
  const events: Event[] = [];
  const options = { offered: anyTool, minimumConfidence: 0, wholeCalls: false };
  const session: Session = {
    program,
    options,
    calls: 0,
    offset: () => 0,
    push: (event) => events.push(event),
  };
  return { group: new Group(program.rules[0]!, { session, mode }), events };
}

Deno.test("Group opens once, with its mode, and closes", () => {
  const { group, events } = groupOf("parallel");
  group.open();
  group.open();
  group.close();
  assert.deepEqual(events, [{ kind: "group_start", rule: "g", mode: "parallel" }, { kind: "group_end" }]);
});

Deno.test("Group that never had a call says nothing", () => {
  const { group, events } = groupOf(undefined);
  group.close();
  assert.deepEqual(events, []);
  group.open();
  assert.deepEqual(events, [{ kind: "group_start", rule: "g", mode: null }]);
});

Deno.test("Group knows the items that name a call", () => {
  assert.deepEqual(groupOf(undefined).group.meta, ["id"]);
});

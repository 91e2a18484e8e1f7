import assert from "node:assert/strict";
import { offer } from "../../../../src/engine/tool/offered.ts";
import { allCuts } from "../../../support/cuts.ts";
import { callsOf, eventsOf, programOf } from "../../../support/matcher_events.ts";

const program = programOf({ rule: "empty", pattern: "<{tool}>(?<body>…)</>", body: "none" });
const offered = offer([{ name: "f" }]);

Deno.test("NoArgumentsBody makes a call from an empty tag", () => {
  for (const pieces of allCuts("<f> </>")) {
    const [call] = callsOf(eventsOf(pieces, { program, offered }));
    assert.deepEqual([call?.start.tool, call?.json], ["f", "{}"]);
  }
});

Deno.test("NoArgumentsBody leaves a tag with content as text", () => {
  const text = '<f>{"a": 1}</>';
  for (const pieces of allCuts(text)) {
    const events = eventsOf(pieces, { program, offered });
    assert.deepEqual(callsOf(events), []);
    assert.equal(events.flatMap((event) => event.kind === "text" ? event.text : []).join(""), text);
  }
});

import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { collect } from "../../../src/engine/event/stage.ts";
import { tryRules } from "../../../src/chat/rollout/rule_trial.ts";

Deno.test("tryRules lets only the live rules speak and notes what those on trial would do", () => {
  const about = { kind: "note", tool: "t", call: 0, start: 0, end: 4 } as const;
  const all: ContentEvent[] = [
    { kind: "call_start", call: 0, tool: "t", rule: "new", confidence: 1 },
    { ...about, rule: "new", reason: "transformed" },
    { ...about, rule: "new", reason: "json_repaired" },
    { ...about, rule: "old", reason: "transformed" },
  ];
  const stage = tryRules({
    live: { push: (event, out) => out.push(event), citedFrom: 3 },
    all: {
      push: (event, out) => event.kind === "text" && all.forEach((each) => out.push(each)),
      citedFrom: 2,
    },
    rules: new Set(["new"]),
  });
  const { call: _call, ...trial } = about;
  assert.deepEqual(collect(stage, [{ kind: "text", text: "text" }]), [
    { kind: "text", text: "text" },
    { ...trial, rule: "new", reason: "would_transform" },
    { ...trial, rule: "new", reason: "json_repaired" },
  ]);
  assert.equal(stage.citedFrom, 2);
});

import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { collect } from "../../../src/engine/event/stage.ts";
import type { Plugin } from "../../../src/proxy/plugin/mod.ts";
import { PluginStage } from "../../../src/proxy/plugin/stage.ts";
import { hookOptions } from "../../support/plugins.ts";

function open(...plugins: readonly Plugin<unknown>[]): PluginStage {
  return new PluginStage(
    hookOptions(plugins.map((plugin) => ({ plugin, options: {} })), { client: "openai" }),
  );
}

function call(number: number, tool: string, end: { source?: string } = {}): ContentEvent[] {
  return [
    { kind: "call_start", call: number, tool, rule: "r", confidence: 1 },
    { kind: "arguments", call: number, json: "{}" },
    { kind: "call_end", call: number, ...end },
  ];
}

function told(events: readonly ContentEvent[]): string {
  return events.flatMap((event) =>
    event.kind === "call_start" ? [event.tool] : event.kind === "text" ? [`"${event.text}"`] : []
  ).join(" ");
}

const FINISH: AnswerEvent = { kind: "finish", reason: "stop", truncated: false, isAnswered: false };
const backwards: Plugin = {
  name: "backwards",
  onGroup: ({ calls }) => ({ order: calls.map((_, index) => calls.length - 1 - index) }),
};
const careful: Plugin = {
  name: "careful",
  onCall: ({ tool }) => tool === "b" ? { refuse: "not b" } : undefined,
};

Deno.test("PluginStage keeps a refused call's text in its place when a later plugin orders the calls", () => {
  const group: ContentEvent[] = [
    { kind: "group_start", rule: "g", mode: null },
    ...call(0, "a", { source: "A" }),
    ...call(1, "b", { source: "B" }),
    ...call(2, "c", { source: "C" }),
    { kind: "group_end" },
  ];
  assert.equal(told(collect(open(careful, backwards), group)), 'c "B" a');
  assert.equal(told(collect(open(backwards, careful), group)), 'c "B" a');
});

Deno.test("PluginStage shows calls in a row together", () => {
  const row = [...call(0, "a", { source: "A" }), ...call(1, "b", { source: "B" })];
  const last: ContentEvent = { kind: "text", text: "x" };
  assert.equal(told(collect(open(backwards), [...row, last])), 'b a "x"');
  assert.equal(told(collect(open(backwards), [...row, FINISH])), "b a");
  assert.equal(told(collect(open(backwards), [last, ...row, last, ...row, FINISH])), '"x" b a "x" b a');
  assert.equal(told(collect(open(careful), row)), 'a "B"');
});

Deno.test("PluginStage lets only the end pass once a plugin has stopped the answer", () => {
  const stage = open({
    name: "strict",
    onCall: () => ({ verdict: { kind: "reject", code: "C", message: "M" } }),
  });
  const out: string[] = [];
  for (const event of [...call(0, "a"), { kind: "text", text: "x" } as const, FINISH]) {
    stage.push(event, { push: ({ kind }) => void out.push(kind) });
  }
  assert.deepEqual([out, stage.verdict?.code], [["finish"], "C"]);
});

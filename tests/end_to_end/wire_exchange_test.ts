/**
 * What the exchange does around an answer holds on every wire: a dry run, a plugin that has the model asked again, and a
 * plugin that refuses its answer.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { LoadedPlugin } from "../../src/proxy/plugin/hooks.ts";
import type { Verdict } from "../../src/proxy/plugin/mod.ts";
import { builtInService } from "../support/built_in.ts";
import { bracketService, testConfig } from "../support/proxy.ts";
import { answerText, startStage } from "../support/wire_stage.ts";
import { askRow, onRows, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

const CALL = "<tool_call>\n<function=t>\n</function>\n</tool_call>";

Deno.test("a dry run leaves the answer as it is on every wire, and notes what it would do", async () => {
  for (const dry of [{ dry_run: true }, { rollout_percent: 0 }]) {
    const reasons: string[] = [];
    await using stage = await startStage((request) => answerText(request, `words ${CALL}`), {
      service: (url) => builtInService(testConfig(url, { policy: dry })),
      observe: (event) => event.kind === "note" && reasons.push(event.reason),
    });
    await onRows(WIRE_TABLE, async (row) => {
      const { end, text, calls, logged } = await stage.ask(row, { tool: TOOL });
      assert.deepEqual([end, text, calls, logged], ["whole", `words ${CALL}`, [], undefined]);
    });
    const expected = "dry_run" in dry ? "would_transform" : "rollout_excluded";
    assert.deepEqual(reasons, WIRE_TABLE.map(() => expected));
  }
});

/** A plugin that decides about the first calls of each conversation. */
function deciding(verdict: Verdict, count: number): LoadedPlugin {
  const seen = new Map<string, number>();
  return {
    options: {},
    plugin: {
      name: "deciding",
      onCall(_, { conversation }) {
        const times = (seen.get(conversation) ?? 0) + 1;
        seen.set(conversation, times);
        return times > count ? undefined : { verdict };
      },
    },
  };
}

const RETRY = { kind: "retry", code: "WRONG", message: "Call it again." } as const;

Deno.test("a plugin has the model asked again on every wire, and the client gets one answer", async () => {
  await using stage = await startStage((request) => answerText(request, `words ${CALL}`), {
    service: (url) => builtInService(testConfig(url), [deciding(RETRY, 1)]),
  });
  await onRows(WIRE_TABLE, async (row) => {
    const { end, calls, logged } = await stage.ask(row, { tool: TOOL, task: row.name });
    assert.deepEqual([end, calls.length, logged], ["whole", 1, undefined]);
  });
  assert.equal(stage.upstream.count, 2 * WIRE_TABLE.length);
});

Deno.test("a plugin that refuses an answer is an error on every wire", async () => {
  await using stage = await startStage((request) => answerText(request, `words ${CALL}`), {
    service: (url) => builtInService(testConfig(url), [deciding({ ...RETRY, kind: "reject" }, 1)]),
  });
  await onRows(WIRE_TABLE, async (row) => {
    const { end, calls, error, logged } = await stage.ask(row, { tool: TOOL, task: row.name });
    assert.deepEqual([end, calls, logged], ["error", [], "WRONG"]);
    assert.match(error ?? "", /Call it again/);
  });
});

Deno.test("an error of Dragoman itself has the form of every wire", async () => {
  await using stage = await startStage((request) => answerText(request, "words"), {
    service: (url) => ({
      ...bracketService(testConfig(url)),
      recognize() {
        throw new Error("oops");
      },
    }),
  });
  await onRows(WIRE_TABLE, async (row) => {
    const { status, error } = await askRow(stage.origin, { row, question: { task: "hi" } });
    assert.equal(status, 500);
    assert.match(error ?? "", /Dragoman failed on this request: oops/);
  });
});

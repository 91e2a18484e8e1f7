import assert from "node:assert/strict";
import { repeatsOf, withPlaces } from "../../../src/admin/audit/repeats.ts";
import type { Reason } from "../../../src/engine/event/reason.ts";
import type { DecisionLine } from "../../../src/admin/audit/line.ts";
import { decisionLine } from "../../support/audit_lines.ts";

const read = (
  reason: Reason,
  [start, end]: readonly [number | null, number | null],
  { source, ...more }: Partial<DecisionLine> & { source?: string } = {},
) => ({ line: decisionLine(reason, { call: null, start, end, ...more }), source });

Deno.test("withPlaces makes one decision of a call that broke off and its text", () => {
  const text = read("truncated", [8, 50], { source: "<call>" });
  const other = read("malformed", [0, 4]);
  const broken = read("truncated", [null, null], FAILED);
  assert.deepEqual(
    withPlaces([other, text, broken]).map(({ line, source }) => [line.outcome, line.start, source]),
    [["abstained", 0, undefined], ["failed", 8, "<call>"]],
  );
  const native = read("truncated", [null, null], { ...FAILED, rule: "native" });
  assert.deepEqual(withPlaces([text, native]).map(({ line }) => line.start), [8, null]);
});

const FAILED = { outcome: "failed", call: 0 } as const;

Deno.test("repeatsOf counts one broken call once, however many rules and readings fail at it", () => {
  const table: [title: string, decisions: ReturnType<typeof read>[], repeats: number[]][] = [
    ["two rules at one place", [read("truncated", [8, 50]), read("malformed", [8, 50], { rule: "b" })], [1]],
    ["a reading inside", [read("malformed", [8, 50]), read("malformed", [20, 40], { rule: "b" })], [1]],
    ["a text beside an attempt", [read("quoted", [0, 50]), read("malformed", [4, 30])], [0]],
    ["two calls", [read("malformed", [0, 20]), read("malformed", [20, 40])], []],
    ["two choices", [read("malformed", [0, 20]), read("malformed", [0, 20], { choice: 1 })], []],
    ["an attempt beside a broken call", [read("malformed", [8, 50]), read("truncated", [8, 50], FAILED)], [
      0,
    ]],
    [
      "read by the next rule behind a wrapper",
      [
        read("malformed", [0, 60], { source: "<tool_call>\n<t>…" }),
        read("transformed", [12, 60], { call: 0, tool: "t1" }),
      ],
      [0],
    ],
    ["read by the next rule at the same place", [read("malformed", [0, 60]), read("transformed", [0, 50])], [
      0,
    ]],
    [
      "a broken call before a whole one",
      [
        read("malformed", [0, 90], { source: '<tool_call>{"name": "write_file", "argum}} <tool_call>' }),
        read("transformed", [43, 90], { call: 0 }),
      ],
      [],
    ],
    [
      "calls are never repeats",
      [read("transformed", [0, 50]), read("transformed", [0, 50], { call: 1 })],
      [],
    ],
    ["the upstream's own", [read("malformed", [0, 9], { rule: "native" }), read("malformed", [0, 9])], []],
    ["remarks and repairs", [read("json_repaired", [0, 9]), read("malformed", [0, 9])], []],
    ["a near miss at a broken call", [
      read("near_miss", [0, 50], { rule: "none" }),
      read("malformed", [4, 30]),
    ], [0]],
  ];
  for (const [title, decisions, repeats] of table) {
    assert.deepEqual([...repeatsOf(decisions)].sort(), repeats, title);
  }
});

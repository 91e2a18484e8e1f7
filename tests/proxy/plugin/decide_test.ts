import assert from "node:assert/strict";
import type { ContentEvent, NoteEvent } from "../../../src/engine/event/event.ts";
import { Decisions, RefusalNotes } from "../../../src/proxy/plugin/decide.ts";
import type { WholeCall } from "../../../src/proxy/plugin/gather.ts";
import { Hooks } from "../../../src/proxy/plugin/hooks.ts";
import type { Plugin } from "../../../src/proxy/plugin/mod.ts";
import { hookOptions } from "../../support/plugins.ts";

function open(
  plugin: Plugin,
  more: { refusesOnFailure?: boolean } = {},
): { decisions: Decisions; hooks: Hooks } {
  const hooks = new Hooks(hookOptions([{ plugin, options: {}, ...more }]));
  return { decisions: new Decisions(hooks), hooks };
}

const WHOLE: WholeCall = {
  call: { tool: "a", arguments: { x: 1 }, source: "A", meta: {}, rule: "r" },
  events: [
    { kind: "call_start", call: 3, tool: "a", rule: "r", confidence: 1 },
    { kind: "arguments", call: 3, json: '{"x":1}' },
    { kind: "call_end", call: 3, source: "A" },
  ],
};

function decide(
  plugin: Plugin,
  more: { refusesOnFailure?: boolean } = {},
): { words: string[]; notes: string[] } {
  const { decisions, hooks } = open(plugin, more);
  const words = decisions.decide({ kind: "call", whole: WHOLE }).flatMap((event: ContentEvent) =>
    event.kind === "call_start"
      ? [`${event.call} ${event.tool}`]
      : event.kind === "arguments"
      ? [event.json]
      : event.kind === "text"
      ? [event.text]
      : []
  );
  const notes = [...hooks.takeNotes(), ...decisions.refusals.end()];
  return { words, notes: notes.map(({ reason, detail }) => `${reason}: ${detail}`) };
}

const CASES: readonly (readonly [name: string, plugin: Plugin, words: string[], notes: string[]])[] = [
  ["keeps a call", { name: "p", onCall: () => undefined }, ["3 a", '{"x":1}'], []],
  ["refuses a call", { name: "p", onCall: () => ({ refuse: "no" }) }, ["A"], ["plugin_refused: p: no"]],
  [
    "changes arguments",
    { name: "p", onCall: () => ({ arguments: { x: 2 } }) },
    ["3 a", '{"x":2}'],
    ["plugin_changed: changed the arguments"],
  ],
  [
    "makes two calls of one",
    { name: "p", onCall: () => ({ replace: [{ tool: "b", arguments: {} }, { tool: "a", arguments: {} }] }) },
    ["3 b", "{}", "1000000 a", "{}"],
    ["plugin_changed: 2 calls instead"],
  ],
  [
    "keeps a call if a plugin makes one that is not offered",
    { name: "p", onCall: () => ({ replace: [{ tool: "z", arguments: {} }] }) },
    ["3 a", '{"x":1}'],
    ["plugin_failed: onCall made a call to a tool that is not offered"],
  ],
];

for (const [name, plugin, words, notes] of CASES) {
  Deno.test(`Decisions ${name}`, () => assert.deepEqual(decide(plugin), { words, notes }));
}

Deno.test("Decisions has a verdict once a plugin stops the answer", () => {
  const verdict = { kind: "reject", code: "C", message: "M" } as const;
  const { decisions } = open({ name: "p", onCall: () => ({ verdict }) });
  assert.deepEqual([decisions.decide({ kind: "call", whole: WHOLE }), decisions.verdict], [[], verdict]);
});

Deno.test("Decisions refuses a call whose guard fails, if the configuration wants that", () => {
  const failing: [string, Plugin, RegExp][] = [
    ["throws", {
      name: "p",
      onCall: () => {
        throw new Error("down");
      },
    }, /p: onCall threw Error at decide_test\.ts:\d+: down/],
    [
      "returns nonsense",
      { name: "p", onCall: () => ({ refus: "no" }) as never },
      /unknown field `refus`: did you mean `refuse`/,
    ],
    [
      "calls what isn't offered",
      { name: "p", onCall: () => ({ replace: [{ tool: "z", arguments: {} }] }) },
      /not offered/,
    ],
  ];
  for (const [name, plugin, detail] of failing) {
    assert.deepEqual(decide(plugin).words, ["3 a", '{"x":1}'], name);
    const refused = decide(plugin, { refusesOnFailure: true });
    assert.deepEqual(refused.words, ["A"], name);
    assert.match(refused.notes.join("\n"), new RegExp(`^plugin_failed: [^]*plugin_refused: p: [^]*`), name);
    assert.match(refused.notes.at(-1) ?? "", detail, name);
  }
  const fine = decide({ name: "p", onCall: () => undefined }, { refusesOnFailure: true });
  assert.deepEqual(fine.words, ["3 a", '{"x":1}']);
});

const REFUSED: NoteEvent = {
  kind: "note",
  reason: "plugin_refused",
  rule: "r",
  call: 0,
  start: 0,
  end: 0,
  detail: "d",
};
const READ: NoteEvent = { kind: "note", reason: "transformed", rule: "r", call: 0, start: 10, end: 42 };

Deno.test("RefusalNotes turns the matcher's note about a refused call into the refusal", () => {
  const notes = new RefusalNotes();
  assert.equal(notes.refuse(REFUSED), undefined);
  assert.deepEqual(notes.pass(READ), { ...REFUSED, start: 10, end: 42 });
  assert.deepEqual(notes.end(), []);
});

Deno.test("RefusalNotes gives the refusal at once if the matcher's note is past, and at the end if there is none", () => {
  const notes = new RefusalNotes();
  assert.equal(notes.pass(READ), READ);
  assert.equal(notes.refuse(REFUSED), REFUSED);
  assert.equal(notes.refuse({ ...REFUSED, call: 1 }), undefined);
  assert.deepEqual(notes.end().map(({ call }) => call), [1]);
});

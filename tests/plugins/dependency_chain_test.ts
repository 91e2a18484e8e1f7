import assert from "node:assert/strict";
import fc from "fast-check";
import { buildChain } from "../../plugins/dependency_chain.ts";

/** A call as `id`, `id<other`, `<other` or nothing. */
function chain(mode: string | null, ...calls: readonly string[]) {
  let count = 0;
  const built = buildChain({
    mode,
    calls: calls.map((call) => {
      const [toolId = "", dependsOn] = call.split("<");
      return { meta: { ...(toolId && { toolId }), ...(dependsOn && { dependsOn }) } };
    }),
    newId: () => `new${++count}`,
  });
  const ids = built.nodes.map(({ id }) => id);
  return {
    order: built.order.map((index) => ids[index]).join(" "),
    waves: built.waves.map((wave) => wave.map((index) => ids[index]).join(" ")).join(" | "),
    notes: built.notes,
  };
}

const CASES: readonly (readonly [string, string | null, string[], string, string, RegExp[]])[] = [
  ["parallel calls stay as they are", "parallel", ["a", "b", "c"], "a b c", "a b c", []],
  ["no mode is parallel", null, ["a", "b"], "a b", "a b", []],
  ["an unknown mode is parallel, and noted", "conditional", ["a", "b"], "a b", "a b", [/mode is not known/]],
  ["sequential calls are chained", "sequential", ["a", "b", "c"], "a b c", "a | b | c", []],
  ["parallel calls may depend on each other", "parallel", ["a<c", "b", "c"], "b c a", "b c | a", []],
  ["a sequential call may name another one", "sequential", ["a", "b", "c<a"], "a b c", "a | b c", []],
  ["several dependencies", "parallel", ["a", "b", "c<a, b", "d<c"], "a b c d", "a b | c | d", []],
  ["missing ids are made", "parallel", ["", "b", ""], "new1 b new2", "new1 b new2", []],
  ["a made id keeps clear of written ones", "parallel", ["", "new1"], "new2 new1", "new2 new1", []],
  ["a repeated id is new", "parallel", ["a", "a", "c<a"], "a new1 c", "a new1 | c", [
    /id of call 2 was already in use/,
  ]],
  ["an unknown reference is dropped", "parallel", ["a<x", "b"], "a b", "a b", [
    /call 1 depends on an unknown id/,
  ]],
  ["a self reference is dropped", "parallel", ["a<a", "b"], "a b", "a b", [/call 1 depends on itself/]],
  [
    "a sequential call whose reference is dropped is chained",
    "sequential",
    ["a", "b<x"],
    "a b",
    "a | b",
    [/call 2 depends on an unknown id/],
  ],
  ["a cycle of 2", "parallel", ["a<b", "b<a"], "b a", "b | a", [/call 2 no longer depends on call 1/]],
  [
    "a cycle of 5",
    "parallel",
    ["a<e", "b<a", "c<b", "d<c", "e<d"],
    "e a b c d",
    "e | a | b | c | d",
    [/call 5 no longer depends on call 4/],
  ],
  [
    "two cycles",
    "parallel",
    ["a<b", "b<a", "c<d", "d<c"],
    "b a d c",
    "b d | a c",
    [/call 2 no longer/, /call 4 no longer/],
  ],
  ["a sequence whose first waits for its second", "sequential", ["a<b", "b"], "b a", "b | a", []],
  ["the same reference twice", "parallel", ["a", "b<a a"], "a b", "a | b", []],
];

for (const [name, mode, calls, order, waves, notes] of CASES) {
  Deno.test(`buildChain: ${name}`, () => {
    const built = chain(mode, ...calls);
    assert.deepEqual([built.order, built.waves], [order, waves]);
    assert.equal(built.notes.length, notes.length);
    for (const [index, note] of notes.entries()) assert.match(built.notes[index] ?? "", note);
  });
}

Deno.test("buildChain: 200 calls deep, written backwards", () => {
  const calls = Array.from({ length: 200 }, (_, index) => index === 199 ? "c199" : `c${index}<c${index + 1}`);
  const { order, waves } = chain("parallel", ...calls);
  const expected = Array.from({ length: 200 }, (_, index) => `c${199 - index}`);
  assert.deepEqual([order.split(" "), waves.split(" | ")], [expected, expected]);
});

Deno.test("buildChain: 20,000 calls in a row do not take long", () => {
  const { order } = chain("sequential", ...Array.from({ length: 20_000 }, (_, index) => `c${index}`));
  assert.equal(order.split(" ").length, 20_000);
});

Deno.test("buildChain: any graph gives an order that respects every kept edge, every call once", () => {
  const graph = fc.record({
    mode: fc.constantFrom("parallel", "sequential", null),
    calls: fc.array(
      fc.record({
        id: fc.constantFrom("", "a", "b", "c", "d", "e", "f"),
        on: fc.array(fc.constantFrom(..."abcdefx")),
      }),
      { maxLength: 20 },
    ),
  });
  fc.assert(fc.property(graph, ({ mode, calls }) => {
    let count = 0;
    const { nodes, order, waves, notes } = buildChain({
      mode,
      calls: calls.map(({ id, on }) => ({ meta: { toolId: id, dependsOn: on.join(" ") } })),
      newId: () => `new${++count}`,
    });
    assert.deepEqual([...order].sort((a, b) => a - b), calls.map((_, index) => index));
    assert.equal(new Set(nodes.map(({ id }) => id)).size, calls.length);
    const places = new Map(order.map((index, place) => [index, place]));
    const waveOf = new Map(waves.flatMap((wave, level) => wave.map((index) => [index, level] as const)));
    for (const [index, { after }] of nodes.entries()) {
      for (const target of after) {
        assert((places.get(target) ?? NaN) < (places.get(index) ?? NaN));
        assert((waveOf.get(target) ?? NaN) < (waveOf.get(index) ?? NaN));
      }
    }
    assert.deepEqual(waves.flat().sort((a, b) => a - b), [...order].sort((a, b) => a - b));
    if (calls.every(({ on }) => on.length === 0)) {
      assert.deepEqual([order, notes.filter((note) => !note.includes("taken"))], [
        calls.map((_, index) => index),
        [],
      ]);
    }
  }));
});

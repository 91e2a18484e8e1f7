import assert from "node:assert/strict";
import type { CompiledRules } from "../../src/engine/compiled/format.ts";
import { chooseRules, joinRules, rankRules, unpackRules } from "../../src/engine/mod.ts";
import { compileRules, weighRules } from "../../src/engine/rule/compile.ts";
import { packRules } from "../../src/engine/rule/pack.ts";
import { ruleSchema } from "../../src/engine/rule/schema.ts";
import { loadRules, selectRules } from "../../src/library/mod.ts";
import { defaultRules, shippedRules } from "../support/matcher_events.ts";

const BY = "test";

/** Without fields that are undefined: data has none. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, entry) => entry === Infinity ? "infinite" : entry));
}

Deno.test("compiled rules are the same program, and pass through JSON", () => {
  for (const rules of [defaultRules(), shippedRules()]) {
    const compiled: CompiledRules = JSON.parse(JSON.stringify(packRules(rules, { by: BY })));
    const program = rankRules(unpackRules(compiled));
    const expected = compileRules(rules).program;
    assert.deepEqual(plain(program.rules), plain(expected.rules));
    assert.deepEqual(program.markdown, expected.markdown);
  }
});

Deno.test("packing what was unpacked gives the same data", () => {
  const once = packRules(defaultRules(), { by: BY, withSpeech: true });
  assert.deepEqual(packRules(defaultRules(), { by: BY, withSpeech: true }), once);
  assert.equal(unpackRules(once).filter(({ speech }) => speech !== undefined).length > 30, true);
});

Deno.test("only a node that is used often is in the list, and one object when it is unpacked", () => {
  const pattern = (name: string) => `<${name}>[a-z]+[0-9]+(?<body>…)</${name}[0-9]+>`;
  const rules = ["a", "b", "c", "d", "e"].map((name) =>
    ruleSchema.parse({ rule: name, pattern: pattern(name), body: "json", call: { tool: "f" } })
  );
  const compiled = packRules(rules, { by: BY });
  assert.deepEqual(compiled.nodes, [["*", ["c", 48, 57], 1, -1], ["*", ["c", 97, 122], 1, -1]]);
  const [one, other] = unpackRules(compiled).map(({ opener }) => opener as { items: readonly unknown[] });
  assert.equal(one!.items[3], other!.items[3]);
});

Deno.test("a node that is a text in another sequence, an empty sequence and one character come back", () => {
  const rules = [
    "(?:ab)c(?<body>…)d",
    "(?:ab|)x{tool}(?<body>…)(?:yz)+",
    "\\u{1F600}a(?<body>…)\\uD800",
    "a[^<\\s]\\S(?<body>…)[\\s<][^b-d]+?",
  ];
  for (const pattern of rules) {
    const rule = ruleSchema.parse({ rule: "r", pattern, body: "json", call: { tool: "f" } });
    const weighted = weighRules([rule]).rules;
    assert.deepEqual(
      unpackRules(JSON.parse(JSON.stringify(packRules([rule], { by: BY })))).map(plain),
      weighted.map(plain),
    );
  }
});

Deno.test("a reader refuses another format by its number and its writer, and what isn't compiled rules", () => {
  const compiled = packRules(defaultRules(), { by: "dragoman 9.9.9" });
  const refused = (value: unknown, code: string, message: RegExp) =>
    assert.throws(() => loadRules(value as CompiledRules), (error: Error & { code?: string }) => {
      assert.equal(error.name, "CompiledRulesError");
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    });
  refused(
    { ...compiled, v: 1 },
    "format",
    /format 1, written by dragoman 9\.9\.9: this reader reads format 3/,
  );
  refused({ ...compiled, v: 0 }, "format", /format 0/);
  refused({ ...compiled, nodes: compiled.nodes.slice(0, 3) }, "damaged", /damaged/);
  refused({ ...compiled, nodes: [["x"]] }, "damaged", /unknown kind/);
  const late = { ...compiled.rules[0]!, closer: ["s", "a", ["s", "b", 9999]] };
  refused({ ...compiled, rules: [late] }, "damaged", /no node 9999/);
  refused({ rules: [] }, "damaged", /no format number/);
  refused("rules", "damaged", /no format number/);
  refused(null, "damaged", /no format number/);
  assert.throws(() => loadRules({} as CompiledRules), /not from this copy/);
});

Deno.test("later rules replace earlier ones of the same name, and confidence orders all", () => {
  const rule = (name: string, confidence: number) =>
    weighRules([
      ruleSchema.parse({
        rule: name,
        pattern: `<${name}>(?<body>…)</x>`,
        body: "none",
        confidence,
        call: { tool: "f" },
      }),
    ]).rules;
  const joined = joinRules([[...rule("a", 0.9), ...rule("b", 0.95)], [
    ...rule("a", 0.99),
    ...rule("c", 0.95),
  ]]);
  const { rules } = rankRules(joined);
  assert.deepEqual(
    rules.map(({ name, rank, priority }) => [name, rank, priority]),
    [["a", 0, 0], ["b", 1, 1], ["c", 2, 1]],
  );
});

Deno.test("selected rules keep quotations and groups, and an unknown name is an error", () => {
  const entries = weighRules(defaultRules()).rules;
  const chosen = chooseRules(entries, ["hermes"]);
  assert.deepEqual(
    chosen.filter(({ body: { kind } }) => kind !== "opaque" && kind !== "group").map(({ name }) => name),
    ["hermes"],
  );
  assert.ok(chosen.some(({ name }) => name === "fence"));
  const all = loadRules(packRules(defaultRules(), { by: BY }));
  assert.throws(() => selectRules(all, ["hermse"]), /no rule "hermse"/);
});

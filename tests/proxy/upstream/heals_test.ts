import assert from "node:assert/strict";
import { mergeRules, MESSAGE_RULES } from "../../../src/chat/compatibility/refused_forms.ts";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import {
  EVERY_SERVER,
  type HealEntry,
  knowsEveryTool,
  REFUSALS,
  refusalsIn,
  rulesFor,
} from "../../../src/proxy/upstream/profiles/heals.ts";
import { PROFILES } from "../../../src/proxy/upstream/profiles/profiles.ts";
import { Servers } from "../../../src/proxy/upstream/servers.ts";

const upstream = (fields: Record<string, unknown> = {}) =>
  upstreamSchema.parse({ name: "local", url: "http://h/v1", ...fields });

/** The rules for a model of a recognized server. */
function healFor(server: string, { version, refusals, model }: {
  version?: string;
  refusals?: readonly string[];
  model?: string;
} = {}) {
  const servers = new Servers();
  servers.learn({ upstream: "local", url: "http://h/v1", server, version, refusals });
  return servers.healFor(upstream(), { model });
}

/** What every server gets. */
const EVERY = rulesFor(EVERY_SERVER, { version: undefined, model: "", host: "h" });

Deno.test("hosts that know all words of an API get them unchanged", () => {
  const rules = rulesFor(EVERY_SERVER, { version: undefined, model: "", host: "api.openai.com" });
  assert.deepEqual(rules.tool_choice, { synonym: true });
  assert.deepEqual(EVERY.tool_choice, { synonym: true, allowed: true });
  assert.deepEqual(["https://api.openai.com/v1", "http://127.0.0.1:1/v1", "?"].map(knowsEveryTool), [
    true,
    false,
    false,
  ]);
});

Deno.test("every change has a source, and only known fields", () => {
  const entries: readonly HealEntry[] = [
    ...Object.values(PROFILES).flatMap(({ heal = [] }) => heal),
    ...REFUSALS,
    ...EVERY_SERVER,
  ];
  const known = [
    "text",
    "source",
    "before",
    "since",
    "models",
    "except",
    "except_hosts",
    "fields",
    "schemas",
    "messages",
    "ids",
    "tool_choice",
    "thoughts",
  ];
  for (const entry of entries) {
    assert.deepEqual(Object.keys(entry).filter((key) => !known.includes(key)), []);
    assert.ok(entry.source.length > 10, JSON.stringify(entry));
    assert.ok(
      entry.fields ?? entry.schemas ?? entry.messages ?? entry.ids ?? entry.tool_choice ?? entry.thoughts,
      "it changes something",
    );
    assert.deepEqual((entry.messages ?? []).filter((rule) => !(rule in MESSAGE_RULES)), []);
    for (const glob of [...entry.models ?? [], ...entry.except ?? []]) assert.equal(glob, glob.toLowerCase());
  }
  assert.equal(new Set(REFUSALS.map(({ text }) => text)).size, REFUSALS.length);
});

Deno.test("healFor knows versions: an unknown one counts as an old one", () => {
  const drops = (version?: string) =>
    healFor("llama.cpp", { ...version === undefined ? {} : { version } }).schemas?.drop;
  assert.deepEqual([drops("b10532-abc"), drops("b9000"), drops()], [["pattern"], ["pattern"], ["pattern"]]);
  assert.deepEqual([drops("b10533"), drops("b10547-749f688fc")], [undefined, undefined]);
  assert.equal(healFor("llama.cpp", { version: "b10547-749f688fc" }).schemas?.invalid_patterns, true);
  for (const version of ["b0-unknown", "b1-749f688"]) {
    assert.equal(drops(version), undefined, "counts as the newest");
  }
  const entry = (fields: Partial<HealEntry>) =>
    ({ source: "a test", ids: "nine_letters", ...fields }) as HealEntry;
  const holds = (fields: Partial<HealEntry>, version?: string) =>
    rulesFor([entry(fields)], { version, model: "", host: "" }).ids;
  assert.equal(holds({ before: "0.28" }, "0.9.1"), "nine_letters");
  assert.equal(holds({ before: "0.28" }, "0.28.0"), undefined);
  assert.equal(holds({ since: "0.28" }, "0.28.1"), "nine_letters");
  assert.equal(holds({ since: "0.28" }), undefined);
});

Deno.test("Servers remembers refusals for each model, and forgets the first of too many", () => {
  const servers = new Servers();
  const refusals = refusalsIn("error: Unexpected message role. Try another");
  assert.equal(refusals.length, 1);
  servers.learnChanges(upstream(), { model: "a", changes: refusals });
  servers.learnChanges(upstream(), { model: "a", changes: refusalsIn("Unsupported ref: x") });
  const learned = mergeRules(EVERY, { schemas: { refs: "inline" }, messages: ["no_developer"] });
  assert.deepEqual(servers.healFor(upstream(), { model: "a" }), learned);
  assert.deepEqual(servers.healFor(upstream(), { model: "b" }), EVERY);
  assert.deepEqual(servers.healFor(upstream({ url: "http://other/v1" }), { model: "a" }), EVERY);
  for (let count = 0; count < 1000; count++) {
    servers.learnChanges(upstream(), { model: `m${count}`, changes: refusals });
  }
  assert.deepEqual(servers.healFor(upstream(), { model: "a" }), EVERY);
  assert.deepEqual(servers.healFor(upstream(), { model: "m999" }).messages, [
    "arguments",
    "call_ids",
    "no_developer",
    "plain_parts",
  ]);
});

/** What is kept between requests belongs to one client key: nothing of it reaches another, whatever both say. @module */
import assert from "node:assert/strict";
import type { Service } from "../../src/proxy/exchange/service.ts";
import { MemoryStore } from "../../src/proxy/store/store.ts";
import { pluginService } from "../support/plugins.ts";
import { type RunningProxy, startProxy } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { askRow, onRows, WIRE_TABLE, type WireRow } from "../support/wire_table.ts";

const TOOL = {
  name: "t",
  schema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
};

const WRONG = '<tool_call>\n{"name": "t", "arguments": {"n": "not a number"}}\n</tool_call>';

/** Two owners, by the headers that tell them apart. */
const OWNERS: Readonly<Record<string, readonly [Record<string, string>, Record<string, string>]>> = {
  "client keys": [{ authorization: "Bearer key-of-ann-0123456789" }, {
    authorization: "Bearer key-of-bob-0123456789",
  }],
  "keys of their own for the model server": [{ "x-api-key": "ann" }, { "x-api-key": "bob" }],
  "a key, and none": [{ authorization: "Bearer ann" }, {}],
};

function withKeys(service: Service, kind: string): Service {
  if (kind !== "client keys") return service;
  return { ...service, clientKeys: ["key-of-ann-0123456789", "key-of-bob-0123456789"] };
}

for (const [kind, [ann, bob]] of Object.entries(OWNERS)) {
  Deno.test(`strikes of one owner are none of another's, on every wire: ${kind}`, () =>
    onRows(WIRE_TABLE, async (row) => {
      await using upstream = startUpstream({ text: WRONG });
      const config =
        "plugins: [{ use: strict_validation, mode: reject, max_mistakes: 2, on_max_mistakes: error }]";
      const service = withKeys(await pluginService(upstream.url, { config }), kind);
      await using proxy = await startProxy(service);
      const strike = (headers: Record<string, string>) => askStrike(proxy, { row, headers });
      assert.doesNotMatch(await strike(ann), /MAX_MISTAKES/);
      assert.match(await strike(ann), /MAX_MISTAKES/);
      assert.doesNotMatch(await strike(bob), /MAX_MISTAKES/);
      assert.match(await strike(bob), /MAX_MISTAKES/);
    }));

  // Strikes, queues, questions, the canary and what agents do with their calls are kept under this id.
  Deno.test(`a conversation has one id for plugins and watchers, and another for another owner: ${kind}`, () =>
    onRows(WIRE_TABLE, async (row) => {
      await using upstream = startUpstream({ text: "fine" });
      const seen: (readonly [string, string])[] = [];
      const stored = "export default { name: 'id', onRequest(_, { store, conversation }) {" +
        " store.put('id', conversation, { ttlMs: 1000 }); } };";
      const store = new MemoryStore({ now: () => 0 });
      const service = await pluginService(upstream.url, {
        config: "plugins: [./id.js]",
        files: { "id.js": stored },
        store,
      });
      await using proxy = await startProxy(withKeys(service, kind), {
        watches: [({ conversation }) => ({
          observe() {},
          end: () => void seen.push([conversation, String(store.get("id/id"))]),
        })],
      });
      for (const headers of [ann, bob, ann]) {
        await askRow(proxy.origin, { row, headers, question: { task: "hi", tool: TOOL } });
      }
      assert.deepEqual(seen.map(([watched]) => watched), seen.map(([_, own]) => own));
      const [first, other, again] = seen.map(([watched]) => watched);
      assert.match(String(first), /^[0-9a-f]{16}$/);
      assert.notEqual(first, other);
      assert.equal(first, again);
    }));
}

async function askStrike(
  { origin }: RunningProxy,
  { row, headers }: { row: WireRow; headers: Record<string, string> },
): Promise<string> {
  const { error } = await askRow(origin, { row, headers, question: { task: "hi", tool: TOOL } });
  return String(error);
}

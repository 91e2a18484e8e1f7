/**
 * Deep nesting, from clients and from models, on every wire, streamed and whole: it never overflows the stack. A request
 * is refused in the wire's own form, a call isn't made, and an upstream's message isn't read.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IS_THOROUGH } from "../support/fuzz.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import {
  onRows,
  readRaw,
  rowsInTurn,
  TOOL,
  WIRE_TABLE,
  type WireOutcome,
  type WireRow,
} from "../support/wire_table.ts";

/** Text of an object that is nested this deep. */
const nested = (depth: number) => '{"a":['.repeat(depth / 2) + "1" + "]}".repeat(depth / 2);

/** Every one but the first is deeper than the stack. */
const DEPTHS = IS_THOROUGH ? [300, 8000, 50_000] : [300, 20_000];

/** Posts a row's request with one more field, whose JSON is given. */
async function post(origin: string, row: WireRow, odd = "0"): Promise<WireOutcome> {
  const { path, body } = row.request({ task: "Write.", tool: TOOL });
  const json = JSON.stringify(body).replace("{", () => `{"odd":${odd},`);
  const headers = { "content-type": "application/json" };
  const response = await fetch(origin + path, { method: "POST", headers, body: json });
  return row.read({ status: response.status, ...await readRaw(response) });
}

Deno.test("a request that is nested too deep is refused at its place", async () => {
  await using pair = await startWireProxy({ text: "Done." });
  await onRows(WIRE_TABLE, async (row) => {
    for (const depth of DEPTHS) {
      const { status, error } = await post(pair.origin, row, nested(depth));
      assert.equal(status, 400);
      assert.match(error!, /`odd\.a\[0\]\.a\[0\]\.a\[0\]\.a…` is nested too deeply\. Expected at most 256/);
    }
    // As deep as it may be.
    assert.equal((await post(pair.origin, row, nested(254))).text, "Done.");
  });
  assert.equal(pair.upstream.requests.length, WIRE_TABLE.length);
});

Deno.test("a request with more different keys than are read is refused, and repeated ones are no matter", async () => {
  await using pair = await startWireProxy({ text: "Done." });
  const keys = (count: number, name: (at: number) => string) =>
    `{${Array.from({ length: count }, (_, at) => `"${name(at)}" : 1`).join()}}`;
  const table = [
    [keys(110_000, (at) => `k${at}`), 400],
    [`[${Array(11).fill(keys(10_000, (at) => `k${at}`)).join()}]`, 200],
    [JSON.stringify('"k":1,'.repeat(110_000)), 200],
  ] as const;
  await onRows(WIRE_TABLE.filter(({ isStreamed }) => !isStreamed), async (row) => {
    for (const [odd, expected] of table) {
      if (expected === 200 && row.wire !== "chat") continue;
      const { status, error } = await post(pair.origin, row, odd);
      assert.equal(status, expected);
      if (expected === 400) assert.match(error!, /too many different keys\. Expected at most 100000/);
    }
  });
});

Deno.test("deep arguments of a model are not a call", async () => {
  for (const depth of [40, ...DEPTHS]) {
    const json = nested(depth);
    const printed = `<tool_call>\n{"name": "t", "arguments": ${json}}\n</tool_call>`;
    for (const script of [{ text: printed }, { raw: rawCall(json) }]) {
      await using pair = await startWireProxy(script);
      await onRows(rowsInTurn(4), async (row) => {
        const { status, calls } = await post(pair.origin, row);
        assert.deepEqual([status, calls], [200, depth === 40 ? [["t", JSON.parse(json)]] : []]);
      });
    }
  }
});

Deno.test("an upstream's deep JSON is not read", async () => {
  for (const depth of DEPTHS) {
    const deep = nested(depth);
    const message = `"role":"assistant","content":"Done.","odd":${deep}`;
    const stream = [
      `{"choices":[{"index":0,"delta":{${message}},"finish_reason":null}]}`,
      `{"choices":[{"index":0,"delta":{"tool_calls":${deep}},"finish_reason":null}]}`,
      '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
      "[DONE]",
    ].map((data) => `data: ${data}\n\n`).join("");
    const whole = `{"choices":[{"index":0,"message":{${message}},"finish_reason":"stop"}]}`;
    const scripts: readonly Script[] = [
      { raw: { stream, body: whole } },
      { raw: { stream: whole, body: `{"error":${deep}}` } },
      { error: { status: 400, body: `{"error":${deep}}` } },
      { error: { status: 400, body: deep } },
    ];
    for (const script of scripts) {
      await using pair = await startWireProxy(script);
      await onRows(WIRE_TABLE.filter(({ wire }) => wire !== "chat"), async (row) => {
        const { status, calls } = await post(pair.origin, row);
        assert.ok(script.error ? status === 400 : status === 200 || status === 502, `status ${status}`);
        assert.deepEqual(calls, []);
      });
      // Chat completions passes what it doesn't read.
      for (const row of WIRE_TABLE.filter(({ wire }) => wire === "chat")) {
        const { path, body } = row.request({ task: "Write.", tool: TOOL });
        const response = await fetch(pair.origin + path, { method: "POST", body: JSON.stringify(body) });
        assert.equal(response.status, script.error?.status ?? 200);
        assert.ok(!(await readRaw(response)).text.includes("internal_error"));
      }
    }
  }
});

/** An upstream's own call with these arguments. */
function rawCall(json: string): { readonly stream: string; readonly body: string } {
  const call = { id: "n1", type: "function", function: { name: "t", arguments: json } };
  const choice = (fields: object, finish: string | null) =>
    JSON.stringify({ choices: [{ index: 0, ...fields, finish_reason: finish }] });
  const stream = [
    choice({ delta: { role: "assistant", tool_calls: [{ index: 0, ...call }] } }, null),
    choice({ delta: {} }, "tool_calls"),
    "[DONE]",
  ].map((data) => `data: ${data}\n\n`).join("");
  return {
    stream,
    body: choice({ message: { role: "assistant", content: null, tool_calls: [call] } }, "tool_calls"),
  };
}

Deno.test("a list of models that is nested too deep passes, or is an error of the upstream", async () => {
  await using pair = await startWireProxy({
    error: { status: 200, body: `{"data":[{"id":${nested(50_000)}}]}` },
  });
  for (const [path, status] of [["/v1/models", 200], ["/api/tags", 502], ["/v1beta/models", 502]] as const) {
    const response = await fetch(pair.origin + path);
    assert.equal(response.status, status, path);
    await response.text();
  }
});

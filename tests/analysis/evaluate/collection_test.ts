import assert from "node:assert/strict";
import { readAnswer } from "../../../src/analysis/evaluate/answer.ts";
import { poolReports } from "../../../src/analysis/evaluate/collection.ts";
import { bareName, type SharedEvaluation, sharedSchema } from "../../../src/analysis/evaluate/shared_file.ts";

function report(k: number, change: Partial<SharedEvaluation> = {}): SharedEvaluation {
  return {
    v: 1,
    battery: "2026-11",
    dragoman: "0.1.0",
    date: "2026-11-23",
    model: { name: "m" },
    server: { kind: "llama.cpp", version: "b1" },
    sampling: { mode: "default", temperature: null, repeats: 5, seeded: true },
    settings: { tools: "native" },
    columns: { alone: { k, n: 95 }, dragoman: { k: 95, n: 95 } },
    tasks: { plain_call: { alone: "5/5" } },
    findings: [{ id: "calls_printed_as_text", rules: ["hermes"], alone: 95 - k, left: 0 }],
    recommended: null,
    unmeasured: 0,
    partial: false,
    ...change,
  };
}

Deno.test("poolReports puts together only what measures the same, and marks what disagrees", () => {
  const pools = poolReports([
    report(80),
    report(82),
    report(80, { battery: "2027-01" }),
    report(80, { settings: { tools: "raw" } }),
    report(80, { server: { kind: "llama.cpp", version: "b2" } }),
    report(10, { model: { name: "other" } }),
    report(90, { model: { name: "other" } }),
  ]);
  assert.deepEqual(
    pools.map(({ model, reports, disagrees }) => [model, reports, disagrees]),
    [["m", 2, false], ["m", 1, false], ["m", 1, false], ["m", 1, false], ["other", 2, true]],
  );
  assert.deepEqual([pools[0]?.columns.alone?.k, pools[0]?.columns.alone?.n], [162, 190]);
});

Deno.test("a file to share has figures that are possible, and no path of its user", () => {
  assert.ok(sharedSchema.safeParse(report(95)).success);
  assert.ok(!sharedSchema.safeParse(report(96)).success, "more right answers than answers");
  assert.ok(!sharedSchema.safeParse({ ...report(1), host: "10.0.0.7" }).success, "no other fields");
  const names = [
    ["", "home", "anna", "m.gguf"].join("/"),
    "C:\\models\\m.gguf",
    "~/m.gguf",
    "org/model",
    "model:7b",
  ];
  assert.deepEqual(names.map(bareName), ["m.gguf", "m.gguf", "m.gguf", "org/model", "model:7b"]);
});

Deno.test("readAnswer reads as a strict agent, and repairs nothing", () => {
  const stream = (...deltas: unknown[]) =>
    deltas.map((delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`).join("");
  const read = (body: string) => readAnswer({ status: 200, type: "text/event-stream", body });
  const call = (index: number, id: string, name: string, json: string) => ({
    tool_calls: [{ index, id, function: { name, arguments: json } }],
  });
  const piece = { tool_calls: [{ index: 0, function: { arguments: "1}" } }] };
  const joined = read(stream(call(0, "a", "f", '{"x":'), piece) + "data: [DONE]\n\n");
  assert.deepEqual(joined.calls.map(({ id, name, arguments: json }) => [id, name, json]), [[
    "a",
    "f",
    '{"x":1}',
  ]]);
  assert.deepEqual([...joined.oddities], []);
  const repeated = read(stream(call(0, "a", "f", "{}"), call(0, "b", "f", "{}")) + "data: [DONE]\n\n");
  assert.deepEqual([repeated.calls.length, [...repeated.oddities]], [2, ["index_repeats"]]);
  assert.deepEqual([...read(stream({ content: "half" })).oddities], ["broken_off"]);
  assert.deepEqual([...read("").oddities], ["swallowed"]);
  assert.equal(read('event: error\ndata: {"message": "no"}\n\n').error, "no");
  const whole = readAnswer({ status: 200, type: "application/json", body: "<html>" });
  assert.match(whole.error ?? "", /isn't a chat completion/);
  const refused = readAnswer({
    status: 400,
    type: "application/json",
    body: '{"error": {"message": "too long"}}',
  });
  assert.deepEqual([refused.status, refused.error], [400, "too long"]);
});

/**
 * Calls that the server constrains by a grammar (`tools.strict: add`), from servers that answer as vLLM does: what is sent, and
 * that the first error about a grammar withdraws it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { printNotices } from "../../src/cli/service/notices.ts";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { postRaw, startWireProxy } from "../support/wire_proxy.ts";
import { askRow, WIRE_TABLE, type WireQuestion } from "../support/wire_table.ts";

const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const QUESTION: WireQuestion = { task: "Read it", tool: { name: "read_file", schema: SCHEMA } };
const CALL =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>";
const ROW = WIRE_TABLE[0]!;

async function connect(
  script: Script | ((request: Arrived) => Script),
  { tools = { strict: "add" }, ...own }: Record<string, unknown> = {},
) {
  const lines: string[] = [];
  const pair = await startWireProxy(script, {
    // Else the server is asked where answers begin, too.
    settings: { server: "vllm", begins_in_reasoning: false, ...own },
    config: { tools },
    server: { watches: [printNotices((text) => lines.push(text))] },
  });
  return {
    origin: pair.origin,
    requests: pair.upstream.requests,
    lines,
    /** What is in each request about grammars. */
    get asked() {
      return this.requests.map(({ body }) => JSON.parse(body)).map((
        { tools, response_format: format },
      ) => ({ strict: tools?.[0].function.strict, format: format?.type }));
    },
    [Symbol.asyncDispose]: () => pair[Symbol.asyncDispose](),
  };
}

for (const row of WIRE_TABLE) {
  Deno.test(`strict, ${row.name}: functions get strict, and the answer is read as always`, async () => {
    await using model = await connect({ text: CALL });
    const { calls } = await askRow(model.origin, { row, question: QUESTION });
    assert.deepEqual(calls, [["read_file", { path: "a" }]]);
    // A client that states false means it.
    assert.deepEqual(model.asked, [{ strict: row.wire !== "responses", format: undefined }]);
  });

  Deno.test(`strict, ${row.name}: an error about a grammar withdraws it`, async () => {
    const message = "The provided JSON schema contains features not supported by xgrammar.";
    const script = ({ body }: Arrived): Script => {
      const { tools, response_format: format } = JSON.parse(body);
      const isStrict = tools?.[0].function.strict === true || format !== undefined;
      return isStrict
        ? { error: { status: 400, body: JSON.stringify({ error: { message } }) } }
        : { text: CALL };
    };
    await using model = await connect(script, { tools: { strict: "add" }, heal: false });
    for (let count = 0; count < 2; count++) {
      const { status, calls } = await askRow(model.origin, { row, question: QUESTION });
      assert.deepEqual([status, calls.length], [200, 1]);
    }
    const isAdded = row.wire !== "responses";
    assert.deepEqual(
      model.asked.map(({ strict }) => strict === true),
      isAdded ? [true, false, false] : [false, false],
    );
    assert.equal(model.lines.length, isAdded ? 1 : 0);
    if (isAdded) {
      assert.match(model.lines[0]!, /strict_withdrawn: requests for local .*not supported by xgrammar/);
    }
  });
}

Deno.test("strict: nothing is added by default, for servers that take none, and where the client or a dry run forbids it", async () => {
  const cases: Record<string, unknown>[] = [
    { tools: {} },
    { server: "llama.cpp" },
    { server: "none" },
    { dry_run: true },
  ];
  for (const settings of cases) {
    await using model = await connect({ text: CALL }, settings);
    await askRow(model.origin, { row: ROW, question: QUESTION });
    assert.deepEqual(model.asked, [{ strict: undefined, format: undefined }], JSON.stringify(settings));
  }
});

const TAG = {
  type: "structural_tag",
  format: {
    type: "triggered_tags",
    triggers: ["<tool_call>\n<function="],
    tags: [{
      type: "tag",
      begin: "<tool_call>\n<function=read_file>\n",
      content: { type: "json_schema", style: "qwen_xml", json_schema: SCHEMA },
      end: "\n</function>\n</tool_call>",
    }],
    at_least_one: false,
    stop_after_first: false,
  },
};

for (
  const [how, settings] of Object.entries({
    prompted: { tools: "prompted", dialect: "qwen_xml" },
    raw: { tools: "raw", dialect: "qwen_xml" },
  })
) {
  Deno.test(`strict: calls of a model that is ${how} get a structural tag in its dialect`, async () => {
    const config = { tools: { strict: "add" } };
    await using chat = await startWireProxy({ text: CALL }, {
      settings: { server: "vllm", ...settings },
      config,
    });
    const { calls } = await askRow(chat.origin, { row: ROW, question: QUESTION });
    assert.deepEqual(calls, [["read_file", { path: "a" }]]);
    const [first] = chat.upstream.requests.filter(({ path }) => path === "/v1/chat/completions");
    const body = JSON.parse(first!.body);
    assert.deepEqual(body.response_format, TAG);
    assert.equal(body.tools?.[0].function.strict, undefined);
    for (const more of [{ response_format: { type: "json_object" } }, { tool_choice: "none" }]) {
      const { path, body } = ROW.request(QUESTION);
      await postRaw(chat.origin + path, { ...body, ...more });
      const sent = JSON.parse(chat.upstream.requests.at(-1)!.body).response_format;
      assert.notEqual(sent?.type, "structural_tag", JSON.stringify(more));
    }
  });
}

Deno.test("strict: a grammar that fails in the middle of a stream withdraws it for the next request", async () => {
  const chunk = {
    id: "x",
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: { content: "a" } }],
  };
  const error = {
    error: { message: "Failed to advance FSM for request x", type: "InternalServerError", code: 500 },
  };
  const stream = `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`;
  await using model = await connect(({ body }) =>
    body.includes('"strict":true') ? { raw: { stream, body: "" } } : { text: CALL }
  );
  await askRow(model.origin, { row: ROW, question: QUESTION }).catch(() => {});
  const { calls } = await askRow(model.origin, { row: ROW, question: QUESTION });
  assert.equal(calls.length, 1);
  assert.deepEqual(model.asked.map(({ strict }) => strict), [true, undefined]);
});

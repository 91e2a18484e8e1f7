/**
 * Where an answer begins inside the reasoning that a template opens in the prompt: stated, asked of the server, or learned
 * from the model's own answers, in streams of every wire.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Arrived, Script } from "../support/scripted_upstream.ts";
import { startWireProxy, type WireProxy } from "../support/wire_proxy.ts";
import { askRow, onRows, STREAMED_ROWS, type WireOutcome, type WireRow } from "../support/wire_table.ts";

const tool = { name: "read_file", schema: { type: "object" } };
const THOUGHT = "The user wants a sum.\n</think>\n\nIt is 4.";
const SPLIT = ["The user wants a sum.", "It is 4."];

async function ask(
  { origin }: WireProxy,
  row: WireRow,
  headers: Readonly<Record<string, string>> = {},
): Promise<[reasoning: string, text: string]> {
  const got: WireOutcome = await askRow(origin, { row, question: { task: "Add", tool }, headers });
  return [got.reasoning, got.text];
}

/** Runs a check on every wire, with a proxy that knows nothing yet. */
async function onEachWire(
  { script, settings }: {
    readonly script: (request: Arrived) => Script;
    readonly settings: Readonly<Record<string, unknown>>;
  },
  check: (proxy: WireProxy, row: WireRow) => Promise<void>,
): Promise<void> {
  await onRows(STREAMED_ROWS, async (row) => {
    await using proxy = await startWireProxy(script, { settings });
    await check(proxy, row);
  });
}

/** A server that prints this, and answers questions about its prompt. */
function serverOf(prompt: string, printed: () => string): (request: Arrived) => Script {
  const json = (value: unknown): Script => ({ error: { status: 200, body: JSON.stringify(value) } });
  return ({ path }) => {
    if (path === "/apply-template") return json({ prompt });
    if (path === "/tokenize") {
      return json({ tokens: [...prompt].map((character) => character.codePointAt(0)) });
    }
    if (path === "/detokenize") return json({ prompt: prompt.slice(-24) });
    return { text: printed(), finish: "stop" };
  };
}

Deno.test("a model's own answers show where the next one begins, on every wire", async () => {
  let printed = THOUGHT;
  const script = serverOf("", () => printed);
  const settings = { server: "none" };
  for (const row of STREAMED_ROWS) {
    await using proxy = await startWireProxy(script, { settings });
    printed = THOUGHT;
    assert.deepEqual(await ask(proxy, row), ["", "The user wants a sum.\nIt is 4."]);
    assert.deepEqual(await ask(proxy, row), SPLIT);
    printed = "It is 4.";
    assert.deepEqual(await ask(proxy, row), ["It is 4.", "It is 4."]);
    assert.deepEqual(await ask(proxy, row), ["", "It is 4."]);
  }
});

for (const server of ["vllm", "llama.cpp"]) {
  Deno.test(`the first answer of ${server} is split, because the server shows how its prompt ends`, async () => {
    const script = serverOf("<|im_start|>assistant\n<think>\n", () => THOUGHT);
    await onEachWire({ script, settings: { server } }, async (proxy, row) => {
      assert.deepEqual(await ask(proxy, row), SPLIT);
      assert.deepEqual(await ask(proxy, row), SPLIT);
      const questions = proxy.upstream.requests.filter(({ path }) => !path.startsWith("/v1/"));
      assert.equal(questions.length, server === "vllm" ? 2 : 1);
    });
  });
}

Deno.test("a prompt that opens nothing, or a server that doesn't answer, leaves the text as text", async () => {
  const failing = ({ path }: Arrived): Script =>
    path.startsWith("/v1/") ? { text: "It is 4." } : { error: { status: 500, body: "no" } };
  const scripts = ["<|im_start|>assistant\n<think>\n\n</think>\n\n", "<|im_start|>assistant\n"].map((
    prompt,
  ) => serverOf(prompt, () => "It is 4."));
  for (const script of [...scripts, failing]) {
    for (const server of ["vllm", "llama.cpp"]) {
      await onEachWire({ script, settings: { server } }, async (proxy, row) => {
        assert.deepEqual(await ask(proxy, row), ["", "It is 4."]);
      });
    }
  }
});

Deno.test("the request's word comes first, then the configuration's, and neither is learned against", async () => {
  const script = serverOf("<think>\n", () => THOUGHT);
  const settings = { server: "vllm", begins_in_reasoning: false };
  await onEachWire({ script, settings }, async (proxy, row) => {
    for (const _ of [1, 2]) {
      assert.deepEqual(await ask(proxy, row), ["", "The user wants a sum.\nIt is 4."]);
      assert.deepEqual(await ask(proxy, row, { "x-dragoman-begins-in-reasoning": "true" }), SPLIT);
    }
    assert.deepEqual(await ask(proxy, row, { "x-dragoman-begins-in-reasoning": "auto" }), SPLIT);
    for (const { headers } of proxy.upstream.requests) {
      assert.equal(headers.get("x-dragoman-begins-in-reasoning"), null);
    }
  });
});

Deno.test("a server that separates reasoning itself is read as one from the first answer on", async () => {
  const server = serverOf("<think>\n", () => "");
  const answers: Script[] = [{ reasoning: "I add.", text: "It is 4." }, { text: "It is 4." }];
  for (const row of STREAMED_ROWS) {
    let count = 0;
    const script = (request: Arrived) =>
      request.path.startsWith("/v1/") ? answers[count++]! : server(request);
    await using proxy = await startWireProxy(script, { settings: { server: "llama.cpp" } });
    assert.deepEqual(await ask(proxy, row), ["I add.", "It is 4."]);
    assert.deepEqual(await ask(proxy, row), ["", "It is 4."]);
  }
});

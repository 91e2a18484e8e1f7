/**
 * Limits hold on every wire, and are told in its own form: sizes of requests and answers, and what a client key may use.
 *
 * @module
 */
import assert from "node:assert/strict";
import { connectRaw, postText } from "../support/raw_client.ts";
import { startRawUpstream } from "../support/raw_upstream.ts";
import { startServer } from "../support/serve.ts";
import { answerText, startStage, wholeBody, wholeHead } from "../support/wire_stage.ts";
import { askRow, onRows, readRaw, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

const EITHER = [TOOL, null];

Deno.test("a request over the limit gets 413 in the wire's form, and reaches no model", async () => {
  await using stage = await startStage((request) => answerText(request, "words"), {
    config: { limits: { request_bytes_max: 3000 } },
  });
  for (const tool of EITHER) {
    await onRows(WIRE_TABLE, async (row) => {
      const question = { task: "x".repeat(3000), tool: tool ?? undefined };
      const { status, error } = await askRow(stage.origin, { row, question });
      assert.equal(status, 413);
      assert.match(error ?? "", /longer than 3000 bytes/);
    });
  }
  assert.equal(stage.upstream.count, 0);
  await onRows(WIRE_TABLE, async (row) => assert.equal((await stage.ask(row)).text, "words"));
});

Deno.test("an answer over the limit is an error in the wire's form, also where a stream was asked for", async () => {
  const body = wholeBody("x".repeat(10_000));
  await using stage = await startStage((request) => request.write(wholeHead(body.length) + body), {
    config: { limits: { answer_bytes_max: 9000 } },
  });
  for (const tool of EITHER) {
    // What isn't read passes.
    const rows = WIRE_TABLE.filter(({ wire }) => tool !== null || wire !== "chat");
    await onRows(rows, async (row) => {
      const { end, error, logged } = await stage.ask(row, { tool });
      assert.deepEqual([end, logged], ["error", "answer_too_large"]);
      assert.match(error ?? "", /longer than 9000 bytes/);
    });
  }
});

Deno.test("a client over its key's limits gets 429 in the wire's form, and may ask again", async () => {
  for (
    const [limit, asked] of [["streams", "1 answer at a time"], [
      "requests_per_minute",
      "1 request a minute",
    ]] as const
  ) {
    await using upstream = await startRawUpstream();
    await using server = await startServer(
      `upstreams: [{ name: local, url: "${upstream.url}" }]\nlimits: { per_key: { ${limit}: 1 } }\n`,
    );
    const first = await connectRaw(server.origin);
    const { path, body } = WIRE_TABLE[0]!.request({ task: "hi" });
    first.send(postText(path, JSON.stringify(body)));
    // Dragoman itself asks for the list of models.
    while (!(await upstream.next()).text.startsWith("POST")) continue;
    await onRows(WIRE_TABLE, async (row) => {
      const { path, body } = row.request({ task: "hi" });
      const response = await fetch(server.origin + path, { method: "POST", body: JSON.stringify(body) });
      const { status, headers } = response;
      const { error } = row.read({ status, ...await readRaw(response) });
      assert.equal(status, 429);
      assert.ok(Number(headers.get("retry-after")) >= 1);
      assert.match(error ?? "", new RegExp(asked));
    });
    first.close();
  }
});

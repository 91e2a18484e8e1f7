/**
 * Requests that are wrong somewhere, on every wire: none of them is an error of Dragoman's own, each refusal has the form
 * of its wire, and each answer is one that a strict client reads. `DRAGOMAN_THOROUGH=1` tries 1,500 of each wire.
 *
 * @module
 */
import assert from "node:assert/strict";
import { builtInService } from "../support/built_in.ts";
import { IS_THOROUGH, SEED } from "../support/fuzz.ts";
import {
  type OddRequest,
  oddRequests,
  validRequests,
  withoutEntries,
  wronglyTyped,
} from "../support/odd_requests.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { readRaw, WIRE_TABLE, WIRES } from "../support/wire_table.ts";

const COUNT = IS_THOROUGH ? 1500 : 60;
/** Of how many requests with an object instead of a value one is sent. */
const SHARE = IS_THOROUGH ? 1 : 7;

/** A model server that answers every request that is a JSON object, and refuses others. */
function startModel() {
  const choice = (fields: object) => ({ choices: [{ index: 0, ...fields, finish_reason: "stop" }] });
  const chunk = choice({ delta: { role: "assistant", content: "Done." } });
  const stream = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  const whole = choice({ message: { role: "assistant", content: "Done." } });
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.json().catch(() => undefined);
    if (typeof body !== "object" || body === null) {
      const error = { message: "not JSON", type: "invalid_request_error", param: null, code: "odd" };
      return Response.json({ error }, { status: 400 });
    }
    if (request.url.endsWith("/embeddings")) return Response.json({ data: [{ index: 0, embedding: [0.5] }] });
    return body.stream === true
      ? new Response(stream, { headers: { "content-type": "text/event-stream" } })
      : Response.json(whole);
  });
}

async function startPair(settings: Readonly<Record<string, unknown>> = {}) {
  const model = startModel();
  const url = `http://127.0.0.1:${model.addr.port}/v1`;
  const upstreams = [{ name: "local", url, ...settings }, { name: "prompted", url, tools: "prompted" }];
  const proxy = await startProxy(await builtInService(testConfig(undefined, { upstreams })));
  return {
    origin: proxy.origin,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await model.shutdown();
    },
  };
}

/** Numbers that are the same for every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Reads an answer as a strict client of the wire does, who sees from its head what it is. */
async function readStrictly(wire: string, response: Response): Promise<number> {
  const { status, headers } = response;
  const raw = await readRaw(response);
  assert.ok(status < 500 && !raw.isBroken, `status ${status}`);
  const isStreamed = /event-stream|ndjson/.test(headers.get("content-type") ?? "");
  const row = WIRE_TABLE.find((row) => row.wire === wire && row.isStreamed === isStreamed)!;
  const isSide = raw.text.startsWith('{"input_tokens"') ||
    /^{"(totalTokens|capabilities|embedding)|"embeddings":/.test(raw.text);
  if (status === 200 && isSide) return status;
  // The readers expect the model of their own tests.
  const { end, text } = row.read({
    ...raw,
    text: raw.text.replace(/"model":"(?:[^"\\]|\\.)*"/g, '"model":"m"'),
    status,
  });
  assert.deepEqual([end, text], status === 200 ? ["whole", "Done."] : ["error", ""]);
  return status;
}

for (const wire of WIRES) {
  Deno.test(`${wire}: the requests that become odd are valid`, async () => {
    await using pair = await startPair();
    for (const { path, body, headers } of validRequests(wire)) {
      const response = await fetch(pair.origin + path, { method: "POST", headers, body });
      const text = await response.text();
      assert.equal(response.status, path === "/api/generate" ? 400 : 200, `${path} ${text}`);
    }
  });

  Deno.test(`${wire}: an object instead of any value is answered or refused in the wire's own form`, async () => {
    const requests = [...wronglyTyped(wire)].filter((_, index) => index % SHARE === 0);
    const statuses = await send(wire, requests);
    // Chat completions passes what the upstream may be able to read.
    assert.ok(wire === "chat" || statuses.get(400)! > 50 / SHARE, `${statuses.get(400)} refused`);
  });

  Deno.test(`${wire}: an object instead of any value is no error where requests are healed`, async () => {
    const requests = [...wronglyTyped(wire)].filter((_, index) => index % SHARE === 0);
    // Where the messages are no list, no second question can ask for the call that is owed, which the stream then says.
    const askable = requests.filter(({ body }) => !String(body).includes('"messages":{'));
    await send(wire, askable, { server: "llama.cpp" });
  });

  Deno.test(`${wire}: null instead of an entry of a list is answered or refused in the wire's own form`, async () => {
    await send(wire, withoutEntries(wire));
  });

  Deno.test(`${wire}: ${COUNT} odd requests are answered or refused in the wire's own form`, async () => {
    const statuses = await send(wire, oddRequests(wire, randomFrom(SEED)).take(COUNT));
    for (const status of [200, 400]) assert.ok((statuses.get(status) ?? 0) > COUNT / 20, `few ${status}`);
  });
}

/** Sends requests; gives how many got each status. */
async function send(
  wire: string,
  requests: Iterable<OddRequest>,
  settings?: Readonly<Record<string, unknown>>,
): Promise<Map<number, number>> {
  await using pair = await startPair(settings);
  const statuses = new Map<number, number>();
  const problems: string[] = [];
  for (const { path, body, headers } of requests) {
    const response = await fetch(pair.origin + path, { method: "POST", headers, body });
    try {
      const status = await readStrictly(wire, response);
      statuses.set(status, 1 + (statuses.get(status) ?? 0));
    } catch (error) {
      const shown = typeof body === "string" ? body.slice(0, 2000) : "bytes";
      problems.push(`${path} ${String(error).slice(0, 300)} for ${shown}`);
    }
  }
  assert.equal(problems.length, 0, `${problems.length}: ${problems.slice(0, 4).join("\n\n")}`);
  return statuses;
}

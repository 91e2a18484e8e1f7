/**
 * A client that leaves stops the model: the real process, through real sockets, on every wire, for every way to leave and
 * every moment.
 *
 * @module
 */
import assert from "node:assert/strict";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { type ProcessStage, startProcessStage, WORKERS } from "../support/process_stage.ts";
import { bracketService, startProxy, testConfig } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import { chunked, type RawRequest, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { STREAM_END, wholeHead } from "../support/wire_stage.ts";
import { onRows, TOOL, WIRE_TABLE, type WireRow } from "../support/wire_table.ts";

/** How long a model may go on after its client has left. */
const LIMIT_MS = 1000;

/** What a model sends until its client leaves, and what the client has seen of it by then. */
interface Moment {
  readonly sent: string;
  /** What the model then sends again and again. */
  readonly flow?: string;
  readonly seen?: RegExp;
  /** Whether an agent sees it only when there is something to show; until then, its answer can be asked for again. */
  readonly isHeld?: boolean;
  /** Whether the client has its whole answer: then it may count as one that stayed. */
  readonly isOver?: boolean;
}

const WORDS = chunked(textEvent("words "));
const STREAMED: Readonly<Record<string, Moment>> = {
  "before the head": { sent: "" },
  "at the head": { sent: STREAM_HEAD + chunked(textEvent("")), seen: /\r\n\r\n/, isHeld: true },
  "at the first bytes": { sent: STREAM_HEAD + WORDS.repeat(500), seen: /words/ },
  "in the middle of text": { sent: STREAM_HEAD + WORDS, flow: WORDS, seen: /(?:words[^]*){9}/ },
  "in the middle of a call": {
    sent: STREAM_HEAD + WORDS + chunked(textEvent('<tool_call>\n{"name": "t", "arguments": {"a": "')),
    flow: WORDS,
    seen: /words/,
  },
  "at the end": {
    sent: STREAM_HEAD + WORDS + chunked(STREAM_END),
    seen: /\[DONE\]|message_stop|response\.completed|"done":true|finishReason/,
    isOver: true,
  },
};
const WHOLE: Readonly<Record<string, Moment>> = {
  "before the head": { sent: "" },
  "while it is being read": { sent: `${wholeHead(1000)}{` },
};

/** Every way to leave, with tools and without: bytes may then pass through; two of the four in turn in a short run. The sizes of prompts take turns. */
const LEAVINGS = (["close", "reset"] as const).flatMap((how) =>
  [TOOL, undefined].map((tool) => ({ how, tool }))
);
const SIZES = [10, 600, 20_000, 300_000];

/** Requests that arrived, by their model. */
class Arrivals {
  readonly #requests = new Map<string, PromiseWithResolvers<RawRequest>>();

  /** Takes a request; Dragoman itself asks for the list of models. */
  readonly take = (request: RawRequest): void => {
    const model = /"model": *"(m\d+)"/.exec(request.text)?.[1];
    if (model !== undefined) this.#of(model).resolve(request);
  };

  next(model: string): Promise<RawRequest> {
    return this.#of(model).promise;
  }

  #of(model: string) {
    const request = this.#requests.get(model) ?? Promise.withResolvers();
    this.#requests.set(model, request);
    return request;
  }
}

async function inTime<T>(promise: Promise<T>, otherwise: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${otherwise} after ${LIMIT_MS} ms`)), LIMIT_MS);
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

let count = 0;

/** One client asks and leaves; gives the model of its request. */
async function leave(
  { stage, arrivals, row, moment: { sent, flow, seen, isHeld }, how, tool }: {
    readonly stage: ProcessStage;
    readonly arrivals: Arrivals;
    readonly row: WireRow;
    readonly moment: Moment;
  } & (typeof LEAVINGS)[number],
): Promise<string> {
  const model = `m${++count}`;
  const { path, body } = row.request({ task: "p".repeat(SIZES[count % SIZES.length]!), tool, model });
  const client = await connectRaw(stage.server.url);
  client.send(postText(path, JSON.stringify(body)));
  const request = await inTime(arrivals.next(model), "the model is not asked");
  request.write(sent);
  const timer = flow === undefined ? undefined : setInterval(() => request.write(flow), 1);
  if (seen !== undefined && !(isHeld && tool)) await inTime(client.until(seen), "the client waits");
  client[how]();
  await inTime(request.gone, "the model goes on");
  clearInterval(timer);
  return model;
}

for (const workers of WORKERS) {
  Deno.test(`a client that leaves stops the model within a second, on all wires, workers: ${workers}`, async () => {
    const arrivals = new Arrivals();
    await using stage = await startProcessStage(arrivals.take, { workers });
    await onRows(WIRE_TABLE, async (row) => {
      const moments = Object.entries(row.isStreamed ? STREAMED : WHOLE);
      for (const [number, [name, moment]] of moments.entries()) {
        for (const [at, { how, tool }] of LEAVINGS.entries()) {
          if (!IS_THOROUGH && (at + number) % 2 !== 0) continue;
          const about = `${name}, ${how}, ${tool === undefined ? "without" : "with"} tools`;
          try {
            const model = await leave({ stage, arrivals, row, moment, how, tool });
            await stage.assertAlive();
            const { error, stream, wire } = await stage.lineOf(model);
            if (!moment.isOver || error !== null) assert.equal(error, "client_left");
            assert.deepEqual([stream, wire], [row.isStreamed, row.wire]);
          } catch (cause) {
            throw new Error(`${about}: ${(cause as Error).message}`);
          }
        }
      }
    });
    await stage.assertIdle();
    assert.equal(await stage.server.stop(), 0);
  });
}

Deno.test("a client that leaves in the middle of its request reaches no model, on any wire", async () => {
  await using upstream = startUpstream({ text: "never" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  await onRows(WIRE_TABLE, async (row) => {
    const client = await connectRaw(proxy.origin);
    const { path, body } = row.request({ task: "x".repeat(5000) });
    client.send(postText(path, JSON.stringify(body)).slice(0, -100));
    client.reset();
    await fetch(`${proxy.origin}/health`).then((response) => response.text());
  });
  assert.equal(upstream.requests.length, 0);
});

Deno.test("a connection stays open for the next request of any wire", async () => {
  await using upstream = startUpstream({ text: "answer" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  using client = await connectRaw(proxy.origin);
  for (const [at, row] of WIRE_TABLE.entries()) {
    const { path, body } = row.request({ task: "p".repeat(5000), tool: at % 2 === 0 ? TOOL : undefined });
    client.send(postText(path, JSON.stringify(body)));
    await client.until(new RegExp(`(?:HTTP/1.1 200[^]*){${at + 1}}(?:\r\n0\r\n\r\n|\\})$`));
  }
  assert.equal(upstream.requests.length, WIRE_TABLE.length);
});

/**
 * No answer and no request keeps others waiting: `/health` is asked without a pause while the running process reads
 * texts that are written to be slow.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { adversarial } from "../support/adversarial.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { ServerProcess } from "../support/server_process.ts";

/** The longest that `/health` may wait, in milliseconds. */
const WAIT_MAXIMUM_MS = 200;
/** The best of several tries counts: the machine may be busy with other things. */
const TRIES = 5;
/** How many characters the model prints, and how many of them are in a message of a stream. */
const LENGTH = IS_THOROUGH ? 200_000 : 50_000;
const PIECE = 16;
/** How many characters a model server prints in one message. */
const LONG = IS_THOROUGH ? 1_000_000 : 250_000;

const ROOT = join(import.meta.dirname!, "..", "..");

const TOOLS = ["write_file", "read_file"].map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { path: { type: "string" } } } },
}));

interface Trial {
  /** What the model prints. */
  readonly text: string;
  /** How many characters a message of the stream has; undefined: the answer is not streamed. */
  readonly piece?: number;
  /** How many clients ask at the same time; one by default. */
  readonly clients?: number;
  readonly model?: string;
  /** A tool's result in the request. */
  readonly result?: string;
  /** What the client must receive. */
  readonly expected: RegExp;
}

/** The answer as a model server prints it, made before the clock runs. */
function scriptOf({ text, piece = text.length }: Trial): Script {
  const event = (delta: unknown, finish: string | null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  let stream = "";
  for (let at = 0; at < text.length; at += piece) {
    stream += event({ content: text.slice(at, at + piece) }, null);
  }
  const message = { role: "assistant", content: text };
  return {
    raw: {
      stream: `${stream}${event({}, "stop")}data: [DONE]\n\n`,
      body: JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] }),
    },
  };
}

function bodyOf({ piece, model = "a-b-c-coder", result }: Trial): string {
  const call = { id: "c1", type: "function", function: { name: "read_file", arguments: '{"path":"a"}' } };
  const read = result === undefined ? [] : [{ role: "assistant", content: null, tool_calls: [call] }, {
    role: "tool",
    tool_call_id: "c1",
    content: result,
  }];
  const messages = [{ role: "user", content: "Go on." }, ...read];
  return JSON.stringify({ model, stream: piece !== undefined, messages, tools: TOOLS });
}

async function ask(proxy: ServerProcess, trial: Trial): Promise<{ status: number; text: string }> {
  const headers = { "content-type": "application/json" };
  const request = { method: "POST", headers, body: bodyOf(trial) };
  const response = await fetch(`${proxy.url}/v1/chat/completions`, request);
  return { status: response.status, text: await response.text() };
}

/**
 * The longest that `/health` waits while something runs, in milliseconds. What the process does not compute itself is
 * the machine's: of each wait, the processor time counts where it is less.
 */
async function longestWait(proxy: ServerProcess, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work.finally(() => isOver = true);
  let longest = 0;
  let used = await proxy.processorMicroseconds();
  while (!isOver) {
    const began = performance.now();
    await (await fetch(`${proxy.url}/health`)).text();
    const took = performance.now() - began;
    const now = await proxy.processorMicroseconds();
    longest = Math.max(longest, Math.min(took, (now - used) / 1000));
    used = now;
  }
  await done;
  return longest;
}

const ECHOED: Readonly<Record<string, string>> = {
  "one call with a long value": "<function=write_file><parameter=path>" + "word <b> ".repeat(LENGTH / 9),
  "one repeated letter": "<function=write_file><parameter=path>" + "a".repeat(LENGTH),
  "many calls": "<function=write_file><parameter=path>a</parameter></function>\n".repeat(LENGTH / 62),
};

/** An echo is text. */
const ECHO = /^(?:(?!tool_calls)[^])*\[DONE\]/;
/** A call with its thousands of parameters arrives. */
const CALL = /"tool_calls":[^]*k1\b[^]*k1000\b/;
/** The text arrives unchanged. */
const TEXT = /word <b> word <b>/;

const ENDLESS = [
  "openers of functions in tags",
  "an unclosed call",
  "closers in a value",
  "nested examples in a value",
  "unique keys that are never closed",
];

const TRIALS: readonly (readonly [string, Trial])[] = [
  ...Object.entries(ECHOED).map(([name, text]) =>
    [`a tool result is echoed, ${name}`, { text, piece: PIECE, result: text, expected: ECHO }] as const
  ),
  ...ENDLESS.map((name) =>
    [`calls are never closed, ${name}`, {
      text: adversarial(name, LENGTH),
      piece: PIECE,
      expected: /\[DONE\]/,
    }] as const
  ),
  ["a model name has 4,000 characters", {
    text: "x",
    piece: PIECE,
    model: "a-".repeat(2000),
    expected: /"x"/,
  }],
  ...(["unique keys", "unique elements"] as const).flatMap((name) => {
    const [text, long] = [adversarial(name, LENGTH), adversarial(name, LONG)];
    return [
      [`a body has thousands of ${name}, in pieces`, { text, piece: PIECE, expected: CALL }],
      [`a body has thousands of ${name}, in one piece`, { text: long, piece: LONG, expected: CALL }],
      [`a body has thousands of ${name}, not streamed`, { text: long, expected: CALL }],
      [`a body has thousands of ${name}, for eight clients`, { text, clients: 8, expected: CALL }],
    ] as [string, Trial][];
  }),
  ...["an unclosed call", "unique keys that are never closed", "calls that are no JSON"].map((name) => {
    const text = adversarial(name, LONG);
    return [`a long message has ${name}`, { text, piece: LONG, expected: /\[DONE\]/ }] as [string, Trial];
  }),
  ["a message is long", { text: "word <b> ".repeat(LONG / 9), piece: LONG, expected: TEXT }],
];

async function withProxy(run: (proxy: ServerProcess, show: (script: Script) => void) => Promise<void>) {
  let script: Script = {};
  await using upstream = startUpstream(() => script);
  const folder = await Deno.makeTempDir();
  const config = join(folder, "dragoman.yaml");
  await Deno.writeTextFile(
    config,
    `upstreams:\n  - name: globs\n    url: ${upstream.url}\n    models: ["*-*-*-*-*-*-coder", "*a*-*a*-*a*-*b"]\n` +
      `  - name: rest\n    url: ${upstream.url}\n`,
  );
  const args = [join(ROOT, "main.ts"), "serve", "--port", "PORT", "--config", config];
  const proxy = await ServerProcess.start({ name: "dragoman", folder, args });
  try {
    await run(proxy, (next) => script = next);
  } finally {
    await proxy.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("/health answers in time while slow texts are read", async (test) => {
  await withProxy(async (proxy, show) => {
    for (const [name, trial] of TRIALS) {
      await test.step(`within ${WAIT_MAXIMUM_MS} ms while ${name}`, async () => {
        show(scriptOf(trial));
        let best = Infinity;
        for (let count = 0; count < TRIES && best > WAIT_MAXIMUM_MS; count++) {
          const work = Promise.all(Array.from({ length: trial.clients ?? 1 }, () => ask(proxy, trial)));
          best = Math.min(best, await longestWait(proxy, work));
          for (const { status, text } of await work) {
            assert.equal(status, 200, text.slice(0, 500));
            assert.match(text, trial.expected);
          }
        }
        assert.ok(best <= WAIT_MAXIMUM_MS, `/health waited ${best.toFixed(0)} ms at best`);
        console.log(`${best.toFixed(0).padStart(4)} ms  ${name}`);
      });
    }
  });
});

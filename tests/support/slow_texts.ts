/**
 * Texts that are written to be slow to read, for clients of all wires in turn, and how long `/health` waits while the running proxy reads them. It is
 * asked without a pause.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { adversarial } from "./adversarial.ts";
import { PROGRAM } from "./program_file.ts";
import { type Script, startUpstream } from "./scripted_upstream.ts";
import { ServerProcess } from "./server_process.ts";
import { readRaw, WIRE_TABLE, type WireOutcome } from "./wire_table.ts";

/** The longest that `/health` may wait, in milliseconds, where nothing else keeps the machine busy. */
export const WAIT_MAXIMUM_MS = 200;

/** How many characters are in a message of a stream. */
const PIECE = 16;

const TOOL = { name: "write_file", schema: { type: "object", properties: { path: { type: "string" } } } };

/** An answer of a model, and what the client must receive. */
interface SlowText {
  /** What the model prints. */
  readonly text: string;
  /** How many characters a message of the stream has; undefined: the answer is not streamed. */
  readonly piece?: number;
  /** How many clients ask at the same time; one by default. */
  readonly clients?: number;
  readonly model?: string;
  /** A tool's result in the request. */
  readonly result?: string;
  /** Whether it is what the client must receive; an answer that ends well, if it is absent. */
  readonly expected?: (answer: WireOutcome) => boolean;
}

/** How many characters the texts have. */
export interface Lengths {
  readonly inPieces: number;
  /** Those that come in one message. */
  readonly inOnePiece: number;
}

/** How long the work took, and the longest wait of `/health` meanwhile, both in milliseconds. */
export interface Wait {
  readonly longest: number;
  readonly total: number;
}

/** An echo is text. */
const ECHO = ({ calls, text }: WireOutcome) => calls.length === 0 && text !== "";
/** If a call arrives, its thousands of names do. */
const CALL = ({ end, text, calls }: WireOutcome) =>
  end !== "whole" || /k1\b[^]*k1000\b/.test(text + JSON.stringify(calls));
/** The text arrives unchanged. */
const TEXT = ({ text }: WireOutcome) => text.includes("word <b> word <b>");

const ENDLESS = [
  "openers of functions in tags",
  "an unclosed call",
  "closers in a value",
  "nested examples in a value",
  "unique keys that are never closed",
];

/** Openers and calls that an open bracket or backtick before them makes ambiguous. */
const DOUBTFUL = [
  "openers after brackets",
  "lists of calls after brackets",
  "calls in a link",
  "calls in a code span",
];

export function slowTexts({ inPieces, inOnePiece }: Lengths): Record<string, SlowText> {
  const opener = "<function=write_file><parameter=path>";
  const echoed = {
    "one call with a long value": opener + "word <b> ".repeat(inPieces / 9),
    "one repeated letter": opener + "a".repeat(inPieces),
    "many calls": `${opener}a</parameter></function>\n`.repeat(inPieces / 62),
  };
  const texts: Record<string, SlowText> = {};
  for (const [name, text] of Object.entries(echoed)) {
    texts[`a tool result is echoed, ${name}`] = { text, piece: PIECE, result: text, expected: ECHO };
  }
  for (const name of ENDLESS) {
    const text = adversarial(name, inPieces);
    texts[`calls are never closed, ${name}`] = { text, piece: PIECE };
  }
  for (const name of DOUBTFUL) {
    const text = adversarial(name, inOnePiece);
    texts[`a text is in doubt, ${name}, in pieces`] = { text, piece: PIECE };
    texts[`a text is in doubt, ${name}, as a whole`] = { text, piece: inOnePiece };
  }
  texts["a model name has 4,000 characters"] = {
    text: "x",
    piece: PIECE,
    model: "a-".repeat(2000),
    expected: ({ text }) => text === "x",
  };
  for (const name of ["unique keys", "unique elements"]) {
    const text = adversarial(name, inPieces);
    const long = adversarial(name, inOnePiece);
    texts[`a body has thousands of ${name}, in pieces`] = { text, piece: PIECE, expected: CALL };
    texts[`a body has thousands of ${name}, as a whole`] = {
      text: long,
      piece: inOnePiece,
      expected: CALL,
    };
    texts[`a body has thousands of ${name}, not streamed`] = { text: long, expected: CALL };
    texts[`a body has thousands of ${name}, for eight clients`] = { text, clients: 8, expected: CALL };
  }
  for (const name of ["an unclosed call", "unique keys that are never closed", "calls that aren't JSON"]) {
    const text = adversarial(name, inOnePiece);
    texts[`a long message has ${name}`] = { text, piece: inOnePiece };
  }
  const words = "word <b> ".repeat(inOnePiece / 9);
  texts["a message is long"] = { text: words, piece: inOnePiece, expected: TEXT };
  return texts;
}

/** A running proxy, whose model prints what it is given. */
export class SlowModel implements AsyncDisposable {
  #asked = 0;
  readonly #resources: AsyncDisposableStack;
  readonly #proxy: ServerProcess;
  readonly #show: (script: Script) => void;

  private constructor(resources: AsyncDisposableStack, proxy: ServerProcess, show: (script: Script) => void) {
    this.#resources = resources;
    this.#proxy = proxy;
    this.#show = show;
  }

  /** Starts the proxy in a process of its own. */
  static async start(): Promise<SlowModel> {
    await using resources = new AsyncDisposableStack();
    let script: Script = {};
    const upstream = resources.use(startUpstream(() => script));
    const folder = await Deno.makeTempDir();
    resources.defer(() => Deno.remove(folder, { recursive: true }));
    const config = join(folder, "dragoman.yaml");
    await Deno.writeTextFile(
      config,
      `upstreams:\n  - name: globs\n    url: ${upstream.url}\n    models: ["*-*-*-*-*-*-coder", "*a*-*a*-*a*-*b"]\n` +
        `  - name: rest\n    url: ${upstream.url}\n`,
    );
    const args = [PROGRAM, "serve", "--port", "PORT", "--config", config];
    const proxy = await ServerProcess.start({ name: "dragoman", folder, args });
    resources.defer(async () => void await proxy.stop());
    await proxy.isLoaded();
    return new SlowModel(resources.move(), proxy, (next) => script = next);
  }

  /** Prints a text, checks what the clients receive, and asks `/health` all the while. */
  async print(slow: SlowText): Promise<Wait> {
    this.#show(scriptOf(slow));
    const work = Promise.all(Array.from({ length: slow.clients ?? 1 }, () => this.#ask(slow)));
    const wait = await this.#longestWait(work);
    for (const answer of await work) {
      assert.ok(answer.status === 200 && !["broken", "open"].includes(answer.end), String(answer.error));
      assert.ok(slow.expected?.(answer) ?? true, answer.text.slice(0, 500));
    }
    return wait;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }

  /** Asks as a client of the next wire. */
  async #ask({ piece, model = "a-b-c-coder", result }: SlowText): Promise<WireOutcome> {
    const rows = WIRE_TABLE.filter(({ isStreamed }) => isStreamed === (piece !== undefined));
    const row = rows[this.#asked++ % rows.length]!;
    const past = result === undefined ? undefined : { name: "read_file", args: { path: "a" }, result };
    const { path, body } = row.request({ task: "Go on.", tool: TOOL, past, model });
    const response = await fetch(this.#proxy.url + path, { method: "POST", body: JSON.stringify(body) });
    const { text, isBroken } = await readRaw(response);
    return row.read({ status: response.status, text: text.replaceAll(model, "m"), isBroken });
  }

  /** What the process does not compute itself is the machine's: of each wait, its processor time counts where it is less. */
  async #longestWait(work: Promise<unknown>): Promise<Wait> {
    let isOver = false;
    const done = work.finally(() => isOver = true);
    const began = performance.now();
    let longest = 0;
    let used = await this.#proxy.processorMicroseconds();
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${this.#proxy.url}/health`)).text();
      const took = performance.now() - asked;
      const now = await this.#proxy.processorMicroseconds();
      longest = Math.max(longest, Math.min(took, (now - used) / 1000));
      used = now;
    }
    await done;
    return { longest, total: performance.now() - began };
  }
}

/** The answer as a model server prints it, made before the clock runs. */
function scriptOf({ text, piece = text.length }: SlowText): Script {
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

/** Asks a server once for each request and keeps the answer for all columns, and for the next run if it was stopped. @module */
import { createHash } from "node:crypto";
import { readAnswer, type RecordedAnswer } from "../analysis/evaluate/answer.ts";
import { isUnmeasured } from "../analysis/evaluate/findings.ts";

interface RecorderOptions {
  /** Asks the server; rejects if it can't be reached or breaks off. */
  readonly send: (request: Request) => Promise<Response>;
  readonly wait: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
  /** Request's key → its answer, from an earlier run. */
  readonly known?: ReadonlyMap<string, RecordedAnswer>;
  readonly keep?: ((key: string, answer: RecordedAnswer) => void) | undefined;
}

/** How often a request is sent if the server is busy or away. */
const TRIES = 4;

/** The requests in a row that get no answer, after which each one is sent once, until one gets an answer. */
const IN_VAIN_MAX = 3;

/** The longest wait before a request is sent again, in milliseconds. */
const WAIT_MS_MAX = 30_000;

const ANSWER_MS_MAX = 600_000;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #answers = new Map<string, Promise<RecordedAnswer>>();
  /** How many requests were sent, without those that were sent again. */
  sent = 0;
  /** How many requests in a row got no answer, although they were sent again. */
  #inVain = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Whether the last requests got no answer. */
  get isInVain(): boolean {
    return this.#inVain >= IN_VAIN_MAX;
  }

  /** The answer to a request; the same one for the same request. Status 0 and the cause if none arrived. */
  ask(request: Request, body: string): Promise<RecordedAnswer> {
    const key = createHash("sha256").update(`${request.url}\n${body}`).digest("hex");
    const known = this.#options.known?.get(key);
    const answer = this.#answers.get(key) ??
      (known ? Promise.resolve(known) : this.#askAgain(request, { body, key }));
    this.#answers.set(key, answer);
    return answer;
  }

  async #askAgain(
    { url, headers }: Request,
    { body, key }: { readonly body: string; readonly key: string },
  ): Promise<RecordedAnswer> {
    const { signal, wait, send, keep } = this.#options;
    this.sent++;
    let before: RecordedAnswer | undefined;
    for (let attempt = 1;; attempt++) {
      const stop = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
      let answer: RecordedAnswer;
      let after = 0;
      const began = performance.now();
      try {
        // Another host must not get the key.
        const redirect = "manual";
        const response = await send(
          new Request(url, { method: "POST", headers, body, redirect, signal: stop }),
        );
        after = Number(response.headers.get("retry-after")) * 1000 || 0;
        const type = response.headers.get("content-type") ?? "";
        const text = await response.text();
        answer = { status: response.status, type, body: text, ms: Math.round(performance.now() - began) };
      } catch (cause) {
        answer = { status: 0, type: "", body: cause instanceof Error ? cause.message : String(cause) };
      }
      if (!isUnmeasured(readAnswer(answer))) {
        this.#inVain = 0;
        keep?.(key, answer);
        return answer;
      }
      // An error with the same words again has a cause in the request.
      const isSame = answer.status === 500 && before?.status === 500 && answer.body === before.body;
      const isFinal = answer.status === 401 || answer.status === 403 || isSame || this.isInVain;
      if (isFinal || attempt === TRIES || signal.aborted) {
        this.#inVain++;
        return answer;
      }
      before = answer;
      await wait(Math.min(WAIT_MS_MAX, Math.max(after, 500 * 4 ** (attempt - 1))));
    }
  }
}

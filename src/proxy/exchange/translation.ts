/** Translates a streamed answer: upstream bytes in, client bytes out, read only while the client wants more. @module */
import type { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import type { Work } from "../../chat/pipeline/work.ts";
import { type Deadline, type ReadLimits, watchReads } from "./deadline.ts";
import {
  type BodyFlow,
  type BodySink,
  brokeOff,
  bytesOf,
  FlowStream,
  type Piece,
} from "../transport/push_body.ts";
import { openFlow } from "../transport/pump.ts";
import { JsonAsEvents, type JsonLimit } from "./json_as_events.ts";
import type { HttpError } from "../transport/respond.ts";
import { Turns } from "./turns.ts";

export interface TranslationOptions {
  readonly pipeline: StreamedAnswer;
  /** The time limits of the exchange; stopped when the answer is over. */
  readonly deadline: Deadline;
  readonly limits: ReadLimits;
  readonly broken: HttpError;
  readonly json: JsonLimit;
  readonly turns?: Turns;
  /** Saves what the next request needs, before the bytes that can trigger it are sent; undefined if there is nothing. */
  readonly save?: (() => Promise<void> | undefined) | undefined;
  /** Returns what replaces the rest of a stopped answer; undefined if it wasn't stopped. */
  readonly sequel?: (() => Promise<ReadableStream<Uint8Array> | undefined>) | undefined;
  /** Ends the answer; `error` is the code of its error. */
  readonly ended?: (error?: string) => void;
}

/** The client's stream; the upstream's is canceled when the client leaves or needs no more. */
export function translateStream(body: ReadableStream<Uint8Array>, options: TranslationOptions): FlowStream {
  return new FlowStream((client) => new Translation(body, { ...options, client }));
}

/**
 *     paused ◀──▶ reading ──▶ working ──▶ ending ──▶ over
 *        ▲                       │
 *        ╰───────────────────────╯
 *
 * - paused: the client wants nothing, so the upstream isn't read
 * - working: the pipeline processes bytes, perhaps in several turns, or state is being saved
 * - ending: the client has everything but the end
 */
type State = "paused" | "reading" | "working" | "ending" | "over";

class Translation implements BodyFlow, BodySink {
  readonly #options: TranslationOptions;
  readonly #client: BodySink;
  readonly #upstream: BodyFlow;
  readonly #turns: Turns;
  readonly #json: JsonAsEvents;
  readonly #beginRead: (now?: number) => void;
  readonly #onAbort = () => this.#breakOff();
  #state: State = "paused";
  #isWanted = false;
  #hasLeft = false;
  #error: string | undefined;
  /** What follows a stopped answer. */
  #rest: BodyFlow | undefined;

  constructor(
    body: ReadableStream<Uint8Array>,
    { client, ...options }: TranslationOptions & { readonly client: BodySink },
  ) {
    this.#options = options;
    this.#client = client;
    this.#turns = options.turns ?? new Turns();
    this.#json = new JsonAsEvents(options.json);
    this.#beginRead = watchReads(options.deadline, options.limits);
    this.#upstream = openFlow(body, this);
    options.deadline.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  resume(): void {
    this.#isWanted = true;
    if (this.#rest !== undefined) this.#rest.resume();
    else if (this.#state === "ending") this.#close();
    else if (this.#state === "paused" && this.#proceed()) this.#upstream.resume();
  }

  cancel(): void {
    if (this.#hasLeft || this.#state === "over") return;
    this.#hasLeft = true;
    this.#stop();
    void this.#options.save?.();
    if (this.#rest !== undefined) this.#rest.cancel();
    else this.#options.ended?.("client_left");
  }

  push(piece: Piece): boolean {
    this.#options.deadline.pause();
    const events = this.#json.push(bytesOf(piece));
    return events === undefined ? this.#proceed() : this.#work(this.#options.pipeline.read(events));
  }

  end(): void {
    this.#options.deadline.pause();
    const events = this.#json.end();
    const { pipeline } = this.#options;
    this.#work(events === undefined ? pipeline.readEnd() : pipeline.read(events));
  }

  fail(): void {
    this.#breakOff();
  }

  /** Reads on because the client wants more, or ends the answer. True: the upstream is wanted. */
  #proceed(now?: number): boolean {
    if (this.#options.deadline.error !== undefined) return this.#breakOff();
    if (this.#json.isOver) return this.#work(this.#options.pipeline.readEnd());
    this.#state = "reading";
    this.#beginRead(now);
    return true;
  }

  /** Ends the answer with an error, as soon as the client wants more. */
  #breakOff(): false {
    this.#upstream.cancel();
    const isPossible = this.#state === "reading" || this.#state === "paused" && this.#isWanted;
    if (!isPossible || this.#hasLeft) return false;
    const { deadline, broken, pipeline } = this.#options;
    const error = deadline.error ?? broken;
    this.#error = error.code ?? undefined;
    return this.#work(pipeline.readEnd({ error })) && false;
  }

  /** Does the work in its first turn, or in more of them. True: the upstream is wanted. */
  #work(work: Work<string>): boolean {
    this.#state = "working";
    try {
      const { done, value } = this.#turns.step(work);
      if (done) return this.#give(value, this.#turns.endedAt);
      void this.#workOn(work);
    } catch (cause) {
      this.#crash(cause);
    }
    return false;
  }

  async #workOn(work: Work<string>): Promise<void> {
    try {
      const given = await this.#turns.finish(work, () => this.#hasLeft);
      if (given !== undefined && this.#give(given)) this.#upstream.resume();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  /** Gives text to the client, after saving what the next request needs. True: the upstream is wanted. */
  #give(text: string, now?: number): boolean {
    const saving = this.#options.save?.();
    if (saving === undefined) return this.#pass(text, now);
    void this.#passAfter(saving, text);
    return false;
  }

  async #passAfter(saving: Promise<void>, text: string): Promise<void> {
    try {
      await saving;
      if (!this.#hasLeft && this.#pass(text)) this.#upstream.resume();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  /** @param now the time of a moment ago, because to read the clock costs more than the rest of this */
  #pass(text: string, now?: number): boolean {
    if (text !== "") {
      // The client can ask for more before `push` returns.
      this.#isWanted = false;
      if (this.#client.push(text)) this.#isWanted = true;
    }
    if (this.#hasLeft) return false;
    if (this.#options.pipeline.isOver) {
      this.#stop();
      void this.#follow();
      return false;
    }
    this.#state = "paused";
    return this.#isWanted && this.#proceed(now);
  }

  /** Ends the answer, or continues a stopped one with what replaces it. */
  async #follow(): Promise<void> {
    try {
      const rest = await this.#options.sequel?.();
      if (this.#hasLeft) return await rest?.cancel();
      if (rest !== undefined) this.#rest = openFlow(rest, this.#client);
      else this.#state = "ending";
      if (this.#isWanted) this.resume();
    } catch (cause) {
      this.#crash(cause);
    }
  }

  #close(): void {
    this.#state = "over";
    if (this.#options.pipeline.mustBreak) this.#client.fail(brokeOff());
    else this.#client.end();
    this.#options.ended?.(this.#error ?? this.#json.error?.code ?? this.#options.pipeline.errorCode);
  }

  #stop(): void {
    const { deadline } = this.#options;
    deadline.stop();
    deadline.signal.removeEventListener("abort", this.#onAbort);
    this.#upstream.cancel();
  }

  #crash(cause: unknown): void {
    this.#stop();
    if (this.#hasLeft || this.#state === "over") return;
    this.#state = "over";
    this.#client.fail(cause);
    this.#options.ended?.(this.#options.broken.code ?? undefined);
  }
}

/** Reads the beginning of an answer before any of it is sent; the answer stays readable from its first byte. @module */
import type { ChatCompletion } from "../../chat/message/chunk.ts";
import { UPSTREAM_ERROR } from "../../chat/message/error.ts";
import { contentText, readCompletion } from "../../chat/message/read.ts";
import { compact, continued } from "../transport/body.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";
import { kindOfWhole, type StatedError, statedError } from "./blank_answer.ts";
import { type ReadLimits, watchReads } from "./deadline.ts";
import { endsInRepetition } from "./repetition.ts";

/** What an answer states that ends before it has anything: its server is away. */
export const BROKE_OFF: StatedError = {
  message: "The upstream's answer ended before it contained anything",
  type: UPSTREAM_ERROR,
  code: "upstream_broke_off",
  status: 502,
};

/** Reads the first pieces of a body, and leaves the whole body readable. */
export class AheadReader {
  readonly pieces: Uint8Array[] = [];
  length = 0;
  isOver = false;
  isBroken = false;
  /** What the whole body is, once it was read as an answer. */
  completion: ChatCompletion | undefined;
  /** Whether the upstream ended it early, and not a time limit. */
  get brokeOff(): boolean {
    return this.isOver && this.#deadline.error === undefined;
  }
  /** The error that its whole body is. */
  stated: StatedError | undefined;
  readonly #body: ReadableStream<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #deadline: UpstreamAnswer["deadline"];
  readonly #before: () => void;
  readonly #onAbort = () => void this.#reader.cancel().catch(() => {});

  constructor(body: ReadableStream<Uint8Array>, { deadline }: UpstreamAnswer, limits: ReadLimits) {
    this.#body = body;
    this.#reader = body.getReader();
    this.#deadline = deadline;
    this.#before = watchReads(deadline, limits);
    deadline.signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The next piece; undefined if the body has ended or broke off. */
  async next(): Promise<Uint8Array | undefined> {
    this.#before();
    const read = await this.#reader.read().catch(() => undefined);
    this.#deadline.pause();
    this.isBroken = read === undefined || this.#deadline.error !== undefined;
    this.isOver = this.isBroken || read?.done === true;
    if (read?.value === undefined || this.isBroken) return undefined;
    this.length += read.value.length;
    this.pieces.push(compact(read.value));
    return read.value;
  }

  same(): ReadableStream<Uint8Array> {
    this.#deadline.signal.removeEventListener("abort", this.#onAbort);
    this.#reader.releaseLock();
    return continued([...this.pieces], this.isOver && !this.isBroken ? undefined : this.#body);
  }
}

/** Reads a whole answer, and returns whether it may have nothing. Only then, its calls are looked for. */
export async function isBlankWhole(read: AheadReader, bytesMax: number): Promise<boolean> {
  while (!read.isOver && read.length <= bytesMax) await read.next();
  if (read.isBroken && read.brokeOff) read.stated = BROKE_OFF;
  if (!read.isOver || read.isBroken) return false;
  const decoder = new TextDecoder();
  const text = read.pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") +
    decoder.decode();
  read.completion = readCompletion(text);
  if (read.completion === undefined) read.stated = text.trim() === "" ? BROKE_OFF : statedError(text);
  return read.completion !== undefined && mayBeBlank(read.completion);
}

/** The end of a mark that can end thoughts in a text, and the beginning of one that can open them. */
const MARK_ENDS = /[>\]]\s*$/;
const MARK_BEGINS = /^\s*[<[]/;

function mayBeBlank(completion: ChatCompletion): boolean {
  const [choice] = completion.choices;
  const text = contentText(choice?.message?.content) ?? "";
  // Thoughts that are cut can be in the text, too.
  const isRepeated = choice?.finish_reason === "length" && endsInRepetition(text);
  return kindOfWhole(completion) !== undefined || isRepeated || MARK_BEGINS.test(text.slice(0, 80)) ||
    MARK_ENDS.test(text.slice(-80));
}

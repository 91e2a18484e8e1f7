/** The page's side of the engine: asks the worker after a pause, and drops answers that a newer question made stale. @module */
/// <reference lib="dom" />
import type { PlaygroundSetup } from "../../routes/playground.ts";
import type { Answers, FromWorker, Kind, Questions, ToWorker } from "./protocol.ts";

export interface EngineWorker {
  onmessage: ((message: MessageEvent<FromWorker>) => void) | null;
  onerror: ((error: ErrorEvent) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

/** Takes the answer to a question, or the reason why there is none. */
type Take<K extends Kind> = (answer: Answers[K] | undefined, failure: string) => void;

/** A change that follows within this time replaces a question. */
const PAUSE_MS = 150;

interface Pending {
  readonly id: number;
  readonly take: (answer: never, failure: string) => void;
}

export class EngineClient {
  readonly #worker: EngineWorker;
  readonly #pending = new Map<Kind, Pending>();
  readonly #timers = new Map<Kind, ReturnType<typeof setTimeout>>();
  #count = 0;
  /** Why the worker doesn't run; empty if it does, or may. */
  #failure = "";

  constructor(worker: EngineWorker) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      this.#failure = "";
      this.#take(data);
    };
    worker.onerror = ({ message }) => {
      this.#failure = `The engine isn't running: ${message || "it can't be loaded"}`;
      for (const { id } of this.#pending.values()) this.#fail(id);
    };
  }

  /** Works with a setup; questions that wait are answered with it. */
  use(setup: PlaygroundSetup): void {
    this.#worker.postMessage({ kind: "setup", setup });
  }

  /** Asks a question after a pause, in place of the last one of its kind. */
  ask<K extends Kind>(kind: K, question: Questions[K], take: Take<K>): void {
    this.forget(kind);
    this.#timers.set(kind, setTimeout(() => this.askNow(kind, question, take), PAUSE_MS));
  }

  askNow<K extends Kind>(kind: K, question: Questions[K], take: Take<K>): void {
    this.forget(kind);
    const id = ++this.#count;
    this.#pending.set(kind, { id, take });
    this.#worker.postMessage({ kind, id, question } as ToWorker);
    // A worker that can't be loaded never answers; one that only failed once shows by its next message that it runs.
    if (this.#failure !== "") this.#fail(id);
  }

  answer<K extends Kind>(kind: K, question: Questions[K]): Promise<Answers[K]> {
    return new Promise((resolve, reject) =>
      this.askNow(kind, question, (answer, failure) => {
        if (answer === undefined) reject(new Error(failure));
        else resolve(answer);
      })
    );
  }

  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#worker.terminate();
  }

  /** Forgets the question of a kind, and drops its answer if one comes. */
  forget(kind: Kind): void {
    clearTimeout(this.#timers.get(kind));
    this.#timers.delete(kind);
    this.#pending.delete(kind);
  }

  #fail(id: number): void {
    this.#take({ kind: "failed", id, message: this.#failure });
  }

  #take(message: FromWorker): void {
    const [kind, pending] = [...this.#pending].find(([, { id }]) => id === message.id) ?? [];
    if (kind === undefined || pending === undefined) return;
    this.#pending.delete(kind);
    if (message.kind === "failed") pending.take(undefined as never, message.message);
    else pending.take(message.answer as never, "");
  }
}

/** Starts the worker that the build puts next to the scripts of the page. */
export function startWorker(): EngineWorker {
  return new Worker(new URL("./playground/worker.js", import.meta.url), { type: "module" }) as EngineWorker;
}

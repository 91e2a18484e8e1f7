/** Sends changed requests to open pages: at most one message in a pause, and fewer to a slow page. @module */
import { visibleJson } from "../../engine/diagnostic/visible.ts";
import type { LiveBatch, LiveRequest } from "./request.ts";

interface FeedOptions {
  readonly all: () => readonly LiveRequest[];
  /** A request; undefined if it isn't kept anymore. */
  readonly get: (id: string) => LiveRequest | undefined;
  readonly hasContents: () => boolean;
  /** Calls a function once after a time; gives what stops it. */
  readonly later: (act: () => void, ms: number) => () => void;
}

const BATCH_MS = 100;

/** A page that gets nothing gets a comment after this time, so that nothing in between closes the connection. */
const KEEP_ALIVE_MS = 15_000;

const PAGES_MAX = 16;

/** The most changes that a page waits for; beyond it, those of requests that aren't kept anymore are dropped. */
const CHANGED_MAX = 1000;

interface OpenPage {
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly changed: Set<string>;
}

export class LiveFeed {
  readonly #options: FeedOptions;
  readonly #pages = new Set<OpenPage>();
  readonly #encoder = new TextEncoder();
  #stopBatch: (() => void) | undefined;
  #stopKeepAlive: (() => void) | undefined;
  #isClosed = false;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  changed(id: string): void {
    if (this.#pages.size === 0) return;
    for (const { changed } of this.#pages) {
      if (changed.size >= CHANGED_MAX) this.#forget(changed);
      changed.add(id);
    }
    this.#stopBatch ??= this.#options.later(() => this.#send(), BATCH_MS);
  }

  /** Opens a stream of server-sent events, which begins with all requests; undefined if too many are open. */
  open(): ReadableStream<Uint8Array> | undefined {
    if (this.#pages.size >= PAGES_MAX || this.#isClosed) return undefined;
    let page: OpenPage | undefined;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        page = { controller, changed: new Set() };
        this.#pages.add(page);
        this.#write(controller, { isWhole: true, requests: this.#options.all() });
        this.#stopKeepAlive ??= this.#options.later(() => this.#keepAlive(), KEEP_ALIVE_MS);
      },
      // A page that was too slow gets what it missed.
      pull: () => {
        if (page !== undefined && page.changed.size > 0) {
          this.#stopBatch ??= this.#options.later(() => this.#send(), BATCH_MS);
        }
      },
      cancel: () => {
        if (page !== undefined) this.#pages.delete(page);
        this.#stopIfUnused();
      },
    }, { highWaterMark: 2 });
  }

  close(): void {
    this.#isClosed = true;
    for (const { controller } of this.#pages) controller.close();
    this.#pages.clear();
    this.#stopIfUnused();
  }

  #forget(changed: Set<string>): void {
    for (const id of changed) if (this.#options.get(id) === undefined) changed.delete(id);
  }

  #send(): void {
    this.#stopBatch = undefined;
    for (const { controller, changed } of this.#pages) {
      if (changed.size === 0 || (controller.desiredSize ?? 0) <= 0) continue;
      const requests = [...changed].flatMap((id) => this.#options.get(id) ?? []);
      changed.clear();
      this.#write(controller, { isWhole: false, requests });
    }
  }

  #keepAlive(): void {
    this.#stopKeepAlive = undefined;
    for (const { controller } of this.#pages) {
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(this.#encoder.encode(": open\n\n"));
    }
    if (this.#pages.size > 0) {
      this.#stopKeepAlive = this.#options.later(() => this.#keepAlive(), KEEP_ALIVE_MS);
    }
  }

  #write(
    controller: ReadableStreamDefaultController<Uint8Array>,
    batch: Omit<LiveBatch, "hasContents">,
  ): void {
    const message: LiveBatch = { ...batch, hasContents: this.#options.hasContents() };
    controller.enqueue(this.#encoder.encode(`data: ${visibleJson(message)}\n\n`));
  }

  #stopIfUnused(): void {
    if (this.#pages.size > 0) return;
    this.#stopBatch?.();
    this.#stopKeepAlive?.();
    this.#stopBatch = undefined;
    this.#stopKeepAlive = undefined;
  }
}

/** Writes audit lines without blocking answers: a bounded queue, counted losses, a failure reported once. @module */

export interface AuditDisk {
  /** The file's length in bytes; 0 if it does not exist. */
  size(): Promise<number>;
  append(bytes: Uint8Array): Promise<void>;
  /** Puts the file aside, so that the next bytes start a new one. */
  rotate(): Promise<void>;
}

interface AuditWriterOptions {
  readonly disk: AuditDisk;
  /** The size in bytes at which a new file starts. */
  readonly bytesMax: number;
  /** Reports once that lines are lost, and once that writing works again. */
  readonly report: (trouble: AuditTrouble) => void;
  readonly queueCharactersMax?: number;
}

export type AuditTrouble =
  | { readonly kind: "failing"; readonly cause: string }
  | { readonly kind: "working"; readonly lost: number };

const BATCH_CHARACTERS = 256 * 1024;

const QUEUE_CHARACTERS_MAX = 8 * 1024 * 1024;

export class AuditWriter {
  readonly #options: AuditWriterOptions;
  #queue: string[] = [];
  #waiting = 0;
  #lost = 0;
  #lostInAll = 0;
  #size: number | undefined;
  #isFailing = false;
  #writing: Promise<void> | undefined;

  constructor(options: AuditWriterOptions) {
    this.#options = options;
  }

  get lost(): number {
    return this.#lostInAll;
  }

  /** Takes lines; returns at once. */
  write(lines: readonly string[]): void {
    for (const line of lines) {
      if (this.#waiting + line.length > (this.#options.queueCharactersMax ?? QUEUE_CHARACTERS_MAX)) {
        this.#lose(1);
        continue;
      }
      this.#queue.push(line);
      this.#waiting += line.length + 1;
    }
    if (this.#queue.length > 0) this.#writing ??= this.#drain();
  }

  /** Resolves when the queue is written or lost. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const lines = this.#take();
      try {
        // More lines may be lost before the disk has taken these.
        const lost = this.#lost;
        await this.#append(lines, lost);
        this.#recover(lost);
      } catch (cause) {
        this.#lose(lines.length);
        this.#size = undefined;
        if (this.#isFailing) continue;
        this.#isFailing = true;
        this.#options.report({
          kind: "failing",
          cause: cause instanceof Error ? cause.message : String(cause),
        });
      }
    }
    this.#writing = undefined;
  }

  #take(): string[] {
    let count = 0;
    let characters = 0;
    while (count < this.#queue.length && (count === 0 || characters < BATCH_CHARACTERS)) {
      characters += (this.#queue[count++]?.length ?? 0) + 1;
    }
    this.#waiting -= characters;
    return this.#queue.splice(0, count);
  }

  async #append(lines: readonly string[], lost: number): Promise<void> {
    const { disk, bytesMax } = this.#options;
    this.#size ??= await disk.size();
    const gap = lost === 0 ? [] : [JSON.stringify({ v: 1, kind: "gap", lost })];
    const bytes = new TextEncoder().encode([...gap, ...lines].map((line) => `${line}\n`).join(""));
    if (this.#size > 0 && this.#size + bytes.length > bytesMax) {
      await disk.rotate();
      this.#size = 0;
    }
    await disk.append(bytes);
    this.#size += bytes.length;
  }

  #recover(lost: number): void {
    if (this.#isFailing) this.#options.report({ kind: "working", lost });
    this.#isFailing = false;
    this.#lost -= lost;
  }

  #lose(count: number): void {
    this.#lost += count;
    this.#lostInAll += count;
  }
}

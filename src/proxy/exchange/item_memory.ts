/**
 * Keeps the items of answers for clients that name them in a later request instead of sending them again. The items of an
 * answer are one text in the store. Its name is derived from the answer's id and the client's keys, so no one else can
 * read it.
 *
 *     answer  ─▶ keep, keep … ─▶ save ─▶ the client's last bytes
 *     request ─▶ recall ─▶ items ─▶ the whole conversation
 *
 * @module
 */
import { createHash } from "node:crypto";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { Texts } from "../store/text.ts";
import type { ItemSource, JsonObject, KeepItem } from "../../wires/wire.ts";

/** The longest items of one answer that are kept, in characters of JSON. */
const ANSWER_CHARACTERS_MAX = 1024 * 1024;

/** The most answers that one request may refer to; the items of further answers aren't found. */
const ANSWERS_MAX = 2000;

const READ_AT_ONCE = 8;

export class ItemMemory {
  readonly #texts: Texts;
  readonly #requester: string;

  /** @param requester the keys of the client, in any form */
  constructor(texts: Texts, requester: string) {
    this.#texts = texts;
    this.#requester = requester;
  }

  /** Reads the items of answers, until they are longer than a request may be. */
  async recall(answers: readonly string[], charactersMax: number): Promise<RecalledItems> {
    const items = new RecalledItems(charactersMax);
    const count = Math.min(answers.length, ANSWERS_MAX);
    for (let at = 0; at < count && !items.isTooLong; at += READ_AT_ONCE) {
      const names = answers.slice(at, at + READ_AT_ONCE).map((answer) => this.#nameOf(answer));
      for (const text of await this.#texts.recall(names)) if (text !== undefined) items.add(text);
    }
    return items;
  }

  begin(answer: string): AnswerItems {
    return new AnswerItems((text) => this.#texts.keep(this.#nameOf(answer), text));
  }

  #nameOf(answer: string): string {
    return createHash("sha256").update(JSON.stringify([this.#requester, answer])).digest("hex");
  }
}

class RecalledItems implements ItemSource {
  readonly #items = new Map<string, { readonly item: JsonObject; readonly characters: number }>();
  readonly #charactersMax: number;
  #added = 0;
  #taken = 0;

  /** @param charactersMax how long all items together may be, each as often as the request names it */
  constructor(charactersMax: number) {
    this.#charactersMax = charactersMax;
  }

  get isTooLong(): boolean {
    return Math.max(this.#added, this.#taken) > this.#charactersMax;
  }

  add(text: string): void {
    this.#added += text.length;
    const items = parseJson(text);
    for (const item of Array.isArray(items) ? items : []) {
      if (!isRecord(item) || typeof item["id"] !== "string") continue;
      this.#items.set(item["id"], { item, characters: JSON.stringify(item).length });
    }
  }

  take(id: string): JsonObject | undefined {
    const found = this.#items.get(id);
    this.#taken += found?.characters ?? 0;
    return this.isTooLong ? undefined : found?.item;
  }
}

export class AnswerItems {
  readonly #write: (text: string) => Promise<void>;
  readonly #items = new Map<string, () => JsonObject>();

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  readonly keep: KeepItem = (id, read) => void this.#items.set(id, read);

  /** Saves the items that were sent; undefined if there is nothing to wait for. Never rejects. */
  save(): Promise<void> | undefined {
    if (this.#items.size === 0) return undefined;
    const text = JSON.stringify([...this.#items.values()].map((read) => read()));
    this.#items.clear();
    if (text.length > ANSWER_CHARACTERS_MAX) return undefined;
    // If they are lost, a later request that names them gets an error with advice.
    return this.#write(text).catch(() => {});
  }
}

/**
 * Remembers the thoughts of answers with calls, because some agents drop them, and some servers demand them or read worse
 * without them. They are found again by the message's first call: by its id, its tool and its arguments, in the same
 * conversation, because some servers number the calls of each conversation alike. The name of a text is derived from
 * these and the client's keys, so no one else can read it.
 *
 *     answer  ─▶ thoughts, calls ─▶ save ─▶ the bytes after which the client can ask again
 *     request ─▶ a message with calls and no thoughts ─▶ recall by its first call ─▶ the message with its thoughts
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { Sink, Stage } from "../../chat/event/stage.ts";
import type { FirstCall } from "../../chat/compatibility/thoughts.ts";
import { canonicalJson } from "../../engine/json/equal.ts";
import type { CallStartEvent } from "../../engine/event/event.ts";
import type { Texts } from "../store/text.ts";

/** The longest thoughts of one answer that are kept, in characters. */
const CHARACTERS_MAX = 128 * 1024;

/** The most messages of one request whose thoughts are looked for: the last ones. */
const RECALLED_MAX = 500;

const READ_AT_ONCE = 50;

export class ThoughtMemory {
  readonly #texts: Texts;
  readonly #requester: string;

  /** @param requester the keys of the client, in any form */
  constructor(texts: Texts, requester: string) {
    this.#texts = texts;
    this.#requester = requester;
  }

  /** Reads the thoughts before some calls of a conversation: id of the call → thoughts. */
  async recall(conversation: string, calls: readonly FirstCall[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const last = calls.slice(-RECALLED_MAX);
    for (let at = 0; at < last.length; at += READ_AT_ONCE) {
      const some = last.slice(at, at + READ_AT_ONCE);
      const texts = await this.#texts.recall(some.map((call) => this.#nameOf(conversation, call)));
      some.forEach(({ id }, index) => {
        const text = texts[index];
        if (text !== undefined) found.set(id, text);
      });
    }
    return found;
  }

  begin(conversation: string): AnswerThoughts {
    return new AnswerThoughts((call, text) => this.#texts.keep(this.#nameOf(conversation, call), text));
  }

  #nameOf(conversation: string, { id, tool, json }: FirstCall): string {
    const parts = ["thoughts", this.#requester, conversation, id, tool, canonicalJson(json) ?? json];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }
}

export class AnswerThoughts implements Stage {
  readonly #write: (call: FirstCall, text: string) => Promise<void>;
  #thoughts = "";
  /** The first call after the thoughts. */
  #call: { readonly number: number; readonly tool: string; json: string; id?: string } | undefined;
  #isWhole = false;

  constructor(write: (call: FirstCall, text: string) => Promise<void>) {
    this.#write = write;
  }

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "reasoning" && this.#thoughts.length <= CHARACTERS_MAX) this.#thoughts += event.text;
    if (event.kind === "call_start" && this.#thoughts !== "") {
      this.#call ??= { number: event.call, tool: event.tool, json: "" };
    }
    const call = this.#call;
    if (event.kind === "arguments" && event.call === call?.number) call.json += event.json;
    out.push(event);
    if (event.kind === "call_end" && event.call === call?.number) this.#isWhole = true;
  }

  /** Takes a call as the client gets it. */
  sent({ call, id }: CallStartEvent): void {
    if (this.#call?.number === call && id !== undefined) this.#call.id = id;
  }

  /** Saves the thoughts once their call is whole; undefined if there is nothing to wait for. Never rejects. */
  save(): Promise<void> | undefined {
    const { id, tool = "", json = "" } = this.#call ?? {};
    if (!this.#isWhole || id === undefined) return undefined;
    this.#isWhole = false;
    if (this.#thoughts.length > CHARACTERS_MAX) return undefined;
    // If they are lost, the request goes on unchanged.
    return this.#write({ id, tool, json }, this.#thoughts).catch(() => {});
  }
}

/** What an answer that is read ahead has: its text, its thoughts, and what became of its calls. @module */
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { Sink, Stage } from "../../chat/event/stage.ts";
import { NATIVE_RULE } from "../../chat/native/call.ts";
import type { CallStartEvent, NoteEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { isBlankText, isCut, kindOfBlank } from "./blank_answer.ts";
import type { EmptyKind } from "./remedies.ts";

/** The longest text that is sent back to the model, in characters; a longer answer isn't asked for again. */
export const TEXT_MAX = 64 * 1024;

const NOTES_MAX = 16;

/** What was wrong with a call → how the model is informed. */
export const ERRORS: Partial<Record<Reason, string>> = {
  malformed: "it isn't in the correct notation",
  invalid_arguments: "its arguments are not valid JSON",
  missing_required: "a required parameter is missing",
  truncated: "it ends before its closing tag",
  unknown_tool: "no tool has its name",
  near_miss: "it isn't in the notation for calls",
};

export interface UnreadableCall {
  readonly reason: Reason;
  /** The rule that came closest; `none` without one. */
  readonly rule: string;
  readonly tool: string | undefined;
  /** Whether a rule recognized a call; if not, the text only looks like one. */
  readonly isSure: boolean;
}

export class CallWatch {
  text = "";
  thoughts = "";
  /** Whether the answer is sent, however it continues. */
  isSettled = false;
  isEnded = false;
  #finish: string | null = null;
  /** Whether it has a text or a call. */
  #isShown = false;
  /** Calls that were announced and broke off. */
  readonly aborted: Omit<UnreadableCall, "isSure">[] = [];
  /** Decisions about calls that were not announced. */
  readonly notes: NoteEvent[] = [];
  readonly #open = new Map<number, CallStartEvent>();
  readonly #thoughtsMax: number;

  /** @param thoughtsMax how long thoughts are kept, in characters */
  constructor(thoughtsMax: number) {
    this.#thoughtsMax = thoughtsMax;
  }

  /** Takes the text. */
  readonly input: Sink = {
    push: (event) => {
      if (event.kind !== "text") return;
      if (this.text.length + event.text.length > TEXT_MAX) this.isSettled = true;
      else this.text += event.text;
    },
  };

  /** Takes what the rules made of it. */
  readonly stage: Stage = {
    push: (event, out) => {
      this.#see(event);
      out.push(event);
    },
  };

  #see(event: AnswerEvent): void {
    switch (event.kind) {
      case "text":
        this.#isShown ||= !isBlankText(event.text);
        break;
      case "reasoning":
        if (this.thoughts.length + event.text.length > this.#thoughtsMax) this.isSettled = true;
        else this.thoughts += event.text;
        break;
      case "call_start":
        this.#isShown = true;
        this.#open.set(event.call, event);
        this.isSettled ||= event.rule === NATIVE_RULE;
        break;
      case "call_end":
        this.isSettled = true;
        break;
      case "call_abort": {
        const { tool, rule = "none" } = this.#open.get(event.call) ?? {};
        this.aborted.push({ reason: event.reason, tool, rule });
        break;
      }
      case "note":
        if (ERRORS[event.reason] === undefined) break;
        // Without a tool, it can be a mention of a mark at the end.
        if (event.reason === "truncated" && event.tool === undefined) break;
        if (this.notes.length < NOTES_MAX) this.notes.push(event);
        break;
      case "finish":
        this.isEnded = !event.truncated;
        this.#finish = event.reason;
    }
  }

  /** Whether it reached its limit of tokens before it had anything but thoughts. */
  get isCutInThoughts(): boolean {
    return !this.#isShown && this.#finish === "length" && this.thoughts !== "";
  }

  /** What the answer is if it has nothing; undefined otherwise. */
  kindOf(usage: unknown): EmptyKind | undefined {
    if (this.#isShown || this.#finish === "content_filter") return undefined;
    if (this.thoughts !== "") {
      return isCut(this.#finish) || this.thoughts.length > TEXT_MAX ? undefined : "thoughts_only";
    }
    return kindOfBlank({ finish: this.#finish, usage, length: this.text.length });
  }
}

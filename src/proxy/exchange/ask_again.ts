/**
 * Reads an answer ahead, before any of it is sent, and decides by the table (`remedies.ts`) whether the client gets it:
 *
 *     answer ─▶ read ahead ─▶ something to show or run ─────────────────▶ sent from its first byte
 *                   │
 *                   ╰─ nothing, or a call that no rule can read ─▶ remedy ─▶ asked again, raw, or the next upstream
 *                                                                    ╰─ none is left, or the question fails ─▶ sent
 *
 * A stream is read up to its first text, call or thought, which costs one look at its first messages. Only for calls that no
 * rule can read (`policy.unreadable_call: ask_again`), it is read up to its first whole call or its end. On every wire,
 * nothing of a rejected answer is sent or executed, and the client gets one answer.
 *
 * @module
 */
import { bodyText } from "../upstream/request_body.ts";
import { kindOf, promisedKind } from "../transport/body_kind.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import { isEvents } from "../transport/headers.ts";
import { limitBody } from "../transport/limited.ts";
import type { AnswerBeginning } from "../upstream/beginnings.ts";
import type { EndedThoughts, UpstreamAnswer } from "../upstream/upstream.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { addUsage } from "../../chat/message/usage.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { ToolCallRenderer } from "../../chat/render/tool_calls.ts";
import { present } from "../../engine/object/present.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { BlankStream, type StatedError } from "./blank_answer.ts";
import type { ReadLimits } from "./deadline.ts";
import {
  ATTEMPTS_MAXIMUM,
  type EmptyKind,
  type Judge,
  type Remedy,
  remedyFor,
  sentenceFor,
} from "./remedies.ts";
import { beforeRepetition, REPEATED } from "./repetition.ts";
import { afterThoughts, type Question, withLesson } from "./retry.ts";
import type { Translator } from "./service.ts";
import { AheadReader, BROKE_OFF, isBlankWhole } from "./ahead_reader.ts";
import { openReading } from "./body_reader.ts";
import { CallWatch, ERRORS, TEXT_MAX, type UnreadableCall } from "./call_watch.ts";
import type { Turns } from "./turns.ts";

/** The most bytes of an answer that are read ahead; a longer answer is sent unchanged. */
const AHEAD_BYTES_MAX = 4 * 1024 * 1024;

const NAMES_MAX = 50;

export interface AskAgainOptions {
  /**
   * Whether the model is asked again for a call that no rule can read, for an answer that has nothing, after thoughts that are
   * over their budget, and after thoughts that repeat themselves.
   */
  readonly asksFor: {
    readonly unreadable: boolean;
    readonly empty: boolean;
    readonly endless: boolean;
    readonly repeated: boolean;
  };
  readonly translator: Translator;
  readonly request: ChatRequest;
  /** Whether the answer begins inside the model's reasoning. */
  readonly beginning: Pick<AnswerBeginning, "beginsInReasoning"> | undefined;
  /** Whether the next question may name the tool that the model has to call. */
  readonly canPin: () => boolean;
  /** Whether the server can be asked with its parser off. */
  readonly canAskRaw: () => boolean;
  /** The fields with which the server continues an answer after its thoughts; undefined if it can't. */
  readonly continuing: () => Readonly<Record<string, unknown>> | undefined;
  /** Whether another upstream can answer instead. */
  readonly hasNext: boolean;
  readonly judge: Judge | undefined;
  readonly note: (note: NoteEvent) => void;
}

export interface Ahead {
  readonly question: Question;
  readonly limits: ReadLimits;
  readonly turns: Turns;
  readonly bytesMax: number;
  readonly answer: Pick<AnswerOptions, "createMatcher" | "isPauseDue" | "native">;
}

/** The same answer from its first byte, and what is done instead of sending it. */
export interface ReadAhead {
  readonly answered: UpstreamAnswer;
  readonly again?: Question | undefined;
  /** What the answer is, if the next upstream is asked, and its tokens. */
  readonly next?: { readonly kind: EmptyKind; readonly usage: unknown } | undefined;
  /** The error that it states before anything else. */
  readonly stated?: StatedError | undefined;
}

interface EmptyAnswer {
  readonly kind: EmptyKind;
  readonly thoughts: string;
  readonly usage: unknown;
  readonly why?: string | undefined;
}

type ThoughtsKind = Extract<EmptyKind, "thoughts_only" | "endless_thoughts">;

export class AskAgain {
  readonly #options: AskAgainOptions;
  #asked = 0;
  #hasShown = false;
  /** Whether an answer that has nothing is sent as it is. */
  #isPassed = false;

  constructor(options: AskAgainOptions) {
    this.#options = options;
  }

  /** Whether such thoughts can lead to another question, if no plugin wants otherwise. */
  canFollow(kind: ThoughtsKind, question: Question): boolean {
    const { empty, endless } = this.#options.asksFor;
    const isOn = kind === "thoughts_only" ? empty && !this.#isPassed : endless;
    return isOn && this.#remedy(kind, { question }, false) === "ask_again";
  }

  /** Whether thoughts are ended that are over their budget, or repeat themselves. */
  endsThoughts(question: Question): boolean {
    return this.#remedy("endless_thoughts", { question }) === "ask_again";
  }

  /** Reads an answer ahead until it is clear whether it can be sent. */
  async read(answered: UpstreamAnswer, ahead: Ahead): Promise<ReadAhead> {
    const { response, deadline } = answered;
    const { ok, body, status, statusText } = response;
    const { request } = this.#options;
    if (answered.ended !== undefined) {
      const again = this.#afterEnded(answered.ended, ahead.question);
      return { answered, ...again && { again } };
    }
    const promised = promisedKind(response.headers.get("content-type"), request.stream === true);
    const codings = codingsOf(response.headers);
    const { body: sent, attempts = 1 } = ahead.question;
    const isPossible = sent !== null && attempts < ATTEMPTS_MAXIMUM && !this.#hasShown;
    if (!isPossible || !ok || body === null || promised === undefined || !canDecode(codings)) {
      return { answered };
    }
    const headers = new Headers(response.headers);
    if (codings.length > 0) {
      for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    }
    // In doubt, a requested stream is one: the first bytes of JSON are recognized.
    const isStream = request.stream === true || isEvents(headers);
    const kind = promised !== "unsure" ? promised : isStream ? "stream" : "json";
    const plain = codings.length === 0 ? body : decode(limitBody(body, deadline), codings);
    const read = new AheadReader(plain, answered, ahead.limits);
    const found = kind === "stream"
      ? await this.#readShown(read, ahead)
      : await this.#readToEnd(read, { ...ahead, kind });
    const same = new Response(read.same(), { status, statusText, headers });
    const { completion } = read;
    return { answered: { response: same, deadline, wasDecoded: codings.length > 0, completion }, ...found };
  }

  /** Reads a stream up to the first thing that is shown, and on only if an unreadable call is asked for again. */
  async #readShown(read: AheadReader, ahead: Ahead): Promise<Omit<ReadAhead, "answered"> | undefined> {
    const blank = new BlankStream();
    for (let isFirst = true; !blank.isShown && !blank.isDone; isFirst = false) {
      const bytes = await read.next();
      if (bytes === undefined) break;
      if (isFirst && kindOf(new TextDecoder("latin1").decode(bytes)) === "json") {
        return await this.#readToEnd(read, { ...ahead, kind: "json" });
      }
      blank.push(bytes);
    }
    const { kind, usage, stated } = blank;
    const { empty, unreadable } = this.#options.asksFor;
    if (stated !== undefined) return { stated };
    if (!blank.isShown && kind === undefined && read.brokeOff) return { stated: BROKE_OFF };
    if (kind !== undefined) return empty ? this.#empty({ kind, thoughts: "", usage }, ahead) : undefined;
    return unreadable ? await this.#readToEnd(read, { ...ahead, kind: "stream" }) : undefined;
  }

  async #readToEnd(
    read: AheadReader,
    { kind, ...ahead }: Ahead & { readonly kind: "stream" | "json" },
  ): Promise<Omit<ReadAhead, "answered"> | undefined> {
    const { asksFor } = this.#options;
    const watch = new CallWatch(kind === "json" ? AHEAD_BYTES_MAX : TEXT_MAX);
    const { createMatcher, isPauseDue, native } = ahead.answer;
    const bytesMax = Math.min(AHEAD_BYTES_MAX, ahead.bytesMax);
    const reading = openReading({
      kind,
      answer: {
        createMatcher,
        ...present({ isPauseDue, native }),
        input: watch.input,
        createPlugins: () => watch.stage,
        createRenderer: () => new ToolCallRenderer(() => "call_ahead"),
      },
      turns: ahead.turns,
      bytesMax,
    });
    if (kind === "json") {
      const isBlank = await isBlankWhole(read, bytesMax);
      const { stated } = read;
      if (stated !== undefined) return { stated };
      if (!isBlank && !asksFor.unreadable) return undefined;
    }
    for (const bytes of read.pieces) await reading.push(bytes.slice());
    while (!read.isOver && !watch.isSettled && read.length <= bytesMax && reading.isOver !== true) {
      const bytes = await read.next();
      if (bytes !== undefined) await reading.push(bytes.slice());
    }
    if (read.isOver && !read.isBroken && reading.isOver !== true) await reading.end();
    const isWhole = (read.isOver && !read.isBroken) || reading.isOver === true;
    if (!isWhole || reading.upstreamError !== undefined || watch.isSettled) return undefined;
    const { usage } = reading;
    const empty = this.#emptyIn(watch, usage);
    if (empty !== undefined) return this.#empty(empty, ahead);
    const found = asksFor.unreadable ? this.#find(watch) : undefined;
    return found && { again: this.#questionFor(found, { ...ahead, answer: watch.text, usage }) };
  }

  #emptyIn(watch: CallWatch, usage: unknown): EmptyAnswer | undefined {
    const { empty, repeated } = this.#options.asksFor;
    const before = repeated && watch.isCutInThoughts ? beforeRepetition(watch.thoughts) : undefined;
    if (before !== undefined) return { kind: "endless_thoughts", thoughts: before, usage, why: REPEATED };
    const kind = empty ? watch.kindOf(usage) : undefined;
    return kind && { kind, thoughts: watch.thoughts, usage };
  }

  #remedy(
    kind: EmptyKind | "unreadable_call",
    { question }: Pick<Ahead, "question">,
    isFinal = true,
  ): Remedy {
    const judge = isFinal ? this.#options.judge : undefined;
    const { body, attempts = 1 } = question;
    const isPossible = (remedy: Remedy) => {
      if (remedy === "next") return this.#options.hasNext && !this.#hasShown;
      if (body === null || attempts >= ATTEMPTS_MAXIMUM) return false;
      return remedy === "ask_again" || this.#options.canAskRaw();
    };
    return remedyFor(kind, { asked: this.#asked, isPossible, judge });
  }

  #empty(found: EmptyAnswer, { question }: Pick<Ahead, "question">): Omit<ReadAhead, "answered"> | undefined {
    const { kind, usage } = found;
    const remedy = this.#remedy(kind, { question });
    if (remedy === "next") {
      this.#noteEmpty(kind, "the next upstream is asked");
      return { next: { kind, usage: addUsage(question.spent, usage) } };
    }
    const again = remedy === "pass" ? undefined : this.#questionAfter(found, { question, remedy });
    if (again !== undefined) return { again };
    this.#isPassed = true;
    this.#noteEmpty(kind, "passed on");
    return undefined;
  }

  /** The question after thoughts that the client has seen, and to which nothing else came. */
  afterThoughts({ why, ...seen }: Omit<EmptyAnswer, "kind">, question: Question): Question | undefined {
    // The client has thoughts of this upstream.
    this.#hasShown = true;
    if (why !== undefined) return this.#afterEnded({ ...seen, why }, question);
    if (!this.canFollow("thoughts_only", question)) return undefined;
    // Marks without a thought in them look like a text at first.
    const kind = seen.thoughts.trim() === "" ? "empty" : "thoughts_only";
    const remedy = this.#remedy(kind, { question });
    return remedy === "ask_again" ? this.#questionAfter({ kind, ...seen }, { question, remedy }) : undefined;
  }

  #afterEnded(ended: EndedThoughts, question: Question): Question | undefined {
    return this.#questionAfter({ kind: "endless_thoughts", ...ended }, { question, remedy: "ask_again" });
  }

  #questionAfter(
    { kind, thoughts, usage, why }: EmptyAnswer,
    { question, remedy }: { readonly question: Question; readonly remedy: Remedy },
  ): Question | undefined {
    const { body, attempts = 1, spent } = question;
    const next = { attempts: attempts + 1, spent: addUsage(spent, usage) };
    if (remedy === "raw") {
      this.#asked++;
      this.#noteEmpty(kind, "asked with the server's parser off");
      return { ...next, body, isRaw: true };
    }
    const text = bodyText(body);
    const fields = thoughts === "" ? undefined : this.#options.continuing();
    const asked = fields === undefined
      ? withLesson(text, { answer: "", lesson: sentenceFor(kind, thoughts) })
      : afterThoughts(text, { thoughts, fields });
    if (asked === undefined) return undefined;
    this.#asked++;
    if (why === undefined) this.#noteEmpty(kind, "asked again");
    else this.#note("thoughts_ended", why);
    return { ...next, body: asked, isContinued: fields !== undefined };
  }

  #noteEmpty(kind: EmptyKind, what: string): void {
    this.#note("empty_answer", `${kind}: ${what}`);
  }

  #note(reason: Reason, detail: string): void {
    this.#options.note({ kind: "note", reason, rule: "answer", start: 0, end: 0, detail });
  }

  #find(watch: CallWatch): UnreadableCall | undefined {
    if (watch.isSettled || !watch.isEnded) return undefined;
    const [aborted] = watch.aborted;
    if (aborted !== undefined) return { ...aborted, isSure: true };
    const { text } = watch;
    const { translator, beginning } = this.#options;
    const beginsInReasoning = beginning?.beginsInReasoning ?? false;
    const isShown = ({ start, end }: NoteEvent) =>
      translator.isShown?.({ text, start, end, beginsInReasoning }) === true;
    const note = watch.notes.find((note) => note.reason === "near_miss" || !isShown(note));
    if (note === undefined) return undefined;
    const { reason, rule, tool } = note;
    return { reason, rule, tool, isSure: reason !== "near_miss" };
  }

  #questionFor(found: UnreadableCall, { question, answer, usage }: Pick<Ahead, "question"> & {
    readonly answer: string;
    readonly usage: unknown;
  }): Question | undefined {
    if (this.#remedy("unreadable_call", { question }) !== "ask_again") return undefined;
    const { body, attempts = 1, spent } = question;
    const pinned = found.isSure && this.#canPin(found.tool) ? found.tool : undefined;
    const next = withLesson(bodyText(body), { answer, lesson: this.#lesson(found), pinned });
    if (next === undefined) return undefined;
    this.#asked++;
    const { reason, rule, tool } = found;
    const about = tool === undefined ? {} : { tool };
    this.#options.note({
      kind: "note",
      reason: "asked_again",
      rule,
      ...about,
      start: 0,
      end: 0,
      detail: reason,
    });
    return { body: next, attempts: attempts + 1, spent: addUsage(spent, usage) };
  }

  /** A tool is pinned only if the model certainly meant to call it and the client left the choice to the model. */
  #canPin(tool: string | undefined): boolean {
    const { canPin, request, translator } = this.#options;
    const { tool_choice: choice } = request;
    const isOpen = choice == null || choice === "auto";
    return tool !== undefined && isOpen && translator.offered?.resolve(tool)?.name === tool && canPin();
  }

  #lesson({ reason, rule, tool }: UnreadableCall): string {
    const { translator } = this.#options;
    const names = translator.offered?.names ?? [];
    const what = tool === undefined ? "a tool call" : `a call to \`${tool}\``;
    const known = tool !== undefined && names.includes(tool) ? tool : names[0];
    const example = known === undefined ? undefined : translator.exampleOf?.(known, rule);
    const howTo = tool === known
      ? "Write the call like this"
      : `This is how a call to \`${known}\` is written`;
    return [
      `Your last answer contains ${what} that could not be read: ${
        ERRORS[reason] ?? ERRORS.malformed
      }. No tool was run.`,
      ...reason === "unknown_tool" ? [`The tools are: ${names.slice(0, NAMES_MAX).join(", ")}.`] : [],
      ...example === undefined ? [] : [`${howTo}:\n${example}`],
      "Repeat your whole answer, with the call written correctly. If you did not mean to call a tool, answer without one.",
    ].join("\n");
  }
}

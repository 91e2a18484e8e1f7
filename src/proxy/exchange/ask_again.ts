/**
 * Asks the model again for a printed call that no rule could read (`policy.unreadable_call: ask_again`). The answer is
 * read ahead, before any of it is sent:
 *
 *     answer ─▶ read ahead ─▶ a whole call, a call of the server's own, or too long ─▶ sent from its first byte
 *                   │
 *                   ╰─ over: an unreadable call? ─ no ──────────────────────────────▶ sent from its first byte
 *                                 ╰─ yes ─▶ asked again, with the error and an example ─▶ that answer is read ahead …
 *                                                                        ╰─ the question fails ─▶ this one is sent
 *
 * On every wire, nothing of a rejected answer is sent or executed, and the client gets one answer.
 *
 * @module
 */
import { bodyText } from "../upstream/request_body.ts";
import type { AnswerEvent } from "../../chat/event/event.ts";
import type { Sink, Stage } from "../../chat/event/stage.ts";
import { promisedKind } from "../transport/body_kind.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import { isEvents } from "../transport/headers.ts";
import { limitBody } from "../transport/limited.ts";
import { replay } from "../transport/body.ts";
import type { AnswerBeginning } from "../upstream/beginnings.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { addUsage } from "../../chat/message/usage.ts";
import { NATIVE_RULE } from "../../chat/native/call.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { ToolCallRenderer } from "../../chat/render/tool_calls.ts";
import type { CallStartEvent, NoteEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { type ReadLimits, watchReads } from "./deadline.ts";
import { ATTEMPTS_MAXIMUM, type Question, withLesson } from "./retry.ts";
import type { Translator } from "./service.ts";
import { openReading } from "./body_reader.ts";
import type { Turns } from "./turns.ts";

/** How often the model is asked again for one request. */
const QUESTIONS_MAX = 2;

/** The most bytes of an answer that are read ahead; a longer answer is sent unchanged. */
const AHEAD_BYTES_MAX = 4 * 1024 * 1024;

/** The longest text that is sent back to the model, in characters; a longer answer isn't asked for again. */
const TEXT_MAX = 64 * 1024;

const NOTES_MAX = 16;

const NAMES_MAX = 50;

/** What was wrong with a call → how the model is informed. */
const ERRORS: Partial<Record<Reason, string>> = {
  malformed: "it doesn't follow its notation",
  invalid_arguments: "its arguments are not valid JSON",
  missing_required: "a required parameter is missing",
  truncated: "it ends before its closing mark",
  unknown_tool: "no tool has its name",
  near_miss: "its notation is not the one for calls",
};

interface UnreadableCall {
  readonly reason: Reason;
  /** The rule that came closest; `none` without one. */
  readonly rule: string;
  readonly tool: string | undefined;
  /** Whether a rule recognized a call; if not, the text only looks like one. */
  readonly isSure: boolean;
}

interface AskAgainOptions {
  readonly translator: Translator;
  readonly request: ChatRequest;
  /** Whether the answer begins inside the model's reasoning. */
  readonly beginning: Pick<AnswerBeginning, "beginsInReasoning"> | undefined;
  /** Whether the next question may name the tool that the model has to call. */
  readonly canPin: () => boolean;
  readonly note: (note: NoteEvent) => void;
}

export interface Ahead {
  readonly question: Question;
  readonly limits: ReadLimits;
  readonly turns: Turns;
  readonly bytesMax: number;
  readonly answer: Pick<AnswerOptions, "createMatcher" | "isPauseDue" | "native">;
}

/** The same answer from its first byte, and the question to ask instead of sending it. */
interface ReadAhead {
  readonly answered: UpstreamAnswer;
  readonly again?: Question;
}

export class AskAgain {
  readonly #options: AskAgainOptions;
  #left = QUESTIONS_MAX;

  constructor(options: AskAgainOptions) {
    this.#options = options;
  }

  /** Reads an answer ahead until it is clear whether it can be sent. */
  async read(answered: UpstreamAnswer, ahead: Ahead): Promise<ReadAhead> {
    const { response, deadline } = answered;
    const { ok, body, status, statusText } = response;
    const { request } = this.#options;
    const promised = promisedKind(response.headers.get("content-type"), request.stream === true);
    const codings = codingsOf(response.headers);
    const isPossible = this.#left > 0 && ahead.question.body !== null &&
      (ahead.question.attempts ?? 1) < ATTEMPTS_MAXIMUM;
    if (!isPossible || !ok || body === null || promised === undefined || !canDecode(codings)) {
      return { answered };
    }
    const headers = new Headers(response.headers);
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    const watch = new CallWatch();
    const reading = openReading({
      kind: promised !== "unsure" ? promised : isEvents(headers) ? "stream" : "json",
      answer: {
        ...ahead.answer,
        input: watch.input,
        createPlugins: () => watch.stage,
        createRenderer: () => new ToolCallRenderer(() => "call_ahead"),
      },
      turns: ahead.turns,
      bytesMax: Math.min(AHEAD_BYTES_MAX, ahead.bytesMax),
    });
    const before = watchReads(deadline, ahead.limits);
    const reader = decode(limitBody(body, deadline), codings).getReader();
    const pieces: Uint8Array[] = [];
    let length = 0;
    let isOver = false;
    while (!isOver && !watch.isSettled && length <= AHEAD_BYTES_MAX) {
      before();
      const read = await reader.read().catch(() => undefined);
      deadline.pause();
      if (read === undefined) break;
      if (read.value !== undefined) {
        length += read.value.length;
        pieces.push(read.value);
        await reading.push(read.value.slice());
      } else await reading.end();
      isOver = read.done || reading.isOver === true;
    }
    const same = new Response(replay(pieces, reader), { status, statusText, headers });
    const found = isOver && reading.upstreamError === undefined ? this.#find(watch) : undefined;
    const again = found && this.#questionFor(found, { ...ahead, answer: watch.text, usage: reading.usage });
    return { answered: { response: same, deadline }, ...again === undefined ? {} : { again } };
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

  #questionFor(
    found: UnreadableCall,
    { question, answer, usage }: Pick<Ahead, "question"> & {
      readonly answer: string;
      readonly usage: unknown;
    },
  ): Question | undefined {
    const { body, attempts = 1, spent } = question;
    const text = bodyText(body);
    const pinned = found.isSure && this.#canPin(found.tool) ? found.tool : undefined;
    const next = withLesson(text, { answer, lesson: this.#lesson(found), pinned });
    if (next === undefined) return undefined;
    this.#left--;
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
    const what = tool === undefined ? "a tool call" : `a call of \`${tool}\``;
    const known = tool !== undefined && names.includes(tool) ? tool : names[0];
    const example = known === undefined ? undefined : translator.exampleOf?.(known, rule);
    const howTo = tool === known
      ? "Write the call like this"
      : `This is how a call of \`${known}\` is written`;
    return [
      `Your last answer contains ${what} that could not be read: ${
        ERRORS[reason] ?? ERRORS.malformed
      }. No tool was run.`,
      ...reason === "unknown_tool" ? [`The tools are: ${names.slice(0, NAMES_MAX).join(", ")}.`] : [],
      ...example === undefined ? [] : [`${howTo}:\n${example}`],
      "Give your whole answer again, with the call written correctly. If you did not mean to call a tool, answer without one.",
    ].join("\n");
  }
}

class CallWatch {
  text = "";
  /** Whether the answer is sent, however it continues. */
  isSettled = false;
  /** Whether the answer ended by itself. */
  isEnded = false;
  /** Calls that were announced and broke off. */
  readonly aborted: Omit<UnreadableCall, "isSure">[] = [];
  /** Decisions about calls that were not announced. */
  readonly notes: NoteEvent[] = [];
  readonly #open = new Map<number, CallStartEvent>();

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
      case "call_start":
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
    }
  }
}

/**
 * Lists the stages of an answer in order. Read this file first.
 *
 *     upstream bytes ─▶ chat/sse/decode ─▶ chat/message/read ─▶ the stages of each choice ─▶ chat/message/writer ─▶ client
 *
 * For a client of another wire, that wire's writer is the last stage (`AnswerOptions.sink`). Otherwise, a message is sent
 * unchanged if the same event objects that were read from it reach the writer. Nothing in this folder
 * waits, reads a clock or uses a socket.
 *
 * @module
 */
import type { FailureEvent } from "../event/event.ts";
import { type AnswerSink, connect, type Sink, type Stage } from "../event/stage.ts";
import { ChoiceWriter } from "../message/writer.ts";
import type { ChatChunk, ReasoningField } from "../message/chunk.ts";
import type { ApiError } from "../message/error.ts";
import { type NativeOptions, NativeReader } from "../native/reader.ts";
import type { Renderer } from "../render/renderer.ts";
import { Choice } from "./choice.ts";
import { EventOutput } from "./choice_output.ts";
import { Commands } from "./commands.ts";
import { FinishFilter } from "./finish_filter.ts";
import { JoinedCalls } from "./joined_calls.ts";
import { type Listener, Tap } from "./tap.ts";
import { type CreateMatcher, Texts } from "./texts.ts";
import { WholeCalls } from "./whole_calls.ts";

export interface AnswerOptions {
  readonly createMatcher: CreateMatcher;
  readonly createPlugins?: (() => Stage) | undefined;
  readonly createRenderer: () => Renderer;
  /** Receives what is read of a choice before anything decides about it: its text and the upstream's own calls. */
  readonly input?: Sink | undefined;
  /** Whether a message ends an answer whose calls the upstream dropped; it then isn't sent. */
  readonly isDropped?: ((chunk: ChatChunk) => boolean) | undefined;
  /** Whether an error of the stream is one after which the answer can be recovered; it then isn't sent. */
  readonly isLost?: ((error: ApiError) => boolean) | undefined;
  /** The upstream's error as the client gets it; undefined: as it is. */
  readonly reword?: ((error: ApiError) => ApiError | undefined) | undefined;
  /** Whether a chunk comes in the place of an error that the upstream swallowed. */
  readonly isSwallowed?: ((chunk: Readonly<Record<string, unknown>>) => boolean) | undefined;
  readonly listener?: Listener | undefined;
  /** Whether a plugin has stopped the answer; nothing of it is sent after that. */
  readonly isStopped?: (() => boolean) | undefined;
  /** Whether nothing more is sent because only thoughts came: `end`: the end is held; `now`: stopped in the middle. */
  readonly held?: (() => "end" | "now" | undefined) | undefined;
  readonly native?: NativeOptions | undefined;
  /** The field in which the client reads reasoning; `reasoning_content` by default. */
  readonly reasoningField?: ReasoningField | undefined;
  /** Whether the client gets a call only when it is whole, so that one that is cut off leaves the answer. */
  readonly wholeCalls?: boolean | undefined;
  /** The usage of earlier attempts that the client doesn't see; it's added to the upstream's usage. */
  readonly spent?: unknown;
  /** The number of choices that the request asks for (`n`); 1 by default. */
  readonly choiceCount?: number;
  /** Decides between messages, and between slices of a long one, whether to pause; by default, reading never pauses. */
  readonly isPauseDue?: () => boolean;
  /** Whether the client asked for the usage; an answer that ends early then waits for it. */
  readonly wantsUsage?: boolean;
  /** Writes the answer for a client of another wire; without it, the client gets chat messages. */
  readonly sink?: AnswerSink | undefined;
  /** The error of a stream that ends before its answer does. */
  readonly broken?: Omit<FailureEvent, "kind"> | undefined;
}

export function createChoice(options: AnswerOptions, index: number): Choice {
  const { createMatcher, createPlugins, createRenderer, listener, sink, native = {} } = options;
  const matchers = new Texts(createMatcher);
  const joined = new JoinedCalls();
  const finishFilter = new FinishFilter();
  const renderer = createRenderer();
  const reader = new NativeReader(native);
  // No message is sent unchanged, so the calls need no other form than their events.
  if (sink !== undefined) reader.rewrite();
  const writer = sink === undefined
    ? new ChoiceWriter({ ...native, reasoningField: options.reasoningField })
    : new EventOutput(index === 0 ? sink : undefined);
  const input = options.input && passing(options.input);
  const tap = listener && new Tap(listener, { choice: index, texts: matchers });

  // From the last stage to the first, because each one needs the next.
  const last = connect([finishFilter, tap?.beforeRenderer, renderer, tap?.afterRenderer], writer);
  const whole = options.wholeCalls ? new WholeCalls() : undefined;
  const plugins = connect([whole, createPlugins?.()], last);
  // A client that reads calls in text gets its commands decoded in its own notation.
  const commands = native.wholeCalls ? undefined : new Commands();
  const first = connect([input, tap?.texts ?? matchers, joined.text, commands], plugins);
  return new Choice({
    reader,
    hasTextCalls: native.wholeCalls === true,
    first,
    native: connect([input, joined.native], plugins),
    last,
    finishFilter,
    renderer,
    writer,
    isPauseDue: options.isPauseDue ?? (() => false),
  });
}

/** A stage that shows every event and changes none. */
function passing(shown: Sink): Stage {
  return {
    push(event, out) {
      shown.push(event);
      out.push(event);
    },
  };
}

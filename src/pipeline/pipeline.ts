/**
 * The path of an answer, as one visible list. Read this file first.
 *
 *     upstream bytes ─▶ sse/decode ─▶ chat/read ─▶ the stages of each choice ─▶ chat/writer ─▶ client
 *
 * A message whose events reach the writer as the very objects that were read from it leaves as it came. Nothing in
 * this folder waits, reads a clock or touches a socket.
 *
 * @module
 */
import { ChoiceWriter } from "../chat/writer.ts";
import { connect, type Stage } from "../event/stage.ts";
import { type NativeOptions, NativeReader } from "../native/reader.ts";
import type { Renderer } from "../render/renderer.ts";
import { Choice } from "./choice.ts";
import { Ending } from "./ending.ts";
import { JoinedCalls } from "./joined_calls.ts";
import { type Listener, Tap, type TextStage } from "./tap.ts";
import { Texts } from "./texts.ts";

/** What an answer needs on its path. */
export interface AnswerOptions {
  /** Finds the calls in one text of one choice. */
  readonly createMatcher: () => TextStage;
  /** The plugins of one choice. */
  readonly createPlugins?: (() => Stage) | undefined;
  /** Puts the calls of one choice into the client's form. */
  readonly createRenderer: () => Renderer;
  /** Observes the answer. */
  readonly listener?: Listener | undefined;
  /** Whether a plugin has stopped the answer: nothing of it is sent from here on. */
  readonly isStopped?: (() => boolean) | undefined;
  /** What is known of the request, for calls that the upstream sends itself. */
  readonly native?: NativeOptions | undefined;
  /** The usage of attempts before this one, which the client did not see; it is added to the upstream's. */
  readonly spent?: unknown;
  /** Whether messages of a known shape may be read without being parsed; true by default. */
  readonly takesShortcut?: boolean;
  /** How many choices the request asks for (`n`); 1 by default. */
  readonly choiceCount?: number;
  /** Whether the client asked for the usage: an answer that ends at a call then waits for it. */
  readonly wantsUsage?: boolean;
}

/** The stages of one choice, in order. */
export function createChoice(options: AnswerOptions, index: number): Choice {
  const { createMatcher, createPlugins, createRenderer, listener, native = {} } = options;
  const texts = new Texts(createMatcher);
  const joined = new JoinedCalls();
  const ending = new Ending();
  const renderer = createRenderer();
  const writer = new ChoiceWriter(native);
  const tap = listener && new Tap(listener, { choice: index, texts });

  const rendered = connect([renderer, ...(tap ? [tap.sent] : [])], writer);
  const last = connect([ending, ...(tap ? [tap.said] : [])], rendered);
  const decided = createPlugins ? connect([createPlugins()], last) : last;
  const first = connect([...(tap ? [tap.came] : []), texts, joined.text], decided);
  return new Choice({
    native: new NativeReader(native),
    isText: native.wholeCalls === true,
    first,
    texts,
    joined: connect([joined.native], decided),
    last,
    ending,
    renderer,
    writer,
  });
}

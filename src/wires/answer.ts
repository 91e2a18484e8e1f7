/** An answer on a wire: the last stage of the pipeline, which turns events into the wire's own messages. @module */
import type { AnswerSink } from "../chat/event/stage.ts";
import type { AnswerEvent } from "../chat/event/event.ts";
import type { ApiError } from "../chat/message/error.ts";
import type { AnswerPart, WholeAnswer, WireEvent } from "./event.ts";
import { AnswerOrder } from "./order.ts";
import type { WireWriter } from "./wire.ts";

/** Errors after which clients ask again, but on every wire only if the connection breaks. */
const BROKEN_CODES: ReadonlySet<string> = new Set(["upstream_broke_off", "upstream_unreachable"]);

export class StreamedWireAnswer implements AnswerSink {
  readonly #writer: WireWriter;
  readonly #order = new AnswerOrder((event) => this.#write(event));
  #text = "";
  /** Text of one kind that arrived together; one message for all of it costs less than one for each piece. */
  #prose: { readonly kind: "text" | "reasoning"; text: string } | undefined;
  isOver = false;
  mustBreak = false;
  #errorCode: string | undefined;

  constructor(writer: WireWriter) {
    this.#writer = writer;
  }

  get errorCode(): string | undefined {
    return this.#errorCode ?? this.#writer.errorCode;
  }

  push(event: AnswerEvent): void {
    this.#order.push(event);
  }

  /** Begins another attempt at the answer. */
  restart(): void {
    this.#order.restart();
  }

  finish(): void {
    this.#order.finish();
  }

  fail(error: ApiError): void {
    this.#order.fail(error);
  }

  take(): string {
    this.#writeProse();
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** What keeps the connection alive now; empty while there is text that has to come first, or after the end. */
  beat(): string {
    return this.#text !== "" || this.isOver || this.mustBreak ? "" : this.#writer.beat();
  }

  #writeProse(): void {
    const prose = this.#prose;
    this.#prose = undefined;
    if (prose !== undefined) this.#text += this.#writer.push(prose);
  }

  #write(event: WireEvent): void {
    if (event.kind === this.#prose?.kind) return void (this.#prose.text += event.text);
    this.#writeProse();
    if (event.kind === "text" || event.kind === "reasoning") return void (this.#prose = { ...event });
    this.isOver ||= event.kind === "finish" || event.kind === "error";
    if (event.kind === "error") {
      this.#errorCode = event.error.code;
      this.mustBreak = BROKEN_CODES.has(event.error.code);
    }
    if (!this.mustBreak) this.#text += this.#writer.push(event);
  }
}

/** An answer that isn't streamed: its parts, to be written at once. */
export class WholeWireAnswer implements AnswerSink {
  readonly mustBreak = false;
  readonly #order = new AnswerOrder((event) => this.#collect(event));
  readonly #texts = { reasoning: "", text: "" };
  readonly #calls: Extract<AnswerPart, { kind: "call" }>[] = [];
  #end: Extract<WireEvent, { kind: "finish" }> | undefined;
  error: ApiError | undefined;

  get isOver(): boolean {
    return (this.#end ?? this.error) !== undefined;
  }

  get errorCode(): string | undefined {
    return this.error?.code;
  }

  push(event: AnswerEvent): void {
    this.#order.push(event);
  }

  finish(): void {
    this.#order.finish();
  }

  fail(error: ApiError): void {
    this.#order.fail(error);
  }

  take(): string {
    return "";
  }

  /** The answer: reasoning, text and calls in this order. */
  get answer(): WholeAnswer {
    const texts = (["reasoning", "text"] as const).flatMap((kind): AnswerPart[] =>
      this.#texts[kind] === "" ? [] : [{ kind, text: this.#texts[kind] }]
    );
    const { reason = "stop", usage } = this.#end ?? {};
    return { parts: [...texts, ...this.#calls], reason, usage };
  }

  #collect(event: WireEvent): void {
    switch (event.kind) {
      case "text":
      case "reasoning":
        this.#texts[event.kind] += event.text;
        break;
      case "call_start":
        this.#calls.push({ kind: "call", id: event.id, tool: event.tool, json: "", isWhole: false });
        break;
      case "call_end":
      case "call_abort":
        this.#calls.push({ ...this.#calls.pop()!, json: event.json, isWhole: event.kind === "call_end" });
        break;
      case "finish":
        this.#end = event;
        break;
      case "error":
        this.error = event.error;
    }
  }
}

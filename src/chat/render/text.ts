/**
 * Events become text for a client that runs calls in the text of the answer. Text flows. A call of the client's own
 * dialect may flow too (`FlowingCall`) and ends as an error if it breaks off. Any other call is collected until it is
 * whole; if it can't be written so that the client reads exactly what was meant, the model's text leaves as text.
 *
 * @module
 */
import type { AnswerEvent, FinishEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { CallEndEvent, CallStartEvent, NoteEvent, TextEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { present } from "../../engine/object/present.ts";
import type { Refusal } from "./argument.ts";
import { FlowingCall } from "./flowing_call.ts";
import { TagGuard } from "./live_tag.ts";
import { passFinish, type Renderer } from "./renderer.ts";
import { type CallPlace, formOf, type WholeCall, writeWholeCall } from "./whole_call.ts";

export interface TextOptions extends CallPlace {
  /** Whether the rules read the client's own dialect. If not, its calls are text, which then stays as it is. */
  readonly readsOwnDialect?: boolean;
  readonly notes?: readonly NoteEvent[];
}

export class TextRenderer implements Renderer {
  readonly #options: TextOptions;
  readonly #guard: TagGuard;
  #out: Sink | undefined;
  #collected: { start: CallStartEvent; json: string } | undefined;
  #flowing: { start: CallStartEvent; call: FlowingCall } | undefined;
  /** Whether a call broke off after a part of it was sent: then nothing follows but the error. */
  #isBroken = false;
  #callCount = 0;
  #sentLength = 0;
  #lastCharacter = "\n";
  #hasSentSource = false;
  #owesNewline = false;

  constructor(options: TextOptions) {
    this.#options = options;
    const { tools, parser_tools } = options.client;
    const { readsOwnDialect = true } = options;
    this.#guard = new TagGuard(readsOwnDialect ? [...Object.keys(tools), ...parser_tools] : []);
  }

  /** True once the client takes no more calls in this message. */
  get isFinished(): boolean {
    return this.#callCount >= (this.#options.client.calls_per_message ?? Infinity);
  }

  /** Text as it is, whole calls as the client executes them. */
  push(event: AnswerEvent, out: Sink): void {
    if (this.#out === undefined) { for (const note of this.#options.notes ?? []) out.push(note); }
    this.#out = out;
    if (this.#isBroken) return;
    switch (event.kind) {
      case "text":
        if (!this.isFinished) this.#pushText(event, out);
        break;
      case "call_start":
        if (this.isFinished) this.#note(event, { reason: "one_call_only" });
        else if (event.isFlowing) this.#beginFlow(event);
        else this.#collected = { start: event, json: "" };
        break;
      case "arguments":
        if (this.#collected !== undefined) this.#collected.json += event.json;
        if (this.#flowing !== undefined) this.#flow(this.#flowing.call.take(event.json));
        break;
      case "call_end":
        if (this.#flowing !== undefined) this.#endFlow(this.#flowing);
        else if (!this.isFinished) {
          this.#give(this.#send(this.#guard.end()));
          const before = this.#callCount;
          const text = this.#sendCall(event);
          this.#give(text, this.#callCount > before ? event.call : undefined);
        }
        this.#collected = undefined;
        break;
      case "call_abort":
        this.#collected = undefined;
        if (this.#flowing !== undefined) this.#breakOff("the answer ended inside it");
        break;
      case "note":
      case "group_start":
      case "group_end":
        break;
      case "finish":
        this.#give(this.#send(this.#guard.end()));
        passFinish(event, { reason: this.#reason(event), out });
        break;
      default:
        out.push(event);
    }
  }

  /** A message that holds a call ends with `stop`, as every text does; a content filter's word stays. */
  #reason({ reason }: FinishEvent): string | null {
    const isCall = reason === "tool_calls" || (this.#callCount > 0 && reason !== "content_filter");
    return isCall ? "stop" : reason;
  }

  #pushText(event: TextEvent, out: Sink): void {
    const sent = this.#sendText(event.text);
    if (sent === event.text) out.push(event);
    else this.#give(sent);
  }

  #give(text: string, call?: number): void {
    if (text !== "") this.#out?.push({ kind: "text", text, ...present({ call }) });
  }

  #sendText(text: string): string {
    const safe = this.#guard.take(text);
    if (safe === "") return "";
    const newline = this.#owesNewline && safe.trimStart() === safe ? "\n" : "";
    this.#owesNewline = false;
    return this.#send(newline + safe);
  }

  /** The model's text of a call that was not made, so that the client does not execute it either. */
  #sendRefused({ source, json }: { source: string | undefined; json: string }): string {
    // The text of several calls in one wrapper comes with the first of them.
    if (source === undefined && this.#hasSentSource) return "";
    this.#hasSentSource = true;
    const hadSpace = this.#lastCharacter.trim() === "";
    const sent = this.#sendText(source ?? json);
    // Whitespace after a call leaves with the call if there was some before it; this call did not leave.
    this.#owesNewline = hadSpace && !sent.endsWith("\n");
    return sent;
  }

  #beginFlow(start: CallStartEvent): void {
    const { tool } = start;
    const found = formOf(tool, this.#options);
    if (found === undefined) throw new Error(`${tool} cannot flow without a form`);
    const { client, model = "" } = this.#options;
    this.#give(this.#send(this.#guard.end()));
    this.#give(this.#send(this.#lastCharacter === "\n" ? "" : "\n"));
    this.#flowing = { start, call: new FlowingCall({ tool, client, model, ...found }) };
  }

  #flow(text: string): void {
    const { start, call: { problem } } = this.#flowing!;
    const room = (this.#options.client.message_limit ?? Infinity) - this.#sentLength;
    const detail = text.length > room ? "the message is longer than the client's limit" : problem;
    this.#give(this.#send(text.slice(0, room)), start.call);
    if (detail === undefined) return;
    this.#note(start, { reason: "unwritable", detail });
    this.#breakOff(detail);
  }

  #endFlow({ start, call }: { start: CallStartEvent; call: FlowingCall }): void {
    this.#flow(call.finish());
    if (this.#isBroken) return;
    this.#flowing = undefined;
    this.#callCount++;
    this.#noteLeftOut(start, call.leftOut);
  }

  /** The client would run what it has of the call if the answer ended in any other way. */
  #breakOff(detail: string): void {
    const { tool } = this.#flowing!.start;
    this.#flowing = undefined;
    this.#isBroken = true;
    this.#out?.push({
      kind: "error",
      type: "upstream_error",
      code: "call_broke_off",
      message: `The model began to call ${tool} and the call can't be completed: ${detail}. ` +
        "Don't run any part of it. Send the request again",
    });
  }

  #send(text: string): string {
    this.#sentLength += text.length;
    if (text !== "") this.#lastCharacter = text.slice(-1);
    return text;
  }

  #sendCall({ source, repairs = [] }: CallEndEvent): string {
    if (this.#collected === undefined) return "";
    const { start, json } = this.#collected;
    const outcome = this.#write({ start, json, source, repairs });
    if ("reason" in outcome) {
      this.#note(start, outcome);
      return this.#sendRefused({ source, json });
    }
    this.#callCount++;
    return this.#send(outcome.text);
  }

  #write(call: WholeCall): { text: string } | Refusal {
    const { start } = call;
    const written = writeWholeCall(call, this.#options);
    if ("reason" in written || written.isSource) return written;
    const text = this.#lastCharacter === "\n" ? written.text : `\n${written.text}`;
    if (this.#isTooLong(text)) {
      return { reason: "unwritable", detail: "the message would be longer than the client reads" };
    }
    for (const name of written.trimmed) {
      this.#note(start, { reason: "value_trimmed", detail: `parameter ${name}` });
    }
    for (const name of written.decoded) {
      this.#note(start, { reason: "entities_decoded", detail: `parameter ${name}` });
    }
    this.#noteLeftOut(start, written.leftOut);
    return { text };
  }

  #isTooLong(text: string): boolean {
    return this.#sentLength + text.length > (this.#options.client.message_limit ?? Infinity);
  }

  #noteLeftOut(start: CallStartEvent, names: readonly string[]): void {
    for (const name of names) {
      this.#note(start, {
        reason: "parameter_left_out",
        detail: `parameter ${isName(name) ? name : "(no name)"}`,
      });
    }
  }

  #note({ rule, tool, call }: CallStartEvent, { reason, detail }: { reason: Reason; detail?: string }): void {
    const at = this.#sentLength;
    this.#out?.push({
      kind: "note",
      reason,
      rule,
      tool,
      call,
      start: at,
      end: at,
      ...present({ detail }),
    });
  }
}

/** Whether a key may be shown: a key that isn't a name may be anything that the model wrote. */
function isName(key: string): boolean {
  const isLetter = (character: string) =>
    (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") ||
    (character >= "0" && character <= "9") || character === "_" || character === "-";
  return key.length <= 64 && [...key].every(isLetter);
}

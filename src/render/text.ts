/**
 * Events become text for a client that executes calls in the text of the answer. Text flows; a call is collected
 * until it is whole, then written as the client's file says, or sent as the model wrote it where it cannot be
 * written so that the client reads exactly what was meant. It never sends a part of a call.
 *
 * @module
 */
import { chooseForm } from "../client/form.ts";
import type { Client, ToolForm } from "../client/schema.ts";
import type { AnswerEvent, CallStartEvent, FinishEvent, NoteEvent, TextEvent } from "../event/event.ts";
import type { Reason } from "../event/reason.ts";
import type { Sink } from "../event/stage.ts";
import { present } from "../object/present.ts";
import { isRecord } from "../object/record.ts";
import { mapArguments, type MappedArguments, type Refusal } from "./argument.ts";
import { TagGuard } from "./live_tag.ts";
import { passFinish, type Renderer } from "./renderer.ts";
import { writeCall } from "./write.ts";

/** What the renderer has to know of the request and the rules. */
export interface TextOptions {
  /** Whose notation is written. */
  readonly client: Client;
  /** Tool → the names that the request's own prompt gives its parameters. */
  readonly documented?: ReadonlyMap<string, ReadonlySet<string>>;
  /** The model that the request names. */
  readonly model?: string;
  /** The dialects that a rule reads. Without it no text of the model counts as the client's own dialect. */
  readonly dialectsOf?: (rule: string) => readonly string[];
  /** Whether the rules read the client's own dialect. If not, its calls are text, which then stays as it is. */
  readonly readsOwnDialect?: boolean;
  /** What is to be noted with the first event. */
  readonly notes?: readonly NoteEvent[];
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Renders for clients that execute calls in the text. */
export class TextRenderer implements Renderer {
  readonly #options: TextOptions;
  readonly #guard: TagGuard;
  #out: Sink | undefined;
  #collected: { start: CallStartEvent; json: string } | undefined;
  #callCount = 0;
  #sentLength = 0;
  #lastCharacter = "\n";
  #hasSentSource = false;
  #owesNewline = false;

  /** @param options the client and what is known of the request */
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
    switch (event.kind) {
      case "text":
        if (!this.isFinished) this.#pushText(event, out);
        break;
      case "call_start":
        if (this.isFinished) this.#note(event, { reason: "one_call_only" });
        else this.#collected = { start: event, json: "" };
        break;
      case "arguments":
        if (this.#collected !== undefined) this.#collected.json += event.json;
        break;
      case "call_end":
        if (!this.isFinished) this.#give(this.#send(this.#guard.end()) + this.#sendCall(event.source));
        this.#collected = undefined;
        break;
      case "call_abort":
        this.#collected = undefined;
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

  #give(text: string): void {
    if (text !== "") this.#out?.push({ kind: "text", text });
  }

  #sendText(text: string): string {
    const came = this.#guard.take(text);
    if (came === "") return "";
    const newline = this.#owesNewline && came.trimStart() === came ? "\n" : "";
    this.#owesNewline = false;
    return this.#send(newline + came);
  }

  /** The model's text of a call that was not made, so that the client does not execute it either. */
  #sendRefused({ source, json }: { source: string | undefined; json: string }): string {
    // The text of several calls in one wrapper comes with the first of them.
    if (source === undefined && this.#hasSentSource) return "";
    this.#hasSentSource = true;
    const hadSpace = this.#lastCharacter.trim() === "";
    const sent = this.#sendText(source ?? json);
    // The white space behind a call leaves with it where there was some in front; here the call did not leave.
    this.#owesNewline = hadSpace && !sent.endsWith("\n");
    return sent;
  }

  #send(text: string): string {
    this.#sentLength += text.length;
    if (text !== "") this.#lastCharacter = text.slice(-1);
    return text;
  }

  #sendCall(source: string | undefined): string {
    if (this.#collected === undefined) return "";
    const { start, json } = this.#collected;
    const outcome = this.#decide({ start, json, source });
    if ("reason" in outcome) {
      this.#note(start, outcome);
      return this.#sendRefused({ source, json });
    }
    this.#callCount++;
    return this.#send(outcome.text);
  }

  #decide(
    call: { start: CallStartEvent; json: string; source: string | undefined },
  ): { text: string } | Refusal {
    const { start, json, source } = call;
    const { client } = this.#options;
    const tool = client.tools[start.tool];
    if (tool === undefined) return { reason: "unknown_tool", detail: "the client's file has no such tool" };
    if (this.#options.documented?.has(start.tool) === false) {
      return { reason: "unknown_tool", detail: "the request does not offer it" };
    }
    const given = parseObject(json);
    if (given === undefined) {
      return { reason: "invalid_arguments", detail: "the arguments are not a JSON object" };
    }
    const documented = this.#options.documented?.get(start.tool) ?? NO_NAMES;
    const form = chooseForm(tool, { client, documented, listed: this.#options.documented });
    const mapped = mapArguments(given, { form, documented });
    if ("reason" in mapped) return mapped;
    // What a wrapper says of a call stands in the model's text and is nothing for the client.
    const isPlain = Object.keys(start.meta ?? {}).length === 0;
    if (source !== undefined && isPlain && mapped.isOwnForm && this.#isOwnDialect(start, source)) {
      return { text: source };
    }
    return this.#write(start, { form, mapped });
  }

  #isOwnDialect(start: CallStartEvent, source: string): boolean {
    const { client, dialectsOf } = this.#options;
    const isRead = dialectsOf?.(start.rule).some((dialect) => client.reads.includes(dialect)) ?? false;
    return isRead && source.trimStart().startsWith(`<${start.tool}>`);
  }

  #write(
    start: CallStartEvent,
    { form, mapped }: { form: ToolForm; mapped: MappedArguments },
  ): { text: string } | Refusal {
    const { client, model = "" } = this.#options;
    const written = writeCall({ tool: start.tool, form, values: mapped.values, client, model });
    if ("reason" in written) return written;
    const text = this.#lastCharacter === "\n" ? written.text : `\n${written.text}`;
    if (this.#sentLength + text.length > (client.message_limit ?? Infinity)) {
      return { reason: "unwritable", detail: "the message would be longer than the client reads" };
    }
    for (const name of written.trimmed) {
      this.#note(start, { reason: "value_trimmed", detail: `parameter ${name}` });
    }
    for (const name of mapped.leftOut) {
      this.#note(start, {
        reason: "parameter_left_out",
        detail: `parameter ${isName(name) ? name : "(no name)"}`,
      });
    }
    return { text };
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

/** Whether a key may be shown: what is no name may be anything that the model wrote. */
function isName(key: string): boolean {
  const isLetter = (character: string) =>
    (character >= "a" && character <= "z") || (character >= "A" && character <= "Z") ||
    (character >= "0" && character <= "9") || character === "_" || character === "-";
  return key.length <= 64 && [...key].every(isLetter);
}

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json === "" ? "{}" : json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes the messages that replace those of one shape. Each kind is written once with a probe; after that only the text
 * or the arguments in it change. Arguments that arrive together are sent in one message.
 *
 * @module
 */
import type { Delta } from "./chunk.ts";
import type { ChoiceOutcome } from "./write.ts";

/** Marks the position of the text or the arguments. */
const PROBE = "\u{1F50E} probe";
const PROBE_JSON = JSON.stringify(PROBE).slice(1, -1);

export type WriteOutcome = (outcome: ChoiceOutcome) => string;

interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** Writes the outcomes of one choice, each of which replaces a message of the same shape. */
export class ReplacementWriter {
  readonly #write: WriteOutcome;
  /** Whether an outcome without content needs no message. */
  readonly #canOmit: boolean;
  #text: Replacement | undefined;
  readonly #arguments = new Map<number, Replacement | undefined>();
  /** The call whose arguments are held until other content follows, and the arguments. */
  #call = -1;
  #json = "";

  constructor(write: WriteOutcome) {
    this.#write = write;
    this.#canOmit = write({ deltas: [], finishReason: null }) === "";
  }

  get isHolding(): boolean {
    return this.#json !== "";
  }

  /** The messages for an outcome; arguments are held until `flush`. */
  write(outcome: ChoiceOutcome): string {
    const { deltas, finishReason, role, isEndedEarly } = outcome;
    const isBare = finishReason === null && role === undefined && !isEndedEarly && deltas.length <= 1;
    const [delta] = deltas;
    if (isBare && delta === undefined && this.#canOmit) return "";
    if (isBare && delta !== undefined) {
      const { tool_calls: calls, content } = delta;
      const call = calls?.length === 1 ? calls[0] : undefined;
      if (call?.index !== undefined && call.id === undefined && call.type === undefined) {
        return this.#addArguments(call.index, call.function?.arguments ?? "");
      }
      this.#text ??= this.#replacement({ content: PROBE });
      if (content !== undefined && calls === undefined && this.#text !== undefined) {
        return this.flush() + fill(this.#text, content);
      }
    }
    return this.flush() + this.#write(outcome);
  }

  flush(): string {
    if (this.#json === "") return "";
    const json = this.#json;
    this.#json = "";
    if (!this.#arguments.has(this.#call)) {
      this.#arguments.set(this.#call, this.#replacement(fragment(this.#call, PROBE)));
    }
    const replacement = this.#arguments.get(this.#call);
    if (replacement !== undefined) return fill(replacement, json);
    return this.#write({ deltas: [fragment(this.#call, json)], finishReason: null });
  }

  #addArguments(call: number, json: string): string {
    const before = call === this.#call ? "" : this.flush();
    this.#call = call;
    this.#json += json;
    return before;
  }

  #replacement(delta: Delta): Replacement | undefined {
    const [before, after, more] = this.#write({ deltas: [delta], finishReason: null }).split(PROBE_JSON);
    return before === undefined || after === undefined || more !== undefined ? undefined : { before, after };
  }
}

function fragment(index: number, json: string): Delta {
  return { tool_calls: [{ index, function: { arguments: json } }] };
}

function fill({ before, after }: Replacement, text: string): string {
  return before + JSON.stringify(text).slice(1, -1) + after;
}

/**
 * Messages that take the place of those of one shape. Each is written once with a probe; after that only the text or
 * the arguments in it change. Arguments that arrive together leave in one message.
 *
 * @module
 */
import type { Delta } from "./chunk.ts";
import type { ChoiceOutcome } from "./write.ts";

/** Stands where the text or the arguments go. */
const PROBE = "\u{1F50E} probe";
const PROBE_JSON = JSON.stringify(PROBE).slice(1, -1);

/** Writes what an outcome comes to, in full. */
export type WriteOutcome = (outcome: ChoiceOutcome) => string;

interface Template {
  readonly before: string;
  readonly after: string;
}

/** Writes the outcomes of one choice, each of which takes the place of a message of the same shape. */
export class TemplateWriter {
  readonly #write: WriteOutcome;
  readonly #isSilent: boolean;
  #text: Template | undefined;
  readonly #arguments = new Map<number, Template | undefined>();
  /** Arguments that wait for more of the same call. */
  #call = -1;
  #json = "";

  /** @param write writes an outcome in the place of a message of the shape */
  constructor(write: WriteOutcome) {
    this.#write = write;
    this.#isSilent = write({ deltas: [], finishReason: null }) === "";
  }

  /** Whether `flush` has something to give. */
  get isWaiting(): boolean {
    return this.#json !== "";
  }

  /** The messages for an outcome; arguments wait for `flush`. */
  write(outcome: ChoiceOutcome): string {
    const { deltas, finishReason, role, isSilenced } = outcome;
    const isBare = finishReason === null && role === undefined && !isSilenced && deltas.length <= 1;
    const [delta] = deltas;
    if (isBare && delta === undefined && this.#isSilent) return "";
    if (isBare && delta !== undefined) {
      const { tool_calls: calls, content } = delta;
      const call = calls?.length === 1 ? calls[0] : undefined;
      if (call?.index !== undefined && call.id === undefined && call.type === undefined) {
        return this.#addArguments(call.index, call.function?.arguments ?? "");
      }
      this.#text ??= this.#template({ content: PROBE });
      if (content !== undefined && calls === undefined && this.#text !== undefined) {
        return this.flush() + fill(this.#text, content);
      }
    }
    return this.flush() + this.#write(outcome);
  }

  /** The arguments that waited. */
  flush(): string {
    if (this.#json === "") return "";
    const json = this.#json;
    this.#json = "";
    if (!this.#arguments.has(this.#call)) {
      this.#arguments.set(this.#call, this.#template(fragment(this.#call, PROBE)));
    }
    const template = this.#arguments.get(this.#call);
    if (template !== undefined) return fill(template, json);
    return this.#write({ deltas: [fragment(this.#call, json)], finishReason: null });
  }

  #addArguments(call: number, json: string): string {
    const before = call === this.#call ? "" : this.flush();
    this.#call = call;
    this.#json += json;
    return before;
  }

  #template(delta: Delta): Template | undefined {
    const [before, after, more] = this.#write({ deltas: [delta], finishReason: null }).split(PROBE_JSON);
    return before === undefined || after === undefined || more !== undefined ? undefined : { before, after };
  }
}

function fragment(index: number, json: string): Delta {
  return { tool_calls: [{ index, function: { arguments: json } }] };
}

function fill({ before, after }: Template, text: string): string {
  return before + JSON.stringify(text).slice(1, -1) + after;
}

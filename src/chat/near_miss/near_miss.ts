/** Notes near misses, once, when an answer ends without a call. The stage wraps the matcher and changes nothing. @module */
import type { Transcript } from "../event/transcript.ts";
import type { MatchEvent, NoteEvent, TextEndEvent } from "../../engine/event/event.ts";
import type { Reason } from "../../engine/event/reason.ts";
import { REASONS } from "../../engine/event/reasons.ts";
import type { Sink, TextStage } from "../../engine/event/stage.ts";
import { type Evidence, findEvidence } from "./evidence.ts";
import type { TextPart } from "./shown.ts";
import type { ToolNames } from "./tool_names.ts";

const NO_RULE = "none";

/** This much of an answer's beginning is looked at, in characters. */
const TEXT_MAXIMUM = 256 * 1024;

/** More evidence of one answer is not looked at. */
const EVIDENCE_MAXIMUM = 16;

/** Decisions after which text is not a near miss: a rule read a call there, and the code states why none was made. */
const SETTLED: ReadonlySet<Reason> = new Set([
  "below_confidence",
  "echo",
  "missing_required",
  "not_whitelisted",
  "over_limit",
  "quoted",
  "text_follows",
  "truncated",
]);

interface NearMissOptions {
  /** The names of the offered tools; called at most once for each answer. */
  readonly names: () => ToolNames;
  /** Whether calls are shown at a place of the answer, not meant. */
  readonly isShown: (part: TextPart) => boolean;
  readonly beginsInReasoning: boolean;
}

export class NearMissWatch implements TextStage {
  readonly #matcher: TextStage;
  readonly #options: NearMissOptions;
  readonly #sink: Sink;
  readonly #transcript: Transcript;
  #out: Sink | undefined;
  /** Whether the answer has no call, so that it can be a near miss. */
  #isOpen = true;
  /** Where the matcher decided, and why. */
  readonly #settled: NoteEvent[] = [];

  /** Wraps a matcher, whose text the transcript has. */
  constructor(matcher: TextStage, options: NearMissOptions, transcript: Transcript) {
    this.#matcher = matcher;
    this.#transcript = transcript;
    this.#options = options;
    this.#sink = { push: (event) => this.#pass(event) };
  }

  /** From where on the notes about the text can still cite it. */
  get citedFrom(): number {
    return this.#isOpen ? 0 : this.#matcher.citedFrom ?? 0;
  }

  /** Passes everything to the matcher and what it gives on; adds a note if the text ends as a near miss. */
  push(event: MatchEvent, out: Sink): void {
    if (!this.#isOpen) return this.#matcher.push(event, out);
    this.#out = out;
    this.#matcher.push(event, this.#sink);
    if (event.kind === "text_end") this.#end(event, out);
  }

  #end({ isAnswered }: TextEndEvent, out: Sink): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const found = isAnswered ? undefined : this.#find(this.#transcript.beginning(TEXT_MAXIMUM) ?? "");
    if (found !== undefined) out.push({ kind: "note", reason: "near_miss", rule: NO_RULE, ...found });
  }

  #pass(event: MatchEvent): void {
    if (event.kind !== "text") {
      if (event.kind === "call_start") this.#isOpen = false;
      if (event.kind === "note") this.#note(event);
    }
    this.#out?.push(event);
  }

  #note(note: NoteEvent): void {
    const entry = REASONS[note.reason];
    if (entry.kind === "decision" && entry.outcome !== "abstained") this.#isOpen = false;
    if (SETTLED.has(note.reason)) this.#settled.push(note);
  }

  #find(text: string): Evidence | undefined {
    let count = 0;
    const shownText = withoutDeepQuotations(text);
    const { beginsInReasoning } = this.#options;
    // Each look reads the text once more; what is left counts as shown.
    const isShown = (start: number, end: number) =>
      ++count > EVIDENCE_MAXIMUM || this.#options.isShown({ text: shownText, start, end, beginsInReasoning });
    for (const found of findEvidence(text, this.#options.names(), isShown)) {
      if (!this.#isSettled(found) && !isShown(found.start, found.end)) return found;
    }
    return undefined;
  }

  #isSettled({ start, end }: Evidence): boolean {
    return this.#settled.some((note) => note.start < end && start < note.end);
  }
}

/** Several `>` that lead a line are a dialect's sign rather than a quotation in a quotation: `>> path: a`. */
function withoutDeepQuotations(text: string): string {
  if (!text.includes(">>")) return text;
  return text.split("\n").map((line) => {
    const signs = /^>{2,}/.exec(line)?.[0].length ?? 0;
    return signs === 0 ? line : "»".repeat(signs) + line.slice(signs);
  }).join("\n");
}

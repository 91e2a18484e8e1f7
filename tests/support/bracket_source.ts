/**
 * A stand-in for the matcher, for tests of what lies around it: `[[tool {json}]]` is a call. It announces a call
 * at the blank after the name, lets arguments flow, and holds back whatever may still become a bracket.
 *
 * @module
 */
import type { AnswerEvent } from "../../src/chat/event/event.ts";
import type { Sink } from "../../src/chat/event/stage.ts";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import type { TextStage } from "../../src/engine/event/stage.ts";

/** Reads `[[tool {json}]]`. */
export class BracketSource implements TextStage {
  #held = "";
  #isInCall = false;
  #count = 0;

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "text") {
      const events = this.#feed(event.text);
      const [only] = events;
      // Text that comes out as it went in is the same event.
      const isSame = events.length === 1 && only?.kind === "text" && only.text === event.text;
      for (const each of isSame ? [event] : events) out.push(each);
    } else if (event.kind === "text_end") this.#end(event.truncated).forEach((each) => out.push(each));
    else out.push(event);
  }

  #feed(text: string): ContentEvent[] {
    const events: ContentEvent[] = [];
    this.#held += text;
    for (;;) {
      const found = this.#isInCall ? this.#readArguments(events) : this.#readText(events);
      if (!found) return events;
    }
  }

  #end(truncated: boolean): ContentEvent[] {
    const rest = this.#held;
    this.#held = "";
    if (this.#isInCall) return [{ kind: "call_abort", call: this.#count - 1, reason: "truncated" }];
    if (truncated && rest !== "") {
      const note = {
        kind: "note",
        reason: "truncated",
        rule: "bracket",
        start: 0,
        end: rest.length,
      } as const;
      return [note, { kind: "text", text: rest }];
    }
    return rest === "" ? [] : [{ kind: "text", text: rest }];
  }

  #readText(events: ContentEvent[]): boolean {
    const call = /^([^]*?)\[\[(\w+) /.exec(this.#held);
    const text = call?.[1] ?? this.#held.slice(0, this.#held.search(/\[(?:\[\w*)?$|$/));
    if (text !== "") events.push({ kind: "text", text });
    this.#held = this.#held.slice(call?.[0].length ?? text.length);
    if (call === null) return false;
    events.push({
      kind: "call_start",
      call: this.#count++,
      tool: call[2] ?? "",
      rule: "bracket",
      confidence: 1,
    });
    this.#isInCall = true;
    return true;
  }

  #readArguments(events: ContentEvent[]): boolean {
    const close = this.#held.indexOf("]]");
    const json = this.#held.slice(0, close < 0 ? this.#held.search(/\]?$/) : close);
    if (json !== "") events.push({ kind: "arguments", call: this.#count - 1, json });
    this.#held = this.#held.slice(json.length + (close < 0 ? 0 : 2));
    if (close < 0) return false;
    events.push({ kind: "call_end", call: this.#count - 1 });
    this.#isInCall = false;
    return true;
  }
}

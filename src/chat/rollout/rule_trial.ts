/** Rules on trial (`policy.dry_run_rules`): they read along with the live ones, and only leave notes. @module */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { TextStage } from "../../engine/event/stage.ts";
import { reasonInMode } from "./canary.ts";

interface RuleTrial {
  readonly live: TextStage;
  readonly all: TextStage;
  readonly rules: ReadonlySet<string>;
}

/** A stage that gives what the live rules find, and a note of what those on trial would do. */
export function tryRules({ live, all, rules }: RuleTrial): TextStage {
  const notes = new TrialNotes(rules);
  return {
    get citedFrom() {
      return Math.min(live.citedFrom ?? 0, all.citedFrom ?? 0);
    },
    push(event, out) {
      notes.out = out;
      live.push(event, out);
      all.push(event, notes);
    },
  };
}

/** Lets only the notes of the rules on trial through, reworded. */
class TrialNotes implements Sink {
  readonly #rules: ReadonlySet<string>;
  out: Sink | undefined;

  constructor(rules: ReadonlySet<string>) {
    this.#rules = rules;
  }

  push(event: AnswerEvent): void {
    if (event.kind !== "note" || !this.#rules.has(event.rule)) return;
    // The call's number is one of the other reading: here it would name another call.
    const { call: _call, ...note } = event;
    this.out?.push({ ...note, reason: reasonInMode(note.reason, "dry_run") });
  }
}

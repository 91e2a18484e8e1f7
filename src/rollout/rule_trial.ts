/**
 * Rules on trial (`policy.dry_run_rules`): the answer is read by the rules that are live, and beside it by all of
 * them. Only what the live ones find reaches the client; of the others only the decisions are heard. In: text.
 * Out: the live events, and the notes of the rules on trial.
 *
 * @module
 */
import type { Event } from "../event/event.ts";
import type { EventSource } from "../pipeline/choice.ts";
import { reasonInMode } from "./mode.ts";

/** Two readers of one text. */
export interface RuleTrial {
  /** Reads with the live rules. */
  readonly live: EventSource;
  /** Reads with all rules. */
  readonly all: EventSource;
  /** The names of the rules on trial. */
  readonly rules: ReadonlySet<string>;
}

/** A source that says what the live rules find, and notes what those on trial would do. */
export function tryRules({ live, all, rules }: RuleTrial): EventSource {
  const notesOf = (events: readonly Event[]) =>
    events.flatMap((event): Event[] => {
      if (event.kind !== "note" || !rules.has(event.rule)) return [];
      // The call's number is one of the other reading: here it would name another call.
      const { call: _call, ...note } = event;
      return [{ ...note, reason: reasonInMode(note.reason, "dry_run") }];
    });
  return {
    feed: (text) => [...live.feed(text), ...notesOf(all.feed(text))],
    reason(text) {
      live.reason(text);
      all.reason(text);
    },
    end: (options) => [...live.end(options), ...notesOf(all.end(options))],
  };
}

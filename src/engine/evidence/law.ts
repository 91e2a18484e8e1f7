/** Why evidence makes no call of a text. @module */

/**
 * - `no_arguments`, `no_envelope`, `no_name_first`: nothing that can be the tool's arguments follows, or an object doesn't
 *   begin as a call does.
 * - `value`: a reading with less damage has a value that breaks a law of values.
 * - `two_readings`: two readings with other arguments are nearly as good.
 * - `damage`: more is damaged than a call can have.
 * - `markup`: an element of HTML.
 * - `shown`: in code, a quotation, a table, a list, an element that shows text, or introduced as an example.
 * - `sentence`: a part of a sentence.
 * - `text_follows`: the answer goes on after what should have ended it.
 * - `mark_left`: a mark or a bracket of the call would be left.
 * - `cut_off`: the answer was cut off in it.
 * - `part`: another call of the same answer can't be read.
 */
export type Law =
  | "no_arguments"
  | "no_envelope"
  | "no_name_first"
  | "value"
  | "two_readings"
  | "damage"
  | "markup"
  | "shown"
  | "sentence"
  | "text_follows"
  | "mark_left"
  | "cut_off"
  | "part";

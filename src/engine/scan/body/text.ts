/**
 * Reads a hole of plain text up to the closer. The rule's mapping states which parameter the text is.
 *
 *     ```sh
 *     npm test
 *     ^^^^^^^^ command
 *     ```
 *
 * @module
 */
import type { Automaton } from "../../pattern/automaton.ts";
import { END } from "../../pattern/node.ts";
import { Search } from "../../pattern/search.ts";
import { type BodyReader, type Failure, malformed, type Progress, TRUNCATED } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import type { CompiledRule } from "../compiled_rule.ts";
import type { CommandCheck } from "../program.ts";
import { hasCloser } from "../ending.ts";
import { type RuleAutomata, TEXT } from "../rule_automata.ts";
import { ValueWriter } from "./value_writer.ts";

/** Reads text up to a closer and passes it on whole. */
export class TextBody implements BodyReader {
  /** Absent if nothing closes the text, because the whole call is in the opener. */
  readonly #search: Search | undefined;
  readonly #value: Automaton | undefined;
  readonly #whole: (text: string) => Progress;
  #text = "";

  /** @param whole receives the text after its closer */
  constructor(automata: RuleAutomata, whole: (text: string) => Progress) {
    this.#search = hasCloser(automata.rule) ? new Search(automata.text()) : undefined;
    this.#value = automata.textValue();
    this.#whole = whole;
  }

  read(cursor: Cursor): Progress {
    if (this.#search === undefined) return this.#readNothing(cursor);
    const found = this.#search.next(cursor);
    if (found.type === "nothing") {
      this.#text += cursor.take(cursor.text.length);
      return cursor.isEnd ? TRUNCATED : "more";
    }
    this.#text += cursor.take(found.start);
    if (found.type === "held") return "more";
    if (found.alternative === TEXT.stranger) return NOT_THE_GROUP;
    const { end } = this.#search.capture(found, cursor.text);
    if (end === found.start && end === cursor.text.length && cursor.isTruncated) return TRUNCATED;
    cursor.at = end;
    return this.#value === undefined || isWhole(this.#value, this.#text)
      ? this.#whole(this.#text)
      : NOT_THE_GROUP;
  }

  /** Where an answer was cut, the opener may have gone on. */
  #readNothing(cursor: Cursor): Progress {
    if (cursor.at < cursor.text.length) return this.#whole("");
    if (!cursor.isEnd) return "more";
    return cursor.isTruncated ? TRUNCATED : this.#whole("");
  }
}

const NOT_THE_GROUP: Failure = malformed("the text does not match its group");

/** Whether an automaton matches a whole text. */
function isWhole(automaton: Automaton, text: string): boolean {
  let state = automaton.start(false);
  for (let at = 0; at < text.length && state !== null; at++) {
    state = automaton.step(state, text.charCodeAt(at));
  }
  state = state && automaton.step(state, END);
  return state !== null && state.accepted.length > 0;
}

/** Writes the body as one parameter's value, after checking the whitelist of commands. */
export function writeText(
  calls: Calls,
  options: { rule: CompiledRule; text: string; isAllowedCommand: CommandCheck | undefined },
): Progress {
  const { rule, text, isAllowedCommand } = options;
  if (rule.commands && !isAllowedCommand?.(text, rule.commands)) return { reason: "not_whitelisted" };
  const writer = calls.beginNamed();
  writer.begin("object");
  const group = rule.body.kind === "text" ? rule.body.group : undefined;
  const sources: Readonly<Record<string, string>> = {
    ...calls.groups,
    ...group === undefined ? {} : { [group]: text },
    body: text,
  };
  for (const [parameter, source] of Object.entries(rule.mapping?.from ?? { body: "body" })) {
    const written = sources[source];
    // An optional group took no part.
    if (written === undefined) continue;
    // The writer renames a capture to its parameter.
    writer.key(source);
    const value = new ValueWriter(writer, parameter);
    value.write(written);
    if (value.finish().isKeptAsText) calls.repair("value_kept_as_text", parameter);
  }
  writer.end();
  calls.finish();
  return "closed";
}

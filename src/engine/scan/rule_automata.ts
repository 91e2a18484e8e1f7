/**
 * What the readers of a call's body search with: the automata of its rule, for the texts to which the patterns refer. All
 * patterns are derived from the rule, so its author writes one pattern without guards, wrappers or examples inside values.
 *
 * @module
 */
import type { Automaton, Texts } from "../pattern/automaton.ts";
import type { Alternative } from "../pattern/nfa.ts";
import { ANSWER_END, complement, literal, MARK, NEVER, sequence, spaces } from "../pattern/node.ts";
import { repeatedCharacters } from "../pattern/unmarked_hole.ts";
import type { Automata } from "./automata.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import { another, isLineBreak, required, wholeCloser } from "./ending.ts";
import { beforeLookAhead } from "./rewrite.ts";
import {
  betweenPatterns,
  closerOf,
  type ItemBody,
  nestedPatterns,
  valuePatterns,
  type WrittenValue,
} from "./tagged_patterns.ts";

/** Alternatives of `text`: the closer, the end of the answer in the place of a line break, and a character of another text. */
export const TEXT = { closer: 0, end: 1, stranger: 2 } as const;

/** Alternatives of `evidence`: the closer follows after all, or the next call. */
export const EVIDENCE = { closer: 0, opener: 1 } as const;

/** Alternatives of `closing`: what can follow a whole JSON value. */
export const CLOSING = { closer: 0, end: 1, opener: 2, brace: 3, another: 4 } as const;

export const NESTED_ITEM = { closer: 0, opener: 1 } as const;

export class RuleAutomata {
  readonly #automata: Automata;

  constructor(automata: Automata, readonly rule: CompiledRule, readonly texts: Texts) {
    this.#automata = automata;
  }

  with(texts: Texts): RuleAutomata {
    return new RuleAutomata(this.#automata, this.rule, texts);
  }

  /** The closer of a plain text body, and a character that its group can't have. */
  text(): Automaton {
    const { body, closer } = this.rule;
    const repeated = body.kind === "text" && body.value ? repeatedCharacters(body.value) : undefined;
    return this.#keep("text", () => [
      { node: wholeCloser(this.rule), priority: 0 },
      { node: isLineBreak(closer) ? ANSWER_END : NEVER, priority: 1 },
      {
        node: repeated ? { type: "characters", ranges: complement(repeated.ranges) } : NEVER,
        priority: 1,
      },
    ]);
  }

  /** What the whole text of a plain text body must match; undefined: anything. */
  textValue(): Automaton | undefined {
    const { body } = this.rule;
    const value = body.kind === "text" ? body.value : undefined;
    return value && this.#keep("text value", () => [{ node: sequence(value, ANSWER_END), priority: 0 }]);
  }

  /** What can follow a whole JSON value. */
  closing(): Automaton {
    return this.#keep("closing", () => [
      { node: sequence(spaces, required(wholeCloser(this.rule))), priority: 0 },
      { node: sequence(MARK, spaces, ANSWER_END), priority: 1 },
      { node: sequence(MARK, spaces, beforeLookAhead(this.rule.opener)), priority: 1 },
      { node: sequence(spaces, literal("}")), priority: 1 },
      { node: another(this.rule), priority: 1 },
    ]);
  }

  /** What proves, after a whole value and text that doesn't close it, whether the value really was whole. */
  evidence(): Automaton {
    return this.#keep("evidence", () => [
      { node: required(wholeCloser(this.rule)), priority: 0 },
      { node: sequence(MARK, beforeLookAhead(this.rule.opener)), priority: 0 },
    ]);
  }

  /** The closer of a call and the opener of the next one, inside text that looks like the call's JSON. */
  neighbor(): Automaton {
    const { rule } = this;
    const node = sequence(required(wholeCloser(rule)), MARK, spaces, beforeLookAhead(rule.opener));
    return this.#keep("neighbor", () => [{ node, priority: 0 }]);
  }

  opener(): Automaton {
    return this.#keep("opener", () => [
      { node: sequence(MARK, beforeLookAhead(this.rule.opener)), priority: 0 },
    ]);
  }

  /** What can come between two items of a tagged body. */
  between(body: ItemBody, isWrapped: boolean): Automaton {
    return this.#keep(
      `between${isWrapped ? " wrapped" : ""}`,
      () => betweenPatterns(this.rule, body, { isWrapped, next: this.#next }),
    );
  }

  item(body: ItemBody): Automaton {
    return this.#keep("item", () => [{ node: body.itemOpener, priority: 0 }]);
  }

  /** What ends a value or has a meaning in it. */
  value(body: ItemBody, written: WrittenValue): Automaton {
    return this.#keep(
      `value${writtenAs(written)}`,
      () => valuePatterns(this.rule, body, { ...written, next: this.#next }),
    );
  }

  /** What ends an example of a call, or the value that only mentions one. */
  nested(body: ItemBody, written: WrittenValue): Automaton {
    return this.#keep(
      `nested${writtenAs(written)}`,
      () => nestedPatterns(this.rule, body, { ...written, next: this.#next }),
    );
  }

  /** What ends an item inside a value, and what opens another item in it. */
  nestedItem(body: ItemBody): Automaton {
    return this.#keep("nested item", () => [
      { node: closerOf(body), priority: 0 },
      { node: body.itemOpener, priority: 0 },
    ]);
  }

  get #next() {
    return this.#automata.inSameWrapper(this.rule);
  }

  #keep(what: string, make: () => Alternative[]): Automaton {
    return this.#automata.keep({ what: `${this.rule.rank} ${what}`, texts: this.texts }, make);
  }
}

/** The notation of a value, as a part of a name. */
function writtenAs({ isWrapped, isInline, form, containers }: WrittenValue): string {
  return `${isWrapped ? " wrapped" : ""}${isInline ? " inline" : ""} ${form} ${containers.join(" ")}`;
}

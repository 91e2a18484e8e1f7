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
import { Search } from "../../pattern/search.ts";
import { type BodyReader, type Progress, TRUNCATED } from "../body_reader.ts";
import type { Calls } from "../calls.ts";
import type { Cursor } from "../cursor.ts";
import type { CompiledRule } from "../compiled_rule.ts";
import type { CommandCheck } from "../program.ts";
import type { RuleAutomata } from "../rule_automata.ts";
import { ValueWriter } from "./value_writer.ts";

/** Reads text up to a closer and passes it on whole. */
export class TextBody implements BodyReader {
  readonly #search: Search;
  readonly #whole: (text: string) => Progress;
  #text = "";

  /** @param whole receives the text after its closer */
  constructor(automata: RuleAutomata, whole: (text: string) => Progress) {
    this.#search = new Search(automata.text());
    this.#whole = whole;
  }

  read(cursor: Cursor): Progress {
    const found = this.#search.next(cursor);
    if (found.type === "nothing") {
      this.#text += cursor.take(cursor.text.length);
      return cursor.isEnd ? TRUNCATED : "more";
    }
    this.#text += cursor.take(found.start);
    if (found.type === "held") return "more";
    cursor.at = this.#search.capture(found, cursor.text).end;
    return this.#whole(this.#text);
  }
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
  const sources: Readonly<Record<string, string>> = { ...calls.groups, body: text };
  for (const [parameter, source] of Object.entries(rule.mapping?.from ?? { body: "body" })) {
    // The writer renames a capture to its parameter.
    writer.key(source);
    const value = new ValueWriter(writer, parameter);
    value.write(sources[source] ?? "");
    if (value.finish().isKeptAsText) calls.repair("value_kept_as_text", parameter);
  }
  writer.end();
  calls.finish();
  return "closed";
}

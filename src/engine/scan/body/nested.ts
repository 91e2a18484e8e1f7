/**
 * Reads a value that contains items in the rule's notation, which becomes an object or a list:
 *
 *     <location><city>NYC</city><zip>10001</zip></location>   →   {"location": {"city": "NYC", "zip": 10001}}
 *               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ read here
 *
 * @module
 */
import { Search } from "../../pattern/search.ts";
import { type Automata, NESTED_ITEM, type Texts } from "../automata.ts";
import { Cursor } from "../cursor.ts";
import type { Body, CompiledRule } from "../compiled_rule.ts";
import { DEPTH_MAXIMUM, type XmlElement } from "./element.ts";

/** The options for reading items. */
export interface NestedOptions {
  readonly rule: CompiledRule;
  readonly body: Extract<Body, { kind: "tagged" }>;
  readonly automata: Automata;
  readonly texts: Texts;
}

/** A value as an element, or undefined if its items aren't closed or nest too deeply. */
export function readNested(key: string, value: string, options: NestedOptions): XmlElement | undefined {
  const { rule, body, automata, texts } = options;
  const root: XmlElement = { name: key, children: [], text: "" };
  const stack: XmlElement[] = [root];
  const cursor = new Cursor();
  cursor.append(value);
  cursor.finish();
  for (;;) {
    const element = stack.at(-1)!;
    const automaton = automata.nestedItem(rule, body, { ...texts, key: element.name });
    const search = new Search(automaton);
    const found = search.next(cursor);
    if (found.type !== "match") {
      element.text += cursor.take(cursor.text.length);
      return stack.length === 1 ? root : undefined;
    }
    element.text += cursor.take(found.start);
    const { groups: { key: name = "" }, end } = search.capture(found, cursor.text);
    cursor.at = end;
    if (found.alternative === NESTED_ITEM.opener) {
      const child: XmlElement = { name, children: [], text: "" };
      element.children.push(child);
      stack.push(child);
      if (stack.length > DEPTH_MAXIMUM) return undefined;
    } else if (stack.length > 1) stack.pop();
    else return undefined;
  }
}

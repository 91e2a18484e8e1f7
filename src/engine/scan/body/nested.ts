/**
 * Reads a value that contains items in the rule's notation, which becomes an object or a list:
 *
 *     <location><city>NYC</city><zip>10001</zip></location>   →   {"location": {"city": "NYC", "zip": 10001}}
 *               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ read here
 *
 * @module
 */
import { Search } from "../../pattern/search.ts";
import { Cursor } from "../cursor.ts";
import { NESTED_ITEM, type RuleAutomata } from "../rule_automata.ts";
import type { ItemBody } from "../tagged_patterns.ts";
import { DEPTH_MAXIMUM, type XmlElement } from "./element.ts";

/** A value as an element, or undefined if its items aren't closed, nest too deeply or have text between them. */
export function readNested(
  key: string,
  value: string,
  { automata, body }: { readonly automata: RuleAutomata; readonly body: ItemBody },
): XmlElement | undefined {
  const root: XmlElement = { name: key, children: [], text: "" };
  const stack: XmlElement[] = [root];
  const cursor = new Cursor();
  cursor.append(value);
  cursor.finish();
  for (;;) {
    const element = stack.at(-1)!;
    const search = new Search(automata.with({ ...automata.texts, key: element.name }).nestedItem(body));
    const found = search.next(cursor);
    if (found.type !== "match") {
      element.text += cursor.take(cursor.text.length);
      return stack.length === 1 && !isMixed(root) ? root : undefined;
    }
    element.text += cursor.take(found.start);
    const { groups: { key: name = "" }, end } = search.capture(found, cursor.text);
    cursor.at = end;
    if (found.alternative === NESTED_ITEM.opener) {
      const child: XmlElement = { name, children: [], text: "" };
      element.children.push(child);
      stack.push(child);
      if (stack.length > DEPTH_MAXIMUM) return undefined;
    } else if (stack.length > 1 && !isMixed(element)) stack.pop();
    else return undefined;
  }
}

/** Whether text is between items: no object or list has a place for it. */
function isMixed({ children, text }: XmlElement): boolean {
  return children.length > 0 && text.trim() !== "";
}

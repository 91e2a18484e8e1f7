/**
 * The hole is nested elements: they become an object, repeated ones a list, and the text in the innermost is read
 * as the tool's schema asks. Nothing is decoded; markup that is not well formed is no call.
 *
 *     <args><file><path>a.ts</path></file></args>   →   {"args": {"file": {"path": "a.ts"}}}
 *
 * @module
 */
// No shipped rule has such a body, so the parser loads with the first rule that has one.
import defer * as saxes from "saxes";
import { parameterSchema } from "../../tool/schema.ts";
import type { CallSink, Progress } from "../call_sink.ts";
import { DEPTH_MAXIMUM, elementsToJson, groupElements, type XmlElement } from "./element.ts";

/** The body as arguments. */
export function writeXml(sink: CallSink, text: string): Progress {
  const root = parseElements(text);
  if (!root || (root.children.length === 0 && root.text.trim() !== "")) {
    return { reason: "malformed", detail: "not well-formed XML" };
  }
  const writer = sink.beginNamed();
  writer.begin("object");
  for (const [name, elements] of groupElements(root.children)) {
    writer.key(name);
    writer.value(
      elementsToJson(elements, { schema: parameterSchema(writer.tool.schema, name), tool: writer.tool }),
    );
  }
  writer.end();
  sink.finish();
  return "closed";
}

/** The elements of a text, or undefined if it is not well formed. */
function parseElements(text: string): XmlElement | undefined {
  const root: XmlElement = { name: "", children: [], text: "" };
  const stack: XmlElement[] = [root];
  const parser = new saxes.SaxesParser({ fragment: true });
  let isBroken = false;
  parser.on("error", () => isBroken = true);
  parser.on("opentag", (tag) => {
    const element: XmlElement = { name: tag.name, children: [], text: "" };
    stack.at(-1)?.children.push(element);
    stack.push(element);
    if (stack.length > DEPTH_MAXIMUM) isBroken = true;
  });
  parser.on("closetag", () => stack.pop());
  parser.on("text", (piece) => {
    const element = stack.at(-1);
    if (element) element.text += piece;
  });
  parser.on("cdata", (piece) => {
    const element = stack.at(-1);
    // Nothing is decoded in here, so the ampersands that were hidden must come back.
    if (element) element.text += piece.replaceAll("&amp;", "&");
  });
  // An entity stays what the model wrote: the parser would decode it, so its ampersand is hidden from it.
  parser.write(text.replaceAll("&", "&amp;")).close();
  return isBroken ? undefined : root;
}

/**
 * Translates a small answer before the first request, which would otherwise wait until the rules' automata are built.
 *
 * @module
 */
import { translateWhole } from "../../chat/pipeline/whole.ts";
import type { Service } from "./service.ts";

const REQUEST = { messages: [], tools: [{ type: "function", function: { name: "warm_up" } }] };

/** Text, a fence, JSON and a tag: what most rules look at. */
const ANSWER = JSON.stringify({
  choices: [{
    message: { content: 'Hello.\n```ts\nconst a = [1];\n```\n{"a": 1} <b>x</b>' },
    finish_reason: "stop",
  }],
});

/** Makes a service ready for its first request; it keeps and reports nothing. */
export function warmUp(service: Service): void {
  const translator = service.recognize(REQUEST, new Headers());
  if (translator === undefined) return;
  translateWhole(ANSWER, {
    createMatcher: () => translator.createMatcher(),
    createRenderer: () => translator.createRenderer(() => "warm_up"),
  });
}

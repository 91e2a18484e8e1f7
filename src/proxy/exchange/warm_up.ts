/** Translates a small answer before the first request, which would otherwise have to wait for the rules' automata. @module */
import { translateWhole } from "../../chat/pipeline/whole.ts";
import type { Service } from "./service.ts";

const REQUEST = { messages: [], tools: [{ type: "function", function: { name: "warm_up" } }] };

/** Text, a fence, JSON and a tag, which most rules read. */
const ANSWER = JSON.stringify({
  choices: [{
    message: { content: 'Hello.\n```ts\nconst a = [1];\n```\n{"a": 1} <b>x</b>' },
    finish_reason: "stop",
  }],
});

/** Prepares a service for its first request. Keeps and reports nothing. */
export function warmUp(service: Service): void {
  const translator = service.recognize(REQUEST, new Headers());
  if (translator === undefined) return;
  translateWhole(ANSWER, {
    createMatcher: (transcript) => translator.createMatcher({}, transcript),
    createRenderer: () => translator.createRenderer(() => "warm_up"),
  });
}

import assert from "node:assert/strict";
import { warmUp } from "../../../src/proxy/exchange/warm_up.ts";
import { BracketSource } from "../../support/bracket_source.ts";
import { bracketService, testConfig } from "../../support/proxy.ts";

Deno.test("warmUp reads an answer with the rules of a service", () => {
  const service = bracketService(testConfig());
  const texts: string[] = [];
  class Spy extends BracketSource {
    override push(...[event, out]: Parameters<BracketSource["push"]>): void {
      if (event.kind === "text") texts.push(event.text);
      super.push(event, out);
    }
  }
  warmUp({
    ...service,
    recognize: (...asked) => {
      const translator = service.recognize(...asked);
      return translator && { ...translator, createMatcher: () => new Spy() };
    },
  });
  assert.match(texts.join(""), /```ts\n.*\n```\n\{"a": 1\} <b>/);
});

Deno.test("warmUp does nothing if no rule is on", () => {
  warmUp({ ...bracketService(testConfig()), recognize: () => undefined });
});

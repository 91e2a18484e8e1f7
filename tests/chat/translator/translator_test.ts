import assert from "node:assert/strict";
import { collect, textAnswer } from "../../../src/engine/event/stage.ts";
import { createTranslators, type PluginDemands } from "../../../src/chat/translator/translator.ts";
import { DEMO_RULE, demoParts } from "../../support/demo_parts.ts";
import { TOOLS } from "../../support/proxy.ts";

const translators = () => createTranslators(demoParts({ rules: [{ ...DEMO_RULE, commit: "open" }] }));

/** The kinds of events before an unfinished call's end. */
function begun(demands?: PluginDemands): string[] {
  const { recognize, translatorOf } = translators();
  const recognized = recognize({ tools: TOOLS }, new Headers());
  assert.ok(recognized);
  const translator = translatorOf(recognized, demands);
  assert.equal(translator.name, "openai");
  // The end of the text is left out.
  const unfinished = [...textAnswer(['<call t>{"b":'])].slice(0, -1);
  return collect(translator.createMatcher(), unfinished).map(({ kind }) => kind);
}

Deno.test("createTranslators announces calls early unless plugins need whole ones", () => {
  assert.ok(begun().includes("call_start"));
  assert.ok(!begun({ wholeCalls: true, decidesLater: false }).includes("call_start"));
});

Deno.test("createTranslators knows no client of a request without tools, and each remark is news once", () => {
  const { recognize, isNews } = translators();
  assert.equal(recognize({}, new Headers()), undefined);
  assert.deepEqual([isNews("a"), isNews("a"), isNews("b")], [true, false, true]);
});

import assert from "node:assert/strict";
import { collect, textAnswer } from "../../../src/engine/event/stage.ts";
import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import { createChoice } from "../../../src/chat/pipeline/pipeline.ts";
import { Texts } from "../../../src/chat/pipeline/texts.ts";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { NearMissWatch } from "../../../src/chat/near_miss/near_miss.ts";
import { createShownCheck } from "../../../src/chat/near_miss/shown.ts";
import { ToolNames } from "../../../src/chat/near_miss/tool_names.ts";
import { loadRules } from "../../../src/engine/rule/load.ts";
import { noSettings } from "../../../src/engine/rule/read.ts";
import { Matcher } from "../../../src/engine/scan/matcher.ts";
import { offer } from "../../../src/engine/tool/offered.ts";
import { OFFERED_NAMES, ordinaryText } from "../../support/ordinary_text.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";

const { program } = await loadRules({
  folders: [],
  settings: noSettings,
  workingDirectory: Deno.cwd(),
});
const isShown = createShownCheck(program);
const string = { type: "string" };
const properties = { path: string, city: string, query: string, command: string };
const OFFERED = offer(OFFERED_NAMES.map((name) => ({ name, schema: { type: "object", properties } })));

/** The events of an answer in pieces. */
function read(pieces: readonly string[], { truncated = false } = {}) {
  const names = () => new ToolNames(OFFERED);
  const texts = new Texts((transcript) => {
    const matcher = new Matcher(program, { offered: OFFERED, minimumConfidence: 0.9, wholeCalls: false });
    return new NearMissWatch(matcher, { names, isShown, beginsInReasoning: false }, transcript);
  });
  return collect<AnswerEvent>(texts, textAnswer(pieces, { truncated }));
}

function misses(pieces: readonly string[]) {
  return read(pieces).filter((event) => event.kind === "note" && event.reason === "near_miss");
}

const MISS = "I do.\n@@invoke read_file\n@arg path = a.txt\n@@end\n";

Deno.test("NearMissWatch notes an answer that no rule reads, in any cut, and changes no text", () => {
  const expected = [{
    kind: "note",
    reason: "near_miss",
    rule: "none",
    tool: "read_file",
    start: 6,
    end: MISS.indexOf("\n@@end"),
  }];
  assert.deepEqual(misses([MISS]), expected);
  assert.deepEqual(misses([...MISS]), expected);
  for (let cut = 1; cut < MISS.length; cut++) {
    assert.deepEqual(misses([MISS.slice(0, cut), MISS.slice(cut)]), expected);
  }
  const text = read([...MISS]).flatMap((event) => event.kind === "text" ? [event.text] : []).join("");
  assert.equal(text, MISS);
});

Deno.test("NearMissWatch takes several > for a dialect's sign, and one for a quotation", () => {
  const lines = (sign: string) => `I do.\n\n${sign} OPERATION: read_file\n${sign} path: a.txt\n`;
  assert.equal(misses([lines(">>")]).length, 1);
  assert.deepEqual(misses([lines(">")]), []);
});

Deno.test("NearMissWatch notes nothing once the answer has a call", () => {
  const call =
    "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>\n";
  assert.deepEqual(misses([MISS, call]), []);
});

Deno.test("NearMissWatch leaves text alone that a decision explains", () => {
  const cut = "<tool_call>\n<function=read_file>\n<parameter=path>\na.t";
  const reasons = read([cut], { truncated: true }).flatMap((event) =>
    event.kind === "note" ? [event.reason] : []
  );
  assert.deepEqual(reasons, ["truncated"]);
});

Deno.test("NearMissWatch looks at no more than the beginning of a long answer", () => {
  assert.equal(misses([MISS, "x".repeat(2_000_000)]).length, 1);
  assert.equal(misses(["word ".repeat(200_000), MISS]).length, 0);
});

Deno.test("NearMissWatch notes no ordinary answer", () => {
  for (let number = 0; number < (IS_THOROUGH ? 2000 : 400); number++) {
    const text = ordinaryText(number);
    assert.deepEqual(misses([text]), [], text);
  }
});

Deno.test("The note of a near miss has its text, however long the answer is and however it is cut", () => {
  const names = () => new ToolNames(OFFERED);
  const text = `${MISS}${"word ".repeat(2000)}`;
  for (const pieces of [[text], text.match(/[^]{1,7}/g) ?? []]) {
    const sources: (string | undefined)[] = [];
    const choice = createChoice({
      createMatcher: (transcript) => {
        const matcher = new Matcher(program, { offered: OFFERED, minimumConfidence: 0.9, wholeCalls: false });
        return new NearMissWatch(matcher, { names, isShown, beginsInReasoning: false }, transcript);
      },
      createRenderer: () => new ToolCallRenderer(() => "call_1"),
      listener: { event: (_, { source }) => void sources.push(source) },
    }, 0);
    for (const piece of pieces) finish(choice.take({ reason: null, text: piece }, undefined));
    finish(choice.take({ reason: "stop" }, undefined));
    assert.deepEqual(sources, [MISS.slice(6, MISS.indexOf("\n@@end"))]);
  }
});

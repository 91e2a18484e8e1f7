import assert from "node:assert/strict";
import { Choices } from "../../../src/chat/pipeline/choices.ts";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";

function open(choiceCount = 1): Choices {
  return new Choices({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1", { isOneCall: true }),
    choiceCount,
  });
}

Deno.test("Choices gives one choice for each index, and none beyond its limit", () => {
  const choices = open();
  assert.equal(choices.at(3), choices.at(3));
  for (let index = 4; index < 131; index++) assert.ok(choices.at(index));
  assert.deepEqual([choices.at(131), choices.open.length], [undefined, 128]);
});

Deno.test("Choices is over when as many choices as were asked for are", () => {
  const choices = open(2);
  finish(choices.at(0)!.take({ text: "x", reason: "stop" }, undefined));
  assert.equal(choices.isEnded, false);
  finish(choices.at(1)!.take({ text: "[[t {}]]", reason: "stop" }, undefined));
  assert.deepEqual([choices.isEnded, choices.isEndedWithCall, choices.isEndedEarly], [true, true, false]);
});

Deno.test("Choices is satisfied when its clients take no more", () => {
  const choices = open();
  finish(choices.at(0)!.take({ text: "[[t {}]][[u {}]]", reason: null }, undefined));
  assert.deepEqual([choices.isEndedEarly, choices.open], [true, []]);
});

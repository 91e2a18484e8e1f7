import assert from "node:assert/strict";
import { choose, type Question } from "../../src/cli/question.ts";
import { createTestContext } from "../support/context.ts";

const QUESTION: Question = { text: "Which one?", choices: ["red", "blue"], notes: { red: "it runs" } };

function ask(answers: readonly string[], question: Question = QUESTION) {
  const left = [...answers];
  const context = { ...createTestContext(), ask: () => left.shift() };
  return { chosen: choose(question, context), printed: context.printed.stdout };
}

Deno.test("choose takes a name, a number, or the first choice", () => {
  for (const [answer, expected] of [["blue", "blue"], ["2", "blue"], ["", "red"], [" red ", "red"]]) {
    assert.equal(ask([answer!]).chosen, expected);
  }
  assert.equal(ask([]).chosen, "red");
  assert.equal(ask([""]).printed, "Which one?\n   1  red  (it runs)\n   2  blue\n");
});

Deno.test("choose asks again after an answer that isn't in the list, but not forever", () => {
  assert.equal(ask(["green", "3", "blue"]).chosen, "blue");
  assert.equal(ask(["green", "green", "green", "blue"]).chosen, "red");
  assert.equal(ask(["green"], { ...QUESTION, isOpen: true }).chosen, "green");
});

Deno.test("choose prints nothing where there is no terminal", () => {
  const context = createTestContext();
  assert.equal(choose(QUESTION, context), "red");
  assert.equal(context.printed.stdout, "");
});

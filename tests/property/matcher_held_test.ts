/** Text that may still become a call is held back, and never more than 512 characters of it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { HELD_MAXIMUM } from "../../src/engine/pattern/search.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { ADVERSARIAL, adversarial } from "../support/adversarial.ts";
import { dialectText } from "../support/dialect_text.ts";
import { runs, tell } from "../support/fuzz.ts";
import {
  eventsOf,
  feed,
  finish,
  programOf,
  shippedProgram,
  shippedRules,
  textOf,
} from "../support/matcher_events.ts";

// Envelopes say the tool's name inside the call and wrappers say nothing: both open before it is known.
const rules = shippedRules().filter(({ body }) => body !== "envelope" && body !== "group");
const program = programOf(...rules);

/** The most that was fed and not given out, after any character. */
function mostHeld(text: string): number {
  const matcher = new Matcher(program, { offered: offer([]), minimumConfidence: 0, wholeCalls: false });
  let held = 0;
  let most = 0;
  for (const unit of text.split("")) {
    held += 1 - textOf(feed(matcher, unit)).length;
    most = Math.max(most, held);
  }
  assert.equal(held, textOf(finish(matcher, { truncated: false })).length);
  return most;
}

Deno.test("Matcher holds at most 512 characters of an answer that offers no tool", () => {
  const figures = { cases: 0, "held at most": 0 };
  const filled = fc.tuple(
    dialectText,
    fc.constantFrom(" ", "\n", "a", "x-", "`", "<"),
    fc.integer({ max: 700, min: 0 }),
  )
    .map(([text, filler, count]) => `x${text}${filler.repeat(count)}`);
  fc.assert(
    fc.property(filled, (text) => {
      const most = mostHeld(text);
      figures.cases++;
      figures["held at most"] = Math.max(figures["held at most"], most);
      // Whitespace at the beginning of an answer waits as well, so each text begins with a letter.
      assert.ok(most <= HELD_MAXIMUM, `${most} characters`);
    }),
    runs(1000),
  );
  tell("held", figures);
});

Deno.test("Matcher lets a remainder leave with the same calls at every cut around 512 characters", () => {
  const all = shippedProgram();
  const told = new Set<string>();
  for (const mark of ["</tool_call>", "<tool_call>", "<tool_calls>"]) {
    for (let length = HELD_MAXIMUM - 60; length < HELD_MAXIMUM + 5; length++) {
      const text = `x.\n${mark.padEnd(length)}<function=f>${
        " ".repeat(9)
      }<parameter=a>1</parameter></function>`;
      const reading = { program: all, offered: offer([{ name: "f" }]), minimumConfidence: 0 };
      const events = eventsOf([text], reading);
      assert.deepEqual(eventsOf(text.split(""), reading), events, `${mark} before ${length} characters`);
      told.add(`${mark} ${textOf(events).includes(mark)}`);
    }
  }
  assert.ok(told.size > 3, [...told].join());
});

Deno.test("Matcher holds at most 512 characters where whitespace follows the name of a call", () => {
  const spaces = " ".repeat(700);
  const texts = [`f${spaces}(`, `${spaces}f`, `[${spaces}f`, `f()\n${spaces}`, `[f(),${spaces}`];
  for (const text of texts) {
    for (const opener of ["```tool_code\n", "<|python_tag|>"]) {
      const most = mostHeld(`x\n${opener}${text}`);
      assert.ok(most <= HELD_MAXIMUM, `${most} characters of ${opener}${text.trim()}`);
    }
  }
});

for (const name of ADVERSARIAL) {
  Deno.test(`Matcher holds at most 512 characters of ${name}`, () => {
    assert.ok(mostHeld("x" + adversarial(name, 3000)) <= HELD_MAXIMUM);
  });
}

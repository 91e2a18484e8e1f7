import assert from "node:assert/strict";
import { openReasoning } from "../../../src/chat/message/open_reasoning.ts";
import { PROMPT_MARKS } from "../../support/reasoning_marks.ts";

Deno.test("openReasoning knows every mark that a rule expects at the end of a prompt, and its closer", () => {
  for (const [opener, closer] of PROMPT_MARKS) {
    for (const end of ["", "\n", "\n\n"]) {
      assert.equal(openReasoning(`<|im_start|>assistant\n${opener}${end}`), closer);
    }
    assert.equal(openReasoning(`${opener}\n\n${closer}\n\n`), undefined);
  }
  assert.equal(openReasoning("<|im_start|>assistant\n"), undefined);
});

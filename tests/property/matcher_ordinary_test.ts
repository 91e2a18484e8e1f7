/** Answers that call nothing: with the rules that are on by default, all of them leave as they came. */
import assert from "node:assert/strict";
import { loadRules } from "../../src/engine/rule/load.ts";
import { noSettings } from "../../src/engine/rule/read.ts";
import { readAnswer } from "../../src/engine/rule/outcome.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { tell } from "../support/fuzz.ts";
import { OFFERED_NAMES, ordinaryText } from "../support/ordinary_text.ts";

const ANSWERS = 2000;

Deno.test("Matcher makes no call of ordinary answers", async () => {
  const { program } = await loadRules({ folders: [], settings: noSettings, workingDirectory: Deno.cwd() });
  const string = { type: "string" };
  const properties = { path: string, city: string, query: string, command: string };
  const tools = OFFERED_NAMES.map((name) => ({ name, schema: { type: "object", properties } }));
  // Some requests say nothing of the parameters.
  const offers = [offer(tools), offer(OFFERED_NAMES.map((name) => ({ name })))];
  for (let number = 0; number < ANSWERS; number++) {
    const text = ordinaryText(number);
    for (const offered of offers) {
      const { text: left, calls } = readAnswer(program, { pieces: [text], offered });
      assert.deepEqual([calls, left], [[], text]);
    }
  }
  tell("ordinary answers", { cases: ANSWERS });
});

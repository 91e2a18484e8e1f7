/**
 * Nothing runs by half: an answer that ends inside a call, wherever and whatever its end states, gives the whole call or none
 * that an agent could run. A call's parameters are all required here, so that a call without the last one isn't whole.
 *
 * | cut                                            | end                                          |
 * | ---------------------------------------------- | -------------------------------------------- |
 * | every dialect that is spoken, every character  | `stop`, `tool_calls`, `length`, a filter, null, |
 * | the upstream's own call, every character       | the connection ends, the connection breaks   |
 *
 * @module
 */
import assert from "node:assert/strict";
import { configSchema } from "../../src/proxy/config/schema.ts";
import { builtInService } from "../support/built_in.ts";
import { hear, type Heard } from "../support/chunks.ts";
import {
  BROKEN_ENDS,
  CUT_CALLS,
  CUT_ENDS,
  CUT_TOOLS,
  type CutCall,
  cutDialects,
  type CutEnd,
  cutStream,
  deltasOf,
} from "../support/cut_answers.ts";
import { IS_THOROUGH, tell } from "../support/fuzz.ts";
import { TextAnswer } from "../support/text_answer.ts";

const SERVICE = await builtInService(configSchema.parse({}));
const TRANSLATOR = SERVICE.recognize({
  tools: CUT_TOOLS.map(({ name, schema }) => ({ type: "function", function: { name, parameters: schema } })),
  messages: [{ role: "user", content: "Go" }],
}, new Headers());
assert.ok(TRANSLATOR);

const BROKEN = { error: { message: "broken", type: "upstream_error", code: "upstream_broke_off" } };

/** Every character is a cut, or one of 59 in a short run, not the same for all. */
const STEP = IS_THOROUGH ? 1 : 59;

/** Of how many ends one is tried at a cut: the next character has the next one, and every place of a call has several. */
const END_STEP = IS_THOROUGH ? 3 : 4;

/** What a chat client gets of an answer. */
function heardOf(deltas: readonly unknown[], end: CutEnd): Heard | undefined {
  let count = 0;
  const answer = new TextAnswer({
    createMatcher: () => TRANSLATOR!.createMatcher(),
    createRenderer: () => TRANSLATOR!.createRenderer(() => `call_${++count}`),
    native: TRANSLATOR!.native,
  });
  const output = answer.push(cutStream(deltas, end));
  return hear(output + answer.end(end === "reset" ? BROKEN : undefined)).choices[0];
}

function objectIn(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Checks an answer; returns whether the call was made. */
function assertNoHalf(choice: Heard | undefined, { call, about }: {
  readonly call: CutCall;
  readonly about: string;
}): boolean {
  let isMade = false;
  for (const { name, arguments: json } of choice?.calls ?? []) {
    const given = objectIn(json);
    if (given === undefined) {
      // An error, or an end that no client takes for a good one.
      assert.ok(
        choice!.finishReasons.every((reason) => reason === "length"),
        `${about}: ${choice!.finishReasons}`,
      );
      continue;
    }
    isMade = true;
    assert.deepEqual([name, given], [call.tool, call.arguments], about);
  }
  return isMade;
}

for (const [dialect, write] of await cutDialects()) {
  Deno.test(`a call in ${dialect} that is cut anywhere runs whole or not at all, whatever the end states`, () => {
    const figures = { cuts: 0, whole: 0, "whole at a good end": 0 };
    for (const [index, call] of CUT_CALLS.entries()) {
      const text = write(call);
      if (text === undefined) continue;
      for (let length = 1 + (index % STEP); length <= text.length; length += STEP) {
        for (const end of CUT_ENDS.filter((_, at) => (length + at) % END_STEP === 0)) {
          const cut = text.slice(0, length);
          const about = `${end} after ${JSON.stringify(cut)}`;
          const isMade = assertNoHalf(heardOf(deltasOf({ text: cut }), end), { call, about });
          figures.cuts++;
          if (isMade) figures.whole++;
          if (isMade && !BROKEN_ENDS.has(end)) figures["whole at a good end"]++;
        }
      }
      const whole = heardOf(deltasOf({ text }), "stop");
      assert.ok(assertNoHalf(whole, { call, about: text }), `${text} is a call`);
    }
    assert.ok(figures.cuts > 0);
    tell(dialect, figures);
  });
}

Deno.test("the upstream's own call that is cut anywhere runs whole or not at all, whatever the end states", () => {
  const figures = { cuts: 0, whole: 0 };
  for (const [index, { tool, arguments: given }] of CUT_CALLS.entries()) {
    for (const space of [0, 1]) {
      const json = JSON.stringify(given, null, space);
      for (let length = json.length - (index % STEP); length > 0; length -= STEP) {
        for (const end of CUT_ENDS) {
          const cut = json.slice(0, length);
          const about = `${end} after ${JSON.stringify(cut)}`;
          const call = { tool, arguments: given };
          const isMade = assertNoHalf(heardOf(deltasOf({ tool, json: cut }), end), { call, about });
          figures.cuts++;
          if (isMade) figures.whole++;
        }
      }
    }
  }
  assert.ok(figures.whole > 0);
  tell("native", figures);
});

Deno.test("a long call that breaks off doesn't hide the same call after it", async () => {
  const lines = Array.from(
    { length: 700 },
    (_, at) => `line ${at} of "text" with <b>tags</b> and {"a": ${at}};`,
  );
  const call = { tool: "write_file", arguments: { path: "a.py", content: lines.join("\n") } };
  const dialects = await cutDialects();
  // Its opener is read up to the end and given back.
  for (const dialect of ["function_json"]) {
    const text = dialects.get(dialect)!(call)!;
    const choice = heardOf(deltasOf({ text: `${text.slice(0, -40)}\n${text}` }), "stop");
    assert.ok(assertNoHalf(choice, { call, about: dialect }), dialect);
  }
});

/**
 * Whatever text a model gives a parameter, the client runs exactly it or the call isn't made: 300 nasty values (30 in a
 * short run) for each parameter of the client files, and of the shared prompts. The figures are printed, and the exact
 * ones never fall.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type ClientName,
  fieldOf,
  send,
  type Subject,
  subjectsOf,
  subjectsOfPrompt,
} from "../support/client_values.ts";
import { runs } from "../support/fuzz.ts";
import { nastyText } from "../support/nasty_text.ts";
import { isSharedAbsent, sharedPrompts } from "../support/shared_prompts.ts";

const VALUES = { ...runs(300), seed: 20_261_121 };

/** The number of values of a parameter → how many values of all parameters arrive exactly, at least. */
const EXACT_OF_FILES: Readonly<Record<number, number>> = { 15: 2_207, 300: 42_648 };
const EXACT_OF_PROMPTS: Readonly<Record<number, number>> = { 15: 2_044, 300: 39_554 };

const CLIENTS: readonly ClientName[] = ["roo", "cline"];

interface Figures {
  exact: number;
  abstained: number;
  wrong: number;
}

/** Sends values to one parameter; the first wrong one is kept. */
function measure(subject: Subject, figures: Figures): string | undefined {
  const names = [subject.tool, subject.parameter, ...(subject.inner === undefined ? [] : [subject.inner])];
  let wrong: string | undefined;
  let exact = 0;
  for (const value of fc.sample(nastyText(names), VALUES)) {
    try {
      const outcome = send(subject, value);
      figures[outcome]++;
      if (outcome === "exact") exact++;
    } catch (cause) {
      figures.wrong++;
      wrong ??= `${subject.client} ${fieldOf(subject)} (${subject.model}), ${
        JSON.stringify(value)
      }: ${cause}`;
    }
  }
  // A parameter that gets only refusals would show nothing.
  return wrong ??
    (exact > VALUES.numRuns / 15 ? undefined : `${fieldOf(subject)} (${subject.model}): ${exact} exact`);
}

function measureAll(what: string, subjects: readonly Subject[]): Figures {
  const figures = { exact: 0, abstained: 0, wrong: 0 };
  const problems = subjects.flatMap((subject) => measure(subject, figures) ?? []);
  const { exact, abstained, wrong } = figures;
  console.log(
    `${what}: ${subjects.length} parameters, ${exact} exact, ${abstained} abstained, ${wrong} wrong`,
  );
  assert.deepEqual(problems, []);
  return figures;
}

function assertExact(exact: number, expected: Readonly<Record<number, number>>): void {
  const minimum = expected[VALUES.numRuns] ?? 0;
  assert.ok(exact >= minimum, `${exact} exact values, there were ${minimum}`);
}

Deno.test("Roo and Cline get every value of every parameter exactly, or the call isn't made", () => {
  const { exact, wrong } = measureAll("client files", CLIENTS.flatMap(subjectsOf));
  assert.equal(wrong, 0);
  assertExact(exact, EXACT_OF_FILES);
});

Deno.test({
  name: "Roo and Cline get every value exactly in the form that each real prompt asks for",
  ignore: isSharedAbsent,
  fn() {
    const subjects = new Map<string, Subject>();
    for (const { client, text } of sharedPrompts()) {
      for (const subject of subjectsOfPrompt(client, text)) {
        const { listed: _, ...shown } = subject;
        subjects.set(JSON.stringify([shown, subject.documented.toSorted()]), subject);
      }
    }
    const { exact, wrong } = measureAll("shared prompts", [...subjects.values()]);
    assert.equal(wrong, 0);
    assertExact(exact, EXACT_OF_PROMPTS);
  },
});

Deno.test("Roo and Cline have a subject for every parameter that is text", () => {
  assert.ok(subjectsOf("roo").length > 50);
  assert.ok(subjectsOf("cline").length > 80);
});

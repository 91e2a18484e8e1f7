/**
 * Nothing is lost when a call breaks off: its raw arguments and the text together hold every word that the model printed, in
 * order, in every dialect, wherever the call is damaged or the answer ends, in every cut.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { ContentEvent } from "../../src/engine/event/event.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import { DAMAGED_DIALECTS, type PlainCall, textOfPieces } from "../support/damaged_calls.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, notesOf, shippedProgram } from "../support/matcher_events.ts";

const program = shippedProgram();
const string = { type: "string" };
const offered = offer([
  {
    name: "write_file",
    schema: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
  {
    name: "book",
    schema: {
      type: "object",
      properties: { city: string, days: { type: "integer" }, guests: { type: "array", items: string } },
      required: ["city"],
    },
  },
]);

/** Words that no notation has, so that each is found once. */
const CALLS: readonly PlainCall[] = [
  {
    tool: "write_file",
    arguments: { path: "qapath1/qapath2.ts", content: "qatext1 & qatext2\nqatext3 &amp; qatext4" },
  },
  {
    tool: "book",
    arguments: { city: "qacity1 qacity2", days: "qadays1", guests: '["qaguest1", "qaguest2"]' },
  },
];

/** What a model puts in by mistake. A comment is left out of the arguments, so it isn't among them. */
const JUNK = [
  " qajunk1",
  "qajunk1 qajunk2",
  '"qajunk1"',
  '"qajunk1": ',
  '"qajunk1": qajunk2, ',
  "{qajunk1: qajunk2}",
  "}qajunk1",
  "]",
  "}",
  '"',
  "\\",
  ",",
  "\n",
  "<qajunk1>",
  "</qajunk1>",
  "'qajunk1",
];

/** The words of the call's values in a text, and those put in. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/qa[a-z]+[1-4]/gu)].map(([word]) => word);
}

/** A text without half a tag at its end: begun marks of a call that broke off are no text. */
function withoutHalfTag(text: string): string {
  return text.replace(/<[^<>\s]*$/u, "");
}

/** The calls that broke off, with all that is told besides whole calls. */
function told(events: readonly ContentEvent[]): { hasBroken: boolean; text: string } {
  const hasBroken = events.some(({ kind }) => kind === "call_abort");
  const text = events.map((event) =>
    event.kind === "text" ? event.text : event.kind === "arguments" ? event.json.replaceAll("\\n", "\n") : ""
  ).join("");
  return { hasBroken, text };
}

for (const dialect of DAMAGED_DIALECTS) {
  Deno.test(`Matcher loses nothing of a call of ${dialect.name} that breaks off`, () => {
    const figures = { cases: 0, broken: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...CALLS),
        fc.constantFrom("", ...JUNK),
        fc.nat(),
        fc.nat(3),
        fc.option(fc.nat()),
        fc.boolean(),
        (call, junk, where, dropped, end, truncated) => {
          const written = textOfPieces(dialect.pieces(call));
          const place = where % written.length;
          const damaged = written.slice(0, place) + junk + written.slice(place + dropped);
          const text = damaged.slice(0, end === null ? undefined : end % (damaged.length + 1));
          const reading = { program, offered, minimumConfidence: 0.9, truncated };
          const events = eventsOf([text], reading);
          const { hasBroken, text: rest } = told(events);
          figures.cases++;
          // A mark that is glued to a name leaves with it.
          const isRenamed = notesOf(events).some(({ reason }) => reason === "name_repaired");
          if (!hasBroken || isRenamed) return;
          figures.broken++;
          assert.deepEqual(eventsOf([...text], reading), events);
          assert.deepEqual(eventsOf(piecesOf(text, [5, 2, 11]), reading), events);
          const shown = wordsOf(rest);
          // What begins another call in a broken value is read again, so its words can come twice.
          let at = -1;
          const isKept = wordsOf(withoutHalfTag(text)).every((word) =>
            (at = shown.indexOf(word, at + 1)) >= 0
          );
          assert.ok(isKept, JSON.stringify({ text, rest }));
        },
      ),
      runs(1000),
    );
    tell(`broken ${dialect.name}`, figures);
  });
}

/** Values that a missing comma could join with the member after them. */
const VALUES = ["a.ts", 'say "hi"', "x", '{"a": 1}', "", "a, b"];

const WITH_COMMAS = DAMAGED_DIALECTS.filter(({ pieces }) =>
  textOfPieces(pieces({ tool: "f", arguments: { a: "1", b: "2" } })).includes('", "b"')
);

for (const dialect of WITH_COMMAS) {
  Deno.test(`Matcher makes no wrong call of ${dialect.name} that lacks a comma`, () => {
    const counts = { exact: 0, cases: 0 };
    for (const path of VALUES) {
      for (const key of ["content", "contnet"]) {
        const call = { tool: "write_file", arguments: { path, [key]: "b" } };
        const written = textOfPieces(dialect.pieces(call));
        const at = written.indexOf(`", "${key}"`);
        for (const gap of ["", " ", "\n"]) {
          const text = `${written.slice(0, at + 1)}${gap}${written.slice(at + 3)}`;
          const reading = { program, offered, minimumConfidence: 0.9 };
          const events = eventsOf([text], reading);
          assert.deepEqual(eventsOf([...text], reading), events);
          const made = callsOf(events).filter(({ end }) => end?.kind === "call_end");
          counts.cases++;
          counts.exact += made.length;
          for (const { json } of made) assert.deepEqual(JSON.parse(json), call.arguments, text);
        }
      }
    }
    // Before the tool's name, no parameter is known.
    assert.ok(counts.exact > 0 || dialect.name.includes("arguments first"), "no call was repaired");
    tell(`comma ${dialect.name}`, counts);
  });
}

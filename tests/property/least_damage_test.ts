/**
 * Whatever a printer of well-formed calls prints, with any fragments of markup in its values, is read exactly and without
 * a repair, unless the text has another reading with as little damage, which an oracle finds. Then the call is read
 * exactly or none is made. Another call is made only of a reading with less damage, where the text up to its end is that
 * call to the letter, because the end of the answer can't be awaited, or where nothing closes a call before the next one,
 * which begins with the same parameter.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isRepair } from "../../src/engine/event/reason.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import {
  DAMAGED_DIALECTS,
  type PlainCall,
  TAG_DIALECTS,
  type TagDialect,
  textOfPieces,
} from "../support/damaged_calls.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, notesOf, shippedProgram, textOf } from "../support/matcher_events.ts";
import { type Reading, readingsOf } from "../support/readings.ts";

const program = shippedProgram();
const string = { type: "string" };
const offered = offer([
  { name: "write_file", schema: { type: "object", properties: { path: string, content: string } } },
  { name: "f", schema: { type: "object", properties: { a: string } } },
]);
const parameters = { write_file: ["path", "content"], f: ["a"] };

const CALL: PlainCall = { tool: "f", arguments: { a: "x" } };
const SAME: PlainCall = { tool: "write_file", arguments: { path: "p", content: "c" } };

/** The tags of all dialects, whole and in halves, for the same tool and for another one. */
const FRAGMENTS = [
  ...new Set(
    DAMAGED_DIALECTS.flatMap(({ pieces }) => [...pieces(CALL), ...pieces(SAME)]).flatMap(({ text }) => [
      text.trim(),
      text.trim().slice(0, Math.ceil(text.trim().length / 2)),
    ]),
  ),
  "```",
  "```json",
  "<think>",
  "</think>",
  "`",
  "# Doc",
  "is how you read.",
  "&lt;",
].filter((text) => text !== "");

const fragments = fc.array(
  fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom("", "\n", " ", "\n\n", " word ", ".\n")),
  { maxLength: 6 },
).map((parts) => parts.flat().join(""));

/** The dialects whose calls only count at the end of an answer. */
const LAST = ["json_block", "json_block, inline", "bare_json", "functions_index_json"];

/** More damage than any printed call of this test supposes. */
const DAMAGE_MAXIMUM = 16;

/** How much more damage than the printed call a text can suppose after the end of another one. */
const DAMAGE_AFTER = 6;

/** Calls without the whitespace in their values, which the notation can take for its own. */
function bare(calls: readonly PlainCall[]): string {
  return JSON.stringify(calls).replaceAll(/\\n|\s/g, "");
}

function printedReading(text: string, { call, dialect }: { call: PlainCall; dialect: TagDialect }): Reading {
  for (let maximum = 0; maximum <= DAMAGE_MAXIMUM; maximum++) {
    const readings = readingsOf(text, { dialect, parameters, isStrict: true, maximum });
    const printed = readings.find(({ calls }) => bare(calls) === bare([call]));
    if (printed) return printed;
  }
  throw new Error(`the oracle doesn't read ${JSON.stringify(text)}`);
}

/** Whether calls of one tool begin with the same parameter: where nothing closes the first, the second is the next call. */
function beginAlike({ calls: [first, ...rest] }: Reading): boolean {
  const begin = (call: PlainCall) => `${call.tool} ${Object.keys(call.arguments)[0]}`;
  return first !== undefined && rest.length > 0 && rest.every((call) => begin(call) === begin(first));
}

for (const dialect of DAMAGED_DIALECTS) {
  Deno.test(`Matcher reads a call of ${dialect.name} exactly, whatever markup its values contain`, () => {
    const figures = { cases: 0, "with several readings": 0, lost: 0, "made another": 0 };
    const tags = TAG_DIALECTS.find((_, index) => dialect.name === `${TAG_DIALECTS[index]!.rule} ${index}`);
    const after = LAST.includes(dialect.name) ? fc.constant("") : fc.constantFrom("", "\nDone.");
    fc.assert(
      fc.property(fragments, fragments, after, (path, content, after) => {
        figures.cases++;
        const call: PlainCall = { tool: "write_file", arguments: { path, content } };
        const before = dialect.name === "bare_json" ? "" : "Now.\n";
        const text = `${before}${textOfPieces(dialect.pieces(call))}${after}`;
        const events = eventsOf(piecesOf(text, [7, 3, 12]), { program, offered, minimumConfidence: 0.8 });
        const made = callsOf(events).filter(({ end }) => end?.kind === "call_end")
          .map(({ start, json }) => ({ tool: start.tool, arguments: JSON.parse(json) }));
        if (JSON.stringify(made) === JSON.stringify([call])) {
          assert.deepEqual(notesOf(events).filter(({ reason }) => isRepair(reason)), []);
          assert.equal(textOf(events).trim(), (before + after.trimStart()).trim());
          return;
        }
        assert.ok(tags, `${JSON.stringify(text)} makes ${JSON.stringify(made)}`);
        const own = printedReading(text, { call, dialect: tags });
        const maximum = own.damage + DAMAGE_AFTER;
        const others = readingsOf(text, { dialect: tags, parameters, isStrict: false, maximum })
          .filter(({ calls }) => bare(calls) !== bare([call]));
        const isOnly = others.every(({ damage }) => damage > own.damage);
        if (!isOnly) figures["with several readings"]++;
        else if (made.length === 0) figures.lost++;
        if (made.length === 0) return;
        figures["made another"]++;
        // The other calls of the reading can be broken off.
        const reads = ({ calls }: Reading) =>
          made.every((one) => calls.some((call) => bare([call]) === bare([one])));
        assert.ok(
          others.some((one) =>
            reads(one) &&
            (one.repairs === 0 || one.damage < own.damage || (one.damage === own.damage && beginAlike(one)))
          ),
          `${JSON.stringify(text)} makes ${JSON.stringify(made)}`,
        );
      }),
      runs(1000),
    );
    // One call in a short run says nothing about the rate.
    assert.ok(
      figures.lost <= Math.max(1, figures.cases / 20_000),
      `${figures.lost} calls with one reading are lost`,
    );
    assert.ok(figures["made another"] <= figures.cases / 1000, `${figures["made another"]} other calls`);
    assert.ok(
      figures["with several readings"] < figures.cases / 10,
      "the generator makes little that can be read",
    );
    tell(`least damage ${dialect.name}`, figures);
  });
}

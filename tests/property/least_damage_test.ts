/**
 * Whatever a printer of well-formed calls prints, with any fragments of markup in its values, is read exactly and without
 * a repair: of all readings of a text, the one that needs no repair counts. Where a value is structure to the letter, such
 * as its own closer before another item, the text has several readings: then the call is read exactly, or none is made,
 * unless the value begins the next item or call: then the text is also that of a call that broke off before it.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { isRepair } from "../../src/engine/event/reason.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import {
  beginsNext,
  DAMAGED_DIALECTS,
  isStructure,
  mentionsCall,
  opensNext,
  type PlainCall,
  TAG_DIALECTS,
  textOfPieces,
} from "../support/damaged_calls.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, notesOf, programOf, shippedRules, textOf } from "../support/matcher_events.ts";

const program = programOf(...shippedRules());
const string = { type: "string" };
const offered = offer([
  { name: "write_file", schema: { type: "object", properties: { path: string, content: string } } },
  { name: "f", schema: { type: "object", properties: { a: string } } },
]);

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
const LAST = ["json_block", "json_block, inline", "bare_json"];

for (const dialect of DAMAGED_DIALECTS) {
  Deno.test(`Matcher reads a call of ${dialect.name} exactly, whatever markup its values contain`, () => {
    const figures = { cases: 0, ambiguous: 0 };
    const tags = TAG_DIALECTS.find((_, index) => dialect.name === `${TAG_DIALECTS[index]!.rule} ${index}`);
    const after = LAST.includes(dialect.name) ? fc.constant("") : fc.constantFrom("", "\nDone.");
    fc.assert(
      fc.property(fragments, fragments, after, (path, content, after) => {
        figures.cases++;
        const call: PlainCall = { tool: "write_file", arguments: { path, content } };
        const before = dialect.name === "bare_json" ? "" : "Now.\n";
        const text = `${before}${textOfPieces(dialect.pieces(call))}${after}`;
        const events = eventsOf(piecesOf(text, [7, 3, 12]), { program, offered, minimumConfidence: 0.8 });
        const calls = callsOf(events);
        const wanted = [[call.tool, call.arguments, "call_end"]];
        const read = calls.map(({ start, json, end }) => [
          start.tool,
          end?.kind === "call_end" ? JSON.parse(json) : json,
          end?.kind,
        ]);
        const isAmbiguous = tags && (isStructure(tags, call) || (after !== "" && mentionsCall(tags, call)));
        const isMade = read.some(([, , end]) => end === "call_end");
        if (
          isAmbiguous && JSON.stringify(read) !== JSON.stringify(wanted) &&
          (!isMade || opensNext(call) || beginsNext(tags, call))
        ) {
          figures.ambiguous++;
          return;
        }
        assert.deepEqual(notesOf(events).filter(({ reason }) => isRepair(reason)), []);
        assert.deepEqual(read, wanted);
        assert.equal(textOf(events).trim(), (before + after.trimStart()).trim());
      }),
      runs(1000),
    );
    assert.ok(figures.ambiguous < figures.cases / 5, "the generator makes little that can be read");
    tell(`least damage ${dialect.name}`, figures);
  });
}

/**
 * A well-formed call with one closer damaged gives the intended call or none, never another one, whatever its values
 * hold and whatever follows it. At most one of a hundred takes in the next call, where the whole is well-formed too.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import {
  closersOf,
  DAMAGED_DIALECTS,
  markedValues,
  type Piece,
  type PiecewiseDialect,
  type PlainCall,
  textOfPieces,
} from "../support/damaged_calls.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, shippedProgram } from "../support/matcher_events.ts";

const program = shippedProgram();
const string = { type: "string" };
const offered = offer([
  { name: "write_file", schema: { type: "object", properties: { path: string, content: string } } },
  { name: "f", schema: { type: "object", properties: { a: string } } },
]);

const PLAIN = [
  "a.md",
  "one\ntwo",
  "",
  " lead",
  "a `b`",
  'He said "}" there',
  '{"a": 1}',
  '"}}',
  "C:\\dir\\",
  "'",
];

/** What stands in the place of a closer that is no tag. */
const OTHERS: Readonly<Record<string, string>> = { '"': "'", "}": "]", "]": "}" };

/** How one closer is damaged. */
const DAMAGES: Readonly<Record<string, (pieces: Piece[], at: number) => void>> = {
  "is missing": (pieces, at) => void pieces.splice(at, 1),
  "comes twice": (pieces, at) => void pieces.splice(at, 0, pieces[at]!),
  "is another one": (pieces, at) => {
    const { text, isCloser } = pieces[at]!;
    pieces.splice(at, 1, { text: OTHERS[text] ?? "</invoked>", isCloser });
  },
};

/** What can be the next call. */
const NEXT: readonly PlainCall[] = [
  { tool: "f", arguments: { a: "next" } },
  { tool: "write_file", arguments: { path: "next", content: "two\nlines" } },
];

/** What is read: each whole call as its tool and its arguments. */
function read(pieces: readonly string[]): string[] {
  return callsOf(eventsOf(pieces, { program, offered, minimumConfidence: 0.9 }))
    .filter(({ end }) => end?.kind === "call_end")
    .map(({ start, json }) => written({ tool: start.tool, arguments: JSON.parse(json) }));
}

function written({ tool, arguments: all }: PlainCall): string {
  return `${tool} ${JSON.stringify(all)}`;
}

/** Whether a dialect writes these calls exactly so: then the text is a well-formed one. */
function isWellFormed(
  { pieces }: PiecewiseDialect,
  { text, calls }: { text: string; calls: string[] },
): boolean {
  const bare = text.replaceAll(/\s/g, "");
  let at = 0;
  return calls.every((call) => {
    const space = call.indexOf(" ");
    const all = { tool: call.slice(0, space), arguments: JSON.parse(call.slice(space)) };
    const found = bare.indexOf(textOfPieces(pieces(all)).replaceAll(/\s/g, ""), at);
    at = found + 1;
    return found >= 0;
  });
}

/** Whether a text has a tag that opens something. */
function opensTag(text: string): boolean {
  return /<[^/]/.test(text);
}

for (const dialect of DAMAGED_DIALECTS) {
  const value = fc.constantFrom(...PLAIN, ...markedValues(dialect));
  const call: fc.Arbitrary<PlainCall> = fc.oneof(
    value.map((a) => ({ tool: "f", arguments: { a } })),
    fc.tuple(value, value).map(([path, content]) => ({ tool: "write_file", arguments: { path, content } })),
    value.map((content) => ({ tool: "write_file", arguments: { content, path: "p" } })),
  );
  const after = fc.tuple(
    fc.constantFrom(...NEXT),
    fc.constantFrom("{next}", "\n{next}", "\n{next}\nDone.", "\n\nNow.\n{next}"),
  )
    .map(([next, layout]) => ({
      next: [next],
      after: layout.replace("{next}", () => textOfPieces(dialect.pieces(next))),
    }));
  const prose = fc.constantFrom("", "\nDone.", "\n\nThen I go on.\nSo.").map((after) => ({
    next: [],
    after,
  }));
  const damage = fc.constantFrom(...Object.keys(DAMAGES));

  Deno.test(`Matcher makes no other call where one closer of ${dialect.name} is damaged`, () => {
    const figures = {
      cases: 0,
      intended: 0,
      none: 0,
      "well-formed or ambiguous": 0,
      "with the next call": 0,
    };
    fc.assert(
      fc.property(
        call,
        fc.oneof(after, prose),
        damage,
        fc.nat(),
        fc.boolean(),
        (call, { next, after }, damage, which, hasText) => {
          figures.cases++;
          const before = hasText ? "I look.\n\n" : "";
          const pieces = dialect.pieces(call);
          const intended = [call, ...next].map(written);
          const intact = read([before + textOfPieces(pieces) + after]);
          const closers = closersOf(pieces);
          DAMAGES[damage]!(pieces, closers[which % closers.length]!);
          const text = before + textOfPieces(pieces) + after;
          const calls = read([text]);
          assert.deepEqual(read([...text]), calls);
          assert.deepEqual(read(piecesOf(text, [5, 2, 11])), calls);
          const isSame = JSON.stringify(intact) === JSON.stringify(intended);
          if (isSame && calls.some((one) => one.includes("next") && !intended.includes(one))) {
            figures["with the next call"]++;
          }
          // A value that opens nothing doesn't end with the closer that came twice, although it can be printed so.
          const isBalanced = damage !== "comes twice" || Object.values(call.arguments).some(opensTag);
          if (!isSame || (calls.length > 0 && isBalanced && isWellFormed(dialect, { text, calls }))) {
            figures["well-formed or ambiguous"]++;
            return;
          }
          const rest = [...intended];
          for (const one of calls) {
            assert.ok(rest.includes(one), `${JSON.stringify(text)} makes ${one}`);
            rest.splice(rest.indexOf(one), 1);
          }
          figures[calls.includes(intended[0]!) ? "intended" : "none"]++;
        },
      ),
      runs(250),
    );
    assert.ok(
      figures["with the next call"] <= Math.ceil(figures.cases / 100),
      "values take in the next call",
    );
    tell(`damaged ${dialect.name}`, figures);
  });
}

/**
 * A torn value never runs: an answer that ends inside a value of free text makes no call, whatever the value holds, in every
 * dialect, whether the model ended it or the server cut it off. The one exception is a call's first value, of one line, in a
 * notation that puts a line end after it, if that line end was printed.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import {
  DAMAGED_DIALECTS,
  markedValues,
  type PiecewiseDialect,
  textOfPieces,
} from "../support/damaged_calls.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, shippedProgram } from "../support/matcher_events.ts";

const program = shippedProgram();
const string = { type: "string" };
const offered = offer([
  {
    name: "write_file",
    schema: { type: "object", properties: { path: string, content: string }, required: ["path", "content"] },
  },
  { name: "run", schema: { type: "object", properties: { command: string, timeout: { type: "integer" } } } },
]);

const TEXTS = [
  "rm -rf ../project/build",
  "import sys\n\nprint(sys.argv)\n",
  "# Title\n\n- one\n- two `code`\n",
  '{"a": [1, {"b": "c"}]}',
  "if (a < b && c > d) return '}';",
  'say "hi" \\n C:\\dir\\new',
  "5",
  "true",
  "über 日本 🙂",
];

/** A value, a mark between words, and the text in which an answer can end. */
function valuesOf(dialect: PiecewiseDialect): fc.Arbitrary<string> {
  const part = fc.constantFrom(...TEXTS, ...markedValues(dialect));
  return fc.oneof(
    fc.constantFrom(...TEXTS),
    fc.tuple(fc.constantFrom(...TEXTS), fc.constantFrom(" ", "\n", "\n\n"), part).map((parts) =>
      parts.join("")
    ),
  );
}

/** A value that no text holds, in whose place the value is. */
const PLACE = "PLACE";

/** What is read: each whole call as its arguments. */
function read(pieces: readonly string[], truncated: boolean): unknown[] {
  return callsOf(eventsOf(pieces, { program, offered, minimumConfidence: 0.9, truncated }))
    .filter(({ end }) => end?.kind === "call_end")
    .map(({ json }) => JSON.parse(json));
}

/**
 * Whether a text has what ends a value: a closer of the dialect; or, after a call's first value of one line, the line end that the
 * notation puts there, before the end of the answer or a tag.
 */
function isShownWhole(
  text: string,
  { after, closers, isFirst }: { after: string; closers: readonly string[]; isFirst: boolean },
): boolean {
  return closers.some((closer) => text.includes(closer)) ||
    (isFirst && after.startsWith("\n") && /^[^\n]*\n(?:\s*<|$)/.test(text));
}

for (const dialect of DAMAGED_DIALECTS) {
  const call = fc.oneof(
    fc.constant({ tool: "write_file", arguments: { path: "a.md", content: PLACE } }),
    fc.constant({ tool: "run", arguments: { command: PLACE } }),
  );

  Deno.test(`Matcher makes no call of a value of ${dialect.name} that is torn`, () => {
    const figures = { cases: 0 };
    fc.assert(
      fc.property(
        call,
        valuesOf(dialect),
        fc.nat(),
        fc.boolean(),
        fc.boolean(),
        (call, value, cut, truncated, hasText) => {
          const pieces = dialect.pieces(call);
          const written = textOfPieces(pieces);
          const closers = pieces.filter(({ text, isCloser }) => isCloser && text.length > 1).map(({ text }) =>
            text.trim()
          );
          const [before = "", after = ""] = written.split(PLACE);
          const printed = after.startsWith('"') ? JSON.stringify(value).slice(1, -1) : value;
          const torn = printed.slice(0, cut % (printed.length + 1));
          if (isShownWhole(torn, { after, closers, isFirst: call.tool === "run" })) return;
          figures.cases++;
          const text = (hasText ? "I look.\n\n" : "") + before + torn;
          const calls = read([text], truncated);
          assert.deepEqual(read([...text], truncated), calls);
          assert.deepEqual(read(piecesOf(text, [5, 2, 11]), truncated), calls);
          assert.deepEqual(calls, [], JSON.stringify(text));
        },
      ),
      runs(400),
    );
    tell(`torn ${dialect.name}`, figures);
  });
}

/**
 * Text of any characters, for property tests. `fc.string({ unit: "binary" })` gives the same, but makes a table of all
 * characters of Unicode when it is loaded, which takes longer than most of the tests.
 *
 * @module
 */
import fc from "fast-check";

const SURROGATES_START = 0xd800;
const SURROGATES_COUNT = 0x800;

const anyCharacter = fc.integer({ min: 0, max: 0x10ffff - SURROGATES_COUNT }).map((number) =>
  String.fromCodePoint(number < SURROGATES_START ? number : number + SURROGATES_COUNT)
);

/** Text of up to this many characters, each of which may be any. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, maxLength });
}

import assert from "node:assert/strict";
import { withoutLineMarks } from "../../../src/engine/scan/line_marks.ts";

const cases: [what: string, text: string, plain: string | undefined][] = [
  ["numbers that grow", "a.md:9:<x>\na.md:10:y\na.md:11:</x>", "<x>\ny\n</x>"],
  ["neighbors of a match", "a.md:9:<x>\na.md-10-y\nend", "<x>\ny\nend"],
  ["marks on both sides", "| <x> |\n| y |\n| </x> |", "<x>\ny\n</x>"],
  ["an empty line", "// <x>\n//\n// </x>", "<x>\n\n</x>"],
  ["a padded number", " 9 <x>\n10 y", "<x>\ny"],
  ["a line break of HTML", "<x><br>y<br />", "<x>\ny\n"],
  ["one line only", "Write <x>\nand go", undefined],
  ["plain lines", "<x>\ny\n</x>", undefined],
  ["a text after a tag", "<x>a\n<y>b", undefined],
  ["a text without markup", "a: b\na: c", undefined],
];

for (const [what, text, plain] of cases) {
  Deno.test(`withoutLineMarks with ${what}`, () => assert.equal(withoutLineMarks(text), plain));
}

import assert from "node:assert/strict";
import { tableColumns } from "../../../src/engine/scan/table_columns.ts";

const TABLES: readonly [text: string, columns: string[]][] = [
  ["no table\na | single row", []],
  ["| 1 | `<f>` | n |\n| 2 | `</f>` | n |", ["1\n2", "<f>\n</f>", "n\nn"]],
  ["1 | <f>\n2 | </f>", ["1\n2", "<f>\n</f>"]],
  ["| <f> |\n| a | b |\n| </f> |", ["<f>\na | b\n</f>"]],
  ['{"result":"| 1 | <f> |\n| 2 | </f> |"}', ["1\n2", "<f>\n</f>"]],
];

for (const [text, columns] of TABLES) {
  Deno.test(`tableColumns reads ${JSON.stringify(text)}`, () => {
    assert.deepEqual(tableColumns(text, 1000), columns);
  });
}

Deno.test("tableColumns gives no more characters than there is room, and nothing of more than 16 columns", () => {
  assert.deepEqual(tableColumns("| 1 | ab |\n| 2 | cd |", 5), ["1\n2"]);
  const wide = "| a ".repeat(17) + "|";
  assert.deepEqual(tableColumns(`${wide}\n${wide}`, 1000), []);
});

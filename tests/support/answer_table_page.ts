/**
 * Writes the table of `answer_table.ts` for all templates into `src/docs/guide/servers.md`; takes about half an hour.
 *
 *     deno run --config=tests/deno.json --allow-all tests/support/answer_table_page.ts
 *
 * @module
 */
import { type Cell, cellsOf, templateFiles, writeTable } from "./answer_table.ts";

const PAGE = "src/docs/guide/servers.md";
const [BEGIN, END] = ["<!-- answers -->", "<!-- /answers -->"];

const cells: Cell[] = [];
for (const file of templateFiles()) {
  for await (const cell of cellsOf(file)) cells.push(cell);
  console.error(file.split("/").at(-1), cells.length);
}
const page = await Deno.readTextFile(PAGE);
const [before] = page.split(BEGIN);
const after = page.split(END).at(-1);
await Deno.writeTextFile(PAGE, `${before}${BEGIN}\n${writeTable(cells)}\n${END}${after}`);

/**
 * The columns of the tables in a text, each as a text of its own: a table can show a call line by line next to other cells.
 *
 *     | 1 | `<function=f>` | a note |         1        <function=f>        a note
 *     | 2 | `</function>`  | a note |         2        </function>         a note
 *
 * @module
 */

/** A table of more columns isn't read. */
const COLUMNS_MAXIMUM = 16;

/** The columns of all tables in a text, as long as they have no more characters than `room` together. */
export function tableColumns(text: string, room: number): string[] {
  const columns: string[] = [];
  let left = room;
  for (const rows of tablesOf(text)) {
    for (const column of columnsOf(rows)) {
      left -= column.length;
      if (left < 0) return columns;
      columns.push(column);
    }
  }
  return columns;
}

/** The lines of each table: those with bars, in a row. */
function tablesOf(text: string): string[][] {
  if (!text.includes("|")) return [];
  const tables: string[][] = [];
  let rows: string[] = [];
  for (const line of [...text.split("\n"), ""]) {
    if (line.includes("|")) rows.push(line.trim());
    else {
      if (rows.length > 1) tables.push(rows);
      rows = [];
    }
  }
  return tables;
}

/** The texts of a table's columns. A cell can have bars of its own, which belong to it if the row has more than the others. */
function columnsOf(rows: readonly string[]): string[] {
  // The first and the last row can be in a string of JSON.
  const hasStart = rows.some((row) => row.startsWith("|"));
  const hasEnd = rows.some((row) => row.endsWith("|"));
  const cells = rows.map((row) => {
    const from = hasStart ? row.indexOf("|") + 1 : 0;
    const to = hasEnd ? row.lastIndexOf("|") : row.length;
    return row.slice(from, Math.max(from, to)).split("|");
  });
  const count = Math.min(...cells.map(({ length }) => length));
  if (count > COLUMNS_MAXIMUM) return [];
  return Array.from(
    { length: count },
    (_, column) =>
      cells.map((row) =>
        withoutBackticks(row.slice(column, row.length - (count - 1 - column)).join("|").trim())
      )
        .join("\n"),
  );
}

function withoutBackticks(cell: string): string {
  let length = 0;
  while (2 * length + 1 < cell.length && cell[length] === "`" && cell.at(-1 - length) === "`") length++;
  return length === 0 ? cell : cell.slice(length, -length).trim();
}

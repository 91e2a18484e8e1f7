import assert from "node:assert/strict";
import { printTable } from "../../src/cli/table.ts";

Deno.test("printTable aligns columns by their width in a terminal and leaves no space at line ends", () => {
  assert.equal(printTable(["a", "b"], [["😀😀", ""], ["xyz", "1"]]), "a     b\n😀😀\nxyz   1\n");
  assert.equal(printTable(["a"], []), "a\n");
});

import assert from "node:assert/strict";
import { findDeepNesting, findForeignImport } from "../../../src/proxy/plugin/imports.ts";

Deno.test("findForeignImport finds every form of an import of a package, with its line", () => {
  const table = [
    'import x from "npm:left-pad@1.3.0";',
    "import { a,\n b } from 'zod'",
    'export * from "jsr:@std/assert";',
    'import "https://example.com/x.ts"',
    'const x = await import( "lodash" );',
    'import data from "pkg" with { type: "json" };',
  ];
  for (const source of table) {
    const found = findForeignImport(`// first line\n\n${source}\n`);
    assert.ok(found && source.includes(found.specifier), source);
    assert.ok(found.line >= 3 && found.line <= 4, source);
  }
});

Deno.test("findForeignImport leaves files, modules of the runtime, comments and texts alone", () => {
  const table = [
    'import x from "./x.ts"; import y from "../../y.js"; import z from "/abs.ts";',
    'import { join } from "node:path";',
    '/** Example:\n * import x from "npm:x";\n */\n// import y from "npm:y";',
    'const important = "from"; const text = `import`;',
    "",
  ];
  for (const source of table) assert.equal(findForeignImport(source), undefined, source);
});

Deno.test("findDeepNesting finds brackets that would overflow the parser, and no ordinary ones", () => {
  assert.equal(findDeepNesting("\n" + "(".repeat(2000)), 2);
  assert.equal(findDeepNesting("f(".repeat(200) + ")".repeat(200)), undefined);
  assert.equal(findDeepNesting("f([{}]);\n".repeat(10_000)), undefined);
});

import assert from "node:assert/strict";
import { anyTool, offer } from "../../../src/engine/tool/offered.ts";

Deno.test("offer finds a tool by its name and by its aliases", () => {
  const offered = offer([{ name: "write_to_file" }, { name: "b" }], { write_file: "write_to_file" });
  assert.equal(offered.resolve("write_to_file")?.name, "write_to_file");
  assert.equal(offered.resolve("write_file")?.name, "write_to_file");
  assert.equal(offered.resolve("other"), undefined);
  assert.deepEqual(offered.names, ["write_to_file", "b"]);
  assert.deepEqual(offered.spellings, ["write_to_file", "b", "write_file"]);
});

Deno.test("offer never lets an alias hide a tool's own name, nor stand for a tool that is not offered", () => {
  const offered = offer([{ name: "a" }, { name: "b" }], { a: "b", c: "ghost" });
  assert.equal(offered.resolve("a")?.name, "a");
  assert.equal(offered.resolve("c"), undefined);
  assert.deepEqual(offered.spellings, ["a", "b"]);
});

Deno.test("offer knows nothing of names that every object has", () => {
  for (const name of ["__proto__", "toString", "constructor", ""]) {
    assert.equal(offer([{ name: "a" }], { x: "a" }).resolve(name), undefined);
  }
});

Deno.test("anyTool offers every name without a schema", () => {
  assert.deepEqual(anyTool.resolve("whatever"), { name: "whatever" });
  assert.equal(anyTool.spellings, undefined);
});

import assert from "node:assert/strict";
import { nameChunks } from "../../../src/cli/build/chunk_names.ts";

/** The files of a bundle, with the names that the bundler gave two of them. */
function bundle(one: string, other: string): Map<string, string> {
  return new Map([
    ["main.js", `import"./${one}";const later=()=>import("./${other}")`],
    [one, "export const a=1"],
    [other, `import{a}from"./${one}";export const b=a+1`],
    ["playground/worker.js", `import"../${one}"`],
  ]);
}

Deno.test("nameChunks names chunks after their content, whatever the bundler named them", () => {
  const here = nameChunks(bundle("chunk-AAAAAAAA.js", "load-BBBBBBBB.js"));
  const there = nameChunks(bundle("chunk-ZZZZZZZ9.js", "load-12345678.js"));
  assert.deepEqual([...here].sort(), [...there].sort());
  const names = [...here.keys()].sort();
  assert.equal(names.length, 4);
  assert.match(names[0]!, /^chunk-[0-9a-f]{8}\.js$/);
  assert.match(names[1]!, /^load-[0-9a-f]{8}\.js$/);
  assert.deepEqual(names.slice(2), ["main.js", "playground/worker.js"]);
  for (const name of names.slice(0, 2)) assert.ok(here.get("main.js")?.includes(`"./${name}"`), name);
  assert.equal(here.get("playground/worker.js"), `import"../${names[0]}"`);
});

Deno.test("nameChunks gives another name if a chunk that is imported changes", () => {
  const files = bundle("chunk-AAAAAAAA.js", "load-BBBBBBBB.js");
  const loadOf = (all: ReadonlyMap<string, string>) =>
    [...all.keys()].find((name) => name.startsWith("load-"));
  const before = loadOf(nameChunks(files));
  assert.notEqual(loadOf(nameChunks(files.set("chunk-AAAAAAAA.js", "export const a=2"))), before);
});

Deno.test("nameChunks refuses chunks that import each other", () => {
  const files = new Map([
    ["a-AAAAAAAA.js", 'import"./b-BBBBBBBB.js"'],
    ["b-BBBBBBBB.js", 'import"./a-AAAAAAAA.js"'],
  ]);
  assert.throws(() => nameChunks(files), /a-AAAAAAAA\.js, b-BBBBBBBB\.js import each other/);
});

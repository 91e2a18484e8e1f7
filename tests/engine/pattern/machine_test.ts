import assert from "node:assert/strict";
import { Machine, NONE, type Texts } from "../../../src/engine/pattern/machine.ts";
import { Nfa } from "../../../src/engine/pattern/nfa.ts";

const reference = new Nfa([{ node: { type: "reference", name: "name" }, priority: 0 }]);

/** The part of a text that the machine read before it stopped, and whether that is one of its texts. */
function read(
  machine: Machine,
  text: string,
  texts: Texts = {},
): [read: string, isWhole: boolean, goesOn: boolean] {
  let thread = machine.enter(machine.nfa.entries[0]!);
  let at = 0;
  for (; at < text.length; at++) {
    const next = machine.read(thread, text.charCodeAt(at), texts);
    if (next === NONE) break;
    thread = next;
  }
  return [text.slice(0, at), machine.isWhole(thread, texts), machine.goesOn(thread, texts)];
}

Deno.test("Machine reads as long as a text of the set begins with the characters", () => {
  const machine = new Machine(reference, { name: ["", "read", "read_dir", "read_file", "run", "é"] });
  assert.deepEqual(read(machine, ""), ["", true, true]);
  assert.deepEqual(read(machine, "re"), ["re", false, true]);
  assert.deepEqual(read(machine, "read"), ["read", true, true]);
  assert.deepEqual(read(machine, "read_file"), ["read_file", true, false]);
  assert.deepEqual(read(machine, "read_files"), ["read_file", true, false]);
  assert.deepEqual(read(machine, "rut"), ["ru", false, true]);
  assert.deepEqual(read(machine, "é"), ["é", true, false]);
  assert.deepEqual(read(machine, "a"), ["", true, true]);
  assert.deepEqual(machine.characters(machine.enter(machine.nfa.entries[0]!), {}), [[114, 114], [233, 233]]);
});

Deno.test("Machine reads nothing from an empty set", () => {
  assert.deepEqual(read(new Machine(reference, { name: [] }), "a"), ["", false, false]);
});

Deno.test("Machine reads the text that a search gives a reference", () => {
  const machine = new Machine(reference);
  assert.deepEqual(read(machine, "path", { name: "path" }), ["path", true, false]);
  assert.deepEqual(read(machine, "pa", { name: "path" }), ["pa", false, true]);
  assert.deepEqual(read(machine, "pax", { name: "path" }), ["pa", false, true]);
  assert.deepEqual(read(machine, "key", { name: "key" }), ["key", true, false]);
  assert.deepEqual(read(machine, "a"), ["", true, false]);
});

Deno.test("Machine compares few of a set's texts", () => {
  const texts = Array.from({ length: 10_000 }, (_, index) => `tool_${`${index}`.padStart(5, "0")}`);
  let looks = 0;
  const counting = new Proxy(texts, {
    get(target, key) {
      if (typeof key === "string" && key !== "length") looks++;
      return Reflect.get(target, key);
    },
  });
  assert.deepEqual(read(new Machine(reference, { name: counting }), "tool_07777"), [
    "tool_07777",
    true,
    false,
  ]);
  assert.ok(looks < 500, `${looks} looks`);
});

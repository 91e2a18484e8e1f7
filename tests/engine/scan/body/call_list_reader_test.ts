import assert from "node:assert/strict";
import { JsonWriter } from "../../../../src/engine/json/writer.ts";
import { CallListReader } from "../../../../src/engine/scan/body/call_list_reader.ts";
import { parseJson } from "../../../../src/engine/object/parse.ts";
import { allCuts } from "../../../support/cuts.ts";

function readPieces(pieces: readonly string[]) {
  const calls: { name: string; json: string; isWhole: boolean }[] = [];
  let lists = 0;
  const reader = new CallListReader({
    listBegin: () => lists++,
    callBegin(name) {
      if (name === "eval") return undefined;
      const call = {
        name,
        json: "",
        get isWhole() {
          return parseJson(this.json) !== undefined;
        },
      };
      calls.push(call);
      return new JsonWriter((piece) => call.json += piece);
    },
  });
  let text = "";
  let at = 0;
  for (const piece of pieces) at = reader.read(text += piece, at);
  return { calls, lists, state: reader.state, rest: text.slice(at) };
}

/** The result for every cut of a text. */
function read(text: string) {
  const whole = readPieces([text]);
  for (const pieces of allCuts(text)) assert.deepEqual(readPieces(pieces), whole, JSON.stringify(pieces));
  return whole;
}

const lists: readonly (readonly [text: string, calls: readonly (readonly [string, unknown])[]])[] = [
  ["[f(a=1, b=['x']), g()]", [["f", { a: 1, b: ["x"] }], ["g", {}]]],
  ["f(city = 'Paris' , days=2,)", [["f", { city: "Paris", days: 2 }]]],
  ["[ns.f(a='x]', b=\"it's)\")]", [["ns.f", { a: "x]", b: "it's)" }]]],
  ['f({"a": {"b": None}})', [["f", { a: { b: null } }]]],
  ["f(**{'a': 1})", [["f", { a: 1 }]]],
  ["[\n  f(),\n  g(x=(1, 2)),\n]", [["f", {}], ["g", { x: [1, 2] }]]],
  ['write(content="""def f():\n    return "x"\n""")', [["write", { content: 'def f():\n    return "x"\n' }]]],
];

for (const [text, calls] of lists) {
  Deno.test(`CallListReader reads ${JSON.stringify(text)} at every cut`, () => {
    const { state, rest, calls: got } = read(`${text} rest`);
    assert.deepEqual([state, rest], ["done", " rest"]);
    assert.deepEqual(got.map(({ name, json }) => [name, JSON.parse(json)]), calls);
    assert.ok(got.every(({ isWhole }) => isWhole));
  });
}

for (
  const text of ["f('x')", "f(a=b)", "f(a=g())", "[f(a=1) for x in y]", "f(*x)", "3f()", "f a()", "[eval()]"]
) {
  Deno.test(`CallListReader refuses ${text}`, () => assert.equal(read(text).state, "failed"));
}

Deno.test("CallListReader waits for the end of a list", () => {
  assert.deepEqual([read("[f(), ").state, read("f(a=").state], ["open", "open"]);
});

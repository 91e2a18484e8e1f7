import assert from "node:assert/strict";
import { parseTree } from "../../../src/engine/document/yaml_tree.ts";

function parse(text: string) {
  return parseTree({ file: "a.yaml", text });
}

Deno.test("parseTree gives the plain value and no diagnostics", () => {
  const { plain, diagnostics } = parse("name: x\nlist: [1, two]\n");
  assert.deepEqual([plain, diagnostics], [{ value: { name: "x", list: [1, "two"] } }, []]);
});

Deno.test("parseTree gives no value for a text that is not YAML, and the value of one with a repeated key", () => {
  const cases: [string, unknown][] = [["name: [", undefined], ["name: 1\nname: 2\n", { value: { name: 2 } }]];
  for (const [text, value] of cases) {
    const { plain, diagnostics } = parse(text);
    assert.deepEqual([plain, diagnostics.map(({ code }) => code)], [value, ["yaml_syntax"]], text);
  }
});

Deno.test("parseTree refuses aliases that unfold into a huge value", () => {
  const layers = Array.from({ length: 8 }, (_, index) => {
    const entry = index === 0 ? "x" : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array(9).fill(entry).join(", ")}]\n`;
  });
  const { plain, diagnostics } = parse(layers.join(""));
  assert.deepEqual([plain, diagnostics.map(({ code, location }) => [code, location?.line])], [
    undefined,
    [["yaml_syntax", 1]],
  ]);
});

Deno.test("parseTree locates a value, a key and a character of a text", () => {
  const { locate, locateKey, has } = parse('a:\n  - b: "x\\ny"\n');
  const place = ({ line, column, length }: ReturnType<typeof locate>) => [line, column, length];
  assert.deepEqual(place(locate(["a", 0, "b"])), [2, 8, 6]);
  assert.deepEqual(place(locate(["a", 0, "b"], 2)), [2, 12, 1]);
  assert.deepEqual(place(locateKey(["a", 0, "b"])), [2, 5, 1]);
  assert.deepEqual([has(["a", 0, "b"]), has(["a", 1])], [true, false]);
});

import assert from "node:assert/strict";
import { colorYaml } from "../../../../src/admin/page/playground/editor_lines.ts";

/** Each line as its colored parts. */
function colored(text: string): string[] {
  const lines = colorYaml(text);
  assert.equal(lines.map((parts) => parts.map((part) => part.text).join("")).join("\n"), text);
  return lines.map((parts) =>
    parts.filter(({ color }) => color !== "plain").map((part) => `${part.color} ${part.text}`).join(" | ")
  );
}

Deno.test("colorYaml colors a block of text as one, up to the next key", () => {
  assert.deepEqual(colored("- input: |-\n    I'll: do\n\n    it\n  text: x\n- |\n  a: b\nc: d"), [
    "value - | key input | value |-",
    "string     I'll: do",
    "string ",
    "string     it",
    "key text",
    "value - | value |",
    "string   a: b",
    "key c",
  ]);
});

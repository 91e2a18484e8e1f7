import assert from "node:assert/strict";
import { LinePrefix } from "../../../src/engine/scan/line_prefix.ts";

Deno.test("LinePrefix counts indentation in columns, tabs included", () => {
  for (
    const [text, columns] of [["a", 0], ["   a", 3], ["\ta", 4], ["  \ta", 4], ["    \ta", 8], [
      "",
      0,
    ]] as const
  ) {
    assert.equal(new LinePrefix(text).indent, columns, JSON.stringify(text));
  }
});

Deno.test("LinePrefix takes the marks of containers in order", () => {
  const line = new LinePrefix(" > 12)  - a");
  assert.ok(line.takeQuote());
  assert.ok(!line.takeQuote());
  assert.deepEqual(line.takeItem(false), { kind: "item", indent: 5 });
  assert.deepEqual(line.takeItem(false), { kind: "item", indent: 2 });
  assert.deepEqual([line.takeItem(false), line.rest], [undefined, "a"]);
});

Deno.test("LinePrefix enters a container if the line has its mark", () => {
  const item = { kind: "item", indent: 2 } as const;
  for (const [text, isEntered] of [["  a", true], [" a", false], ["", true], ["\ta", true]] as const) {
    assert.equal(new LinePrefix(text).enter(item), isEntered, JSON.stringify(text));
  }
  const line = new LinePrefix("\ta");
  assert.ok(line.enter(item));
  assert.equal(line.indent, 2);
  assert.ok(!new LinePrefix("    > a").enter({ kind: "quote" }));
});

Deno.test("LinePrefix recognizes fences, their ends, breaks and headings", () => {
  const { fence } = { fence: (text: string) => new LinePrefix(text).fence() };
  assert.deepEqual([fence("```a")?.length, fence("~~~~ `")?.mark], [3, "~"]);
  assert.deepEqual(["``", "``` a`", "a"].map(fence), [undefined, undefined, undefined]);
  const open = { mark: "`", length: 3 };
  assert.deepEqual(
    ["```", "  ````  ", "```</pre>", "``", "```a", "    ```"].map((text) =>
      new LinePrefix(text).isFenceEnd(open)
    ),
    [true, true, true, false, false, false],
  );
  assert.deepEqual(["---", "* * *", "--", "-a-"].map((text) => new LinePrefix(text).isBreak(false)), [
    true,
    true,
    false,
    false,
  ]);
  assert.deepEqual(["===", "= a"].map((text) => new LinePrefix(text).isBreak(true)), [true, false]);
  assert.deepEqual(["# a", "###", "#a", "####### a"].map((text) => new LinePrefix(text).isHeading), [
    true,
    true,
    false,
    false,
  ]);
});

import assert from "node:assert/strict";
import { StringStream } from "@codemirror/language";
import { yamlMode } from "../../../../src/admin/page/playground/yaml_mode.ts";

/** Each line as its colored parts. */
function colored(text: string): string[] {
  const state = yamlMode.startState!(2);
  return text.split("\n").map((line) => {
    const stream = new StringStream(line, 2, 2);
    const parts: string[] = [];
    while (!stream.eol()) {
      stream.start = stream.pos;
      const color = yamlMode.token(stream, state);
      if (color !== null) parts.push(`${color} ${stream.current()}`);
    }
    return parts.join(" | ");
  });
}

Deno.test("yamlMode colors keys, texts, numbers and comments", () => {
  assert.deepEqual(
    colored(
      `rule: mine # a\npattern: '<a>''(?<body>…)'\nconfidence: 0.95\nenabled: false\n- { a: "b\\"c", d: x.y }`,
    ),
    [
      "atom rule | comment # a",
      "atom pattern | string '<a>''(?<body>…)'",
      "atom confidence | number 0.95",
      "atom enabled | keyword false",
      'meta - | atom a | string "b\\"c" | atom d',
    ],
  );
});

Deno.test("yamlMode colors a block of text as one, up to the next key", () => {
  assert.deepEqual(colored("- input: |-\n    I'll: do\n\n    it\n  text: x\n- |\n  a: b\nc: d"), [
    "meta - | atom input | meta |-",
    "string     I'll: do",
    "",
    "string     it",
    "atom text",
    "meta - | meta |",
    "string   a: b",
    "atom c",
  ]);
});

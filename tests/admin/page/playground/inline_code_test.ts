import assert from "node:assert/strict";
import type { VNode } from "preact";
import { inlineCode } from "../../../../src/admin/page/inline_code.ts";

function shown(text: string) {
  return inlineCode(text).map((part) =>
    typeof part === "string"
      ? part
      : `<${(part as VNode).type}>${(part as VNode<{ children: string }>).props.children}`
  );
}

Deno.test("inlineCode shows what is between backticks as code, and keeps a lone backtick", () => {
  assert.deepEqual(shown("did you mean `body`?"), ["did you mean ", "<code>body", "?"]);
  assert.deepEqual(shown("plain"), ["plain"]);
  assert.deepEqual(shown("`a` and `b"), ["", "<code>a", " and ", "`b"]);
});

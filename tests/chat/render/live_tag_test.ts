import assert from "node:assert/strict";
import { TagGuard } from "../../../src/chat/render/live_tag.ts";

const TOOLS = ["look", "look_up", "write"];

/** What a guard sends of a text that comes in these pieces. */
function guarded(pieces: Iterable<string>): string {
  const guard = new TagGuard(TOOLS);
  let sent = "";
  for (const piece of pieces) sent += guard.take(piece);
  return sent + guard.end();
}

Deno.test("TagGuard holds only what may become a tool's tag", () => {
  const guard = new TagGuard(TOOLS);
  assert.equal(guard.take("a <b>c</b> <p"), "a <b>c</b> <p");
  assert.equal(guard.take("> <wri"), "> ");
  assert.equal(guard.take("st>"), "<wrist>");
  assert.equal(guard.take("<look"), "");
  assert.equal(guard.end(), "<look");
});

Deno.test("TagGuard takes time in proportion to the text", () => {
  for (const piece of ["<", ">", "<look", "<x>", "< ", "a"]) {
    const text = piece.repeat(500_000);
    assert.equal(guarded([text]), text);
  }
});

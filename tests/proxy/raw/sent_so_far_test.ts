import assert from "node:assert/strict";
import { SentSoFar } from "../../../src/proxy/raw/sent_so_far.ts";
import { BracketSource } from "../../support/bracket_source.ts";

type Part = string | { readonly tool: string; readonly json: string };

/** What was read of an answer: texts and the server's own calls. */
function sent(...parts: Part[]): SentSoFar {
  const seen = new SentSoFar();
  for (const [call, part] of parts.entries()) {
    if (typeof part === "string") seen.push({ kind: "text", text: part });
    else {
      seen.push({ kind: "call_start", call, tool: part.tool, rule: "native", confidence: 1 });
      for (const json of part.json) seen.push({ kind: "arguments", call, json });
    }
  }
  return seen;
}

function remainder(seen: SentSoFar, answer: string): string | undefined {
  return seen.remainderOf(answer, () => new BracketSource());
}

const CALL = { tool: "read", json: '{"path":"a","n":1}' };

Deno.test("remainderOf gives the text after what was sent", () => {
  assert.equal(remainder(sent("I lo", "ok."), "I look. Done"), " Done");
  assert.equal(remainder(sent(), "all"), "all");
  assert.equal(remainder(sent("I look."), "\n\nI look. Done"), " Done", "servers trim");
  assert.equal(remainder(sent("I look."), "I don't"), undefined);
  assert.equal(remainder(sent("I look."), "I loo"), undefined);
});

Deno.test("remainderOf finds where an answer goes on after the same calls", () => {
  const answer = 'I look.[[read {"n": 1.0, "path": "a"}]] Done. [[read {"path":"b"}]]';
  assert.equal(remainder(sent("I look.", CALL), answer), ' Done. [[read {"path":"b"}]]');
  assert.equal(remainder(sent(CALL), '[[read {"path":"a","n":1}]]'), "");
  assert.equal(
    remainder(
      sent(CALL, { tool: "read", json: '{"path":"b"}' }),
      '[[read {"path":"a","n":1}]][[read {"path":"b"}]]!',
    ),
    "!",
  );
});

Deno.test("remainderOf gives nothing if a call differs, is missing, or was cut", () => {
  assert.equal(remainder(sent(CALL), '[[read {"path":"b","n":1}]]'), undefined);
  assert.equal(remainder(sent(CALL), '[[write {"path":"a","n":1}]]'), undefined);
  assert.equal(remainder(sent(CALL), "Nothing."), undefined);
  assert.equal(remainder(sent("Text.", CALL), '[[read {"path":"a","n":1}]]'), undefined);
  const cut = sent({ tool: "read", json: '{"path":"a' });
  assert.deepEqual([cut.isWhole, remainder(cut, '[[read {"path":"a"}]]')], [false, undefined]);
});

Deno.test("remainderOf gives nothing for an answer that is too long to remember", () => {
  const seen = sent("x".repeat(1024 * 1024 + 1));
  assert.deepEqual([seen.isWhole, remainder(seen, "x".repeat(1024 * 1024 + 2))], [false, undefined]);
});

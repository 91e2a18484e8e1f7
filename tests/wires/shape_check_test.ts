import assert from "node:assert/strict";
import {
  anything,
  either,
  type Expectation,
  fields,
  flag,
  kinds,
  later,
  list,
  object,
  refuseMismatch,
  required,
  text,
} from "../../src/wires/shape_check.ts";

const BLOCKS: Expectation = either(
  text,
  list(
    kinds({
      text: fields({ text: required(text) }),
      result: fields({ content: later("blocks", () => BLOCKS) }),
    }),
  ),
);

const REQUEST = fields({
  stream: flag,
  tools: list(object),
  messages: required(list(fields({ content: BLOCKS }))),
});

/** What is wrong, and where; undefined if nothing is. */
function wrongIn(value: unknown, expectation = REQUEST): string | undefined {
  const { refusal } = refuseMismatch(value, expectation) ?? {};
  if (refusal === undefined) return undefined;
  assert.deepEqual([refusal.status, refusal.code], [400, "invalid_request"]);
  assert.ok(refusal.message.startsWith(`\`${refusal.param}\` is wrong: `));
  return refusal.message.replace(" is wrong: expected", "");
}

const message = (content: unknown) => ({ messages: [{ content: "Hi" }, { content }] });

Deno.test("refuseMismatch names the place, what was expected and what was found", () => {
  const cases: readonly (readonly [value: unknown, message: string])[] = [
    [{}, "`messages` a list, found nothing"],
    [{ messages: null }, "`messages` a list, found nothing"],
    [{ messages: "Hi" }, "`messages` a list, found a text"],
    [{ messages: ["Hi"] }, "`messages[0]` an object, found a text"],
    [{ messages: [], stream: 1 }, "`stream` true or false, found the number 1"],
    [{ messages: [], tools: [{}, [1]] }, "`tools[1]` an object, found a list"],
    [message(5), "`messages[1].content` a text or a list, found the number 5"],
    [message({ toString: 1 }), "`messages[1].content` a text or a list, found an object"],
    [message([{}]), "`messages[1].content[0].type` a text, found nothing"],
    [message([{ type: "text" }]), "`messages[1].content[0].text` a text, found nothing"],
    [message([{ type: "text", text: true }]), "`messages[1].content[0].text` a text, found the boolean true"],
    [
      message([{ type: "text", text: "a" }, { type: "result", content: [{ type: "text", text: [] }] }]),
      "`messages[1].content[1].content[0].text` a text, found a list",
    ],
  ];
  for (const [value, expected] of cases) assert.equal(wrongIn(value), expected);
});

Deno.test("refuseMismatch lets pass what isn't stated: other fields, other kinds, null for nothing", () => {
  for (
    const value of [
      { messages: [], odd: { toString: 1 }, stream: null },
      message(null),
      message([{ type: "constructor", text: 5 }, { type: "other", content: 5 }, {
        type: "result",
        content: "a",
      }]),
    ]
  ) assert.equal(wrongIn(value), undefined);
  assert.equal(wrongIn([1, "a", {}], list(anything)), undefined);
  assert.equal(
    wrongIn({}, kinds({ a: fields({ b: required(text) }) }, { usual: "a" })),
    "`b` a text, found nothing",
  );
});

import assert from "node:assert/strict";
import { repairHistory, UNREADABLE_KEY } from "../../../src/chat/message/history.ts";

function asked(...calls: { id?: string; name?: string; arguments: unknown }[]): unknown {
  return {
    role: "assistant",
    content: null,
    tool_calls: calls.map(({ id, name = "f", arguments: given }) => ({
      ...(id === undefined ? {} : { id }),
      type: "function",
      function: { name, arguments: given },
    })),
  };
}

Deno.test("repairHistory makes arguments the text of an object and loses nothing", () => {
  const cases: [given: unknown, expected: string][] = [
    ['{"x": True,}', '{"x": true}'],
    ["", "{}"],
    [null, "{}"],
    [{ x: 1 }, '{"x":1}'],
    [JSON.stringify('{"x":1}'), '{"x":1}'],
    ['{"x": "cut o', JSON.stringify({ [UNREADABLE_KEY]: '{"x": "cut o' })],
    ["[1]", JSON.stringify({ [UNREADABLE_KEY]: "[1]" })],
  ];
  for (const [given, expected] of cases) {
    const repaired = repairHistory([asked({ id: "a", arguments: given })]);
    assert.deepEqual(repaired, [asked({ id: "a", arguments: expected })], String(given));
  }
});

Deno.test("repairHistory names the call that a result answers if only one is possible", () => {
  const result = (name?: string) => ({ role: "tool", content: "r", ...(name === undefined ? {} : { name }) });
  const ids = (messages: unknown[]) =>
    (repairHistory(messages) ?? []).flatMap((message) =>
      (message as { tool_call_id?: string }).tool_call_id ?? []
    );
  const two = asked({ id: "a", name: "f", arguments: "{}" }, { id: "b", name: "g", arguments: "{}" });
  assert.deepEqual(ids([asked({ id: "a", arguments: "{}" }), result()]), ["a"]);
  assert.deepEqual(ids([two, result("g"), result("f")]), ["b", "a"]);
  assert.deepEqual(ids([two, { ...result(), tool_call_id: "b" }, { ...result(), tool_call_id: "" }]), [
    "b",
    "a",
  ]);
  assert.equal(repairHistory([two, result()]), undefined);
});

Deno.test("repairHistory takes printed calls out, or makes them the calls that results answer", () => {
  const readPrinted = (text: string) => {
    const calls = [...text.matchAll(/\[(\w+)\]/g)].map(([, name = ""]) => ({ name, json: "{}" }));
    return calls.length === 0 ? undefined : { text: text.replace(/\[\w+\]/g, ""), calls };
  };
  const user = { role: "user", content: "u [f]" };
  const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "r" });
  const said = (content: string) => ({ role: "assistant", content });
  const called = (content: string | null, ...ids: string[]) => ({
    role: "assistant",
    content,
    tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
  });
  const table: [unknown[], unknown[] | undefined][] = [
    // No one made it.
    [[user, said("I look. [f]"), user], [user, said("I look. "), user]],
    [[user, said("[f]"), user], [user, user]],
    // It was made as a call of the answer.
    [[user, called("I look. [f]", "a"), result("a"), user], [
      user,
      called("I look. ", "a"),
      result("a"),
      user,
    ]],
    // Its result has lost the call.
    [[user, said("I look. [f] [f]"), result("a"), result("b"), user], [
      user,
      called("I look.  ", "a", "b"),
      result("a"),
      result("b"),
      user,
    ]],
    [[user, said("[f] [f]"), result("a"), user], [user, result("a"), user]],
    // The answer that is to be continued, and texts of others.
    [[user, said("I look. [f]")], undefined],
    [[{ role: "system", content: "[f]" }, user, result("a")], undefined],
    [[user, called(null, "a"), result("a"), said("Done."), user], undefined],
  ];
  for (const [messages, expected] of table) {
    assert.deepEqual(repairHistory(messages, readPrinted), expected, JSON.stringify(messages));
  }
});

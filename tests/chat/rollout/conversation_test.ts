import assert from "node:assert/strict";
import { conversationHash } from "../../../src/chat/rollout/conversation.ts";
import { chooseMode } from "../../../src/chat/rollout/canary.ts";

const upstream = { dry_run: false };

/** A conversation of several turns; the model changes on the way. */
function* turns(number: number) {
  const messages: { role: string; content: string }[] = [
    { role: "system", content: "You are an agent" },
    { role: "user", content: `Task ${number}` },
  ];
  for (let turn = 0; turn < 4; turn++) {
    yield { model: turn < 2 ? "small" : "large", messages: [...messages] };
    messages.push({ role: "assistant", content: `answer ${turn}` }, {
      role: "user",
      content: `more ${turn}`,
    });
  }
}

Deno.test("chooseMode translates 9 to 11% of 10,000 conversations at 10%, and none changes sides", () => {
  const policy = { dry_run: false, rollout_percent: 10 };
  let live = 0;
  for (let number = 0; number < 10_000; number++) {
    const modes = [...turns(number)].map((request) =>
      chooseMode({
        policy,
        upstream,
        conversation: conversationHash(request, { client: "openai", owner: "" }),
      })
    );
    assert.equal(new Set(modes).size, 1, `conversation ${number} changed sides`);
    if (modes[0] === "live") live++;
  }
  assert.ok(live >= 900 && live <= 1100, `${live} of 10000`);
});

Deno.test("chooseMode keeps a conversation in when the percentage grows", () => {
  for (let number = 0; number < 200; number++) {
    const conversation = conversationHash({ messages: [{ role: "user", content: `${number}` }] }, {
      client: "roo",
      owner: "",
    });
    const modes = [0, 1, 10, 50, 99, 100].map((rollout_percent) =>
      chooseMode({ policy: { dry_run: false, rollout_percent }, upstream, conversation })
    );
    assert.deepEqual([modes[0], modes.at(-1)], ["excluded", "live"]);
    assert.deepEqual(modes, [...modes].sort(), "excluded first, then live");
  }
});

Deno.test("conversationHash hears owner, client, instructions and task, whatever shape they come in", () => {
  const text = { messages: [{ role: "system", content: "s" }, { role: "user", content: "u" }] };
  const parts = {
    messages: [
      { role: "system", content: [{ type: "text", text: "s", cache_control: {} }] },
      { role: "user", content: [{ type: "text", text: "u" }] },
    ],
  };
  assert.match(conversationHash(text, { client: "openai", owner: "" }), /^[0-9a-f]{16}$/);
  assert.equal(
    conversationHash(parts, { client: "openai", owner: "" }),
    conversationHash(text, { client: "openai", owner: "" }),
  );
  assert.notEqual(
    conversationHash(text, { client: "roo", owner: "" }),
    conversationHash(text, { client: "openai", owner: "" }),
  );
  assert.notEqual(
    conversationHash(text, { client: "openai", owner: "ann" }),
    conversationHash(text, { client: "openai", owner: "bob" }),
  );
  assert.match(
    conversationHash({ messages: "odd" as never }, { client: "openai", owner: "" }),
    /^[0-9a-f]{16}$/,
  );
});

import assert from "node:assert/strict";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { speakRequest, termsOf } from "../../../src/chat/prompt/request.ts";
import { speakerOf } from "../../support/spoken.ts";

const speaker = speakerOf("tags");
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }];

function spoken(request: Record<string, unknown>) {
  const found = finish(speakRequest(JSON.stringify(request), { speaker }));
  assert(found !== undefined && "body" in found);
  return JSON.parse(found.body);
}

Deno.test("speakRequest moves tools into the prompt and keeps everything else", () => {
  const body = '{"model":"m","temperature":1.0,"tools":[{"type":"function","function":{"name":"f"}}],' +
    '"tool_choice":"required","parallel_tool_calls":false,"messages":[{"role":"user","content":"u"}]}';
  const found = finish(speakRequest(body, { speaker }));
  assert(found !== undefined && "body" in found);
  assert(
    found.body.startsWith('{"model":"m","temperature":1.0,"messages":['),
    "the spelling of a number stays",
  );
  const { messages, ...rest } = JSON.parse(found.body);
  assert.deepEqual(rest, { model: "m", temperature: 1 });
  assert.deepEqual(messages, [
    {
      role: "system",
      content: 'Tools: {"type": "function", "function": {"name": "f"}}\n\n' +
        "Your next answer must contain a tool call. Make at most one tool call in an answer.",
    },
    { role: "user", content: "u" },
  ]);
});

Deno.test("speakRequest announces the same bytes whatever the conversation is", () => {
  const long = Array.from(
    { length: 20 },
    (_, index) => ({ role: index % 2 ? "assistant" : "user", content: `${index}` }),
  );
  const systemOf = (messages: readonly unknown[], seed: number) =>
    spoken({ tools, messages: [{ role: "system", content: "Own" }, ...messages], seed }).messages[0].content;
  assert.equal(systemOf(long, 1), systemOf([], 2));
});

Deno.test("speakRequest leaves a request alone that has nothing to do with tools", () => {
  assert.equal(
    finish(speakRequest('{"messages":[{"role":"user","content":"u"}],"tools":null}', { speaker })),
    undefined,
  );
  assert.equal(finish(speakRequest("[1]", { speaker })), undefined);
});

Deno.test("speakRequest writes the calls of a request that offers no tools", () => {
  const call = { id: "1", function: { name: "f", arguments: "{}" } };
  const messages = [{ role: "assistant", content: "", tool_calls: [call] }, { role: "tool", content: "A" }];
  assert.deepEqual(spoken({ messages }).messages, [
    { role: "assistant", content: "<call f></call>" },
    { role: "user", content: "<result f>A</result>" },
  ]);
  const { id: _, ...bare } = call;
  const other = { function: { name: "g", arguments: "{}" } };
  const unnamed = [
    { role: "assistant", content: "", tool_calls: [bare, other] },
    { role: "tool", content: "A" },
    { role: "tool", content: "B" },
  ];
  assert.match(JSON.stringify(spoken({ messages: unnamed }).messages), /<result f>A.*<result g>B/);
});

Deno.test("speakRequest names a tool that the dialect can't call", () => {
  const odd = [{ type: "function", function: { name: "not a name" } }];
  const found = finish(speakRequest(JSON.stringify({ tools: odd, messages: [] }), { speaker }));
  assert(found !== undefined && "tool" in found);
  assert.deepEqual([found.tool, found.rule], ["not a name", "tags"]);
});

Deno.test("speakRequest speaks otherwise if a required parameter has a name that the dialect can't write", () => {
  const parameters = { type: "object", properties: {}, required: ["two words"] };
  const odd = [{ type: "function", function: { name: "f", parameters } }];
  const call = { id: "1", function: { name: "f", arguments: '{"two words": "x"}' } };
  const body = JSON.stringify({ tools: odd, messages: [{ role: "assistant", tool_calls: [call] }] });
  const found = finish(speakRequest(body, { speaker }));
  assert(found !== undefined && "body" in found && found.isOtherwise);
  assert.equal(JSON.parse(found.body).messages[1].content, '<object f>{"two words": "x"}</object>');
});

Deno.test("speakRequest pauses between many tools, and between the calls of a long conversation", () => {
  const call = (id: string) => ({ id, function: { name: "f", arguments: "{}" } });
  const messages = ["1", "2", "3"].flatMap((
    id,
  ) => [{ role: "assistant", tool_calls: [call(id)] }, { role: "tool" }]);
  const pausesOf = (request: Record<string, unknown>) => {
    const work = speakRequest(JSON.stringify(request), { speaker, isPauseDue: () => true });
    let pauses = 0;
    while (!work.next().done) pauses++;
    return pauses;
  };
  assert.equal(pausesOf({ messages }), 6);
  assert.equal(pausesOf({ messages, tools: [...tools, ...tools] }), 8);
});

Deno.test("termsOf reads every form of a choice", () => {
  const choiceOf = (request: Record<string, unknown>) => termsOf(request).choice;
  assert.equal(choiceOf({}), undefined);
  assert.equal(choiceOf({ tool_choice: "auto" }), undefined);
  assert.equal(choiceOf({ tool_choice: "none" }), "none");
  assert.equal(choiceOf({ tool_choice: "required" }), "any");
  assert.deepEqual(choiceOf({ tool_choice: { type: "function", function: { name: "f" } } }), ["f"]);
  assert.deepEqual(choiceOf({ function_call: { name: "f" } }), ["f"]);
  assert.equal(termsOf({ parallel_tool_calls: false }).isOneCall, true);
  const allowed = { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] };
  const some = { type: "allowed_tools", allowed_tools: allowed };
  assert.deepEqual(termsOf({ tool_choice: some }), { only: ["f"], isOneCall: false });
  const must = { ...some, allowed_tools: { ...allowed, mode: "required" } };
  assert.deepEqual(termsOf({ tool_choice: must }).choice, ["f"]);
});

import assert from "node:assert/strict";
import { FunctionCallingConfigMode, GoogleGenAI, Type } from "@google/genai";
import { type Arrived, type Script, USAGE } from "../support/scripted_upstream.ts";
import { startWireProxy } from "../support/wire_proxy.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH, PRINTED } from "../support/written_file.ts";

const declaration = {
  name: "write_file",
  description: "Writes a file",
  parameters: {
    type: Type.OBJECT,
    properties: { path: { type: Type.STRING }, content: { type: Type.STRING, nullable: true } },
    required: ["path", "content"],
  },
};
const config = { tools: [{ functionDeclarations: [declaration] }], systemInstruction: "Be brief." };
const question = { model: "m", contents: "Write the file", config };
const file = { path: FILE_PATH, content: FILE_CONTENT };

/** A client that talks to a model through a real proxy with the rules that ship. */
async function connect(script: Script | ((request: Arrived) => Script)) {
  const proxy = await startWireProxy(script);
  const { models, chats } = new GoogleGenAI({ apiKey: "mine", httpOptions: { baseUrl: proxy.origin } });
  return { ...proxy, client: models, chats };
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`gemini: a call in ${dialect} arrives byte-exact, streamed and whole`, async () => {
    await using chat = await connect({ text: printed, reasoning: "Let me think." });
    const whole = await chat.client.generateContent(question);
    assert.deepEqual(whole.functionCalls?.map(({ name, args }) => ({ name, args })), [{
      name: "write_file",
      args: file,
    }]);
    assert.equal(whole.usageMetadata?.promptTokenCount, USAGE.prompt_tokens);
    let [text, thought] = ["", ""];
    const calls: unknown[] = [];
    let reason: string | undefined;
    for await (const chunk of await chat.client.generateContentStream(question)) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
        if (part.thought) thought += part.text;
        else text += part.text ?? "";
        if (part.functionCall) calls.push(part.functionCall.args);
      }
      reason = chunk.candidates?.[0]?.finishReason ?? reason;
    }
    assert.deepEqual([text.trimEnd(), thought, reason], [BEFORE.trimEnd(), "Let me think.", "STOP"]);
    assert.deepEqual(calls, [file]);
    assert.equal(chat.upstream.requests[0]?.headers.get("authorization"), "Bearer mine");
    const sent = JSON.parse(chat.upstream.requests[0]!.body);
    assert.deepEqual(sent.messages[0], { role: "system", content: "Be brief." });
    assert.deepEqual(sent.tools[0].function.parameters.properties.content, { type: ["string", "null"] });
  });
}

for (const [dialect, printed] of Object.entries(PRINTED)) {
  Deno.test(`gemini: a chat of Google's SDK keeps a streamed turn with a call in ${dialect}`, async () => {
    await using chat = await connect(({ body }) => ({ text: body.includes('"tool"') ? "Do\nne." : printed }));
    const session = chat.chats.create({ model: "m", config });
    const calls: (string | undefined)[] = [];
    for await (const { functionCalls } of await session.sendMessageStream({ message: "Write the file" })) {
      calls.push(...(functionCalls ?? []).map(({ id }) => id));
    }
    assert.equal(calls.length, 1);
    const parts = session.getHistory(true).flatMap((content) => content.parts ?? []);
    assert.deepEqual(parts.flatMap(({ functionCall: call }) => call ? [call.args] : []), [file]);
    const result = { id: calls[0]!, name: "write_file", response: { output: "ok" } };
    const stream = await session.sendMessageStream({ message: [{ functionResponse: result }] });
    for await (const _ of stream);
    const whole = await session.sendMessage({ message: [{ text: "Tha" }, { text: "nks" }] });
    assert.equal(whole.text, "Do\nne.");
    const { messages } = JSON.parse(chat.upstream.requests[2]!.body);
    const [call, answer] = [messages[2], messages[4]];
    assert.equal(call.content.trimEnd(), BEFORE.trimEnd());
    assert.deepEqual(JSON.parse(call.tool_calls[0].function.arguments), file);
    assert.deepEqual([answer.content, messages[5].content], ["Do\nne.", "Thanks"]);
  });
}

Deno.test("gemini: results go back with the ids of their calls, and the choice of tools is passed on", async () => {
  await using chat = await connect({ text: "Done." });
  await chat.client.generateContent({
    model: "m",
    contents: [
      { role: "user", parts: [{ text: "Go" }, { inlineData: { mimeType: "image/png", data: "AA==" } }] },
      {
        role: "model",
        parts: [{ text: "hm", thought: true }, { functionCall: { name: "write_file", args: file } }],
      },
      { role: "user", parts: [{ functionResponse: { name: "write_file", response: { output: "ok" } } }] },
    ],
    config: {
      ...config,
      maxOutputTokens: 9,
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
    },
  });
  const { messages, tool_choice, max_tokens } = JSON.parse(chat.upstream.requests[0]!.body);
  assert.deepEqual(
    messages.map(({ role }: { role: string }) => role),
    ["system", "user", "assistant", "tool"],
  );
  assert.equal(messages[1].content[1].image_url.url, "data:image/png;base64,AA==");
  assert.equal(messages[2].reasoning_content, "hm");
  assert.equal(messages[2].tool_calls[0].id, messages[3].tool_call_id);
  assert.deepEqual([messages[3].content, tool_choice, max_tokens], ["ok", "required", 9]);
});

Deno.test("gemini: side routes and errors have the API's form", async () => {
  await using chat = await connect({ error: { status: 429, body: '{"error":{"message":"slow down"}}' } });
  assert.ok((await chat.client.countTokens({ model: "m", contents: "Hello, you" })).totalTokens! > 2);
  await assert.rejects(chat.client.generateContent(question), (error: Error & { status?: number }) => {
    assert.equal(error.status, 429);
    assert.match(error.message, /RESOURCE_EXHAUSTED/);
    return true;
  });
});

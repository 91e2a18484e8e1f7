/**
 * An upstream that only completes prompts: the chat template writes the conversation with its tools, and the call in the
 * completion reaches the client, streamed and whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { startProgram } from "../support/program.ts";

/** As everywhere with chat templates, the line break after a block belongs to the block. */
const TEMPLATE = `{% if tools %}TOOLS {{ tools | tojson }}{% endif %}{% for m in messages %}
<{{ m.role }}>{{ m.content }}{% if m.tool_calls %}CALL {{ m.tool_calls[0].function.arguments.path }}{% endif %}{% endfor %}
<assistant>`;
const CALL = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a é"}}\n</tool_call>';
const TOOLS = [{
  type: "function",
  function: { name: "write_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
}];

Deno.test("chat_template: an agent works with an upstream that only completes prompts", async () => {
  const folder = await Deno.makeTempDir();
  const prompts: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (new URL(request.url).pathname !== "/v1/completions") {
      return new Response("no such path", { status: 404 });
    }
    const { prompt, stream, messages, tools } = await request.json();
    assert.deepEqual([messages, tools], [undefined, undefined]);
    prompts.push(prompt);
    const text = prompt.includes("CALL") ? "Done." : CALL;
    const choice = (text: string, finish: string | null) => ({
      choices: [{ index: 0, text, finish_reason: finish }],
    });
    if (stream !== true) return Response.json(choice(text, "stop"));
    const pieces = [...text].map((piece) => `data: ${JSON.stringify(choice(piece, null))}\n\n`);
    const body = `${pieces.join("")}data: ${JSON.stringify(choice("", "stop"))}\n\ndata: [DONE]\n\n`;
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  await Deno.writeTextFile(join(folder, "chat.jinja"), TEMPLATE);
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "http://127.0.0.1:${server.addr.port}/v1", chat_template: chat.jinja }]`,
  );
  const program = startProgram(folder, ["serve", "--port", "0"]);
  try {
    const url = await program.until(/http:\S+\/v1(?=\n)/);
    const ask = (messages: readonly unknown[], stream: boolean) =>
      fetch(`${url}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: "m", messages, tools: TOOLS, stream }),
      });
    const user = { role: "user", content: "hi" };
    const first = await (await ask([user], false)).json();
    const [{ message }] = first.choices;
    assert.equal(message.tool_calls[0].function.arguments, '{"path":"a é"}');
    assert.match(prompts[0] ?? "", /^TOOLS \[\{"type": "function".*\]<user>hi<assistant>$/);
    const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "RESULT" };
    const second = await (await ask([user, message, result], false)).json();
    assert.equal(second.choices[0].message.content, "Done.");
    assert.match(prompts[1] ?? "", /<assistant>CALL a é<tool>RESULT<assistant>$/);
    const streamed = await (await ask([user], true)).text();
    assert.match(streamed, /"tool_calls":\[\{"index":0/);
    assert.match(streamed, /"finish_reason":"tool_calls"/);
  } finally {
    program.interrupt();
    await program.end();
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
});

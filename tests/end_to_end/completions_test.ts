/**
 * An upstream that only completes prompts: the chat template writes the conversation with its tools, and the call in the
 * completion reaches the client, streamed and whole.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { builtInService } from "../support/built_in.ts";
import { startProgram } from "../support/program.ts";
import { askChat, startProxy, testConfig } from "../support/proxy.ts";

/** As everywhere with chat templates, the line break after a block belongs to the block. */
const TEMPLATE = `{% if tools %}TOOLS {{ tools | tojson }}{% endif %}{% for m in messages %}
<{{ m.role }}>{{ m.content }}{% if m.tool_calls %}CALL {{ m.tool_calls[0].function.arguments.path }}{% endif %}{% endfor %}
<assistant>`;
const CALL = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a é"}}\n</tool_call>';
const TOOLS = [{
  type: "function",
  function: { name: "write_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
}];

/** A model server. */
function serve(answer: (request: Request) => Promise<Response>) {
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
}

/** Completes a prompt: a call, and after its result a sentence. */
async function complete(request: Request, prompts: string[]): Promise<Response> {
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
}

Deno.test("chat_template: an agent works with an upstream that only completes prompts", async () => {
  const folder = await Deno.makeTempDir();
  const prompts: string[] = [];
  const server = serve((request) => complete(request, prompts));
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

Deno.test("chat_template: a server writes the prompts with its own template", async () => {
  const prompts: string[] = [];
  let fails = false;
  const server = serve(async (request) => {
    if (new URL(request.url).pathname !== "/apply-template") return await complete(request, prompts);
    const { messages, tools } = await request.json();
    const names = tools.map((tool: typeof TOOLS[number]) => tool.function.name);
    return fails
      ? Response.json({ error: { message: "tools param requires --jinja flag" } }, { status: 500 })
      : Response.json({
        prompt: `${request.headers.get("authorization")} ${names}: ${messages.at(-1).content}`,
      });
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const upstream = { name: "local", url: `${origin}/v1`, chat_template: `${origin}/apply-template` };
  await using proxy = await startProxy(
    await builtInService(testConfig(undefined, { upstreams: [upstream] })),
  );
  const headers = { authorization: "Bearer key" };
  for (const stream of [false, true]) {
    const text = await (await askChat(proxy.origin, { headers, body: { tools: TOOLS, stream } })).text();
    assert.match(text, /"tool_calls":\[.*"name":"write_file"/);
  }
  assert.deepEqual(prompts, Array(2).fill("Bearer key write_file: hi"));
  const owed = { tools: TOOLS, tool_choice: "required", messages: [{ role: "user", content: "CALL" }] };
  assert.match(await (await askChat(proxy.origin, { body: owed })).text(), /"tool_calls":/);
  assert.match(prompts.at(-1) ?? "", /Your answer contains no tool call\./);
  fails = true;
  const failed = await askChat(proxy.origin, { body: { tools: TOOLS } });
  assert.equal(failed.status, 500);
  assert.match(await failed.text(), /requires --jinja/);
  await server.shutdown();
});

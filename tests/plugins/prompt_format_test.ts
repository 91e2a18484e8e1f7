import assert from "node:assert/strict";
import { pluginService } from "../support/plugins.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { startProxy } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { functionTool } from "../support/chat_tools.ts";

const TOOLS = ["read_file", "write_file", "list"].map((
  name,
) => (functionTool(name, { path: "string" }, { required: ["path"] })));

/** What the model server gets for what the client sends. */
async function sent(body: string, options = ""): Promise<string> {
  await using upstream = startUpstream({ text: "Hi" });
  const service = await pluginService(upstream.url, {
    config: `plugins:\n  - use: prompt_format\n${options}`,
  });
  await using proxy = await startProxy(service);
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, { method: "POST", body });
  await response.text();
  return upstream.requests[0]?.body ?? "";
}

const USER = { role: "user", content: "x" };
const request = (messages: unknown[], tools: unknown[] = TOOLS) =>
  JSON.stringify({ model: "small", seed: 1, messages, tools });

const TEXT = "To use a tool, write the call exactly like this, outside of code fences:\n\n" +
  '<read_file>\n{"path":"path"}\n</read_file>\n\n<write_file>\n{"path":"path"}\n</write_file>';

Deno.test("prompt_format adds its instruction behind the system prompt and changes nothing else", async () => {
  const system = { role: "system", content: "S" };
  assert.equal(
    await sent(request([system, USER])),
    request([{ ...system, content: `S\n\n${TEXT}` }, USER]),
  );
});

Deno.test("prompt_format adds it in front where it is asked to, also to a list of parts", async () => {
  const part = { type: "text", text: "S", cache_control: { type: "ephemeral" } };
  assert.equal(
    await sent(request([{ role: "developer", content: [part] }, USER]), "    place: prefix\n"),
    request([{ role: "developer", content: [{ type: "text", text: TEXT }, part] }, USER]),
  );
});

Deno.test("prompt_format makes a system prompt where there is none", async () => {
  assert.equal(await sent(request([USER])), request([{ role: "system", content: TEXT }, USER]));
});

Deno.test("prompt_format shows the tools and the form that it is told", async () => {
  const text = "Use:\n\n<list>\n<path>path</path>\n</list>";
  const options = "    tools: [list, none]\n    example: parameters\n    instruction: 'Use:'\n";
  assert.equal(await sent(request([USER]), options), request([{ role: "system", content: text }, USER]));
});

Deno.test("prompt_format's examples have values of their types, and a model that copies one calls the tool", async () => {
  const parameters = {
    type: "object",
    properties: {
      path: { type: "string" },
      limit: { type: "integer", minimum: 5 },
      mode: { enum: ["fast", "slow"] },
      deep: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["path", "limit", "mode", "deep", "tags"],
  };
  const tools = [{ type: "function", function: { name: "find_files", parameters } }];
  for (const form of ["json", "parameters"]) {
    await using upstream = startUpstream(({ body }) => {
      const [system] = JSON.parse(body).messages;
      return { text: system.content.slice(system.content.indexOf("<find_files>")) };
    });
    const config =
      `plugins:\n  - { use: prompt_format, example: ${form} }\n  - { use: strict_validation, mode: reject }`;
    await using proxy = await startProxy(await pluginService(upstream.url, { config }));
    const body = request([USER], tools);
    const response = await fetch(`${proxy.origin}/v1/chat/completions`, { method: "POST", body });
    const { choices } = await response.json();
    const [call] = choices[0].message.tool_calls;
    assert.equal(call.function.name, "find_files", form);
    assert.deepEqual(
      JSON.parse(call.function.arguments),
      { path: "path", limit: 5, mode: "fast", deep: true, tags: ["tags"] },
      form,
    );
  }
});

Deno.test("prompt_format teaches the dialect that the client's own prompt teaches", async () => {
  const roo = rooPrompt({ hasArgs: true, hasLineCount: false });
  const cases: [prompt: string, tool: string, call: string][] = [
    [
      roo,
      "read_file",
      "<read_file>\n<args>\n<file>\n<path>path</path>\n</file>\n</args>\n</read_file>",
    ],
    [
      roo,
      "write_to_file",
      "<write_to_file>\n<path>path</path>\n<content>\ncontent\n</content>\n</write_to_file>",
    ],
    [
      CLINE_PROMPT,
      "execute_command",
      "<execute_command>\n<command>command</command>\n<requires_approval>true</requires_approval>\n</execute_command>",
    ],
  ];
  for (const [content, tool, call] of cases) {
    const body = JSON.stringify({ model: "m", messages: [{ role: "system", content }, USER] });
    const { messages } = JSON.parse(await sent(body, `    tools: [${tool}]\n`));
    assert.equal(
      messages[0].content,
      `${content}\n\nTo use a tool, write the call exactly like this, outside of code fences:\n\n${call}`,
    );
  }
});

Deno.test("prompt_format leaves other models and requests without tools as they are", async () => {
  assert.equal(await sent(request([USER]), "    models: ['large*']\n"), request([USER]));
  assert.equal(await sent(request([USER], [])), request([USER], []));
  assert.notEqual(await sent(request([USER]), "    models: ['sm*']\n"), request([USER]));
});

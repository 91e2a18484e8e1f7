/**
 * The field in which a client of chat completions reads reasoning is data of its file: with tools and without, streamed and
 * whole. Reasoning that the upstream separates keeps the upstream's field.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { startServer } from "../support/serve.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const CLIENT = `client: router_sdk
recognize: { order: 30, has_tools: true, user_agent: [router/] }
writes: tool_calls
reasoning_field: reasoning
`;

const FIELDS = ["reasoning_content", "reasoning", "content"] as const;

/** What a client gets in each field, joined. */
async function fieldsOf(origin: string, agent: string, body: Record<string, unknown>): Promise<string[]> {
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": agent },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "Add" }], ...body }),
  });
  const text = await response.text();
  const parts = body["stream"] === true
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = ""]) => JSON.parse(data).choices[0]?.delta ?? {})
    : [JSON.parse(text).choices[0].message];
  return FIELDS.map((field) => parts.map((part) => part[field] ?? "").join(""));
}

Deno.test("each client gets reasoning of the text in the field that its file names", async () => {
  let script: Script = {};
  await using upstream = startUpstream(() => script);
  const folder = await temporaryFolder();
  await Deno.writeTextFile(join(folder, "router_sdk.yaml"), CLIENT);
  await using server = await startServer(
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nclients: { folders: ["${folder}"] }\n`,
  );
  const tools = [{ type: "function", function: { name: "look_up", parameters: { type: "object" } } }];
  for (const more of [{}, { tools }]) {
    for (const stream of [true, false]) {
      const body = { ...more, stream };
      script = { text: "<think>\nHm.\n</think>\n\nIt is 4." };
      assert.deepEqual(await fieldsOf(server.origin, "router/1.2", body), ["", "Hm.", "It is 4."]);
      assert.deepEqual(await fieldsOf(server.origin, "other/1.2", body), ["Hm.", "", "It is 4."]);
      script = { reasoning: "Own.", text: "It is 4." };
      assert.deepEqual(await fieldsOf(server.origin, "router/1.2", body), ["Own.", "", "It is 4."]);
      script = { reasoning: "Own.", text: "<think>Hm.</think>It is 4." };
      assert.deepEqual(await fieldsOf(server.origin, "router/1.2", body), ["Own.", "Hm.", "It is 4."]);
    }
  }
});

import assert from "node:assert/strict";
import { toolJsonSchema } from "../../../src/chat/client/json_schema.ts";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import { chooseForm } from "../../../src/chat/client/form.ts";
import { shippedClient } from "../../support/client_files.ts";

function schemaOf(parameters: unknown): unknown {
  const client = clientSchema.parse({ client: "mine", writes: "text", tools: { look: { parameters } } });
  return toolJsonSchema(client.tools.look ?? { parameters: {} });
}

Deno.test("toolJsonSchema declares every name that a model may use", () => {
  assert.deepEqual(
    schemaOf({
      path: { from: ["path", "file", "args.file.path"], required: true },
      line: { type: "integer" },
      todos: { join: "\n" },
      options: { type: "object" },
      entries: { type: "list", each: { text: {} } },
      files: { type: "list", as_written: ["<file"], each: { path: {} } },
      ask: { type: "boolean", required: true, default: true },
    }),
    {
      type: "object",
      properties: {
        path: { type: "string" },
        file: { type: "string" },
        args: { type: "object" },
        line: { type: "integer" },
        todos: { type: ["string", "array"] },
        options: { type: "object" },
        entries: { type: "array" },
        files: {},
        ask: { type: "boolean" },
      },
      required: ["path"],
    },
  );
});

Deno.test("toolJsonSchema keeps file contents text in the shipped clients", () => {
  for (const name of ["roo", "cline"]) {
    const client = shippedClient(name);
    const tool = client.tools.write_to_file;
    assert.ok(tool);
    const schema = JSON.stringify(toolJsonSchema(chooseForm(tool, { client, documented: new Set() })));
    assert.ok(schema.includes('"content":{"type":"string"}'));
  }
});

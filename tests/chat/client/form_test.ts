import assert from "node:assert/strict";
import { chooseForm } from "../../../src/chat/client/form.ts";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import { shippedClient } from "../../support/client_files.ts";

Deno.test("chooseForm takes the first form whose names are documented, with the parameters of every tool", () => {
  const client = clientSchema.parse({
    client: "mine",
    writes: "text",
    tools: {
      look: {
        parameters: { path: {} },
        forms: [{ if_documented: ["args"], parameters: { args: {} } }],
      },
    },
    every_tool: { progress: {} },
  });
  const tool = client.tools.look;
  assert.ok(tool);
  const names = (documented: readonly string[]) =>
    Object.keys(chooseForm(tool, { client, documented: new Set(documented) }).parameters);
  assert.deepEqual(names(["args", "path"]), ["args", "progress"]);
  assert.deepEqual(names(["path"]), ["path", "progress"]);
});

Deno.test("chooseForm knows an old version of a client, which trims contents, by the tools of its prompt", () => {
  const roo = shippedClient("roo");
  const isTrimmed = (...tools: readonly string[]) =>
    chooseForm(roo.tools["write_to_file"]!, { client: roo, documented: new Set(), listed: new Set(tools) })
      .parameters["content"]?.trimmed;
  assert.equal(isTrimmed("write_to_file", "search_and_replace"), true);
  assert.equal(isTrimmed("write_to_file", "search_and_replace", "update_todo_list"), false);
  assert.equal(isTrimmed("write_to_file"), false);
});

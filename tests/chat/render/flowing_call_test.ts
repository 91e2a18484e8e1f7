import assert from "node:assert/strict";
import { formOf } from "../../../src/chat/render/whole_call.ts";
import { FlowingCall } from "../../../src/chat/render/flowing_call.ts";
import { shippedClient } from "../../support/client_files.ts";

function flowing(client: "roo" | "cline", tool: string, documented: readonly string[] = []): FlowingCall {
  const own = shippedClient(client);
  const found = formOf(tool, { client: own, documented: new Map([[tool, new Set(documented)]]) });
  assert.ok(found);
  return new FlowingCall({ tool, client: own, model: "m", ...found });
}

function write(call: FlowingCall, json: string): string {
  let text = "";
  for (const unit of json.split(/(?=[{}\[\]":,])/)) text += call.take(unit);
  return text + call.finish();
}

Deno.test("FlowingCall writes what follows a long value, and leaves out what the tool doesn't have", () => {
  const call = flowing("roo", "write_to_file", ["line_count"]);
  assert.equal(
    write(call, '{"path":"a","content":"x\\ny","line_count":"7","mood":{"a":["b"]}}'),
    "<write_to_file>\n<path>a</path>\n<content>\nx\ny\n</content>\n<line_count>2</line_count>\n</write_to_file>",
  );
  assert.deepEqual(call.leftOut, ["mood"]);
});

Deno.test("FlowingCall counts lines where the prompt or the model asks for it", () => {
  const file = '{"path":"a","content":"x\\ny"';
  const counted = /<line_count>2<\/line_count>/;
  assert.match(write(flowing("roo", "write_to_file", ["line_count"]), `${file}}`), counted);
  assert.match(write(flowing("roo", "write_to_file"), `${file},"line_count":"2"}`), counted);
  assert.doesNotMatch(write(flowing("roo", "write_to_file"), `${file}}`), counted);
});

Deno.test("FlowingCall adds a required parameter that has a default, and reads lists as whole", () => {
  const call = flowing("cline", "use_mcp_tool");
  assert.equal(
    write(call, '{"server_name":"s","tool_name":"t","arguments":{"a":[1,{"b":"</arguments>"}]}}'),
    '<use_mcp_tool>\n<server_name>s</server_name>\n<tool_name>t</tool_name>\n<arguments>\n{"a":[1,{"b":"<\\/arguments>"}]}\n</arguments>\n</use_mcp_tool>',
  );
  assert.match(
    write(flowing("cline", "execute_command"), '{"command":"ls"}'),
    /<requires_approval>true<\/requires_approval>\n<\/execute_command>$/,
  );
});

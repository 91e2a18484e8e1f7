import assert from "node:assert/strict";
import { leftOutToolLines, watchLeftOutTools } from "../../../src/cli/service/left_out_tools.ts";

Deno.test("watchLeftOutTools reports the tool of a note", () => {
  const tools: string[] = [];
  const request = watchLeftOutTools((tool) => tools.push(tool))({
    id: "r",
    beganAt: 0,
    client: undefined,
    wire: "chat",
    model: undefined,
    upstream: "local",
    mode: "live",
    conversation: "",
    isStreamed: true,
    toolCount: 1,
    secrets: [],
  });
  const place = { choice: 0, isSent: false };
  for (const reason of ["near_miss", "server_tool"] as const) {
    request.observe({ kind: "note", reason, rule: "responses", tool: "web_search", start: 0, end: 0 }, place);
  }
  assert.deepEqual(tools, ["web_search"]);
});

Deno.test("leftOutToolLines names the tool, with control characters escaped, and the setting", () => {
  const lines = leftOutToolLines("web\u001b[31m");
  assert.match(lines, /^\d\d:\d\d:\d\d {2}server_tool: the model isn't offered web/);
  assert.ok(!lines.includes("\u001b"));
  assert.match(lines, /set tools\.server_tools\n$/);
});

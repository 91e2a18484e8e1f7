import assert from "node:assert/strict";
import { learnedToolsLine } from "../../../src/cli/service/learned_tools_line.ts";

Deno.test("learnedToolsLine names the upstream, the model and the dialect", () => {
  const date = new Date(2026, 0, 1, 12, 30, 5);
  const line = learnedToolsLine(
    { upstream: "local", model: "m\u001b", reason: "refused", dialect: "hermes" },
    date,
  );
  assert.match(
    line,
    /^12:30:05 {2}Upstream "local" with the model "m.+" refuses `tools`\. From now on .*"hermes" \(tools: auto\)\n$/,
  );
  assert(!line.includes("\u001b"));
  const other = learnedToolsLine({ upstream: "local", model: "", reason: "leaked", dialect: "hermes" }, date);
  assert.match(other, /Upstream "local" prints all its calls as text/);
});

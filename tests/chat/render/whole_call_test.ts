import assert from "node:assert/strict";
import type { Reason } from "../../../src/engine/event/reason.ts";
import { writeWholeCall } from "../../../src/chat/render/whole_call.ts";
import { shippedClient } from "../../support/client_files.ts";

const START = { kind: "call_start", call: 0, tool: "execute_command", rule: "own", confidence: 1 } as const;

function textOf(source: string, given: unknown, repairs: readonly Reason[] = []): string {
  const written = writeWholeCall({ start: START, json: JSON.stringify(given), source, repairs }, {
    client: shippedClient("roo"),
    dialectsOf: () => ["roo-xml"],
  });
  return "text" in written ? written.text : written.reason;
}

Deno.test("writeWholeCall keeps the client's own dialect as the model wrote it", () => {
  const source = "<execute_command><command>ls &amp;&amp; pwd</command></execute_command>";
  assert.equal(textOf(source, { command: "ls &amp;&amp; pwd" }), source);
  assert.equal(textOf(source, { command: "ls &amp;&amp; pwd" }, ["value_kept_as_text"]), source);
});

Deno.test("writeWholeCall writes what the client would read in another way", () => {
  const written = "<execute_command>\n<command>ls</command>\n</execute_command>";
  const cases: [string, unknown, readonly Reason[], string][] = [
    ["<execute_command><command>ls</execute_command>", { command: "ls" }, ["value_closer_missing"], written],
    ["<run><command>ls</command></run>", { command: "ls" }, [], written],
    [
      "<execute_command><command>echo '</command>'</command></execute_command>",
      { command: "echo '</command>'" },
      [],
      "<execute_command>\n<command>echo '&lt;/command>'</command>\n</execute_command>",
    ],
  ];
  for (const [source, given, repairs, expected] of cases) {
    assert.equal(textOf(source, given, repairs), expected);
  }
});

Deno.test("writeWholeCall refuses what isn't a call of the client", () => {
  assert.equal(textOf("", { nothing: 1 }), "missing_required");
  assert.equal(textOf("", [1]), "invalid_arguments");
});

import assert from "node:assert/strict";
import { findClient, type KnownRequest } from "../../../src/analysis/replay/recorded_client.ts";
import { recordedParts } from "../../../src/analysis/replay/recorded_parts.ts";
import { receiveWhole } from "../../../src/analysis/replay/recorded.ts";
import { loadSetup, serviceParts } from "../../../src/cli/service/setup.ts";
import { CLINE_PROMPT, rooPrompt } from "../../support/prompts.ts";
import { createTestContext } from "../../support/context.ts";

const parts = serviceParts(await loadSetup({}, createTestContext()));
const ROO_PROMPT = rooPrompt({ hasArgs: false, hasLineCount: true });
const tools = [{ type: "function", function: { name: "read_file" } }];
const CALL =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>";

function find(known: KnownRequest) {
  const found = findClient(recordedParts(parts), known);
  if ("message" in found) throw new Error(found.message);
  return { ...found, received: receiveWhole(CALL, { translator: found.translator }) };
}

for (
  const [title, known, name] of [
    ["nothing", {}, "openai"],
    ["tools", { tools }, "openai"],
    ["a prompt of Roo", { system: ROO_PROMPT }, "roo"],
    ["a prompt of Cline", { system: CLINE_PROMPT }, "cline"],
    ["a prompt of Roo, but Cline by name", { system: ROO_PROMPT, client: "cline" }, "cline"],
    ["a name alone", { client: "roo" }, "roo"],
    ["a name and tools", { client: "roo", tools }, "roo"],
  ] as const
) {
  Deno.test(`findClient by ${title} finds ${name}, which gets its call`, () => {
    const { translator, writesText, received } = find(known);
    assert.deepEqual([translator.name, writesText], [name, name !== "openai"]);
    if (writesText) assert.ok(received.content?.includes("<path>a</path>"), received.content ?? "");
    else assert.equal(received.calls[0]?.name, "read_file");
  });
}

Deno.test("findClient says what it assumes where the request is not known", () => {
  assert.match(find({}).assumption ?? "", /^Without --tools, /);
  assert.match(find({ client: "roo" }).assumption ?? "", /^No --system: .*roo/);
  for (const known of [{ tools }, { client: "roo", tools }, { system: ROO_PROMPT }]) {
    assert.equal(find(known).assumption, undefined);
  }
});

Deno.test("findClient offers an XML client only the tools that are named", () => {
  const { received } = find({ client: "roo", tools: [{ function: { name: "list_files" } }] });
  assert.equal(received.content, CALL);
});

for (
  const [known, message, help] of [
    [{ client: "rooo" }, "Unknown client `rooo`", "did you mean `roo`?"],
    [{ system: "You are kind." }, "No client matches this request", "--client openai|"],
    [{ client: "openai", tools: [] }, "The client openai has none of the tools", "check the file"],
  ] as const
) {
  Deno.test(`findClient of ${JSON.stringify(known)} says why nobody asks`, () => {
    const found = findClient(recordedParts(parts), known);
    assert.ok("message" in found && found.message.startsWith(message), JSON.stringify(found));
    assert.ok("help" in found && found.help.includes(help), JSON.stringify(found));
  });
}

/** Strict validation for clients that read calls in text, and of calls that only a repair made readable. */
import assert from "node:assert/strict";
import { pluginService } from "../support/plugins.ts";
import { CLINE_PROMPT, rooPrompt } from "../support/prompts.ts";
import { askChat, startProxy } from "../support/proxy.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { functionTool } from "../support/chat_tools.ts";

const CONFIG = "plugins:\n  - use: strict_validation\n    mode: reject\n    on_max_mistakes: error\n";
const NATIVE = {
  tools: [functionTool("read_file", { file_path: "string" }, { required: ["file_path"] })],
};
const ROO = {
  tools: undefined,
  messages: [
    { role: "system", content: rooPrompt({ hasArgs: true, hasLineCount: false }) },
    { role: "user", content: "Go" },
  ],
};

interface UpstreamAnswer {
  readonly code: string | undefined;
  readonly message: string;
  readonly content: string;
}

/** What a client gets for each of these answers of the model, one after the other. */
async function answers(body: Record<string, unknown>, texts: readonly string[]): Promise<UpstreamAnswer[]> {
  const script = [...texts];
  await using upstream = startUpstream(() => ({ text: script.shift() ?? "" }));
  await using proxy = await startProxy(await pluginService(upstream.url, { config: CONFIG }));
  const found: UpstreamAnswer[] = [];
  for (const _ of texts) {
    const { error, choices } = await (await askChat(proxy.origin, { body })).json();
    found.push({
      code: error?.code,
      message: error?.message ?? "",
      content: choices?.[0].message.content ?? "",
    });
  }
  return found;
}

const codes = async (body: Record<string, unknown>, texts: readonly string[]) =>
  (await answers(body, texts)).map(({ code }) => code);

Deno.test("a call that only a repair made readable is a mistake of its own", async () => {
  const call = (args: string) => `<tool_call>\n{"name": "read_file", "arguments": ${args}}\n</tool_call>`;
  const RIGHT = call('{"file_path": "a"}');
  const texts = [call('{"file_path": "a",}'), RIGHT, call("{'file_path': 'a'}"), RIGHT];
  assert.deepEqual(await codes(NATIVE, texts), ["REPAIRED_CALL", undefined, "REPAIRED_CALL", undefined]);
  assert.deepEqual(await codes(NATIVE, [call('{"file_path": "a"')]), ["REPAIRED_CALL"]);
});

const REPAIRED: Readonly<Record<string, readonly [code: string, why: RegExp]>> = {
  "<read_file>\n<path>a</read_file>": ["REPAIRED_CALL", /closing tag of a parameter is missing/],
  "<execute_command>\n<command>ls</command>\n<cwd>.</cwd>\n": ["REPAIRED_CALL", /closing tag or brace/],
  "<execute_command>\n<command>ls</command>\n": ["MALFORMED_XML", /./],
  "<execute_command>\n<command>ls": ["MALFORMED_XML", /./],
  "<tool_call>\n<function=execute_command>\n<parameter=command>\nls\n": [
    "REPAIRED_CALL",
    /closing tag of a parameter is missing/,
  ],
  "<tool_call>\n<function=execute_command>\n<parameter=command>ls</parameter>\n</tool_call>\nDone.": [
    "REPAIRED_CALL",
    /closing tag or brace/,
  ],
  "<tool_call>\n<function=execute_command>\n<parameter=command>ls</parameter>\n</function>\nDone.": [
    "REPAIRED_CALL",
    /closing tag around the call/,
  ],
  "<tool_call>\n<function=execute_command>\n<parameter=command>ls</parameter>\n</function>\n</function>\n</tool_call>":
    ["REPAIRED_CALL", /is repeated/],
  '<tool_call>\n{"name": "execute_command", "arguments": {"command": "ls", "command": "pwd"}}\n</tool_call>':
    ["REPAIRED_CALL", /is repeated with different values/],
  '```json\n{"name": "execute_command", "arguments": {"command": "ls",}}\n```': [
    "REPAIRED_CALL",
    /call's JSON is not valid/,
  ],
};

for (const [text, [code, why]] of Object.entries(REPAIRED)) {
  Deno.test(`a repaired body is an error: ${JSON.stringify(text)}`, async () => {
    const [found] = await answers(ROO, [text]);
    assert.equal(found?.code, code, found?.content ?? "nothing found");
    assert.match(found?.message ?? "", why);
  });
}

Deno.test("an error names a parameter as Cline's prompt does, with an example in its dialect", async () => {
  const messages = [{ role: "system", content: CLINE_PROMPT }, { role: "user", content: "Go" }];
  const missing = '<tool_call>\n{"name": "replace_in_file", "arguments": {"file_path": "a"}}\n</tool_call>';
  const [found] = await answers({ tools: undefined, messages }, [missing]);
  assert.match(
    found?.message ?? "",
    /^SCHEMA_VALIDATION: Required parameters are missing: diff, in the call that begins with <tool_call>/,
  );
  assert.match(found?.message ?? "", /<replace_in_file>\n<path>path<\/path>\n<diff>\ndiff\n<\/diff>/);
  const [, ...taught] = (found?.message ?? "").split("\n");
  assert.doesNotMatch(taught.join("\n"), /file_path|patch/);
});

Deno.test("a tool that is not offered is UNKNOWN_TOOL, in XML too", async () => {
  const unknown = [
    "<delete_file>\n<path>a</path>\n</delete_file>",
    'I do it.\n<delete_file>{"path": "a"}</delete_file>',
    '<tool_call>\n{"name": "delete_file", "arguments": {"path": "a"}}\n</tool_call>',
  ];
  for (const text of unknown) assert.deepEqual(await codes(ROO, [text]), ["UNKNOWN_TOOL"], text);
  const known = [
    "```xml\n<delete_file>\n<path>a</path>\n</delete_file>\n```\nis how another agent deletes.",
    "The tag `<delete_file>` is not mine.",
    "<delete_file> is a tag.",
    "<div>\n<p>a</p>\n</div>",
  ];
  for (const text of known) assert.deepEqual(await codes(ROO, [text]), [undefined], text);
});

Deno.test("the client's own XML is validated, and counts strikes", async () => {
  const wrong = "<write_to_file>\n<path>a</path>\n</write_to_file>";
  const found = await answers(ROO, [wrong, wrong, wrong]);
  assert.deepEqual(found.map(({ code }) => code), ["SCHEMA_VALIDATION", "SCHEMA_VALIDATION", "MAX_MISTAKES"]);
  const [first, , last] = found;
  assert.ok(first && last);
  assert.match(
    first.message,
    /^SCHEMA_VALIDATION: Required parameters are missing: content, in the call that begins with <write_to_file>/,
  );
  assert.match(
    first.message,
    /<write_to_file>\n<path>path<\/path>\n<content>\ncontent\n<\/content>\n<\/write_to_file>$/,
  );
  assert.doesNotMatch(first.message, /file_path|filename/);
  assert.match(
    last.message,
    /^MAX_MISTAKES: The limit of 3 mistakes in a row is reached\. The last one is SCHEMA_VALIDATION: Required parameters are missing: content, in the call that begins with /,
  );
});

Deno.test("a right call of the client's own XML passes", async () => {
  const right = "<read_file>\n<args>\n<file>\n<path>a</path>\n</file>\n</args>\n</read_file>";
  assert.deepEqual((await answers(ROO, [right])).map(({ content }) => content), [right]);
});

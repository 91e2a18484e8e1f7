import assert from "node:assert/strict";
import type { OpenCall } from "../../../src/engine/event/open_call.ts";
import { createFlow } from "../../../src/chat/render/call_streaming.ts";
import { recognize } from "../../../src/chat/client/recognize.ts";
import { shippedClient } from "../../support/client_files.ts";
import { CLINE_PROMPT, rooPrompt } from "../../support/prompts.ts";

const DIALECTS: Readonly<Record<string, readonly string[]>> = {
  own: ["roo-xml", "cline-xml"],
  other: ["else"],
};
const CLINE_WITH_WRITE = CLINE_PROMPT.replace(
  "## replace_in_file",
  "## write_to_file\nParameters:\n- path: (required)\n- content: (required)\n\n## replace_in_file",
);

/** A call that has come up to its last parameter. */
interface Begun {
  readonly client?: "roo" | "cline";
  readonly tool?: string;
  readonly written?: string;
  readonly rule?: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly parameter?: string;
  readonly model?: string;
}

function flows(begun: Begun): boolean {
  const { client = "roo", tool = "write_to_file", written = tool, rule = "own", before = {}, model = "m" } =
    begun;
  const content = client === "roo" ? rooPrompt({ hasArgs: true, hasLineCount: false }) : CLINE_WITH_WRITE;
  const request = { model, messages: [{ role: "system", content }] };
  const found = recognize(request, new Headers(), [shippedClient(client)]);
  assert.ok(found);
  const { parameter = "content" } = begun;
  const call: OpenCall = {
    rule,
    tool,
    written,
    parameter,
    before: new Set(Object.keys(before)),
    values: new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)])),
  };
  return createFlow(found, (rule) => DIALECTS[rule] ?? [])(call);
}

const PATH = { path: "a.ts" };
const CASES: Readonly<Record<string, [Begun, boolean]>> = {
  "a file whose path is known": [{ before: PATH }, true],
  "a file whose path is to come": [{}, false],
  "a path": [{ parameter: "path" }, false],
  "a call of another dialect": [{ before: PATH, rule: "other" }, false],
  "a call under an alias": [{ before: PATH, written: "write_file" }, false],
  "a parameter that the tool doesn't have": [{ before: { ...PATH, mood: "good" } }, false],
  "a value that the client reads raw": [{ before: PATH, model: "claude-4" }, false],
  "a value that is raw by another one": [{ client: "cline", before: { path: "a.xml" } }, false],
  "the same without the reason": [{ client: "cline", before: { path: "a.xsl" } }, true],
  "a path that the client misreads": [{ before: { path: "<content>" } }, false],
  "a diff": [{ tool: "apply_diff", parameter: "diff", before: PATH }, true],
  "a result": [{ tool: "attempt_completion", parameter: "result" }, true],
  "a command": [{ tool: "execute_command", parameter: "command" }, false],
  "a list": [{ tool: "read_file", parameter: "args" }, false],
};

for (const [name, [begun, expected]] of Object.entries(CASES)) {
  Deno.test(`createFlow ${expected ? "lets" : "doesn't let"} ${name} leave early`, () => {
    assert.equal(flows(begun), expected);
  });
}

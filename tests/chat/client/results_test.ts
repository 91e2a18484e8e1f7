/**
 * What agents answer to a call that they can't use: recorded from the agents themselves, in the versions that `tests/agents`
 * installs, with a call that lacks its parameters, one of a wrong type, and one of a tool that doesn't exist.
 *
 * @module
 */
import assert from "node:assert/strict";
import { readResults } from "../../../src/admin/call_results/results.ts";
import { shippedClient } from "../../support/client_files.ts";

/** Client → sentences, each with the agent that wrote it. */
const REJECTIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  claude_code: {
    "Claude Code 2.1.330": [
      "<tool_use_error>InputValidationError: Write failed due to the following issues:\nThe required parameter `file_path` is missing\nThe required parameter `content` is missing</tool_use_error>",
      "<tool_use_error>InputValidationError: Write failed due to the following issues:\nThe parameter `file_path` type is expected as `string` but provided as `object`</tool_use_error>",
      "<tool_use_error>Error: No such tool available: no_such_tool</tool_use_error>",
    ],
  },
  codex: {
    "Codex 0.169.0": [
      "failed to parse function arguments: missing field `cmd` at line 1 column 2",
      "failed to parse function arguments: invalid type: map, expected a string at line 1 column 7",
      "unsupported call: no_such_tool",
    ],
  },
  gemini_cli: {
    "Gemini CLI 0.61.0": [
      "params must have required property 'file_path'",
      "params/file_path must be string",
      'Tool "no_such_tool" not found. Did you mean one of: "update_topic", "list_directory", "read_file"?',
    ],
  },
  copilot_cli: {
    "GitHub Copilot CLI 1.0.102": [
      'Invalid input: Multiple validation errors:\n- "path": Required\n- "file_text": Required',
      "Tool 'no_such_tool' does not exist. Available tools that can be called are bash, read_bash, view.",
    ],
  },
  openai: {
    "Qwen Code 0.24.4 and 0.15.10": [
      "params must have required property 'file_path'",
      "params/file_path must be string",
      'Tool "no_such_tool" not found in registry. Tools must use the exact names that are registered.',
    ],
    "opencode 1.18.33": [
      'The write tool was called with invalid arguments: SchemaError(Missing key\n  at ["content"]).',
      "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'no_such_tool'.",
      "The arguments provided to the tool are invalid: Invalid input for tool write: JSON parsing failed",
    ],
    "pi 0.73.1": [
      'Validation failed for tool "write":\n  - path: must have required properties path, content',
    ],
    "Continue 1.5.47": ['Required parameter "filepath" missing for tool "Write"'],
  },
};

/** Results of calls that ran, which have words of those sentences. */
const ACCEPTED = [
  "src/params/index.ts\nsrc/tools.ts",
  "The parameters must be strings, see the required parameter list",
  "grep: nothing not found",
];

for (const [name, agents] of Object.entries(REJECTIONS)) {
  const { results } = shippedClient(name);
  const verdict = (content: string) => {
    const call = { answer: "a", rule: "r", tool: "write", id: "c" };
    const messages = [{ role: "assistant", content: "" }, { role: "tool", tool_call_id: "c", content }];
    return readResults({ messages } as never, [call], results).get(call);
  };
  Deno.test(`${name} counts what its agents answer to unusable calls as rejected, and nothing else`, () => {
    for (const [agent, sentences] of Object.entries(agents)) {
      for (const sentence of sentences) assert.equal(verdict(sentence), "rejected", `${agent}: ${sentence}`);
    }
    for (const text of ACCEPTED) assert.equal(verdict(text), "accepted", text);
  });
}

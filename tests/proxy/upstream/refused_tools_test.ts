import assert from "node:assert/strict";
import { Deadline } from "../../../src/proxy/exchange/deadline.ts";
import { checkRefusal, refusesTools } from "../../../src/proxy/upstream/refused_tools.ts";

const error = (message: string) => JSON.stringify({ error: { message, type: "invalid_request_error" } });

const failure = { status: 504, type: "timeout", code: "late", message: "late" };
const limits = { firstMs: 1000, silenceMs: 1000, slow: failure, silent: failure };

/** An error of a server, in its own words. */
type ServerError = readonly [status: number, body: string];

const REFUSALS: readonly ServerError[] = [
  [400, error("registry.ollama.ai/library/gemma:latest does not support tools")],
  [400, error('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')],
  [500, error("tools param requires --jinja flag")],
  [404, error('No endpoints found that support tool use. Try disabling "read_file".')],
  [400, error("Unrecognized request argument supplied: tools")],
  [422, '{"detail":[{"loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}'],
  [501, error("Function calling is not implemented")],
  [400, error("Unexpected role 'tool'. Allowed: system, user, assistant")],
  [500, error("tool_choice param requires --jinja flag")],
  [400, error('tool_choice="required" requires --tool-call-parser to be set')],
  [400, error("This model does not support tools, and tool_choice is set")],
  [500, error("create() got an unexpected keyword argument 'tools'")],
  [400, error("Unrecognized request arguments supplied: parallel_tool_calls, tools")],
];

const OTHERS: readonly ServerError[] = [
  [400, error("This model's maximum context length is 4096 tokens")],
  [400, error("Invalid schema for function 'f': tools[0] requires a type")],
  [400, error("messages with role 'tool' must be a response to a preceding message with 'tool_calls'")],
  [400, error("An assistant message with 'tool_calls' must be followed by tool messages")],
  [400, error("Unsupported parameter: 'parallel_tool_calls' is not supported with this model.")],
  [400, error("Missing required parameter: 'tools[0].function.name'.")],
  [400, error("property 'tools.0.function.strict' is unsupported")],
  [422, '{"detail":[{"loc":["body", "tools", 0, "function"],"msg":"Extra inputs are not permitted"}]}'],
  [400, error("The tool call's field `arguments` is required")],
  [500, error("Failed to parse tool call arguments as JSON: parse error at line 1: unexpected end of input")],
  [400, '{"error":"Invalid tool_choice type: \'object\'. Supported string values: none, auto, required"}'],
  [400, error("Invalid tool_choice: allowed values are none, auto, required. Not supported: object")],
  [400, error("deepseek-reasoner does not support this tool_choice")],
  [400, error("The tool_choice parameter does not support being set to required or object in thinking mode")],
  [400, error('tool_choice "required" is not supported')],
  [422, '{"detail":[{"loc":["body","tool_choice"],"msg":"Extra inputs are not permitted"}]}'],
  [400, error("When using `tool_choice`, `tools` must be set.")],
  [400, error("`tools` must not be an empty array.")],
  [400, error("logprobs is not supported with tools + stream")],
  [400, error("Cannot use custom grammar constraints with tools.")],
  [400, error("Function calling with a response mime type: 'application/json' is unsupported")],
  [400, error("response_format is not supported together with tools")],
  [422, error("Tool error: Grammar and tools are mutually exclusive")],
  [
    400,
    error("response_template parsing cannot guarantee required tool choice without a structural grammar"),
  ],
  [500, error("This model only supports single tool-calls at once!")],
  [500, error("Only user, assistant and tool roles are supported, got developer.")],
  [500, error("Message has tool role, but there was no previous assistant message with a tool call!")],
  [
    500,
    error("conversation roles must alternate user and assistant roles except for tool calls and results"),
  ],
  [401, error("This key does not support tools")],
  [429, error("tools require a higher quota")],
  [500, error("out of memory")],
];

Deno.test("refusesTools knows the errors of servers without tools", () => {
  for (const [status, body] of REFUSALS) assert(refusesTools(status, body), body);
  for (const [status, body] of OTHERS) assert(!refusesTools(status, body), body);
});

Deno.test("checkRefusal leaves every other error readable", async () => {
  for (const [status, body] of [...OTHERS, [400, "x".repeat(70_000)] as const]) {
    const deadline = new Deadline();
    const answered = { response: new Response(body, { status, headers: { "x-own": "1" } }), deadline };
    const { refuses, same: { response } } = await checkRefusal(answered, { limits, chat: {} });
    deadline.stop();
    assert(refuses !== "tools");
    assert.deepEqual(
      [response.status, response.headers.get("x-own"), await response.text()],
      [status, "1", body],
    );
  }
  const [status, body] = REFUSALS[0]!;
  const refused = { response: new Response(body, { status }), deadline: new Deadline() };
  assert.equal((await checkRefusal(refused, { limits, chat: {} })).refuses, "tools");
  refused.deadline.stop();
});

Deno.test("checkRefusal stops reading a long error, and leaves all of it readable", async () => {
  const pieces = Array.from({ length: 20 }, (_, index) => new Uint8Array(16 * 1024).fill(index));
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  const answered = { response: new Response(body, { status: 500 }), deadline: new Deadline() };
  const { refuses, same } = await checkRefusal(answered, { limits, chat: {} });
  answered.deadline.stop();
  assert.equal(refuses, undefined);
  assert(left.length > 10, "the rest is read by the client");
  assert.deepEqual(
    await same.response.bytes(),
    new Uint8Array(await new Blob(pieces).arrayBuffer()),
  );
});

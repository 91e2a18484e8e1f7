/**
 * What the parts of a chat request that Dragoman rewrites have to be, for a model that gets its tools in the prompt.
 * Other parts pass unchanged, and the upstream decides about them.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 * @module
 */
import { either, type Expectation, fields, flag, list, object, required, text } from "./shape_check.ts";

const FUNCTION = fields({ name: required(text), description: text, parameters: object });

const CALLED = fields({ name: required(text), arguments: either(text, object) });

const MESSAGE = fields({
  role: required(text),
  content: either(text, list(object)),
  tool_calls: list(fields({ id: text, function: CALLED })),
  function_call: CALLED,
  tool_call_id: text,
  name: text,
});

export const CHAT_REQUEST: Expectation = fields({
  messages: required(list(MESSAGE)),
  tools: list(fields({ function: FUNCTION })),
  functions: list(FUNCTION),
  tool_choice: either(text, object),
  function_call: either(text, object),
  parallel_tool_calls: flag,
});

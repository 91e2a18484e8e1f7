/**
 * What the parts of an Ollama request that are read have to be.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md#generate-a-chat-completion
 * @module
 */
import { either, type Expectation, fields, flag, list, object, required, text } from "../shape_check.ts";

const CALL = fields({
  id: text,
  function: required(fields({ name: required(text), arguments: either(object, text) })),
});

const MESSAGE = fields({
  role: required(text),
  content: text,
  thinking: text,
  images: list(text),
  tool_calls: list(CALL),
  tool_name: text,
  tool_call_id: text,
});

export const CHAT_REQUEST: Expectation = fields({
  model: required(text),
  messages: required(list(MESSAGE)),
  tools: list(object),
  format: either(text, object),
  stream: flag,
  think: either(flag, text),
  options: object,
});

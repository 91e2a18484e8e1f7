/**
 * What the parts of an Anthropic request that are read have to be.
 *
 * @see https://docs.anthropic.com/en/api/messages (version 2023-06-01)
 * @module
 */
import {
  either,
  type Expectation,
  fields,
  flag,
  kinds,
  later,
  list,
  object,
  required,
  text,
} from "../shape_check.ts";

const CONTENT = later("a text or a list", () => BLOCKS);

const SOURCE = kinds({
  base64: fields({ media_type: required(text), data: required(text) }),
  url: fields({ url: required(text) }),
  text: fields({ data: required(text) }),
  content: fields({ content: CONTENT }),
}, { usual: "base64" });

const TOOL = fields({ type: text, name: text, description: text, input_schema: object, defer_loading: flag });

const CHANGE = fields({ tool: fields({ name: text, definition: TOOL }) });

const BLOCK = kinds({
  text: fields({ text: required(text) }),
  thinking: fields({ thinking: text }),
  tool_use: fields({ id: required(text), name: required(text), input: object }),
  tool_result: fields({ tool_use_id: required(text), content: CONTENT, is_error: flag }),
  image: fields({ source: SOURCE }),
  document: fields({ source: SOURCE, title: text }),
  tool_reference: fields({ tool_name: text }),
  search_result: fields({ title: text, source: text, content: CONTENT }),
  tool_addition: CHANGE,
  tool_removal: CHANGE,
});

const BLOCKS = either(text, list(BLOCK));

/** The parts that count as the request's tokens. */
const COUNTED = { system: CONTENT, tools: list(TOOL) };

const MESSAGES = list(fields({ role: required(text), content: CONTENT }));

export const MESSAGE_REQUEST: Expectation = fields({
  ...COUNTED,
  model: text,
  messages: required(MESSAGES),
  stream: flag,
  thread: object,
  metadata: fields({ user_id: text }),
  tool_choice: fields({ type: text, name: text, disable_parallel_tool_use: flag }),
  output_config: fields({ format: fields({ type: text }) }),
});

export const COUNT_REQUEST: Expectation = fields({ ...COUNTED, messages: MESSAGES });

/**
 * What the parts of a Responses request that are read have to be.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
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

const PARTS = list(kinds({
  input_text: fields({ text }),
  output_text: fields({ text }),
  text: fields({ text }),
  refusal: fields({ refusal: text }),
  input_file: fields({ file_data: text, filename: text }),
  reasoning_text: fields({ text }),
  summary_text: fields({ text }),
}, { usual: "input_text" }));

const CONTENT = either(text, PARTS);

const OUTPUT = fields({ call_id: text, id: text, output: either(CONTENT, object) });

const NAMED = fields({ name: required(text) });

const TOOL: Expectation = kinds({
  function: fields({ name: required(text), description: text, parameters: object }),
  custom: fields({ name: required(text), description: text, format: fields({ definition: text }) }),
  namespace: fields({ name: required(text), tools: later("a list", () => TOOLS) }),
});

const TOOLS = list(TOOL);

const CALL = { call_id: text, id: text, name: required(text), namespace: text };

const ITEM = kinds({
  item_reference: fields({ id: text }),
  message: fields({ id: text, role: text, content: CONTENT }),
  reasoning: fields({ content: PARTS, summary: PARTS, encrypted_content: text }),
  function_call: fields({ ...CALL, arguments: text }),
  custom_tool_call: fields({ ...CALL, input: text }),
  local_shell_call: fields({ call_id: text, id: text, action: object }),
  function_call_output: OUTPUT,
  custom_tool_call_output: OUTPUT,
  local_shell_call_output: OUTPUT,
  compaction: fields({ encrypted_content: text }),
  additional_tools: fields({ tools: TOOLS }),
}, { usual: "message" });

export const RESPONSE_REQUEST: Expectation = fields({
  model: text,
  input: either(text, list(ITEM)),
  instructions: text,
  stream: flag,
  tools: TOOLS,
  reasoning: fields({ effort: text }),
  text: fields({ format: kinds({ json_schema: fields({ name: text }) }) }),
  tool_choice: either(
    text,
    kinds({
      function: NAMED,
      custom: NAMED,
      allowed_tools: fields({ mode: text, tools: list(fields({ type: text, name: text })) }),
    }),
  ),
});

/**
 * The recorded cases of plain use (tier A) whose calls we read in another way than the engine that recorded them, and
 * why. `quirks_table.ts` writes them as a table; the test keeps the list as it is: neither a case too many nor one
 * too few.
 *
 * @module
 */

/** Cases of one kind. */
export interface Quirk {
  /** The beginning of the ids, or the whole id. */
  readonly ids: readonly string[];
  /** Why we read them in another way. */
  readonly reason: string;
}

/** Every kind. */
export const QUIRKS: readonly Quirk[] = [
  {
    reason: "The engine makes calls of tools that the request does not offer; we never do.",
    ids: [
      "vllm/glm45/test_extract_tool_calls[single_tool_call]",
      "vllm/glm45/test_extract_tool_calls[multiple_tool_calls]",
      "vllm/glm45/test_extract_tool_calls[tool_call_with_content_before]",
      "vllm/glm45/test_extract_tool_calls[tool_call_with_mixed_args]",
      "vllm/glm45/test_extract_tool_calls_empty_arguments",
      "vllm/glm45/test_extract_tool_calls_special_characters",
      "vllm/glm45/test_extract_tool_calls_numeric_deserialization",
      "vllm/glm45/test_zero_argument_tool_call",
      "vllm/glm45/test_unicode_characters_preserved",
      "vllm/glm45/test_streaming_json_escape_in_string",
    ],
  },
  {
    reason: "The text is the beginning of a stream, and the test asserts what the engine knows so far.",
    ids: [
      "vllm/glm45/test_streaming_incremental_string_value",
      "vllm/glm45/test_streaming_prev_tool_call_arr_updates",
      "vllm/glm45/test_streaming_multiple_tool_calls_sequential",
      "vllm/glm45/test_streaming_with_function_tool",
      "vllm/glm47/TestGlm47Streaming::test_with_args",
      "vllm/minimax/test_streaming_arguments_delta_only",
      "vllm/minimax/test_streaming_complex_scenario_with_multiple_tools",
      "vllm/xlam/test_streaming_with_list_structure",
      "sglang/json_array/TestJsonArrayParser::test_braces_in_strings",
      "sglang/json_array/TestJsonArrayParser::test_separator_in_same_chunk",
    ],
  },
  {
    reason: "The test makes the engine's own code fail and asserts what is left.",
    ids: [
      "vllm/mistral/test_extract_tool_calls_streaming_exception_returns_none",
      "sglang/kimi_k2/TestKimiK2EndToEnd::test_e2e_exception_mid_drain_preserves_accumulated_calls",
    ],
  },
  {
    reason:
      "The engine finds a call in the middle of prose, where nothing marks it; we read such a call only at the start.",
    ids: [
      "vllm/llama3_json/test_extract_tool_calls_simple",
      "vllm/llama3_json/test_extract_tool_calls_multiple_json_with_surrounding_text",
      "sglang/pythonic/TestPythonicDetector::test_parse_streaming_complete_tool_call [stream]",
    ],
  },
  {
    reason: "The engine knows other names of some tools by heart and changes their arguments.",
    ids: [
      "vllm/minicpm5/test_alias_get_details_by_phone",
      "vllm/minicpm5/test_alias_get_line_details",
      "vllm/minicpm5/test_alias_enable_roaming",
    ],
  },
  {
    reason:
      "The engine drops parameters that the tool does not declare and refuses calls without required ones; we keep what the model wrote, and `strict_validation` refuses.",
    ids: [
      "vllm/minicpm5/test_wrapped_arguments_still_validate_schema",
      "vllm/minicpm5/test_extra_arguments_ignored_when_required_present",
      "vllm/minicpm5/test_extra_arguments_do_not_satisfy_required",
      "vllm/minicpm5/test_zero_arg_tool_ignores_extra_arguments",
    ],
  },
  {
    reason:
      "The engine leaves text that we read: JSON on several lines, a call after reasoning, the tag of the model's other version.",
    ids: [
      "vllm/minimax/test_extract_tool_calls_multiline_json_not_supported",
      "vllm/minimax/test_streaming_with_thinking_tags",
      "vllm/deepseek_v4/test_function_calls_block_is_not_accepted",
    ],
  },
  {
    reason: "The engine makes a call of a key without a value; we abstain.",
    ids: [
      "sglang/poolside_v1/TestPoolsideV1Detector::test_arg_key_without_value_emits_empty_call",
      "sglang/poolside_v1/TestPoolsideV1Detector::test_streaming_arg_key_without_value_closes_call",
    ],
  },
  {
    reason: "The name holds characters that no tool's name has.",
    ids: ["sglang/kimi_k3/test_attr_unescaping_and_raw_string_args"],
  },
];

/** The reason of a case; undefined if it is none of them. */
export function quirkOf(id: string): Quirk | undefined {
  return QUIRKS.find(({ ids }) => ids.some((known) => id.startsWith(known)));
}

/** The page `rules/quirks.md`, whole. */
export function quirksTable(): string {
  const rows = QUIRKS.flatMap(({ ids, reason }) => ids.map((id) => `| \`${id}\` | ${reason} |`));
  return `# Recorded cases that we read in another way than the engine

Of the recorded cases of plain use (tier A), these are not read as the engine reads them. The table is made from
\`tests/support/quirks.ts\`, and a test compares it with what happens.

| case | why |
|---|---|
${rows.join("\n")}
`;
}

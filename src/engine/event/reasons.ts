/** The table of reason codes: what each one is, and what it means for a person. @module */
import type { ReasonEntry } from "./reason_entry.ts";

/** Reason code → its kind and meaning. */
export const REASONS = {
  transformed: {
    kind: "decision",
    outcome: "transformed",
    meaning:
      "The text was a call to an offered tool, so it was converted to a tool call that the client can run. No action is needed.",
  },
  would_transform: {
    kind: "decision",
    outcome: "would_transform",
    meaning:
      "Outside a dry run, the text would have become a call. To convert calls, switch off `policy.dry_run` or the upstream's `dry_run`, or remove the rule from `policy.dry_run_rules`.",
  },
  rollout_excluded: {
    kind: "decision",
    outcome: "would_transform",
    meaning:
      "The conversation is outside `policy.rollout_percent`, so the client got the original text instead of the call. To convert more conversations, raise the percentage.",
  },
  below_confidence: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The rule's confidence is below `policy.minimum_confidence`, so the text was left unchanged. If you trust the rule, raise its `confidence` or lower the threshold.",
  },
  unknown_tool: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text names a tool that the request does not offer, so it was left unchanged. Check the name in the request's `tools`, or add an alias to the client's file.",
  },
  not_whitelisted: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The rule's `call` does not allow these arguments, so the text was left unchanged. For commands, add the first word of every command in the line to `allowed_commands`. Substitutions, redirections, and multiple lines are never allowed.",
  },
  invalid_arguments: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The arguments are not valid JSON and cannot be repaired without inventing a key or a value, so the text was left unchanged. To see where the error is, run `dragoman trace` on the answer. A lower temperature or a larger model makes such errors less frequent.",
  },
  missing_required: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "A required parameter is missing. Dragoman refuses such a call if its other parameters belong to a different tool, and always refuses it for clients that parse calls from the text, because the call could damage a file. Compare the call with the tool's schema. If the model uses another name for the parameter, add that name to the client's file.",
  },
  unwritable: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The call cannot be written so that the client parses exactly the same values: a value contains its own closing tag, is too long, or begins with text that the client trims. The call's text was sent unchanged. The detail names the value. If the client supports `tool_calls`, use that mode.",
  },
  undeclared_parameter: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The tag looks like HTML, and its first element is not a parameter of the tool, so the text was treated as markup and left unchanged. If it was a call, compare the names of its elements with the tool's schema.",
  },
  malformed: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text began like a call that this rule reads, but it does not match the rule's pattern, so it was left unchanged. To see where the rule stops matching, run `dragoman trace` on the answer. To convert calls in this form, change the pattern, or write a rule with `dragoman derive`.",
  },
  truncated: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The answer ended inside the call: it was cut off, or the model never closed a quote or a bracket. `dragoman trace` shows where. If the client had not yet received a part of the call, its text was sent; otherwise, the answer ends as truncated (`finish_reason: length`). If the answer was cut off, raise `max_tokens` in the request or in the upstream's `defaults`.",
  },
  quoted: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The candidate is in code, a block quote, a table, quotation marks, a comment, or the model's reasoning, or it is a fenced JSON call with prose after it. Such text is an example, not a call. If the model writes its calls in a fence, use a rule with `in_code: opening_fence`.",
  },
  echo: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "A message in the request already contains this text (ignoring whitespace, escapes, and line prefixes), so it is a quotation, not a call. If the model has to repeat calls, switch off `policy.echo_guard`.",
  },
  text_follows: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The rule matches a call only at the end of an answer (`followed_by: nothing`), and more text followed. If the model explains its calls afterwards, use a rule without `followed_by: nothing`.",
  },
  over_limit: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The call is too long, or its text was parsed again too many times, so it was left unchanged. Ask the model for smaller calls, such as edits instead of whole files.",
  },
  two_readings: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text is a damaged call, or the closing marks of a call come again after other text. Two interpretations with different arguments are about equally plausible, so no call was made. Ask the model to repeat the call, for example with `policy.unreadable_call: ask_again`.",
  },
  value_refused: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text is a damaged call, and its best interpretation has an implausible value: an unpaired tag, the wrong type, no text, or no closing tag. No call was made, because a wrong call is worse than none. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  too_damaged: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text looks like a call, but too much of its notation is missing or repeated to recover it, so it was left unchanged. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  call_in_sentence: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The text looks like a call, but it is part of a sentence that mentions the tool, so it was left unchanged. If the model does write calls in this form, write a rule for them.",
  },
  mark_left: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text is a damaged call, and one of its tags or brackets would be left over, so it was left unchanged. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  calls_in_part: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The answer has several damaged calls, and not all of them can be read. No call was made, because running only some of them can be worse than running none. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  near_miss: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The answer looks like a call of an offered tool, but no enabled rule matches. Record such answers with `serve --record DIR`, then write a rule with `dragoman derive`. `dragoman trace` shows the nearest rules.",
  },
  next_upstream: {
    kind: "remark",
    meaning:
      "The upstream was unreachable, responded with status 429, 502, or 503, or sent only empty answers, so the request went to the model's next upstream (`routing.strategy`). If this happens often, check the model server's log.",
  },
  prefix_broken: {
    kind: "remark",
    word: "prefix broken",
    meaning:
      "The request doesn't begin like the previous request in the conversation, so the server can't use its prompt cache beyond the first change. The detail names that change. Compaction does this on purpose. If it happens with every request, see `cache` in the configuration and the agent's settings. To switch this remark off, set `cache.watch: false`.",
  },
  prompt_too_long: {
    kind: "remark",
    word: "prompt too long",
    meaning:
      "The prompt is longer than the model's context. The client got the error in the wording that makes agents compact the conversation (`policy.long_prompt`); the detail is the server's own text. If this happens often, give the server a larger context, or set its size in the agent's settings.",
  },
  prompt_cut: {
    kind: "remark",
    word: "prompt cut",
    meaning:
      "The server processed far fewer tokens than the prompt must contain, so it truncated the prompt without an error, and the model may not have seen its task or its tools. Raise the server's context size; the detail names the setting.",
  },
  kept_alive: {
    kind: "remark",
    word: "kept alive",
    meaning:
      "The model server was silent for a long time, so Dragoman sent data that keeps the client's connection alive (`limits.keep_alive_ms`); the detail states how many times. Without such data, agents give up and send the request again. If this happens often, speed up the server's prompt processing, for example with a larger cache or a shorter context.",
  },
  tools_assumed: {
    kind: "remark",
    meaning:
      "The client parses calls from text, but its system prompt lists no tools, so every tool in the client's file counts as offered. Use the client's own system prompt, or remove the path prefix that selects the client.",
  },
  server_tool: {
    kind: "remark",
    meaning:
      "The request offers a tool that runs on the API provider's servers, such as web search. A chat server doesn't have it, so the tool was removed. Switch the tool off in the agent, refuse such requests with `tools.server_tools: refuse`, or set `pass_on` if your model server runs the tool.",
  },
  only_model: {
    kind: "remark",
    meaning:
      "The request names a different model from the only one on the server, so Dragoman requested the server's model instead. Agents often ask for a small model to write titles. To keep the name, set `one_model: false` for the upstream; to choose a name, use `model_names`.",
  },
  schema_over_budget: {
    kind: "remark",
    meaning:
      "The tool's schema is larger than the limit: 50,000 objects, lists, and values, or 16 Mi characters. It is treated as a schema that allows everything, so values stay as the model printed them; the server gets the tool unchanged. Offer a smaller schema, for example without long lists of values.",
  },
  one_call_only: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The client accepts one call per message, so Dragoman didn't send anything after the first call. There is nothing to do: the model continues after the result.",
  },
  recovered: {
    kind: "decision",
    outcome: "transformed",
    meaning:
      "The call was in the model's reasoning, and the answer ended without text and without any other call. To leave such calls in the reasoning, set `policy.reasoning: ignore`.",
  },
  call_in_reasoning: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The answer is empty, and the model's reasoning ends with a complete call, which `policy.reasoning: ignore` leaves there. To make such calls, set `policy.reasoning: recover`.",
  },
  reasoning_in_text: {
    kind: "remark",
    meaning:
      "The model printed reasoning in its text. The client gets it as reasoning, without the surrounding tags, whose name is in the detail. To leave it in the text, set `policy.reasoning_text: keep`.",
  },
  reasoning_not_opened: {
    kind: "remark",
    meaning:
      "The answer had the closing tag of reasoning but no opening tag, because the model's template writes that tag in the prompt. If the answer wasn't streamed, Dragoman split it at that tag. A stream had already sent the text before the tag; later answers begin as reasoning. To avoid this, set `begins_in_reasoning: true` for the upstream.",
  },
  reasoning_not_closed: {
    kind: "remark",
    meaning:
      "The answer was expected to begin with reasoning, but it ended without a closing tag, text, or a call. Dragoman therefore sent its text as the answer, and it expects the next answer to begin with text.",
  },
  read_by_evidence: {
    kind: "repair",
    meaning:
      "No rule reads this notation, or the call was damaged, but the tool's name, its schema, and the markup left a single interpretation. To read the notation while it streams, write a rule, for example with `dragoman derive`. To switch this off, set `policy.second_reader: off`.",
  },
  reasoning_separated: {
    kind: "remark",
    meaning:
      "The answer was expected to begin with reasoning in its text, but the upstream sent the reasoning separately, so the text is the answer. The same applies to the next answers. If the upstream has `begins_in_reasoning: true`, remove it.",
  },
  arguments_decoded: {
    kind: "repair",
    meaning: "The arguments were a JSON string that contains JSON. They were decoded once.",
  },
  entities_decoded: {
    kind: "repair",
    meaning:
      "A shell command had HTML entities outside quotes, such as `2&gt;&1`. They make no sense there, so they were decoded once.",
  },
  name_repaired: {
    kind: "repair",
    meaning:
      "The tool's name was spelled differently from the offered one: in case, separators, a prefix such as `functions.`, its server's prefix, control tokens, or a channel's name. It was replaced by the only offered name that matches. If the marks in it hold the arguments, these were read, too. `policy.repair_shapes: off` keeps differences in separators and in the server's prefix.",
  },
  arguments_fitted: {
    kind: "repair",
    meaning:
      "The arguments didn't fit the tool's schema, but their meaning was clear. Examples are a value of another type, JSON in a string, one string instead of a list, null for an optional parameter, or a different spelling of a required parameter. They were converted without loss. To keep such arguments unchanged, set `policy.repair_shapes: off`.",
  },
  json_repaired: {
    kind: "repair",
    meaning:
      "The arguments were nearly JSON and were repaired. Typical errors are a trailing comma, a raw newline in a string, single quotes, a comment, a bare key, a Python literal, or a missing or extra brace.",
  },
  closer_missing: {
    kind: "repair",
    meaning: "A closing tag was missing. The next tag or the end of the answer showed where it belongs.",
  },
  value_closer_missing: {
    kind: "repair",
    meaning: "A parameter's closing tag was missing. The text that followed showed where the value ends.",
  },
  wrapper_closer_missing: {
    kind: "repair",
    meaning: "The call was closed, but the tag around it was not. Text or the end of the answer followed.",
  },
  closer_repeated: {
    kind: "repair",
    meaning: "A closing tag was repeated or followed by a different one. The extra tag was removed.",
  },
  closer_replaced: {
    kind: "repair",
    meaning:
      "The call ended with a closing tag that matches no opening tag. Dragoman treated it as the call's closing tag.",
  },
  text_before_closer: {
    kind: "repair",
    meaning:
      "There was text between the complete JSON of a call and its closing tag. Tags and control tokens were left out; other text was sent after the call.",
  },
  value_kept_as_text: {
    kind: "remark",
    meaning: "A value does not have the type that the tool's schema requires. It was sent as a string.",
  },
  unknown_parameter: {
    kind: "remark",
    meaning: "The tool's schema does not declare this parameter. It was kept.",
  },
  parameter_left_out: {
    kind: "remark",
    meaning: "The client's tool has no such parameter and would ignore it, so it was left out of the call.",
  },
  value_trimmed: {
    kind: "remark",
    meaning:
      "The client trims this value, which begins or ends with whitespace. The call was sent, but that whitespace is lost.",
  },
  spoken_otherwise: {
    kind: "remark",
    meaning:
      "The dialect of `tools: prompted` can't express a value of an earlier call, or the name of a tool or a required parameter. The model got this call, or all tools, in the dialect that the rule names under `otherwise`. No action is needed.",
  },
  format_left_out: {
    kind: "remark",
    meaning:
      "The request has tools and a `response_format`, which would forbid every call on an upstream that completes prompts (`chat_template`), so the format was left out. If a request needs the format, send it without tools or with `tool_choice: none`.",
  },
  strict_withdrawn: {
    kind: "remark",
    meaning:
      "The server failed to apply the grammar of `tools.strict: add`; the detail is its error. Requests for this model are sent without a grammar until a restart. To stop trying, set `tools.strict: pass`.",
  },
  asked_again: {
    kind: "remark",
    meaning:
      "The model printed a call that no rule could read, so it was asked again with the error and an example (`policy.unreadable_call: ask_again`). The client gets the next answer; the detail is the error. If this happens often, record such answers with `serve --record DIR`, then write a rule with `dragoman derive`.",
  },
  empty_answer: {
    kind: "remark",
    word: "empty answer",
    meaning:
      "The answer had no text and no call: it was empty, had only reasoning, reached the token limit, or the server's own parser lost it. The detail states the cause and the remedy, such as asking the model again. If this happens often, raise the token limit, or set `tools: raw` for the upstream. To switch the remedies off, set `policy.empty_answer: pass`.",
  },
  loop_warned: {
    kind: "remark",
    word: "loop",
    meaning:
      "The model made the same call with the same result four times in a row, so a sentence after the last result asked it to do something else. The agent doesn't see the sentence. To switch this off, set `policy.loop: pass`.",
  },
  loop_stopped: {
    kind: "remark",
    word: "loop stopped",
    meaning:
      "The model made the same call with the same result at least six times in a row, so Dragoman ended the turn with an explanation instead of asking the model again (`policy.loop: stop`). Rephrase your request, or set `policy.loop: warn`.",
  },
  thoughts_ended: {
    kind: "remark",
    word: "thoughts ended",
    meaning:
      "The model's reasoning exceeded `reasoning_budget` or repeated itself, so Dragoman stopped it and asked the model for its answer. The detail states the cause. To allow more reasoning, raise the budget, or set `policy.repeated_thoughts: pass`.",
  },
  healed_thoughts: {
    kind: "remark",
    word: "thoughts put back",
    meaning:
      "The agent dropped or renamed the reasoning before earlier calls, which the model needs, so it was put back into the field that the detail names. To send requests unchanged, set `policy.dropped_thoughts: pass`, or `heal: false` for the upstream.",
  },
  healed_fields: {
    kind: "remark",
    meaning:
      "The server refuses these fields in combination with other fields in the request, so they were left out. To send them, set `heal: false` for the upstream, or stop the agent from sending the conflicting field.",
  },
  healed_schema: {
    kind: "remark",
    meaning:
      "The server refuses a part of this tool's schema, so the server got a less strict schema. The description contains the parts that were left out, and calls are checked against the original schema. The detail lists the keywords. To send schemas unchanged, set `heal: false` for the upstream.",
  },
  healed_messages: {
    kind: "remark",
    meaning:
      "The server or the model's template refuses or misinterprets messages in the agent's format, so they were converted. The detail states the change. To send messages unchanged, set `heal: false` for the upstream.",
  },
  healed_ids: {
    kind: "remark",
    meaning:
      "The model's template requires another form of call ids, so the server got ids in that form; the agent keeps its own. To send ids unchanged, set `heal: false` for the upstream.",
  },
  healed_history: {
    kind: "remark",
    meaning:
      "Earlier answers in the conversation contain printed calls, which the model would copy. Those with a result became tool calls, and the others were removed (`policy.repair_history`). To send the conversation unchanged, switch that setting off, or set `heal: false` for the upstream.",
  },
  healed_choice: {
    kind: "remark",
    meaning:
      "The server refuses or ignores this `tool_choice`, so Dragoman sent a form that the server accepts, and it checks that the answer contains the call. To send `tool_choice` unchanged, set `heal: false` for the upstream.",
  },
  asked_raw: {
    kind: "remark",
    meaning:
      "The server's parser failed on the model's answer, and the text was lost. Dragoman asked the model once more with the parser off and read the answer itself. With `tools: auto`, the parser stays off for this model. To switch it off from the first request, set `tools: raw`.",
  },
  asked_raw_refused: {
    kind: "remark",
    meaning:
      "The server refused the request because it could not turn the tools into a grammar. Dragoman sent the request once more with the server's parser off, which needs no grammar. With `tools: auto`, the parser stays off for this model. To switch it off from the first request, set `tools: raw`.",
  },
  parser_error_read: {
    kind: "remark",
    meaning:
      "The server's parser failed on the model's answer, but its error contained the text, which Dragoman read as the answer. With `tools: auto`, the parser stays off for this model. To switch it off from the first request, set `tools: raw`.",
  },
  repeated_parameter: {
    kind: "remark",
    meaning: "A parameter appeared twice in a row with the same value. It counts once.",
  },
  replaced_parameter: {
    kind: "repair",
    meaning: "A parameter appeared twice in a row with different short values. The last value was used.",
  },
  repeated_call: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The answer contained the same call twice: in its text and as the upstream's own tool call, or as two of the upstream's calls with the same id. It was sent once. No action is needed.",
  },
  id_missing: {
    kind: "repair",
    meaning: "The upstream's own call had no id, or an empty one. The call got a new id.",
  },
  id_repeated: {
    kind: "repair",
    meaning:
      "The id of the upstream's own call already belongs to another call in the conversation. The call got a new id.",
  },
  index_wrong: {
    kind: "repair",
    meaning: "The index of the upstream's own call was missing or out of sequence. It was corrected.",
  },
  type_missing: {
    kind: "repair",
    meaning: "The upstream's own call had no type. `function` was added.",
  },
  name_repeated: {
    kind: "repair",
    meaning: "A later fragment repeated the name or the id of the upstream's own call. It was sent once.",
  },
  role_missing: { kind: "repair", meaning: "The upstream's call had no role. `assistant` was added." },
  arguments_missing: {
    kind: "repair",
    meaning: "The arguments of the upstream's own call were empty. An empty object was sent.",
  },
  arguments_not_text: {
    kind: "repair",
    meaning:
      "The arguments of the upstream's own call were an object instead of JSON text. They were written as text.",
  },
  surrogate_split: {
    kind: "repair",
    meaning:
      "A fragment of the arguments ended inside a surrogate pair, which strict parsers drop. Dragoman split the arguments elsewhere.",
  },
  calls_empty: {
    kind: "repair",
    meaning: "The upstream sent an empty list of calls. The list was left out.",
  },
  function_call_repaired: {
    kind: "repair",
    meaning:
      "The upstream sent the legacy `function_call` to a client that offers `tools`. It was sent as a tool call.",
  },
  finish_reason_repaired: {
    kind: "repair",
    meaning:
      "The upstream's finish reason did not fit its calls. The client got `tool_calls` if a call was sent, `length` if one was cut off, and `stop` if there was no call.",
  },
  double_finish: {
    kind: "repair",
    meaning: "The upstream sent the end of an answer with calls twice. The second end was left out.",
  },
  done_missing: {
    kind: "repair",
    meaning: "The upstream's answer contained calls but ended without `[DONE]`. It was added.",
  },
  plugin_refused: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "A plugin refused the call, so its text was left unchanged. The detail states the plugin's reason. If the plugin should allow the call, change its options.",
  },
  plugin_changed: {
    kind: "plugin",
    meaning: "A plugin changed the call's arguments or replaced the call.",
  },
  plugin_failed: {
    kind: "plugin",
    meaning:
      "A plugin's hook threw an error, returned an invalid result, or exceeded its time limit. The answer continued without the hook's result; only a late result of a hook other than `onRequest` was used.",
  },
  plugin_note: { kind: "plugin", meaning: "A plugin's remark. Nothing was changed." },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

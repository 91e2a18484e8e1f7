/**
 * The table of reason codes: what each one is, and what it means for a person.
 *
 * @module
 */
import type { ReasonEntry } from "./reason_entry.ts";

/** Reason code → its kind and meaning. */
export const REASONS = {
  transformed: {
    kind: "decision",
    outcome: "transformed",
    meaning:
      "The text was a call of an offered tool. It was converted to a tool call that the client can run. There is nothing to do.",
  },
  would_transform: {
    kind: "decision",
    outcome: "would_transform",
    meaning:
      "A dry run kept the original text, which would have been converted to a call. To convert calls, switch off `policy.dry_run`, the upstream's `dry_run`, or the rule's entry in `policy.dry_run_rules`.",
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
      "The rule's `call` does not allow these arguments, so the text was left unchanged. For commands, `allowed_commands` must name the first word of every command in the line. Substitutions, redirections and several lines are never allowed.",
  },
  invalid_arguments: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The arguments are not valid JSON and cannot be repaired without inventing a key or a value, so the text was left unchanged. To see where they stop being JSON, run `dragoman trace` on the answer; a lower temperature or a larger model makes such errors rarer.",
  },
  missing_required: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "A required parameter is missing. Such a call is refused if it has undeclared parameters instead, which another tool has, and always for clients that read calls in the text, because running it could damage a file. Compare the call with the tool's schema; if the model writes the parameter under another name, add that name to the client's file.",
  },
  unwritable: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The call cannot be written so that the client reads back exactly the same values: a value contains its own closing tag, is too long, or begins with text that the client cuts off. The call's text was sent unchanged. The detail names the value. If the client can run `tool_calls`, use it in that mode.",
  },
  undeclared_parameter: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The first element inside a tag that looks like HTML is not a parameter of the offered tool, so the text was treated as markup and left unchanged. If it was a call, compare the names of its elements with the tool's schema.",
  },
  malformed: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text began like a call of this rule but does not match its pattern. It was left unchanged. To see where the rule stops, run `dragoman trace` on the answer; to read this form, change the pattern or let `dragoman derive` write a rule.",
  },
  truncated: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The answer ended inside the call: it was cut off, or a quote or a bracket that the model never closed takes everything up to the end, also the closing mark of a fence; `dragoman trace` shows where. If the call had not been announced to the client, its text was sent. If it had been, the answer ends as a truncated one (`finish_reason: length`). If it was cut off, raise the limit of tokens in the request or the upstream's `defaults`, for example `max_tokens`.",
  },
  quoted: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The candidate is inside a quotation: a fence or other code, a block quote, a table, quotation marks, a comment, or the model's reasoning; or it is a fenced JSON call that prose follows. It is an example, not a call. If the model means its calls in a fence, use a rule with `in_code: opening_fence`.",
  },
  echo: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "A message of the request already contains this text, apart from white space, escapes and line prefixes, so it is a quotation, not a call. If the model has to repeat calls, switch off `policy.echo_guard`.",
  },
  text_follows: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The rule reads a call only at the end of an answer (`followed_by: nothing`), and more text followed. If the model explains its calls afterwards, use a rule without `followed_by: nothing`.",
  },
  over_limit: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "A limit was reached: the length of a call, or how many times text may be read again. The text was left unchanged. Ask the model for smaller calls, for example for edits instead of whole files.",
  },
  two_readings: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text is a damaged call, and two readings of it with different arguments are about equally good. None was made. Ask the model to repeat the call, for example with `policy.unreadable_call: ask_again`.",
  },
  value_refused: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text is a damaged call, and its best reading has a value that can't be right: it holds a tag without its counterpart, isn't of its type, is empty, or has no closing tag of its own. No call was made, because a wrong one is worse than none. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  too_damaged: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text looks like a call, but too much of its notation is missing or doubled to know what was meant. It was left unchanged. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  call_in_sentence: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The text looks like a call, but it is part of a sentence, which mentions the tool. It was left unchanged. If the model means such calls, write a rule for them.",
  },
  mark_left: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The text is a damaged call, and a tag or a bracket of it would be left over after the call. It was left unchanged. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  calls_in_part: {
    kind: "decision",
    outcome: "abstained",
    isAttempt: true,
    meaning:
      "The answer has several damaged calls, and not all of them can be read. None was made, because a part of what the model asked for can be worse than nothing. Ask the model again, for example with `policy.unreadable_call: ask_again`.",
  },
  near_miss: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The answer names an offered tool and has one of its parameters in JSON, in a tag or after a sign, but no rule that is on reads a call there. Record such answers with `serve --record DIR`, then let `dragoman derive` write a rule from one; `dragoman trace` shows the nearest rules.",
  },
  next_upstream: {
    kind: "remark",
    meaning:
      "The upstream could not be reached, or answered 429, 502 or 503, or its answer had nothing even when it was asked again, so the request went to the next one that serves the model (`routing.strategy`). If this happens often, look into the model server's log.",
  },
  prefix_broken: {
    kind: "remark",
    word: "prefix broken",
    meaning:
      "The request doesn't begin as the one before of its conversation, so a server with a cache reads the prompt again from the first change on; the detail names it. A compaction does that on purpose. If the agent does it every time, see `cache` in the configuration, and the agent's settings. `cache.watch: false` switches this off.",
  },
  prompt_too_long: {
    kind: "remark",
    word: "prompt too long",
    meaning:
      "The prompt is longer than the model's context. The client got the error in words by which agents compact the conversation (`policy.long_prompt`); the detail is the server's own text. If it happens often, give the server a larger context, or state its size in the agent's settings.",
  },
  prompt_cut: {
    kind: "remark",
    word: "prompt cut",
    meaning:
      "The server read far fewer tokens than the prompt can have, so it cut the prompt without an error, and the model doesn't know its task or its tools. Raise the server's context; the detail names the setting.",
  },
  kept_alive: {
    kind: "remark",
    word: "kept alive",
    meaning:
      "The model server sent nothing for a long time, so the client got something that only keeps its connection alive (`limits.keep_alive_ms`); the detail is how often. Without it, agents give up and ask again. If it happens often, make the server's prompts faster: more of its cache, fewer slots, a shorter context.",
  },
  tools_assumed: {
    kind: "remark",
    meaning:
      "The client reads calls in text, but its system prompt lists no tools. Every tool of the client's file counts as offered. Use the client's own system prompt, or drop the path prefix that forces the client.",
  },
  server_tool: {
    kind: "remark",
    meaning:
      "The request offers a tool that runs on the servers of the agent's API, such as web search. A chat server doesn't have it, so the model was not offered it. Switch the tool off in the agent, refuse such requests with `tools.server_tools: refuse`, or set `pass_on` if your model server runs the tool.",
  },
  only_model: {
    kind: "remark",
    meaning:
      "The server has one model, and the request names another, so the server was asked for its own one: agents ask for a small model for titles. To ask for the name as it is, set `one_model: false` for the upstream; to choose the name yourself, use `model_names`.",
  },
  schema_over_budget: {
    kind: "remark",
    meaning:
      "The tool's schema is larger than what is read of a schema: 50,000 objects, lists and values, or 16 Mi characters of texts, keys and paths. It counts as one that allows everything, so values stay what the model printed; the server gets the tool unchanged. Offer a smaller schema, for example without lists of values.",
  },
  one_call_only: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The client takes one call per message. What came after the first call was not sent. There is nothing to do: the model continues after the result.",
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
      "The answer is empty, and the model's reasoning ends in a whole call, which `policy.reasoning: ignore` leaves there. To make such calls, set `policy.reasoning: recover`.",
  },
  reasoning_in_text: {
    kind: "remark",
    meaning:
      "The model printed reasoning in its text. The client gets it as reasoning, without the marks around it, which the detail names. To leave it in the text, set `policy.reasoning_text: keep`.",
  },
  reasoning_not_opened: {
    kind: "remark",
    meaning:
      "The answer had the closing mark of reasoning and no opening mark, because the model's template writes that one in the prompt. A whole answer was split there; a stream had sent the text before it, and from the next answer on it begins as reasoning. To know it from the first answer on, set the upstream's `begins_in_reasoning: true`.",
  },
  reasoning_not_closed: {
    kind: "remark",
    meaning:
      "The answer was expected to begin with reasoning, and it ended without the mark that closes it, a text or a call. So its text was the answer, and it was sent as text. The next answer begins as text.",
  },
  read_by_evidence: {
    kind: "repair",
    meaning:
      "No rule reads this notation, or the call was damaged. The tool's name, its schema and the marks around it left one reading. To read the notation while it streams, write a rule, for example with `dragoman derive`; to switch this off, set `policy.second_reader` to `off`.",
  },
  reasoning_separated: {
    kind: "remark",
    meaning:
      "The answer was expected to begin with reasoning in its text, and the upstream sent the reasoning apart. So the text is the answer, as is that of the next answers. If `begins_in_reasoning: true` is set for the upstream, leave it out.",
  },
  arguments_decoded: {
    kind: "repair",
    meaning: "The arguments were a JSON string that contains JSON. They were decoded once.",
  },
  name_repaired: {
    kind: "repair",
    meaning:
      "The name of the tool was an offered one in another case or with other separators, with a prefix such as `functions.`, without its server's, or with control tokens or a channel's name. It was replaced by the offered name, which is the only one that fits. `policy.repair_shapes: off` keeps other separators and a server's prefix.",
  },
  arguments_fitted: {
    kind: "repair",
    meaning:
      "The arguments didn't fit the tool's schema and show what was meant: a value of another type, or in the upstream's own call also JSON in a string, a key with markup, an object around the arguments, one string for a list or for the only required parameter, null for an optional one, or a required parameter in another spelling. They were converted without loss. `policy.repair_shapes: off` keeps them.",
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
    meaning: "A parameter's closing tag was missing. What followed it showed where the value ends.",
  },
  wrapper_closer_missing: {
    kind: "repair",
    meaning: "The call was closed, but the tag around it was not. Text or the end of the answer followed.",
  },
  closer_repeated: {
    kind: "repair",
    meaning: "A closing tag came twice, or a different one was next to it. The extra tag was left out.",
  },
  closer_replaced: {
    kind: "repair",
    meaning:
      "A closing tag that nothing opens was in the place of the call's closing tag. It was taken for that tag.",
  },
  text_before_closer: {
    kind: "repair",
    meaning:
      "Text was between the whole JSON of a call and its closing tag. Tags and control tokens were left out; other text was sent after the call.",
  },
  value_kept_as_text: {
    kind: "remark",
    meaning: "A value does not have the type that the tool's schema asks for. It was passed on as text.",
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
      "The client removes white space from both ends of this value, and the value had some. The call was sent, and the white space is lost.",
  },
  spoken_otherwise: {
    kind: "remark",
    meaning:
      "The dialect of `tools: prompted` can't carry a value of an earlier call, or the name of a tool or a required parameter. The model got this call, or all tools, in the dialect that the rule names under `otherwise`. There is nothing to do.",
  },
  format_left_out: {
    kind: "remark",
    meaning:
      "The request has a `response_format` and tools, and the upstream completes prompts (`chat_template`). The format would forbid every call, so it was left out. Send no tools, or `tool_choice: none`, with a request that needs the format.",
  },
  strict_withdrawn: {
    kind: "remark",
    meaning:
      "With `tools.strict: add`, the server should constrain this model's calls by a grammar, and a grammar failed. Requests for the model are sent without it until a restart; the detail is the error's text. To stop trying, set `tools.strict: pass`.",
  },
  asked_again: {
    kind: "remark",
    meaning:
      "The model printed a call that no rule could read, so it was asked again with the error and an example (`policy.unreadable_call: ask_again`). The client gets the next answer; the detail is what was wrong. If it comes often, record such answers with `serve --record DIR`, and let `dragoman derive` write a rule.",
  },
  empty_answer: {
    kind: "remark",
    word: "empty answer",
    meaning:
      "The answer had no text and no call: it was empty or white space, had only thoughts, reached the token limit with nothing, or was lost in the server's own parser. The detail states which, and what was done: the model was asked again, the server was asked with its parser off, the next upstream was asked, or the answer was passed on. If it comes often, raise the limit of tokens, or set `tools: raw` for the upstream. To switch it off, set `policy.empty_answer: pass`.",
  },
  loop_warned: {
    kind: "remark",
    word: "loop",
    meaning:
      "The model made the same call with the same result four times in a row, so a sentence after the last result asked it to do something else. The agent doesn't see it. To switch it off, set `policy.loop: pass`.",
  },
  loop_stopped: {
    kind: "remark",
    word: "loop stopped",
    meaning:
      "The model made the same call with the same result six times in a row or more, so the turn ended with a plain answer, and no model was asked (`policy.loop: stop`). Ask again with other words, or set `policy.loop: warn`.",
  },
  thoughts_ended: {
    kind: "remark",
    word: "thoughts ended",
    meaning:
      "The model's thoughts were longer than the budget (`reasoning_budget`) or repeated themselves, so they were ended, and the model was asked for its answer with them. The detail states which. To let it think on, raise the budget, or set `policy.repeated_thoughts: pass`.",
  },
  healed_thoughts: {
    kind: "remark",
    word: "thoughts put back",
    meaning:
      "The agent left out or renamed the thoughts of earlier answers with calls, and the server's model reads them, so they were put back into the field that the detail names. To send what the agent sends, set `policy.dropped_thoughts: pass`, or `heal: false` for the upstream.",
  },
  healed_fields: {
    kind: "remark",
    meaning:
      "The server refuses these fields next to the others of the request, so they were left out. To send them, set `heal: false` for the upstream, or let the agent leave out the field that it could miss.",
  },
  healed_schema: {
    kind: "remark",
    meaning:
      "The server refuses a part of this tool's schema. It got a schema that allows the same and more; what was left out is in the description, and calls are checked with the original. The detail lists the keywords. To send schemas unchanged, set `heal: false` for the upstream.",
  },
  healed_messages: {
    kind: "remark",
    meaning:
      "The server or the model's template refuses or misreads the messages as the agent sends them. They were brought into the form that it takes. The detail states the change. To send messages unchanged, set `heal: false` for the upstream.",
  },
  healed_ids: {
    kind: "remark",
    meaning:
      "The model's template demands another form of the ids of calls. Calls and results got it in what the server receives; the agent keeps its own ids. To send ids unchanged, set `heal: false` for the upstream.",
  },
  healed_history: {
    kind: "remark",
    meaning:
      "Earlier answers of the conversation contain printed calls, which the model would copy. Those that a result answers became calls, and the others left the text (`policy.repair_history`). To send the conversation unchanged, switch that off, or set `heal: false` for the upstream.",
  },
  healed_choice: {
    kind: "remark",
    meaning:
      "The server refuses or ignores this `tool_choice`. It got a form that it takes, and Dragoman checks that the answer has the call. To send `tool_choice` unchanged, set `heal: false` for the upstream.",
  },
  asked_raw: {
    kind: "remark",
    meaning:
      "The server's own parser failed at what the model wrote, and the text was lost. The model was asked once more with the parser off, and Dragoman read its answer. With `tools: auto`, the model is read raw from then on; to switch that parser off from the first request on, use `tools: raw`.",
  },
  asked_raw_refused: {
    kind: "remark",
    meaning:
      "The server refused the request because it could not turn the tools into a grammar. The same request was sent once more with the server's parser off, which needs no grammar. With `tools: auto`, the model is read raw from then on; to switch that parser off from the first request on, use `tools: raw`.",
  },
  parser_error_read: {
    kind: "remark",
    meaning:
      "The server's own parser failed at what the model wrote, and its error contained the text. Dragoman read it as the answer. With `tools: auto`, the model is read raw from then on; to switch that parser off from the first request on, use `tools: raw`.",
  },
  repeated_parameter: {
    kind: "remark",
    meaning: "A parameter came twice in a row with the same value. It counts once.",
  },
  replaced_parameter: {
    kind: "repair",
    meaning: "A parameter came twice in a row with different short values. The last one counts.",
  },
  repeated_call: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "The answer contained the same call twice: in its text and as the upstream's own tool call, or as two of the upstream's calls with one id. It was sent once. There is nothing to do.",
  },
  id_missing: {
    kind: "repair",
    meaning: "The upstream's own call had no id, or an empty one. It got a new one.",
  },
  id_repeated: {
    kind: "repair",
    meaning:
      "The id of the upstream's own call already belongs to another call of the conversation. It got a new one.",
  },
  index_wrong: {
    kind: "repair",
    meaning:
      "The upstream's own call had no index, or one that does not follow from the calls before it. It was numbered.",
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
      "A fragment of the arguments ended inside a surrogate pair, which strict readers drop. It was cut elsewhere.",
  },
  calls_empty: { kind: "repair", meaning: "The upstream sent an empty list of calls. It was left out." },
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
    meaning: "The upstream ended an answer with calls twice. The second end was left out.",
  },
  done_missing: {
    kind: "repair",
    meaning: "The upstream ended an answer with calls without `[DONE]`. It was added.",
  },
  plugin_refused: {
    kind: "decision",
    outcome: "abstained",
    meaning:
      "A plugin refused the call, so its text was left unchanged. The detail is the plugin's own reason; change the plugin's options if it should allow the call.",
  },
  plugin_changed: {
    kind: "plugin",
    meaning: "A plugin changed the call's arguments or replaced the call.",
  },
  plugin_failed: {
    kind: "plugin",
    meaning:
      "A hook of a plugin threw an error or returned an invalid result, or `onRequest` exceeded its time limit: the answer continued without it. Or another hook exceeded it; then its result was used.",
  },
  plugin_note: { kind: "plugin", meaning: "A plugin's remark. It changed nothing." },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

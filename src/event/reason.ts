/**
 * The closed list of reason codes. Every decision about a candidate ends in exactly one of them, every repair
 * names one; `dragoman explain CODE` prints the paragraph.
 *
 * @module
 */

/** Reason code → what it means and what a person can do about it. */
export const REASONS = {
  transformed: "The text was a tool call of an offered tool and was said again in the client's dialect.",
  would_transform:
    "Dry run: the text was a call and would have been transformed, but the client got the original. Switch `policy.dry_run`, the upstream's `dry_run` or the rule's entry in `policy.dry_run_rules` off to make it live.",
  rollout_excluded:
    "The text was a call, but its conversation is not among the `policy.rollout_percent` per cent whose answers are translated, so the client got the original.",
  below_confidence:
    "The rule's confidence is under `policy.minimum_confidence`, so the text was left as it is. Raise the rule's `confidence` if you trust it, or lower the threshold.",
  unknown_tool:
    "The text names a tool that the request does not offer. A call is made only of offered tools, so the text was left as it is. Check the name in the request's `tools`, or add an alias to the client's file.",
  not_whitelisted:
    "The rule has a `whitelist` and the arguments are not on it: for commands, the first word of every command in the line must be listed, and substitutions, redirections and several lines are never let through. The text was left as it is.",
  invalid_arguments:
    "The arguments could not be read as JSON and could not be mended without inventing a key or a value. The text was left as it is.",
  missing_required:
    "A required parameter is missing. For clients that read XML such a call is refused, since running it could damage a file.",
  unwritable:
    "The call cannot be written so that the client reads back exactly the values that were meant: a value contains its own closing tag, is too long, or begins with what the client cuts off. The call's text was sent as it is. The detail says which value.",
  undeclared_parameter:
    "The first element inside a tag that looks like HTML is not a parameter of the offered tool, so the text was taken for markup and left as it is.",
  malformed: "The text began like a call of this rule, then departed from its pattern. It was left as it is.",
  truncated:
    "The answer ended inside the call. If the client had not heard of the call, its text was sent; if it had, the answer ends as a truncated one does (`finish_reason: length`).",
  quoted:
    "The candidate stands in a quotation: a fence, a code span, a block quote or the model's reasoning. It is an example, not a call.",
  echo:
    "The same text stands in one of the request's user or tool messages, apart from white space, escapes and what viewers put in front of lines, so it is a quotation, not a call (`policy.echo_guard`).",
  text_follows:
    "The rule makes a call only of the last thing in an answer (`where: last`), and more text followed.",
  over_limit: "A limit was reached: the length of a call, or the number of times a text may be read again.",
  one_call_only: "The client takes one call a message; what came after the first was not sent.",
  recovered:
    "The call stood in the model's reasoning, and the answer ended without text and without any other call (`policy.reasoning: recover`).",
  arguments_decoded: "Repair: the arguments were a JSON string that holds JSON; they were decoded once.",
  json_repaired:
    "Repair: the arguments were nearly JSON (a trailing comma, a raw newline in a string, single quotes, a comment, a bare key, a Python literal, a missing or an extra brace) and were mended.",
  closer_missing:
    "Repair: a closing tag was missing where the next tag or the end of the answer made its place certain.",
  value_kept_as_text:
    "A value does not read as the type that the tool's schema asks for; it was passed on as text and not guessed.",
  unknown_parameter: "The tool's schema does not declare this parameter; it was kept.",
  parameter_left_out:
    "The client's tool has no such parameter and would ignore it; it was left out of the call that was written.",
  value_trimmed:
    "The client cuts white space off both ends of this value, and the value had some. The call was sent; the white space is lost.",
  repeated_parameter: "A parameter came twice; the last one counts.",
  repeated_call:
    "The answer gave the same call twice, once in its text and once as the upstream's own tool call; it was sent once.",
  id_missing: "Repair: the upstream's own call came without an id, or with an empty one; it got a fresh one.",
  id_repeated:
    "Repair: the id of the upstream's own call already belongs to another call of the conversation; it got a fresh one.",
  index_wrong:
    "Repair: the upstream's own call had no index, or one that does not follow from the calls before it; it was numbered.",
  type_missing: "Repair: the upstream's own call did not say that it is a function; it was said.",
  name_repeated:
    "Repair: the name or the id of the upstream's own call came again with a later fragment; it was said once.",
  role_missing: "Repair: the upstream sent a call without ever naming the role; `assistant` was added.",
  arguments_missing: "Repair: the arguments of the upstream's own call were empty; an empty object was sent.",
  arguments_not_text:
    "Repair: the arguments of the upstream's own call were an object where JSON text belongs; they were written as text.",
  surrogate_split:
    "Repair: a fragment of the arguments ended inside a surrogate pair, which strict readers drop; it was cut elsewhere.",
  calls_empty: "Repair: the upstream sent an empty list of calls; it was left out.",
  function_call_mended:
    "Repair: the upstream sent the legacy `function_call` to a client that offers `tools`; it was sent as a tool call.",
  finish_reason_mended:
    "Repair: the upstream's finish reason did not fit the calls that it sent: `tool_calls` stands where a call was sent, `length` where one broke off, `stop` where there was none.",
  double_finish: "Repair: the upstream ended an answer with calls twice; the second end was left out.",
  done_missing: "Repair: the upstream ended an answer with calls without `[DONE]`; it was added.",
  plugin_refused:
    "A plugin refused the call; its text was left as it is. The detail is the plugin's own reason.",
  plugin_changed: "A plugin changed the call's arguments or made other calls instead of it.",
  plugin_failed:
    "A hook of a plugin threw, took too long or returned something that it may not. The answer went on as if the plugin had said nothing.",
  plugin_note: "A plugin's remark; it changed nothing.",
} as const;

/** A reason code. */
export type Reason = keyof typeof REASONS;

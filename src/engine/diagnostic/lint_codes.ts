/**
 * The codes of what `check` finds in rules that can be read but do not do what their author means, and in how a dialect
 * is spoken.
 *
 * @module
 */
import type { CodeText } from "./code_text.ts";

export const LINT_CODES = {
  // How a dialect is spoken, in a rule or in the configuration.
  speak_placeholder: {
    summary: "A template of `speak` with a placeholder that does not exist or is missing",
    explanation:
      "Each text of `speak` is a template. A word in braces is replaced, and each template has words of its own; `announce` needs `{tools}`, `call` needs `{name}`, `result` needs `{content}` or `{content_json}`. Other words in braces would reach the model as they are. To write such braces, put a backslash before them.",
    example: "speak:\n  call: '<call {name}>{arguments}</call>'   # not {tool}",
  },
  speak_part: {
    summary: "A part of `speak` that something needs and that is missing, or that has no effect",
    explanation:
      "`{items}` in `call` needs `item`, which writes one argument; `{each_parameter}` and `{fields}` in `tool` need `parameter` and `field`; `values: marked` needs the rule's `string_mark`. A part that no placeholder refers to has no effect.",
    example: "speak:\n  call: '<call {name}>{items}</call>'\n  item: '<arg {key}>{value}</arg>'",
  },
  speak_unread: {
    summary: "A rule does not read the calls that it speaks",
    explanation:
      "`check` writes a few calls as `speak` states and reads them with all rules that are on. A call that comes back changed, or not at all, would teach a model a notation that Dragoman does not understand. Compare `call` and `item` with `pattern` and `item`, and check that the rule is on.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'\nspeak:\n  call: '<call {name}>{arguments}</call>'",
  },
  dialect_unspoken: {
    summary: "A dialect that cannot be spoken",
    explanation:
      "`tools: prompted` announces tools and writes earlier calls in the dialect of one rule, as the section `speak` of its file states. The rule under `dialect` does not exist or has no such section, or none of the chosen `rules` has one. The same goes for the rule that a rule of your own names under `otherwise`. Without a `dialect`, only models that a rule names under `speak.models` get tools in the prompt; a warning states so if no rule that is on has `*` there. rules/shipped_rules.md lists the rules that speak.",
    example: "upstreams:\n  - { name: local, url: …, tools: prompted, dialect: my_dialect }",
  },
  dialect_unread: {
    summary: "A dialect that is spoken, but not read",
    explanation:
      "The rule under `dialect` would tell the model how to write calls, but it does not read the answers: it is off, below `policy.minimum_confidence`, or not among the `rules` of the upstream or the model. Its calls would reach the client as text.",
    example: "rules:\n  enable: [my_dialect]",
  },
  template_unreadable: {
    summary: "A chat template that cannot be parsed or run",
    explanation:
      "The file under an upstream's `chat_template` is not a template in Jinja, or a tokenizer_config.json without one; or, as a warning, it fails on a short conversation, because it needs something that Dragoman's template engine does not have, or it leaves tools out. The template writes each conversation as one prompt for /v1/completions. Take it from the model's own files, such as chat_template.jinja.",
    example: "upstreams:\n  - { name: local, url: …, chat_template: chat_template.jinja }",
  },
  // Rules that can be read but do not do what their author means.
  pattern_placeholder: {
    summary: "A placeholder that does not exist",
    explanation:
      "The one placeholder of a pattern is `{tool}`, the tool's name. Other words in braces would be taken as they are, braces included. To match braces, write a backslash before them; to keep a part of the text, write a named group.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'   # not {name}",
  },
  opener_swallows: {
    summary: "An opener that takes the text before the call with it",
    explanation:
      "The opener begins with something that matches ordinary text, such as `.*`. Everything from the beginning of the line would be held back and belong to the call. Rules look for their opener everywhere by themselves: begin with the first character of the dialect's own mark.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'   # not .*<call",
  },
  tool_without_mark: {
    summary: "A tool's name that nothing marks as a call",
    explanation:
      "The opener is a tool's name with nothing but letters and white space around it, so a sentence that names the tool begins a call. Write the mark that the dialect puts before or after the name, or, where it has none, ask for more evidence: `keys: declared` together with `begins: answer` or `begins: line`.",
    example: "pattern: '\\[CALL\\]\\s*{tool}(?<body>…)\\[/CALL\\]'",
  },
  wrapper_not_closed: {
    summary: "A wrapper that is opened and never closed",
    explanation:
      "The pattern begins with an optional tag around the call and has no optional tag at its end, so what closes the wrapper is left in the text. Write both sides as optional groups, first and last in the pattern.",
    example: "pattern: '(?:<calls>\\s*)?<call {tool}>(?<body>…)</call>(?:\\s*</calls>)?'",
  },
  body_not_closed: {
    summary: "A body that nothing closes",
    explanation:
      "A body of kind `text`, `yaml` or `tagged` ends at its closer; JSON and calls end by themselves. Without a closer that takes at least one character, only the next line or the end of the answer ends the body, so text after a call can look like its last value.",
    example: "pattern: '<run {tool}>(?<body>…)</run>'",
  },
  part_never_matches: {
    summary: "A part of a pattern that can never match",
    explanation:
      "The part needs a character that does not exist, such as one of the empty class `[^\\s\\S]`. If it is optional, as a trailing group, it does nothing; otherwise the rule never makes a call. Change the class, or leave the part out.",
    example: "pattern: '<call {tool}>(?<body>…)</call>(?:\\s*</calls>)?'",
  },
  examples_missing: {
    summary: "A rule without examples",
    explanation:
      "Examples are the tests of a rule: they run whole, one character at a time and cut at every place, in `check`, in every run of the tests, and together with all other rules. A rule that makes calls needs at least one example and one case that stays untouched.",
    example:
      "examples:\n  - name: one call\n    offered: [read_file]\n    input: '<call read_file>{}</call>'\n    calls: [{ tool: read_file }]",
  },
  rules_overlap: {
    summary: "Two rules read the same text",
    explanation:
      "An example of this rule is also a call for another rule that is on. The more confident of the two wins, then the one with the longer opener. That may be what you want; if not, make one of the patterns stricter, or disable the rule that you do not need.",
    example: "rules:\n  disable: [function_json]",
  },
} as const satisfies Record<string, CodeText>;

/** Codes of what `check` finds in rules that can be read but don't do what their author means. @module */
import type { CodeText } from "./code_text.ts";

export const LINT_CODES = {
  // How a dialect is spoken, in a rule or in the configuration.
  speak_placeholder: {
    summary: "A `speak` template with an unknown or missing placeholder",
    explanation:
      "Each string in `speak` is a template. Each template has its own placeholders, which are words in braces: `announce` needs `{tools}`, `call` needs `{name}`, `result` needs `{content}` or `{content_json}`. Other words in braces would reach the model unchanged. To write literal braces, put a backslash before them.",
    example: "speak:\n  call: '<call {name}>{arguments}</call>'   # not {tool}",
  },
  speak_part: {
    summary: "A part of `speak` that is missing or has no effect",
    explanation:
      "`{items}` in `call` needs `item`, which writes one argument; `{each_parameter}` and `{fields}` in `tool` need `parameter` and `field`; `values: marked` needs the rule's `string_mark`. A part that no placeholder refers to has no effect.",
    example: "speak:\n  call: '<call {name}>{items}</call>'\n  item: '<arg {key}>{value}</arg>'",
  },
  speak_unread: {
    summary: "A rule does not read the calls that it writes",
    explanation:
      "`check` writes a few calls with `speak` and reads them with all enabled rules. If a call comes back changed or not at all, the model would learn a notation that Dragoman can't read. Compare `speak.call` and `speak.item` with `pattern` and `item`, and check that the rule is enabled.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'\nspeak:\n  call: '<call {name}>{arguments}</call>'",
  },
  dialect_unspoken: {
    summary: "A dialect that cannot be written",
    explanation:
      "`tools: prompted` announces tools and writes earlier calls in one rule's dialect, as the rule's `speak` section defines. The rule under `dialect` or `otherwise` does not exist or has no such section, or none of the chosen `rules` has such a section. Without a `dialect`, only models that a rule lists under `speak.models` get tools in the prompt; Dragoman warns if no enabled rule lists `*`. See rules/shipped_rules.md for the rules that have `speak`.",
    example: "upstreams:\n  - { name: local, url: …, tools: prompted, dialect: my_dialect }",
  },
  dialect_unread: {
    summary: "A dialect that is written but not read",
    explanation:
      "The rule under `dialect` tells the model how to write calls, but the rule does not read the model's answers, because it is off, below `policy.minimum_confidence`, or missing from the `rules` of the upstream or the model. The calls would reach the client as text.",
    example: "rules:\n  enable: [my_dialect]",
  },
  template_unreadable: {
    summary: "A chat template that cannot be parsed or run",
    explanation:
      "The file under an upstream's `chat_template` is not a Jinja template, or is a tokenizer_config.json without one. As a warning, this code means that the template fails on a short conversation because Dragoman's template engine lacks a feature, or that the template leaves out the tools. The template turns each conversation into one prompt for /v1/completions. Take it from the model's own files, such as chat_template.jinja.",
    example: "upstreams:\n  - { name: local, url: …, chat_template: chat_template.jinja }",
  },
  // Rules that can be read but do not do what their author means.
  pattern_placeholder: {
    summary: "An unknown placeholder",
    explanation:
      "The only placeholder in a pattern is `{tool}`, the tool's name. Other words in braces match literally, including the braces. To match braces, write a backslash before them; to capture text, write a named group.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'   # not {name}",
  },
  opener_swallows: {
    summary: "An opener that includes text before the call",
    explanation:
      "The opener begins with something that matches ordinary text, such as `.*`, so everything from the beginning of the line would belong to the call. Rules already search for their opener everywhere: begin with the first character of the dialect's own marker.",
    example: "pattern: '<call {tool}>(?<body>…)</call>'   # not .*<call",
  },
  tool_without_mark: {
    summary: "An opener that matches any mention of a tool",
    explanation:
      "The opener is a tool's name with only letters and whitespace around it, so any sentence that names the tool would begin a call. Include the marker that the dialect puts before or after the name. If it has none, require more evidence: `keys: declared` together with `begins: answer` or `begins: line`.",
    example: "pattern: '\\[CALL\\]\\s*{tool}(?<body>…)\\[/CALL\\]'",
  },
  wrapper_not_closed: {
    summary: "A wrapper without a closing tag",
    explanation:
      "The pattern begins with an optional tag around the call but has no optional tag at its end, so the wrapper's closing tag would be left in the text. Write both as optional groups, at the beginning and the end of the pattern.",
    example: "pattern: '(?:<calls>\\s*)?<call {tool}>(?<body>…)</call>(?:\\s*</calls>)?'",
  },
  body_not_closed: {
    summary: "A body without a closer",
    explanation:
      "A body of kind `text`, `yaml` or `tagged` ends at its closer; JSON and calls end by themselves. Without a closer that matches at least one character, only the next line or the end of the answer ends the body, so text after a call can become part of its last value.",
    example: "pattern: '<run {tool}>(?<body>…)</run>'",
  },
  part_never_matches: {
    summary: "A part of a pattern that can never match",
    explanation:
      "The part requires a character that does not exist, such as one in the empty class `[^\\s\\S]`. If the part is optional, it has no effect; otherwise, the rule never makes a call. Change the class, or remove the part.",
    example: "pattern: '<call {tool}>(?<body>…)</call>(?:\\s*</calls>)?'",
  },
  examples_missing: {
    summary: "A rule without examples",
    explanation:
      "A rule's examples are its tests: `check` reads them as a whole, one character at a time, and split at every position, with the rule alone and with all other rules. A rule that makes calls needs at least one example and one `untouched` case.",
    example:
      "examples:\n  - name: one call\n    offered: [read_file]\n    input: '<call read_file>{}</call>'\n    calls: [{ tool: read_file }]",
  },
  rules_overlap: {
    summary: "Two rules read the same text",
    explanation:
      "An example of this rule is also a call for another enabled rule. The rule with the higher confidence wins, then the one with the longer opener. If that isn't intended, make one of the patterns stricter, or disable the rule that you don't need.",
    example: "rules:\n  disable: [function_json]",
  },
} as const satisfies Record<string, CodeText>;

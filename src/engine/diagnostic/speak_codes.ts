/**
 * The codes of what is wrong with how a dialect is spoken, in a rule or in the configuration.
 *
 * @module
 */
import type { CodeText } from "./code_text.ts";

/** Diagnostic code → its text. */
export const SPEAK_CODES = {
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
} as const satisfies Record<string, CodeText>;

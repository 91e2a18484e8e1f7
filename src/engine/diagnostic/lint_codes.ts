/**
 * The codes of what `check` finds in rules that can be read but do not do what their author means.
 *
 * @module
 */
import type { CodeText } from "./code_text.ts";
import { SPEAK_CODES } from "./speak_codes.ts";

/** Diagnostic code → its text. */
export const LINT_CODES = {
  ...SPEAK_CODES,
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

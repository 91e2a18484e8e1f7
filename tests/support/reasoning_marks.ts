/** The marks that models print around their reasoning. @module */

/** The marks that models print around what they think, and that prompts open. */
export const PROMPT_MARKS: readonly (readonly [opener: string, closer: string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<seed:think>", "</seed:think>"],
  ["<longcat_think>", "</longcat_think>"],
  ["<mm:think>", "</mm:think>"],
  ["[THINK]", "[/THINK]"],
  ["<|channel>thought\n", "<channel|>"],
  ["<|open|>think<|sep|>", "<|close|>think<|sep|>"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  ["<|inner_prefix|>", "<|inner_suffix|>"],
  ["◁think▷", "◁/think▷"],
];

/** Marks that no prompt opens. */
export const OPENED_MARKS: typeof PROMPT_MARKS = [
  ...PROMPT_MARKS,
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|think|>", "<|end|>"],
  ["to=self<|message|>", "<|eom|>"],
  ["<|channel|>commentary to=python <|constrain|>code<|message|>", "<|call|>"],
];

/** Sentences around reasoning, which count only at the beginning of an answer. */
export const PROSE_MARKS: typeof PROMPT_MARKS = [
  ["Here is my thought process:", "Here is my response:"],
  ["Here's my thought process:", "Here's my response:"],
];

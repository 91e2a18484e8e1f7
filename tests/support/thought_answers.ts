/**
 * What models print when they think: the marks of each family with blanks, mentions, quotations, calls and cuts, and what
 * a client gets.
 *
 * @module
 */

/** An answer, and what a client gets of it. */
export interface ThoughtAnswer {
  readonly name: string;
  readonly printed: string;
  /** Whether it is known that the prompt opened the thoughts; undefined: no one knows. */
  readonly begins?: boolean | undefined;
  /** `stop` by default. */
  readonly finish?: "length";
  /** What the upstream separates itself, before the text. */
  readonly separated?: string;
  readonly reasoning: string;
  /** Without the whitespace at its end. */
  readonly text: string;
  /** Whether a stream shows the text as thoughts before it is known to be the answer. */
  readonly isShownFirst?: true;
  /** How often `read_file` with the path `a` is called. */
  readonly calls: number;
}

const QWEN =
  "<tool_call>\n<function=read_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>";
const OBJECT = '{"name": "read_file", "arguments": {"path": "a"}}';
const HERMES = `<tool_call>\n${OBJECT}\n</tool_call>`;
const GLM = "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>";
const KIMI =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "a"}<|tool_call_end|><|tool_calls_section_end|>';
const DEEPSEEK =
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>';
const INVOKE = '<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>';
const MINIMAX = `<minimax:tool_call>\n${INVOKE}\n</minimax:tool_call>`;
const SEED =
  "<seed:tool_call>\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n</seed:tool_call>";
const MISTRAL = '[TOOL_CALLS]read_file[ARGS]{"path": "a"}';
const GEMMA = '<|tool_call>call:read_file{path:<|"|>a<|"|>}<tool_call|>';
const COHERE =
  '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "a"}}\n]<|END_ACTION|>';
const HARMONY =
  '<|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a"}<|call|>';
const LONGCAT =
  "<longcat_tool_call>read_file\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>a</longcat_arg_value>\n</longcat_tool_call>";

function answer(
  name: string,
  printed: string,
  [reasoning, text, calls = 0]: readonly [reasoning: string, text: string, calls?: number],
  more: Partial<ThoughtAnswer> = {},
): ThoughtAnswer {
  return { name, printed, begins: false, reasoning, text, calls, ...more };
}

const INSIDE = { begins: true };
const UNKNOWN = { begins: undefined };
const CUT = { finish: "length" } as const;

export const THOUGHT_ANSWERS: readonly ThoughtAnswer[] = [
  // Families
  answer("Qwen, a call", `<think>\nI look.\n</think>\n\n${HERMES}`, ["I look.", "", 1]),
  answer("Qwen, opened by the prompt", `I look.\n</think>\n\n${QWEN}`, ["I look.", "", 1], INSIDE),
  answer("Qwen, words and a call", `I look.\n</think>\n\nI read it.\n\n${QWEN}`, [
    "I look.",
    "I read it.",
    1,
  ], INSIDE),
  answer("GLM, a call", `\n<think>I look.</think>\n${GLM}`, ["I look.", "", 1]),
  answer("GLM, no thoughts", "\n<think></think>\nIt is 4.", ["", "It is 4."]),
  answer("DeepSeek, a call", `I look.</think>${DEEPSEEK}`, ["I look.", "", 1], INSIDE),
  answer("DeepSeek, words and a call", `I look.</think>I read it.${DEEPSEEK}`, [
    "I look.",
    "I read it.",
    1,
  ], INSIDE),
  answer("Kimi K2, a call", `<think>I look.</think>I read it.${KIMI}`, ["I look.", "I read it.", 1]),
  answer("Kimi K2, opened by the prompt", ` I look. </think> ${KIMI}`, ["I look.", "", 1], INSIDE),
  answer(
    "Kimi K3",
    "<|open|>think<|sep|>I look.<|close|>think<|sep|><|open|>response<|sep|>It is 4.<|close|>response<|sep|>",
    ["I look.", "It is 4."],
  ),
  answer("Kimi-VL", "◁think▷I look.◁/think▷It is 4.", ["I look.", "It is 4."]),
  answer("MiniMax M2", `I look.\n</think>\n\n${MINIMAX}`, ["I look.", "", 1], INSIDE),
  answer("MiniMax M3", "<mm:think>I look.</mm:think>It is 4.", ["I look.", "It is 4."]),
  answer("MiniMax M3, no thoughts", "</mm:think>It is 4.", ["", "It is 4."], UNKNOWN),
  answer("Seed", `<seed:think>I look.</seed:think>\n${SEED}`, ["I look.", "", 1]),
  answer(
    "Seed, its budget",
    "<seed:think>\nI look.\n<seed:cot_budget_reflect>I have used 129 tokens, and there are 383 tokens left for use.</seed:cot_budget_reflect>\nIt is 4.\n</seed:think>It is 4.",
    [
      "I look.\n<seed:cot_budget_reflect>I have used 129 tokens, and there are 383 tokens left for use.</seed:cot_budget_reflect>\nIt is 4.",
      "It is 4.",
    ],
  ),
  answer("LongCat", `<longcat_think>\nI look.\n</longcat_think>\n${LONGCAT}`, ["I look.", "", 1]),
  answer("Magistral, a call", `[THINK]I look.[/THINK]${MISTRAL}`, ["I look.", "", 1]),
  answer("Magistral, words", "[THINK]I look.[/THINK]It is 4.", ["I look.", "It is 4."]),
  answer("Gemma 4", "<|channel>thought\nI look.\n<channel|>It is 4.", ["I look.", "It is 4."]),
  answer("Gemma 4, no thoughts", "<|channel>thought\n<channel|>It is 4.", ["", "It is 4."]),
  answer("Gemma 4, a call", `<|channel>thought\nI look.<channel|>${GEMMA}`, ["I look.", "", 1]),
  answer(
    "gpt-oss, words and a call",
    `<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>commentary<|message|>I read it.<|end|>${HARMONY}`,
    ["I look.", "I read it.", 1],
  ),
  answer(
    "gpt-oss, two thoughts",
    "<|channel|>analysis<|message|>I look.<|end|><|start|>assistant<|channel|>analysis<|message|>Still.<|end|><|start|>assistant<|channel|>final<|message|>It is 4.<|return|>",
    ["I look.\nStill.", "It is 4."],
  ),
  answer("Cohere, a call", `<|START_THINKING|>I look.<|END_THINKING|>${COHERE}`, ["I look.", "", 1]),
  answer("Cohere, words", "I look.<|END_THINKING|><|START_RESPONSE|>It is 4.<|END_RESPONSE|>", [
    "I look.",
    "It is 4.",
  ], INSIDE),
  answer("Granite", "Here is my thought process:\nI look.\n\nHere is my response:\nIt is 4.", [
    "I look.",
    "It is 4.",
  ]),
  answer("Nemotron", `<think>\nI look.\n</think>\n\n<TOOLCALL>[${OBJECT}]</TOOLCALL>`, ["I look.", "", 1]),
  answer("ERNIE, a call", `<think>\nI look.\n</think>\n\n\n${HERMES}\n`, ["I look.", "", 1]),
  answer("ERNIE, words", "I look.\n</think>\n\n<response>\nIt is 4.\n</response>\n", [
    "I look.",
    "It is 4.",
  ], INSIDE),
  // Prompts ask for these tags, so they are the answer's.
  answer("Hunyuan, words", "<think>\nI look.\n</think>\n<answer>\nIt is 4.\n</answer>", [
    "I look.",
    "<answer>\nIt is 4.\n</answer>",
  ]),
  answer(
    "Hunyuan, a call",
    `<think>\nI look.\n</think>\n<answer>\nI read it.\n<tool_calls>[${OBJECT}]</tool_calls>\n</answer>`,
    ["I look.", "<answer>\nI read it.\n</answer>", 1],
  ),
  answer("EXAONE Deep", "<thought>\nI look.\n</thought>\n\nIt is 4.", ["I look.", "It is 4."]),
  answer("Solar Open", "<|think|>I look.<|end|><|begin|>assistant<|content|>It is 4.<|end|>", [
    "I look.",
    "It is 4.",
  ]),
  answer(
    "Apertus, a call",
    '<|inner_prefix|>I look.<|tools_prefix|>[{"read_file": {"path": "a"}}]<|tools_suffix|>',
    ["I look.", "", 1],
  ),
  answer("Apertus", "<|inner_prefix|>I look.<|inner_suffix|>It is 4.", ["I look.", "It is 4."]),
  // Blanks
  answer("blank lines everywhere", "\n\n<think>\n\n\nI look.\n\nTwice.\n\n\n</think>\n\n\n\nIt is 4.\n", [
    "I look.\n\nTwice.",
    "It is 4.",
  ]),
  answer("line ends of Windows", "<think>\r\nI look.\r\n</think>\r\n\r\nIt is 4.", ["I look.", "It is 4."]),
  answer("on one line", "  <think>I look.</think> It is 4.", ["I look.", "It is 4."]),
  answer("empty thoughts", "<think>\n\n</think>\n\nIt is 4.", ["", "It is 4."]),
  answer("empty thoughts of the prompt", "\n</think>\n\nIt is 4.", ["", "It is 4."], INSIDE),
  answer("a closer alone", "</think>It is 4.", ["", "It is 4."], UNKNOWN),
  answer("a closer alone before a call", `</think>\n\n${QWEN}`, ["", "", 1], UNKNOWN),
  answer("characters of two units", "<think>\n👀 I look.\n</think>\n\n✅ It is 4.", [
    "👀 I look.",
    "✅ It is 4.",
  ]),
  // Marks that don't match
  answer("another closer", "<think>\nI look.\n</thinking>\n\nIt is 4.", ["I look.", "It is 4."]),
  answer("capital letters", "<THINK>\nI look.\n</THINK>\n\nIt is 4.", ["I look.", "It is 4."]),
  answer("two closers", "<think>\nI look.\n</think>\n</think>\n\nIt is 4.", ["I look.", "It is 4."]),
  answer("two closers after the prompt's opener", "I look.\n</think>\n</think>\n\nIt is 4.", [
    "I look.",
    "It is 4.",
  ], INSIDE),
  answer(
    "the prompt's opener again",
    "<think>\nI look.\n</think>\n\nIt is 4.",
    ["I look.", "It is 4."],
    INSIDE,
  ),
  answer("thoughts apart, their closer in the text", "\n</think>\n\nIt is 4.", ["I look.", "It is 4."], {
    separated: "I look.",
  }),
  answer("thoughts apart, empty ones in the text", "<think>\n\n</think>\n\nIt is 4.", [
    "I look.",
    "It is 4.",
  ], { separated: "I look." }),
  // Several
  answer("two thoughts", "<think>\nI look.\n</think>\n\n<think>\nStill.\n</think>\n\nIt is 4.", [
    "I look.\nStill.",
    "It is 4.",
  ]),
  answer(
    "thoughts between words",
    "<think>\nI look.\n</think>\n\nSo.\n<think>\nStill.\n</think>\n\nIt is 4.",
    [
      "I look.\nStill.",
      "So.\nIt is 4.",
    ],
  ),
  answer(
    "thoughts between words after the prompt's",
    "I look.\n</think>\n\nSo.\n<think>\nStill.\n</think>\n\nIt is 4.",
    [
      "I look.\nStill.",
      "So.\nIt is 4.",
    ],
    INSIDE,
  ),
  answer("thoughts after words", "I begin.\n<think>\nI look.\n</think>\nIt is 4.", [
    "I look.",
    "I begin.\nIt is 4.",
  ]),
  answer("thoughts after a call", `${QWEN}\n<think>\nIt runs.\n</think>\nDone.`, ["It runs.", "Done.", 1]),
  answer("thoughts, a call, words", `<think>\nI look.\n</think>\n\n${HERMES}\nI wait.`, [
    "I look.",
    "I wait.",
    1,
  ]),
  answer(
    "thoughts between calls",
    `<think>\nOne.\n</think>\n\n${QWEN}\n<think>\nTwo.\n</think>\n\n${QWEN.replace("\na\n", "\nb\n")}`,
    ["One.\nTwo.", "", 2],
  ),
  // Mentions and quotations
  answer("mentioned", "Use <think> to think and </think> to stop.", [
    "",
    "Use <think> to think and </think> to stop.",
  ]),
  answer("in a code span", "The mark `</think>` ends thoughts.", ["", "The mark `</think>` ends thoughts."]),
  answer("in quotation marks", 'It ends with "</think>".', ["", 'It ends with "</think>".']),
  answer("in a fence", "So:\n```\n<think>\nx\n</think>\n```", ["", "So:\n```\n<think>\nx\n</think>\n```"]),
  answer("in a fence after thoughts", "<think>\nI look.\n</think>\n\nSo:\n```\n<think>\nx\n</think>\n```", [
    "I look.",
    "So:\n```\n<think>\nx\n</think>\n```",
  ]),
  answer(
    "in a fence after the prompt's thoughts",
    "I look.\n</think>\n\nSo:\n```\n<think>\nx\n</think>\n```",
    [
      "I look.",
      "So:\n```\n<think>\nx\n</think>\n```",
    ],
    INSIDE,
  ),
  answer("after words on their line", "Let me see. <think>I look.</think> No.", [
    "",
    "Let me see. <think>I look.</think> No.",
  ]),
  answer("a fence in thoughts", `<think>\nSo:\n\`\`\`xml\n${QWEN}\n\`\`\`\nNo.\n</think>\nIt is 4.`, [
    `So:\n\`\`\`xml\n${QWEN}\n\`\`\`\nNo.`,
    "It is 4.",
  ]),
  answer("an open fence in thoughts", "<think>\n```js\nconst a = 1;\n</think>\n\nIt is 4.", [
    "```js\nconst a = 1;",
    "It is 4.",
  ]),
  answer("quotations in thoughts", "<think>\n> He wrote \"<think>\",\n>> 'then `it'.\n</think>\nIt is 4.", [
    "> He wrote \"<think>\",\n>> 'then `it'.",
    "It is 4.",
  ]),
  answer("code in thoughts", "<think>\nif (a<b && c</d) x</t\n</think>\n\nif (a < b) x</t", [
    "if (a<b && c</d) x</t",
    "if (a < b) x</t",
  ]),
  answer("another tag", "Is a <thin> b?\n<thinker>\nNo.\n</thinker>", [
    "",
    "Is a <thin> b?\n<thinker>\nNo.\n</thinker>",
  ]),
  // Calls in thoughts
  answer("a call that was only a thought", `<think>\n${QWEN}? No.\n</think>\nIt is 4.`, [
    `${QWEN}? No.`,
    "It is 4.",
  ]),
  answer("a call at the end of thoughts", `<think>\nI read it.\n${QWEN}\n</think>`, ["I read it.", "", 1]),
  answer("a call in the prompt's thoughts", `I read it.\n${QWEN}`, ["I read it.", "", 1], INSIDE),
  answer("a call instead of the prompt's thoughts", QWEN, ["", "", 1], INSIDE),
  // Ends
  answer("the answer instead of thoughts", "It is **4**.", ["", "It is **4**."], {
    ...INSIDE,
    isShownFirst: true,
  }),
  answer("cut in the prompt's thoughts", "I look", ["I look", ""], { ...INSIDE, ...CUT }),
  answer("cut in thoughts", "<think>\nI look", ["I look", ""], CUT),
  answer("cut after thoughts", "<think>\nI look.\n</think>", ["I look.", ""], CUT),
  answer("cut in the text", "<think>\nI look.\n</think>\n\nIt is", ["I look.", "It is"], CUT),
  answer("cut in a call", `<think>\nI look.\n</think>\n\n${QWEN.slice(0, 25)}`, ["I look.", ""], CUT),
  answer("cut in the opener of a call", "<think>\nI look.\n</think>\n\n<tool_c", ["I look.", ""], CUT),
];

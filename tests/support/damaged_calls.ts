/**
 * Calls in the shipped dialects as rows of tags and texts, so that a test can damage one of the closers.
 *
 * @module
 */

/** A call to write; every value is text. */
export interface PlainCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** A piece of a written call. */
export interface Piece {
  readonly text: string;
  readonly isCloser: boolean;
}

/** A dialect as the tags around a call, an item and the whole. */
export interface TagDialect {
  readonly rule: string;
  readonly wrapper?: readonly [opener: string, closer: string];
  readonly call: readonly [opener: (tool: string) => string, closer: (tool: string) => string];
  readonly item: readonly [opener: (key: string) => string, closer: (key: string) => string];
  /** What is on each side of a value. */
  readonly edge: "" | "\n";
  /** What follows each tag. */
  readonly space: "" | "\n";
}

const qwen = {
  rule: "qwen_xml",
  call: [(tool: string) => `<function=${tool}>`, () => "</function>"],
  item: [(key: string) => `<parameter=${key}>`, () => "</parameter>"],
  edge: "\n",
  space: "\n",
} as const;

const glm = {
  rule: "arg_key_xml",
  call: [(tool: string) => `<tool_call>${tool}`, () => "</tool_call>"],
  item: [(key: string) => `<arg_key>${key}</arg_key>\n<arg_value>`, () => "</arg_value>"],
  edge: "",
  space: "\n",
} as const;

const invoke = {
  rule: "invoke_xml",
  call: [(tool: string) => `<invoke name="${tool}">`, () => "</invoke>"],
  item: [(key: string) => `<parameter name="${key}">`, () => "</parameter>"],
  edge: "",
  space: "\n",
} as const;

const dsml = {
  ...invoke,
  rule: "deepseek_dsml",
  wrapper: ["<｜DSML｜function_calls>", "</｜DSML｜function_calls>"],
  call: [(tool: string) => `<｜DSML｜invoke name="${tool}">`, () => "</｜DSML｜invoke>"],
  item: [
    (key: string) => `<｜DSML｜parameter name="${key}" string="true">`,
    () => "</｜DSML｜parameter>",
  ],
} as const;

const roo = {
  rule: "roo_xml",
  call: [(tool: string) => `<${tool}>`, (tool: string) => `</${tool}>`],
  item: [(key: string) => `<${key}>`, (key: string) => `</${key}>`],
  edge: "",
  space: "\n",
} as const;

export const TAG_DIALECTS: readonly TagDialect[] = [
  { ...qwen, wrapper: ["<tool_call>", "</tool_call>"] },
  qwen,
  { ...qwen, wrapper: ["<tool_call>", "</tool_call>"], edge: "", space: "" },
  { ...qwen, rule: "seed_xml", wrapper: ["<seed:tool_call>", "</seed:tool_call>"] },
  { ...qwen, rule: "seed_xml", wrapper: ["<seed:tool_call>", "</seed:tool_call>"], edge: "" },
  glm,
  { ...glm, item: [(key) => `<arg_key>${key}</arg_key><arg_value>`, () => "</arg_value>"], space: "" },
  {
    ...glm,
    rule: "hunyuan_xml",
    wrapper: ["<tool_calls>", "</tool_calls>"],
    call: [(tool) => `<tool_call>${tool}<tool_sep>`, () => "</tool_call>"],
  },
  invoke,
  { ...invoke, wrapper: ["<minimax:tool_call>", "</minimax:tool_call>"] },
  { ...invoke, wrapper: ["<minimax:tool_call>", "</minimax:tool_call>"], edge: "\n" },
  dsml,
  {
    ...invoke,
    rule: "step3",
    wrapper: ["<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"],
    call: [
      (tool) => `<｜tool_call_begin｜><steptml:invoke name="${tool}">`,
      () => "</steptml:invoke><｜tool_call_end｜>",
    ],
    item: [(key) => `<steptml:parameter name="${key}">`, () => "</steptml:parameter>"],
  },
  {
    ...invoke,
    rule: "function_name_xml",
    call: [(tool) => `<function name="${tool}">`, () => "</function>"],
    item: [(key) => `<param name="${key}">`, () => "</param>"],
  },
  roo,
  { ...roo, edge: "\n" },
  {
    ...qwen,
    rule: "function_name_xml",
    wrapper: ["<tool_call>", "</tool_call>"],
    call: [(tool) => `<function name="${tool}">`, () => "</function>"],
    item: [(key) => `<parameter name="${key}">`, () => "</parameter>"],
  },
  {
    ...qwen,
    rule: "qwen_xml_tags",
    wrapper: ["<tool_call>", "</tool_call>"],
    item: [(key) => `<${key}>`, (key) => `</${key}>`],
  },
  { ...dsml, item: [dsml.item[0], () => "</parameter>"] },
  {
    ...qwen,
    rule: "qwen_xml_named",
    wrapper: ["<tool_call>", "</tool_call>"],
    item: [(key) => `<parameter name="${key}">`, () => "</parameter>"],
  },
];

/** A call as pieces, in the order in which they are printed. */
export function piecesOfCall(dialect: TagDialect, call: PlainCall): Piece[] {
  const { wrapper, edge, space } = dialect;
  const opener = (text: string): Piece => ({ text, isCloser: false });
  const closer = (text: string): Piece => ({ text, isCloser: true });
  const items = Object.entries(call.arguments).flatMap(([key, value]) => [
    opener(dialect.item[0](key) + edge + value + edge),
    closer(dialect.item[1](key)),
    opener(space),
  ]);
  return [
    ...(wrapper ? [opener(wrapper[0] + space)] : []),
    opener(dialect.call[0](call.tool) + space),
    ...items,
    closer(dialect.call[1](call.tool)),
    ...(wrapper ? [opener(space), closer(wrapper[1])] : []),
  ];
}

export interface PiecewiseDialect {
  readonly name: string;
  pieces(call: PlainCall): Piece[];
}

const opener = (text: string): Piece => ({ text, isCloser: false });
const closer = (text: string): Piece => ({ text, isCloser: true });

/** A JSON value; quotes and brackets are its closers. */
function json(value: unknown): Piece[] {
  const members = (all: readonly Piece[][]) =>
    all.flatMap((member, index) => index > 0 ? [opener(", "), ...member] : member);
  if (typeof value === "string") return [opener(JSON.stringify(value).slice(0, -1)), closer('"')];
  if (Array.isArray(value)) return [opener("["), ...members(value.map(json)), closer("]")];
  const all = Object.entries(value as object).map(([key, one]) => [...json(key), opener(": "), ...json(one)]);
  return [opener("{"), ...members(all), closer("}")];
}

/** Pieces between two tags. */
const around = (before: string, inside: Piece[], ...after: string[]) => [
  opener(before),
  ...inside,
  ...after.map(closer),
];

const envelope = ({ tool, arguments: all }: PlainCall) => json({ name: tool, arguments: all });

const JSON_DIALECTS: readonly PiecewiseDialect[] = [
  { name: "hermes", pieces: (call) => around("<tool_call>\n", envelope(call), "\n</tool_call>") },
  {
    name: "hermes, arguments first",
    pieces: (call) =>
      around("<tool_call>", json({ arguments: call.arguments, name: call.tool }), "</tool_call>"),
  },
  { name: "json_block", pieces: (call) => around("```json\n", envelope(call), "\n```") },
  {
    name: "json_block, inline",
    pieces: (call) => around("```json\n", json({ tool: call.tool, ...call.arguments }), "\n```"),
  },
  { name: "bare_json", pieces: envelope },
  {
    name: "kimi_k2",
    pieces: (call) =>
      around(
        `<|tool_calls_section_begin|><|tool_call_begin|>functions.${call.tool}:0<|tool_call_argument_begin|>`,
        json(call.arguments),
        "<|tool_call_end|>",
        "<|tool_calls_section_end|>",
      ),
  },
  {
    name: "functions_index_json",
    pieces: (call) => around(`functions.${call.tool}:0`, json(call.arguments)),
  },
  { name: "mistral", pieces: (call) => around(`[TOOL_CALLS]${call.tool}[ARGS]`, json(call.arguments)) },
  {
    name: "mistral_list",
    pieces: (call) => around("[TOOL_CALLS]", json([{ name: call.tool, arguments: call.arguments }])),
  },
  {
    name: "deepseek_v31",
    pieces: (call) =>
      around(
        `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${call.tool}<｜tool▁sep｜>`,
        json(call.arguments),
        "<｜tool▁call▁end｜>",
        "<｜tool▁calls▁end｜>",
      ),
  },
  {
    name: "strict_xml",
    pieces: (call) => around(`<${call.tool}>\n`, json(call.arguments), `\n</${call.tool}>`),
  },
  {
    name: "function_json",
    pieces: (call) => around(`<function=${call.tool}>`, json(call.arguments), "</function>"),
  },
];

/** All dialects, those of tags and those of JSON. */
export const DAMAGED_DIALECTS: readonly PiecewiseDialect[] = [
  ...TAG_DIALECTS.map((dialect, index) => ({
    name: `${dialect.rule} ${index}`,
    pieces: (call: PlainCall) => piecesOfCall(dialect, call),
  })),
  ...JSON_DIALECTS,
];

export function textOfPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

/** The places of a call's closers. */
export function closersOf(pieces: readonly Piece[]): number[] {
  return pieces.flatMap(({ isCloser }, index) => isCloser ? [index] : []);
}

/** Values of a dialect that hold its own marks. */
export function markedValues({ pieces }: PiecewiseDialect): string[] {
  const call = pieces({ tool: "f", arguments: { a: "1" } });
  const whole = textOfPieces(call);
  const openers = call.filter(({ isCloser, text }) => !isCloser && text.trim() !== "").map(({ text }) =>
    text
  );
  const closers = [...new Set(call.filter(({ isCloser }) => isCloser).map(({ text }) => text))];
  return [
    ...closers.flatMap((one) => [one, `a ${one} b`, `a\n${one}\nb`, `say \`${one}\``]),
    ...openers.flatMap((one) => [one, `x\n${one}\ny`, `${one}q`]),
    whole,
    `see\n${whole}\nabove`,
    whole.slice(0, whole.length / 2),
    whole.slice(whole.length / 2),
  ];
}

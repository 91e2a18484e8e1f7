/**
 * Calls in the shipped dialects as rows of tags and texts, so that a test can take one of the closers away.
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
  /** Whether it closes something. */
  readonly isCloser: boolean;
}

/** A dialect as the tags around a call, an item and the whole. */
export interface TagDialect {
  readonly rule: string;
  readonly wrapper?: readonly [opener: string, closer: string];
  readonly call: readonly [opener: (tool: string) => string, closer: (tool: string) => string];
  readonly item: readonly [opener: (key: string) => string, closer: (key: string) => string];
  /** What stands on each side of a value. */
  readonly edge: "" | "\n";
  /** What stands after each tag. */
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

const roo = {
  rule: "roo_xml",
  call: [(tool: string) => `<${tool}>`, (tool: string) => `</${tool}>`],
  item: [(key: string) => `<${key}>`, (key: string) => `</${key}>`],
  edge: "",
  space: "\n",
} as const;

/** Dialects whose calls are tags. */
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
  {
    ...invoke,
    rule: "deepseek_dsml",
    wrapper: ["<｜DSML｜function_calls>", "</｜DSML｜function_calls>"],
    call: [(tool) => `<｜DSML｜invoke name="${tool}">`, () => "</｜DSML｜invoke>"],
    item: [(key) => `<｜DSML｜parameter name="${key}" string="true">`, () => "</｜DSML｜parameter>"],
  },
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

/** How a closer is taken away: alone, or with the line break that stands before it or after it. */
export type Removal = "alone" | "with the break before" | "with the break after";

/** The text of a call without one of its closers. */
export function withoutCloser(pieces: readonly Piece[], which: number, removal: Removal): string {
  const at = pieces.flatMap(({ isCloser }, index) => isCloser ? [index] : [])[which]!;
  let before = pieces.slice(0, at).map(({ text }) => text).join("");
  let after = pieces.slice(at + 1).map(({ text }) => text).join("");
  if (removal === "with the break before" && before.endsWith("\n")) before = before.slice(0, -1);
  if (removal === "with the break after" && after.startsWith("\n")) after = after.slice(1);
  return before + after;
}

/** How many closers a call has. */
export function closersOf(pieces: readonly Piece[]): number {
  return pieces.filter(({ isCloser }) => isCloser).length;
}

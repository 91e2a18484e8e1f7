/**
 * The patterns inside a tagged body. All are derived from the rule, so its author writes one pattern and one item
 * without guards, wrappers, examples or forgotten closers.
 *
 *     <tool_call> <function=f> <parameter=a> x </parameter> </function> </tool_call>
 *     ^ wrapper   ^ opener     ^ item opener   ^ item closer ^ closer    ^ wrapper's closer
 *
 * @module
 */
import type { Alternative } from "../pattern/nfa.ts";
import {
  ANSWER_END,
  bind,
  choice,
  complement,
  literal,
  MARK,
  minimumLength,
  namesIn,
  NEVER,
  type Node,
  normalize,
  optional,
  sequence,
  SPACE,
  spaces,
} from "../pattern/node.ts";
import { required, wholeCloser } from "./ending.ts";
import type { Body, CompiledRule } from "./compiled_rule.ts";
import { beforeLookAhead, rename, renameReferences, replaceGroup } from "./rewrite.ts";

export type ItemBody = Extract<Body, { kind: "tagged" }>;

/**
 * Alternatives of `between`: what can come between two items. `wrapper`, `opener`, `loose` and `prose` end the call
 * although a closer is missing, and `foreign` although another tag is in its place. The opener and closer of each
 * container follow.
 */
export const BETWEEN = {
  item: 0,
  closer: 1,
  end: 2,
  wrapper: 3,
  opener: 4,
  repeated: 5,
  loose: 6,
  prose: 7,
  foreign: 8,
  container: 9,
} as const;

/**
 * Alternatives of `value`. `closer` ends the value, because an item, the frame's closer or the end of the answer
 * follows. `loose` is the value's closer before text that is structure only if the frame's closer was forgotten;
 * `prose` is the same at the end of a line or before any closing tag; `own` is the value's closer before anything else;
 * `restart` is the same before the beginning of an item; `twice` is `closer` several times in a row; `again` is all
 * closers of the call twice. `frame` opens an example of a call, or the next call. `item` and `structure` are structure
 * only if the value's own closer was forgotten.
 */
export const VALUE = {
  closer: 0,
  loose: 1,
  frame: 2,
  item: 3,
  own: 4,
  structure: 5,
  end: 6,
  prose: 7,
  restart: 8,
  again: 9,
  twice: 10,
} as const;

/**
 * Alternatives of `nested`, inside an example of a call in a value: another example, the example's closer, the value's
 * closer, before which the example only mentions a call, the opener of an item that this closer closes, and the closer
 * before anything else.
 */
export const NESTED = { frame: 0, frameCloser: 1, closer: 2, item: 3, own: 4 } as const;

/** What precedes the names of an example's texts, to tell them from those of the call. */
export const OF_EXAMPLE = "example ";

/** The group of the call's closer that comes twice. */
export const CALL_AGAIN = "again";

function closingTag(): Node {
  return sequence(
    literal("</"),
    { type: "repeat", item: anyBut("<>"), minimum: 1, maximum: 64, greedy: true },
    literal(">"),
  );
}

/** A name that whitespace or the next tag follows instead of the rest of its opener. */
function tornName(): Node {
  const item: Node = { type: "repeat", item: anyBut("<>\"'“”=:"), minimum: 1, maximum: 64, greedy: true };
  return sequence(
    { type: "group", name: "torn", item },
    choice({ type: "characters", ranges: SPACE }, literal("<")),
  );
}

/** An optional line break with all whitespace after it. */
const LINE_BREAK: Node = optional(sequence(optional(literal("\r")), literal("\n"), spaces));

/** The alternatives of `BETWEEN`. */
export function betweenPatterns(
  rule: CompiledRule,
  body: ItemBody,
  { isWrapped, next }: { isWrapped: boolean; next: Node },
): Alternative[] {
  const { closer, wrapper, isAlwaysWrapped } = closersOf(rule);
  const strays: Node = {
    type: "repeat",
    item: sequence(spaces, closingTag()),
    minimum: 1,
    maximum: 3,
    greedy: true,
  };
  const isLoose = wrapper !== undefined && (isWrapped || isAlwaysWrapped);
  return [
    { node: sequence(spaces, body.itemOpener), priority: 1 },
    { node: sequence(spaces, frameCloser(rule, { isWrapped, next, hasMarks: true })), priority: 0 },
    { node: sequence(MARK, spaces, ANSWER_END), priority: 2 },
    { node: wrapper ? sequence(spaces, wrapper) : NEVER, priority: 2 },
    { node: sequence(MARK, spaces, frameOpener(rule, body)), priority: isMoreCertain(rule, body) ? 1 : 2 },
    { node: isLoose ? sequence(spaces, closer, strays, spaces, wrapper) : NEVER, priority: 2 },
    { node: isLoose ? sequence(spaces, closer) : NEVER, priority: 3 },
    { node: sequence(MARK, literal("\n"), spaces, anyBut("")), priority: 4 },
    {
      node: sequence(spaces, closingTag(), spaces, choice(...wrapper ? [wrapper] : [], ANSWER_END)),
      priority: 3,
    },
    ...body.containers.flatMap((name) => [
      { node: sequence(spaces, rename(body.itemOpener, name)), priority: 0 },
      { node: sequence(spaces, bind(closerOf(body), { key: name })), priority: 0 },
    ]),
  ];
}

export interface WrittenValue {
  /** Whether the call's opener included the tag around it. */
  readonly isWrapped: boolean;
  /** Whether the value begins on its opener's line, so that a line break before its closer belongs to the value. */
  readonly isInline: boolean;
  readonly form: number;
  /** The containers that are open around the value. */
  readonly containers: readonly string[];
}

/** The alternatives of `VALUE`. */
export function valuePatterns(
  rule: CompiledRule,
  body: ItemBody,
  written: WrittenValue & { next: Node },
): Alternative[] {
  const { form } = written;
  const itemCloser = closerOf(body, form);
  const closer = closerAsWritten(body, written);
  const containers = containerClosers(body, written);
  const { closer: own, wrapper: around } = closersOf(rule);
  const wrapper = around ? [withoutEdge(around)] : [];
  const foreign = sequence(closingTag(), spaces, choice(...wrapper, ANSWER_END));
  const closesCall = frameCloser(rule, { ...written, hasMarks: false });
  const confirmed = confirmedCloser(rule, body, written);
  return [
    confirmed,
    {
      node: sequence(
        closer,
        MARK,
        spaces,
        choice(frameOpener(rule, body), own, ...wrapper, foreign),
      ),
      priority: 1,
    },
    { node: sequence(LINE_BREAK, frameOpener(rule, body, MARK)), priority: 0 },
    { node: sequence(LINE_BREAK, withoutTail(body.itemOpener)), priority: 2 },
    { node: closer, priority: 3 },
    { node: sequence(LINE_BREAK, choice(own, ...wrapper, ...containers)), priority: 2 },
    { node: sequence(LINE_BREAK, ANSWER_END), priority: 2 },
    {
      node: sequence(closer, MARK, choice(sequence(optional(literal("\r")), literal("\n")), closingTag())),
      priority: 2,
    },
    {
      node: isKeyed(body, form)
        ? NEVER
        : sequence(closer, MARK, spaces, beforeKey(body, form), optional(tornName())),
      priority: 1,
    },
    {
      node: sequence(
        closer,
        MARK,
        spaces,
        closesCall,
        spaces,
        withoutEdge(itemCloser),
        optional(sequence(spaces, { type: "group", name: CALL_AGAIN, item: own })),
      ),
      priority: -1,
    },
    {
      node: sequence(
        { type: "repeat", item: sequence(closer, spaces), minimum: 1, maximum: 3, greedy: true },
        confirmed.node,
      ),
      priority: 0,
    },
  ];
}

/** The alternatives of `NESTED`; the references of the example's closer mean what its own opener matched. */
export function nestedPatterns(
  rule: CompiledRule,
  body: ItemBody,
  written: WrittenValue & { next: Node },
): Alternative[] {
  const isNamed = isKeyed(body, written.form);
  return [
    { node: frameOpener(rule, body, MARK), priority: 0 },
    { node: renameReferences(closersOf(rule).closer, OF_EXAMPLE), priority: 0 },
    confirmedCloser(rule, body, written),
    { node: isNamed ? ownOpener(body) : withoutTail(body.itemOpener), priority: 0 },
    { node: isNamed ? NEVER : closerAsWritten(body, written), priority: 3 },
  ];
}

/** The value's closer with what shows that it ends the value. */
function confirmedCloser(
  rule: CompiledRule,
  body: ItemBody,
  written: WrittenValue & { next: Node },
): Alternative {
  const follows = choice(
    body.itemOpener,
    frameCloser(rule, { ...written, hasMarks: false }),
    ...containerClosers(body, written),
    ANSWER_END,
  );
  return { node: sequence(closerAsWritten(body, written), MARK, spaces, follows), priority: 0 };
}

function containerClosers(body: ItemBody, { containers }: WrittenValue): Node[] {
  return containers.map((name) => withoutEdge(bind(closerOf(body), { key: name })));
}

function ownOpener({ itemOpener }: ItemBody): Node {
  return withoutTail(replaceGroup(itemOpener, { name: "key", item: { type: "reference", name: "key" } }));
}

/** The beginning of an item's opener in one of its forms, up to its key. */
function beforeKey({ itemOpener }: ItemBody, form = 0): Node {
  const forms = itemOpener.type === "choice" ? itemOpener.items : [itemOpener];
  return beforeGroup(forms[form] ?? NEVER, "key");
}

function beforeGroup(pattern: Node, name: string): Node {
  const before = (node: Node): Node => {
    if (node.type === "choice") return choice(...node.items.map(before));
    if (node.type === "group") return before(node.item);
    if (node.type !== "sequence") return NEVER;
    const at = node.items.findIndex((item) => namesIn(item, "group").includes(name));
    return sequence(...node.items.slice(0, at));
  };
  return before(pattern);
}

/** Whether the opener of a call has more marks than that of an item, so that a tag around it isn't an item. */
function isMoreCertain({ opener }: CompiledRule, body: ItemBody): boolean {
  return minimumLength(beforeGroup(opener, "tool")) > minimumLength(beforeKey(body));
}

/** Whether a line break before an item's closer can belong to the dialect rather than the value. */
export function hasEdge(body: ItemBody, form = 0): boolean {
  const itemCloser = closerOf(body, form);
  return withoutEdge(itemCloser) !== itemCloser;
}

export function closerOf(body: ItemBody, form = 0): Node {
  return body.itemClosers[form] ?? NEVER;
}

/** The closer of a value. After an opener on the value's line, a line break before the closer belongs to the value. */
function closerAsWritten(body: ItemBody, { form, isInline }: WrittenValue): Node {
  const closer = closerOf(body, form);
  return isInline ? withoutEdge(closer) : closer;
}

/** Whether an item's closer names its key, so that only the closer of the same key counts. */
export function isKeyed(body: ItemBody, form = 0): boolean {
  return namesIn(closerOf(body, form), "reference").includes("key");
}

/**
 * The frame's closer. If the opener included the wrapper, the closer counts only before the wrapper's closer, the next
 * call or the end. Another rule can read the next call in the same wrapper:
 *
 *     <tool_call><function=a>…</function></tool_call>      both sides
 *     <tool_call><function=a>…</function><function=b>…     the next call
 */
function frameCloser(
  rule: CompiledRule,
  options: { isWrapped: boolean; next: Node; hasMarks: boolean },
): Node {
  const { closer, wrapper, isAlwaysWrapped } = closersOf(rule);
  if (!wrapper || !(options.isWrapped || isAlwaysWrapped)) return present(wholeCloser(rule));
  const mark = options.hasMarks ? [MARK] : [];
  return sequence(
    closer,
    choice(
      wrapper,
      sequence(...mark, spaces, options.next),
      sequence(...mark, spaces, ANSWER_END),
    ),
  );
}

/**
 * The closer of the frame itself and the closer of the tag around it. A rule writes the latter as an optional wrapper
 * or as the rest of its closer:
 *
 *     (?:<tool_call>\s*)?<function={tool}>(?<body>…)</function>(?:\s*</tool_call>)?
 *     <seed:tool_call>\s*<function={tool}>(?<body>…)</function>\s*</seed:tool_call>
 */
function closersOf(
  rule: CompiledRule,
): { closer: Node; wrapper: Node | undefined; isAlwaysWrapped: boolean } {
  const { wrapperCloser } = rule;
  const closer = present(rule.closer);
  const items = closer.type === "sequence" ? closer.items : [];
  const first = items.findIndex((item) => minimumLength(item) > 0);
  // A few optional spaces are inside a tag, any number of them between two.
  const at = items.findIndex((item, index) =>
    index > first && item.type === "repeat" && item.minimum === 0 && item.maximum === Infinity
  );
  const rest = sequence(...items.slice(at));
  if (at < 0 || minimumLength(rest) === 0) return { closer, wrapper: wrapperCloser, isAlwaysWrapped: false };
  const wrapper = wrapperCloser ? sequence(rest, optional(wrapperCloser)) : rest;
  return { closer: sequence(...items.slice(0, at)), wrapper, isAlwaysWrapped: true };
}

/** A closer that isn't empty: an empty one would end the call after its first item. */
function present(closer: Node): Node {
  return minimumLength(closer) > 0 ? closer : required(closer);
}

/** The closer of the frame itself, without that of the tag around it. */
export function innerCloser(rule: CompiledRule): Node {
  return closersOf(rule).closer;
}

/**
 * A whole opener inside a value with the beginning of its body: a call, not a mention of its tag.
 *
 * @param mark where the match ends, unless it is the whole
 */
function frameOpener(rule: CompiledRule, body: ItemBody, ...mark: Node[]): Node {
  const begins = choice(body.itemOpener, closersOf(rule).closer);
  return sequence(beforeLookAhead(rule.opener), ...mark, spaces, begins);
}

/** A closer without its optional beginning. */
function withoutEdge(node: Node): Node {
  if (node.type !== "sequence") return node;
  const at = node.items.findIndex((item) => minimumLength(item) > 0);
  return at <= 0 ? node : sequence(...node.items.slice(at));
}

/** An opener without its optional end. */
function withoutTail(node: Node): Node {
  if (node.type !== "sequence") return node;
  const at = node.items.findLastIndex((item) => minimumLength(item) > 0);
  return at < 0 || at === node.items.length - 1 ? node : sequence(...node.items.slice(0, at + 1));
}

/** Any character except these and whitespace. */
function anyBut(characters: string): Node {
  const excluded: [number, number][] = [...characters].map((one) => [one.charCodeAt(0), one.charCodeAt(0)]);
  return { type: "characters", ranges: complement(normalize([...excluded, ...SPACE])) };
}

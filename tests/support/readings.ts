/**
 * An oracle for calls in tags: every reading of a text, with its damage. It knows nothing of the matcher: it decides for
 * each mark of the dialect whether it is structure or content. Each of these is one damage: a mark without its
 * counterpart, in a value, between items or in text; half of an item's opener; an item whose parameter is repeated or not
 * declared. Marks of different forms of an item can belong together, so a text has rather more readings than fewer.
 *
 * @module
 */
import { type PlainCall, TAG_DIALECTS, type TagDialect } from "./damaged_calls.ts";

export interface Reading {
  readonly calls: readonly PlainCall[];
  readonly damage: number;
  /** How much of the damage is in the structure of the calls; the rest is in values and in text. */
  readonly repairs: number;
}

/** The dialect, and the parameters of each tool. */
export interface ReadingOptions {
  readonly dialect: TagDialect;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** Whether a mark in a value is without damage only if its counterpart is of the same form. */
  readonly isStrict: boolean;
}

type Kind = "item" | "half" | "itemCloser" | "call" | "callCloser" | "wrapper" | "wrapperCloser";

interface Mark {
  readonly kind: Kind;
  /** The parameter or the tool that it names. */
  readonly name: string;
  /** The closer of items in this form, of which a rule can have several. */
  readonly form: string;
  readonly from: number;
  readonly to: number;
}

interface State extends Reading {
  /** The index of the next mark. */
  readonly at: number;
  /** The end of the last mark that is structure. */
  readonly after: number;
  readonly isWrapped: boolean;
  readonly call: PlainCall | undefined;
  readonly key: string | undefined;
  /** The openers in its value that nothing closed yet, innermost last. */
  readonly open: readonly Mark[];
}

const START: State = {
  calls: [],
  damage: 0,
  repairs: 0,
  at: 0,
  after: 0,
  isWrapped: false,
  call: undefined,
  key: undefined,
  open: [],
};

const OPENERS: Partial<Record<Kind, Kind>> = {
  itemCloser: "item",
  callCloser: "call",
  wrapperCloser: "wrapper",
};

const NAME = "KEY";

/** The readings of a text with at most this damage. */
export function readingsOf(text: string, options: ReadingOptions & { maximum: number }): Reading[] {
  const { dialect, parameters, isStrict, maximum } = options;
  const isKeyed = isNamed(dialect.item[1]);
  const marks = marksIn(text, options);
  const readings = new Map<string, Reading>();
  const visit = (state: State): void => {
    if (state.damage > maximum) return;
    const mark = marks[state.at];
    if (state.key !== undefined) inValue(state, { mark, key: state.key });
    else if (state.call) between(state, { mark, call: state.call });
    else inText(state, mark);
  };

  function inText(state: State, mark: Mark | undefined): void {
    if (!mark) return found(state);
    const next = passed(state, mark);
    const isTag = mark.kind === (state.isWrapped ? "wrapperCloser" : "wrapper");
    if (isTag) return visit({ ...next, isWrapped: !state.isWrapped });
    if (mark.kind === "call") visit({ ...next, call: { tool: mark.name, arguments: {} } });
    visit({ ...next, damage: state.damage + 1 });
  }

  function found({ calls, damage: before, repairs, isWrapped }: State): void {
    const damage = before + Number(isWrapped);
    const id = JSON.stringify(calls);
    if (damage > maximum || damage >= (readings.get(id)?.damage ?? Infinity)) return;
    readings.set(id, { calls, damage, repairs: repairs + Number(isWrapped) });
  }

  function between(state: State, { mark, call }: { mark: Mark | undefined; call: PlainCall }): void {
    const ended = { ...state, call: undefined, calls: [...state.calls, call] };
    if (!mark || text.slice(state.after, mark.from).trim() !== "") return visit(repaired(ended));
    const next = passed(state, mark);
    const isDeclared = parameters[call.tool]!.includes(mark.name);
    if (mark.kind === "callCloser") return visit({ ...next, call: undefined, calls: ended.calls });
    if (mark.kind === "itemCloser") return visit(repaired(next));
    if (mark.kind !== "item" && mark.kind !== "half") return visit(repaired(ended));
    const isRepeated = mark.name in call.arguments;
    visit(repaired({ ...next, key: mark.name }, Number(!isDeclared) + Number(isRepeated)));
  }

  function inValue(state: State, { mark, key }: { mark: Mark | undefined; key: string }): void {
    const value = text.slice(state.after, mark?.from);
    const call = { ...state.call!, arguments: { ...state.call!.arguments, [key]: value } };
    const ended = { ...state, call, key: undefined, open: [], damage: state.damage + state.open.length };
    if (!mark) return visit(repaired({ ...ended, call: undefined }, 2));
    const isOwn = mark.kind === "itemCloser" && (!isKeyed || mark.name === key);
    visit(isOwn ? passed(ended, mark) : repaired({ ...ended, after: mark.from }));
    visit(mentioned({ ...state, at: state.at + 1 }, { mark, isStrict }));
  }

  visit(START);
  return [...readings.values()];
}

function passed(state: State, { to }: Mark): State {
  return { ...state, at: state.at + 1, after: to };
}

function repaired(state: State, by = 1): State {
  return { ...state, damage: state.damage + by, repairs: state.repairs + by };
}

/** Takes a mark in a value for a part of it. */
function mentioned(state: State, { mark, isStrict }: { mark: Mark; isStrict: boolean }): State {
  const opener = OPENERS[mark.kind];
  if (opener === undefined) return mark.kind === "half" ? state : { ...state, open: [...state.open, mark] };
  const at = state.open.findLastIndex(({ kind, name, form }) =>
    kind === opener && (!isStrict || form === mark.form) && (mark.name === "" || mark.name === name)
  );
  if (at < 0) return { ...state, damage: state.damage + 1 };
  const unclosed = state.open.length - 1 - at;
  return { ...state, open: state.open.slice(0, at), damage: state.damage + unclosed };
}

/** The marks of a dialect in a text, also as the same rule or dialects with the same closers write them. */
function marksIn(text: string, { dialect, parameters }: ReadingOptions): Mark[] {
  const own = TAG_DIALECTS.filter(({ rule }) => rule === dialect.rule);
  const alike = (part: "call" | "item") =>
    TAG_DIALECTS.filter((one) => own.some((form) => form[part][1](NAME) === one[part][1](NAME)));
  const forms = Map.groupBy(alike("item").map(({ item }) => item), ([, closer]) => closer(NAME));
  const item = patternOf(...[...forms.values()].flat().map(([opener]) => opener(NAME)));
  const call = patternOf(...alike("call").map(({ call }) => call[0](NAME)));
  const callCloser = patternOf(dialect.call[1](NAME));
  const { wrapper = [] } = dialect;
  const isKeyed = isNamed(dialect.item[1]);
  const half = (all: readonly TagDialect["item"][]) =>
    patternOf(...all.map(([opener]) => opener(NAME).split(NAME)[0]!));
  // Of two marks at one place, the first counts.
  const patterns: [kind: Kind, pattern: string, form: string][] = [
    ["call", `${call}(?=\\s*(?:${item}|${callCloser}))`, ""],
    ["callCloser", callCloser, ""],
    ...[...forms].flatMap(([form, all]): typeof patterns => [
      ["item", patternOf(...all.map(([opener]) => opener(NAME))), form],
      ["half", isKeyed ? "(?!)" : half(all), form],
      ["itemCloser", patternOf(form), form],
    ]),
    ...wrapper.map((tag, index): typeof patterns[number] => [
      index === 0 ? "wrapper" : "wrapperCloser",
      patternOf(tag),
      "",
    ]),
  ];
  // Where tags are names, only those of tools and their parameters are marks.
  const keys = Object.values(parameters).flat();
  const isMark = ({ kind, name }: Mark) =>
    kind.startsWith("call")
      ? name === "" || name in parameters
      : !isKeyed || name === "" || keys.includes(name);
  const all = patterns.flatMap(([kind, pattern, form]) =>
    [...text.matchAll(new RegExp(pattern, "g"))].map((match): Mark => {
      const name = match.slice(1).find((group) => group !== undefined) ?? "";
      return { kind, name, form, from: match.index, to: match.index + match[0].length };
    })
  ).filter(isMark);
  const first = new Map(all.toReversed().map((mark) => [mark.from, mark]));
  return [...first.values()].sort((one, other) => one.from - other.from);
}

/** A pattern of one of these tags, with any whitespace between two tags, and its name as a group. */
function patternOf(...tags: readonly string[]): string {
  const patterns = tags.map((tag) =>
    tag.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/>\s*</g, ">\\s*<").replace(
      NAME,
      "([\\w-]+)",
    )
  );
  return `(?:${[...new Set(patterns)].join("|")})`;
}

function isNamed(tag: (name: string) => string): boolean {
  return tag("a") !== tag("b");
}

/**
 * From texts with the places of their calls to the fields of a rule.
 *
 * @module
 */
import { type Delimiters, delimitersOf, listDelimitersOf, MASK, type Surroundings } from "./delimiters.ts";
import { evidenceOf, wrapped } from "./delimiter_pattern.ts";
import { itemOf, type ItemShape, signMarksOf } from "./item.ts";
import { delimiterPattern, LINE_GAP } from "./pattern_text.ts";
import type { EnvelopeKeys, MarkedCall, MarkedText, SignMarks, Span } from "./sample.ts";

/** The fields of a rule that state how a call is written. */
export interface RuleDraft {
  readonly pattern: string;
  readonly body: "json" | "envelope" | "tagged" | "yaml" | "call_list" | "none";
  readonly json?: { readonly string_mark: string };
  readonly tagged?: {
    readonly item: string | readonly string[];
    readonly unwrap: readonly string[];
    readonly escapes?: "backslash" | "entities";
  };
  readonly envelope?: {
    readonly name?: readonly string[];
    readonly arguments?: readonly string[];
    readonly keyed?: boolean;
    readonly inline?: readonly string[];
    readonly nested?: readonly string[];
    readonly ignore?: readonly string[];
    readonly name_prefixes?: readonly string[];
    readonly between?: string;
  };
  readonly keys?: "declared";
  readonly in_code?: "allowed";
  readonly begins?: "answer" | "line";
  readonly followed_by?: "nothing" | "calls";
  /** Calls that nothing marks, in an answer that can hold data: a person turns the rule on. */
  readonly isBare?: boolean;
  readonly confidence: number;
  /** What is around a call; absent if nothing is. */
  readonly delimiters?: Delimiters;
}

/** Why no rule follows from the texts, in one sentence. */
interface Refusal {
  readonly why: string;
}

export function isRefusal(value: object): value is Refusal {
  return "why" in value;
}

export function draftRule(texts: readonly MarkedText[]): RuleDraft | Refusal {
  const calls = texts.flatMap((text) => text.calls);
  if (calls.some(({ object }) => object?.isPython)) return pythonDraft(texts);
  if (calls.some(({ object }) => object?.envelope !== undefined)) return objectDraft(texts, "envelope");
  if (calls.some(({ object }) => object !== undefined)) return objectDraft(texts, "json");
  if (calls.some(({ items }) => items.length > 0)) return taggedDraft(texts);
  return { why: "No call with arguments was found, so it's unknown how values are written" };
}

/** JSON that holds the arguments, and perhaps the name. */
function objectDraft(all: readonly MarkedText[], body: "json" | "envelope"): RuleDraft | Refusal {
  const texts = all.filter(({ calls }) =>
    calls.every(({ object }) =>
      object !== undefined && (object.envelope !== undefined) === (body === "envelope")
    )
  );
  const delimiters = delimitersOf(texts.map((text) => surroundings(text, { unit: ({ object }) => object! })));
  const keys = texts.flatMap(({ calls }) => calls.flatMap(({ object }) => object?.envelope ?? []));
  const isKeyed = keys.some((one) => one.isKeyed);
  if (body === "envelope" && isUnmarked(delimiters) && !isKeyed) return bareEnvelope(keys);
  const refusal = checkDelimiters(delimiters, { needsName: body === "json" });
  if (refusal !== undefined) return refusal;
  if (/<[^<>]*=\s*["']$/.test(delimiters.opener)) {
    return {
      why: "The JSON is in an attribute and can contain entities, which rules can't read in JSON",
    };
  }
  const ahead = body === "json" ? "(?=\\{)" : "(?=[\\[{])";
  const pattern = wrapped(delimiters, `\\s*${ahead}(?<body>…)`);
  return {
    pattern,
    body,
    ...(body === "envelope" ? { envelope: envelopeOf(keys) } : {}),
    ...evidenceOf(delimiters),
    delimiters,
  };
}

/** Nothing but the JSON marks a call: an answer that is one whole call, whose first key is one of the envelope's. */
function bareEnvelope(keys: readonly EnvelopeKeys[]): RuleDraft {
  const envelope = envelopeOf(keys);
  const { name = [], arguments: held = [], nested = [], ignore = [] } = envelope;
  const first = distinct([...name, ...held, ...nested, ...ignore])
    .map((key) => delimiterPattern(key)).join("|");
  return {
    pattern: `(?=(?:\\[\\s{0,32})?\\{\\s{0,32}"(?:${first})"\\s{0,4}:)(?<body>…)`,
    body: "envelope",
    envelope: { ...envelope, between: "[;,]" },
    ...BARE,
  };
}

/** What keeps data and code from being taken for bare calls: the call is the whole answer. */
const BARE = {
  keys: "declared",
  begins: "answer",
  followed_by: "nothing",
  isBare: true,
  confidence: 0.9,
} as const;

/** Calls in Python's syntax, in a list or alone. */
function pythonDraft(all: readonly MarkedText[]): RuleDraft | Refusal {
  const texts = all.filter(({ calls }) => calls.every(({ object }) => object?.isPython));
  const around = texts.map((text) => surroundings(text, { unit: ({ object }) => object! }));
  const delimiters = listDelimitersOf(around);
  if (isUnmarked(delimiters)) {
    const bracket = around.every(({ head }) => head.trim().endsWith("[")) ? "\\[" : "\\[?";
    return { pattern: `(?=${bracket}\\s{0,32}{tool}\\s{0,4}\\()(?<body>…)`, body: "call_list", ...BARE };
  }
  const refusal = checkDelimiters(delimiters, { needsName: false });
  if (refusal !== undefined) return refusal;
  return {
    pattern: wrapped(delimiters, "\\s*(?=\\[?\\s{0,8}[A-Za-z_])(?<body>…)"),
    body: "call_list",
    ...evidenceOf(delimiters),
    delimiters,
  };
}

function envelopeOf(keys: readonly EnvelopeKeys[]): NonNullable<RuleDraft["envelope"]> {
  if (keys.some(({ isKeyed }) => isKeyed)) return { keyed: true };
  const names = distinct(keys.map(({ name }) => name));
  const inline = distinct(keys.filter((one) => one.arguments === undefined).map(({ name }) => name));
  const ignored = distinct(keys.flatMap(({ others }) => others));
  const nested = distinct(keys.flatMap((one) => one.nested ?? []));
  const prefixes = distinct(keys.map(({ prefix }) => prefix).filter((prefix) => prefix !== ""));
  return {
    name: names,
    arguments: distinct(keys.flatMap((one) => argumentKeys(one.arguments))),
    ...(inline.length > 0 ? { inline } : {}),
    ...(nested.length > 0 ? { nested } : {}),
    ...(ignored.length > 0 ? { ignore: ignored } : {}),
    ...(prefixes.length > 0 ? { name_prefixes: prefixes } : {}),
  };
}

/** Models trained on several notations confuse the two keys that most of them have. */
function argumentKeys(key: string | undefined): readonly string[] {
  const usual = ["arguments", "parameters"];
  if (key === undefined) return [];
  return usual.includes(key) ? [key, ...usual] : [key];
}

/** Items with a key and a value each. */
function taggedDraft(all: readonly MarkedText[]): RuleDraft | Refusal {
  const texts = all.filter(({ calls }) => calls.every(({ items }) => items.length > 0));
  const item = itemOf(texts);
  if ("why" in item) return item;
  const isObject = texts.every(isLooseObject);
  const unit = isObject ? objectOf : unitOf;
  const delimiters = delimitersOf(
    texts.map((text) => surroundings(text, { unit: (call) => unit(call, text), item })),
    false,
  );
  const isQuoted = signMarksOf(texts)?.some(({ quote }) => quote !== "") ?? false;
  const isBracketed = isObject || /^\s*[)}\]]/.test(delimiters.closer);
  const refusal = checkDelimiters(delimiters, { needsName: true, isBracketed: isQuoted && isBracketed });
  const isOpen = (delimiters.closer + delimiters.wrapperCloser).trim() === "";
  if (refusal !== undefined || isOpen && isCommand(texts)) return isOpen ? { why: OPEN_END } : refusal!;
  const isPlain = isQuoted && isBracketed && /^[\p{L}\p{N}_"'.]*$/u.test(marksOf(delimiters));
  const place = isPlain && texts.every(beginsLine) ? BY_LINE : {};
  if (texts.every(isYaml)) return yamlDraft(delimiters);
  if (texts.some((text) => isItem(delimiters, text))) return { why: END_ITEM };
  const escapes = escapesOf(texts, delimiters);
  if (escapes.escapes === "entities" && texts.some(hasBackslash)) return { why: TWO_ESCAPES };
  if (isObject) {
    const [{ text, calls: [call] }] = texts as [MarkedText & { calls: readonly [MarkedCall] }];
    const isBraced = text[objectOf(call, texts[0]!).start] === "{";
    return {
      pattern: wrapped(delimiters, `\\s*(?=${isBraced ? "\\{" : "\\("})(?<body>…)`),
      body: "json",
      ...(isBraced ? {} : { json: { string_mark: ANY_MARK } }),
      ...evidenceOf(delimiters),
      ...place,
      delimiters,
    };
  }
  const isLikeHtml = delimiters.opener.endsWith(`<${MASK.name}>`);
  const gap = delimiters.opener.endsWith(MASK.name) ? LINE_GAP : "\\s*";
  const pattern = wrapped(delimiters, isLikeHtml ? "\\s*(?=<)(?<body>…)" : `${gap}(?<body>…)`);
  return {
    pattern,
    body: "tagged",
    tagged: { item: item.pattern, unwrap: UNWRAPPED, ...escapes },
    // A line of code can look like an item that has no sign before its key: `b = 2`.
    ...(isLikeHtml || item.isLine || areAssignments(texts) ? { keys: "declared" as const } : {}),
    ...evidenceOf(delimiters),
    ...place,
    ...(isLikeHtml ? { confidence: 0.9 } : {}),
    // Where nothing closes a call, text after it could be the rest of its last value.
    ...(isOpen ? { followed_by: "calls" as const } : {}),
    delimiters,
  };
}

/** Whether items are lines such as `path=src/a.ts`. */
function areAssignments(texts: readonly MarkedText[]): boolean {
  return signMarksOf(texts)?.every(({ opener, middle }) => opener.trim() === "" && middle.trim() === "=") ??
    false;
}

/**
 * Whether what begins a call and what ends it look like one item: of two calls in a row, the end of the first and all of the
 * second could be a value of the first.
 *
 *     TOOL::read_file
 *     path::src/a.ts
 *     TOOL::END
 */
function isItem({ opener, closer }: Delimiters, { calls }: MarkedText): boolean {
  const [marks] = calls.flatMap(({ items }) => items.map((item) => item.marks));
  const sign = marks?.opener.trim() === "" && marks.quote === "" ? marks.middle.trim() : "";
  const word = /^[\p{L}\p{N}_]+/u.exec(closer)?.[0];
  return word !== undefined && sign !== "" && opener.startsWith(word) &&
    [opener, closer].every((mark) => mark.slice(word.length).trimStart().startsWith(sign));
}

const END_ITEM =
  "The marker after a call looks like a parameter with a value, so Dragoman can't tell whether the previous value continues past it. " +
  "Next: in the prompt, ask the model to write a different marker after each call, such as `@end`, and derive from such an answer";

/** Whether a value has an escape of code. In an attribute, that can be two characters or one. */
function hasBackslash({ text, calls }: MarkedText): boolean {
  return calls.some(({ items }) =>
    items.some(({ value }) => /\\[nrt"'\\]/.test(text.slice(value.start, value.end)))
  );
}

const TWO_ESCAPES =
  "A value in an attribute has a backslash, and nothing shows whether it escapes the next character or is text. " +
  "Next: derive from an answer whose values have no backslashes";

/** Enables arguments in parentheses; no model prints it. */
const ANY_MARK = "\uE0F5";

/** Calls whose own marks are words and brackets only. */
const BY_LINE = { begins: "line", keys: "declared" } as const;

function beginsLine({ text, answer = text }: MarkedText): boolean {
  return /(?:^|\n)[^\S\n]*$/.test(answer.slice(0, answer.indexOf(text)));
}

/** Whether the items are an object of code: `{ path: "a", limit: 5 }`, `(path: "a", limit: 5)`. */
function isLooseObject(marked: MarkedText): boolean {
  return marked.calls.every((call) => {
    const { start, end } = objectOf(call, marked);
    const pair = marked.text[start]! + marked.text[end - 1]!;
    const sign = pair === "()" ? /^["']?[:=]$/ : pair === "{}" ? /^["']?:$/ : undefined;
    return sign !== undefined && call.items.every(({ marks }) =>
      marks !== undefined && (pair === "()" ? /^["']?$/ : /^"?$/).test(marks.quote) &&
      marks.opener.trim() === "" &&
      sign.test(marks.middle.trim()) && /^["']?[,\s]*$/.test(marks.closer)
    ) && call.items.some(({ marks }) =>
      marks!.quote !== ""
    ) &&
      call.items.slice(0, -1).every(({ marks }) => marks!.closer.trim().endsWith(","));
  });
}

/** The items with the brackets around them. */
function objectOf(call: MarkedCall, { text }: MarkedText): Span {
  const { start, end } = unitOf(call);
  return {
    start: text.slice(0, start).trimEnd().length - 1,
    end: end + /^\s*.?/.exec(text.slice(end))![0].length,
  };
}

/** Whether keys and values are a block below a key: its quotes, lists and texts of several lines are YAML's. */
function isYaml({ text, calls }: MarkedText): boolean {
  return calls.every(({ items }) => {
    const head = text.slice(0, items[0]!.key.start).trimEnd();
    // A call whose name is a value of the same block: `tool: write_file`.
    const isFlat = /(?:^|\n)[\w-]+:[^\S\n]*\S+$/.test(head) &&
      items.some(({ value }) => /^[|>][-+]?\n/.test(text.slice(value.start, value.end)));
    return (isFlat || head.endsWith(":")) &&
      items.every(({ key, marks }) =>
        marks?.middle.trim() === ":" && (isFlat ? /\n$/ : /\n[ \t]+$/).test(text.slice(0, key.start))
      );
  });
}

function yamlDraft(delimiters: Delimiters): RuleDraft | Refusal {
  if (delimiters.closer === "") return { why: OPEN_END };
  return {
    // Inside a block, a line that looks like the closer is indented.
    pattern: wrapped(delimiters, "[ \\t]*\\r?\\n(?<body>…)\\r?\\n"),
    body: "yaml",
    keys: "declared",
    ...evidenceOf(delimiters),
    delimiters,
  };
}

/** Why there is no rule where no mark ends a call. */
export const OPEN_END = "Nothing marks the end of a call, so the end of its last value is uncertain. " +
  "Next: in the prompt, ask the model to write a unique marker after each call, and derive from such an answer";

/** Whether values are quoted as in a shell, which has no escapes between single quotes. */
function isCommand(texts: readonly MarkedText[]): boolean {
  const marks = signMarksOf(texts)?.find(({ quote }) => quote !== "");
  return marks !== undefined && marks.opener.trim().startsWith("-") && marks.quote === "'";
}

/** A quoted value has the escapes of a string in code; those of a command line have none, and neither has a block in `'''`. */
function escapesOf(
  texts: readonly MarkedText[],
  { opener }: Delimiters,
): { readonly escapes?: "backslash" | "entities" } {
  const all = signMarksOf(texts) ?? [];
  const marks = all.find(({ quote }) => quote !== "");
  if (marks !== undefined && isAttribute(marks, opener)) return { escapes: "entities" };
  return marks === undefined || /^`|^'''/.test(marks.quote) || isCommand(texts)
    ? {}
    : { escapes: "backslash" };
}

/** Whether items are attributes of a tag: `<call name="write_file" path="a"/>`. */
function isAttribute({ opener, middle }: SignMarks, callOpener: string): boolean {
  return middle.trimEnd().endsWith("=") && [callOpener, opener].some((one) => /^<\p{L}[^>]*$/u.test(one));
}

/** Keys around all arguments, which models take over from the tool's JSON Schema. */
const UNWRAPPED = ["arguments", "parameters", "properties"];

/** From the first key to the end of the last value. */
function unitOf({ items }: MarkedCall): Span {
  const [first] = items;
  const last = items.at(-1)!;
  return { start: first!.marks?.start ?? first!.key.start, end: last.marks?.end ?? last.value.end };
}

/** What is around the units of one text, masked, without an item's own marks. */
function surroundings(
  marked: MarkedText,
  { unit, item }: { readonly unit: (call: MarkedCall) => Span; readonly item?: ItemShape },
): Surroundings {
  const { text, calls, ids } = marked;
  const units = calls.map(unit);
  const gap = (start: number, end: number, after: MarkedCall | undefined, before: MarkedCall | undefined) => {
    const names = [after, before].flatMap((call) => call === undefined ? [] : [nameIn(marked, call)]);
    let masked = mask(text.slice(start, end), { names, ids });
    if (after !== undefined && item !== undefined) masked = item.withoutCloser(masked);
    if (before !== undefined && item !== undefined) masked = item.withoutOpener(masked);
    return masked;
  };
  return {
    head: gap(0, units[0]!.start, undefined, calls[0]),
    betweens: units.slice(1).map((next, index) =>
      gap(units[index]!.end, next.start, calls[index], calls[index + 1])
    ),
    tail: gap(units.at(-1)!.end, text.length, calls.at(-1), undefined),
  };
}

function nameIn({ text }: MarkedText, { name }: MarkedCall): string {
  return text.slice(name.start, name.end);
}

/** The same text with marks for what differs from call to call. */
function mask(text: string, { names, ids }: { names: readonly string[]; ids: readonly string[] }): string {
  let masked = text;
  for (const id of ids) masked = masked.replaceAll(id, MASK.id);
  for (const name of names) masked = masked.replaceAll(name, MASK.name);
  return masked.replace(/(?<![\p{L}\p{N}_])\d+(?![\p{L}_])/gu, MASK.number);
}

/** Whether nothing but whitespace is around the calls. */
function isUnmarked({ opener, closer, wrapperOpener, wrapperCloser }: Delimiters): boolean {
  return (wrapperOpener + opener + closer + wrapperCloser).trim() === "";
}

/** What is before a call besides its name and brackets. */
function marksOf({ opener, wrapperOpener }: Delimiters): string {
  return (wrapperOpener + opener).replace(/[\p{Co}\s()[\]{},:;]/gu, "");
}

/** Reasoning never marks a call, and neither do words alone. */
function checkDelimiters(
  delimiters: Delimiters,
  { needsName, isBracketed = false }: { readonly needsName: boolean; readonly isBracketed?: boolean },
): Refusal | undefined {
  const { opener, wrapperOpener } = delimiters;
  const marks = marksOf(delimiters);
  if (needsName && !opener.includes(MASK.name)) {
    return { why: "The tool's name is not in the same place before each call's arguments" };
  }
  const isNamedAgain = delimiters.closer.includes(`/${MASK.name}`) || /::/.test(opener);
  const isMarked = isBracketed || isNamedAgain || DOUBLE_BRACKETS.test(opener) ||
    /\(\s*\p{L}+\s+$/u.test(opener.split(MASK.name)[0]!);
  if (marks === "" && !isMarked) {
    return {
      why:
        "Calls have no distinctive marker, so ordinary text could look like a call. Next: in the prompt, " +
        "ask the model to write a marker before the name, such as `@call`, and derive from such an answer",
    };
  }
  if (REASONING.test(wrapperOpener + opener)) {
    return { why: "The marker before the call belongs to the model's reasoning" };
  }
  return undefined;
}

/** `[[read_file]]` and `{{read_file`, which text seldom has. */
const DOUBLE_BRACKETS = new RegExp(`\\[\\[\\s*${MASK.name}\\s*\\]\\]|\\{\\{\\s*(?:${MASK.name}|$)`);

/** Words of tags around a model's reasoning. */
const REASONING = /<\/?\|?(?:\w+:)?(?:think|thinking|thought|reasoning)\b/i;

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/**
 * Other forms of the same calls, which models write although their template doesn't show them. Each is a
 * rule of its own with its own proof.
 *
 *     <invoke name="f"><p name="a">1</p></invoke>   the rule itself
 *     <invoke name="f"/>                            `empty`: a call without arguments
 *     <invoke name="f">{"a": 1}</invoke>            `json`: JSON instead of items
 *     <tool>[{"name": "f", …}]                      `plain`: <|tool|>, written as an ordinary tag
 *     <|call|>{"name": "f", …}                      `token`: a token before a call that needs no marks
 *     Here it is: {"name": "f", …}                  `in_text`, `then_text`: such a call between sentences
 *
 * @module
 */
import type { RuleDraft } from "./draft.ts";
import { evidenceOf, wrapped } from "./delimiter_pattern.ts";
import { type Delimiters, MASK } from "./delimiters.ts";
import { closesTag, lastTag } from "./mark_token.ts";
import { delimiterPattern } from "./pattern_text.ts";
import type { Proof } from "./rule_file.ts";
import type { SampleCall } from "./sample.ts";

/** Another form. */
interface Variant {
  /** What its rule's name ends with. */
  readonly suffix: string;
  readonly draft: RuleDraft;
  readonly proof: Proof;
}

/** The other forms of a rule's calls; `tokens` are special tokens that can precede a call without marks. */
export function variantsOf(draft: RuleDraft, tokens: readonly string[]): Variant[] {
  return draft.delimiters === undefined
    ? bareVariants(draft, tokens)
    : [...taggedVariants(draft, draft.delimiters), ...plainVariants(draft, draft.delimiters)];
}

const CALL: SampleCall = {
  tool: "write_file",
  arguments: { path: "src/a.ts", content: 'a "quoted" word\nand more' },
};
const EMPTY: SampleCall = { tool: "refresh", arguments: {} };

/** Forms of a call with items between tags. */
function taggedVariants({ body, keys }: RuleDraft, delimiters: Delimiters): Variant[] {
  const isTag = closesTag(delimiters.opener.at(-1)) || delimiters.opener.endsWith(MASK.name);
  if (body !== "tagged" || keys !== undefined || !isTag || lastTag(delimiters.closer) === undefined) {
    return [];
  }
  const json: Variant = {
    suffix: "json",
    draft: { pattern: wrapped(delimiters, "\\s*(?=\\{)(?<body>…)"), body: "json", ...evidenceOf(delimiters) },
    proof: proofOf("JSON instead of items", { delimiters, body: JSON.stringify(CALL.arguments), call: CALL }),
  };
  const end = `${MASK.name}">`;
  if (!delimiters.opener.endsWith(end)) return [json];
  const closed = { ...delimiters, opener: `${delimiters.opener.slice(0, -1)}/>`, closer: "" };
  const pattern = wrapped(closed, "(?<body>…)").replace('"/>', '"\\s*/>');
  const empty: Variant = {
    suffix: "empty",
    draft: { pattern, body: "none", ...evidenceOf(delimiters) },
    proof: proofOf("a tag without arguments", { delimiters: closed, body: "", call: EMPTY }),
  };
  return [json, empty];
}

/** A token alone before a call, as an ordinary tag. */
function plainVariants(draft: RuleDraft, delimiters: Delimiters): Variant[] {
  const word = /^<\|(\w+)\|>$/.exec(delimiters.opener)?.[1];
  const text = word === undefined || delimiters.wrapperOpener !== "" ? undefined : envelopeText(draft);
  if (text === undefined) return [];
  const { in_code: _, delimiters: __, ...rest } = draft;
  const plain = { ...delimiters, opener: `<${word}>` };
  const pattern = wrapped(plain, "\\s*(?=[\\[{])(?<body>…)");
  return [{
    suffix: "plain",
    draft: { ...rest, pattern, confidence: 0.93 },
    proof: proofOf("the token as an ordinary tag", { delimiters: plain, body: ` [${text}]`, call: CALL }),
  }];
}

/** Forms of a call that nothing marks. */
function bareVariants(draft: RuleDraft, tokens: readonly string[]): Variant[] {
  const text = envelopeText(draft);
  if (text === undefined) return [];
  const { isBare: _, begins, followed_by: __, keys, ...rest } = draft;
  const start = draft.pattern.replace("(?:\\[\\s{0,32})?", "");
  const variants: Variant[] = [
    {
      suffix: "then_text",
      draft: { ...rest, isBare: true, keys: keys!, begins: begins! },
      proof: bareProof("text after a call", { before: "", text }),
    },
    {
      suffix: "in_text",
      draft: { ...rest, isBare: true, keys: keys!, pattern: `(?<before>:\\s{1,4})${start}` },
      proof: bareProof("a sentence before a call", { before: "Here it is: ", text }),
    },
  ];
  const [token] = tokens;
  if (token === undefined) return variants;
  const choice = tokens.map((one) => delimiterPattern(one)).join("|");
  const pattern = `(?:${choice})\\s*(?=[\\[{])(?<body>…)`;
  return [{
    suffix: "token",
    draft: { ...rest, pattern, ...evidenceOf({ ...NO_FRAME, opener: token }) },
    proof: { name: "a token before a call", sample: { text: `${token}${text}`, calls: [CALL], ids: [] } },
  }, ...variants];
}

const NO_FRAME: Delimiters = {
  opener: "",
  closer: "",
  wrapperOpener: "",
  wrapperCloser: "",
  separator: "",
  isList: false,
};

/** A call before a sentence, and perhaps after one. */
function bareProof(
  name: string,
  { before, text }: { readonly before: string; readonly text: string },
): Proof {
  return {
    name,
    sample: { text: `${before}${text} More.`, calls: [CALL], ids: [] },
    // Whitespace on both sides of the call stays; at the answer's beginning it leaves with the call.
    text: before === "" ? "More." : `${before} More.`,
  };
}

/** The call as JSON with the keys of the envelope; undefined if the rule has none. */
function envelopeText({ envelope }: RuleDraft): string | undefined {
  const [name] = envelope?.name ?? [];
  const [held] = envelope?.arguments ?? [];
  if (name === undefined || held === undefined) return undefined;
  return JSON.stringify({ [name]: CALL.tool, [held]: CALL.arguments });
}

/** The delimiters' own text around a body. */
function proofOf(
  name: string,
  { delimiters, body, call }: {
    readonly delimiters: Delimiters;
    readonly body: string;
    readonly call: SampleCall;
  },
): Proof {
  const { wrapperOpener, opener, closer, wrapperCloser } = delimiters;
  const text = `${wrapperOpener}${opener}${body}${closer}${wrapperCloser}`
    .replaceAll(MASK.name, call.tool).replaceAll(MASK.id, "call_1").replaceAll(MASK.number, "0");
  return { name, sample: { text, calls: [call], ids: [] } };
}

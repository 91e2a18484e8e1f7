/**
 * Compiled rules as plain data: what `unpack.ts` reads and `engine/rule/pack.ts` writes. A text of a pattern is a text, and
 * a node that is used often is written once, so the shipped rules take 9 kB compressed.
 *
 *     <call (?<tool>\w+)> … </\w+>  →  nodes: [["*", ["c", 48, 57, …], 1, -1]]
 *                                     opener: ["s", "<call ", ["g", "tool", 0], ">"], closer: ["s", "</", 0, ">"]
 *
 * @module
 */
import type { CompiledRule } from "../scan/compiled_rule.ts";

/** The number of the format. A reader refuses every other one. */
export const FORMAT = 3;

/** A node: the text that it matches, its index in `nodes` if it is used often, or the node itself. */
export type PackedReference = string | number | PackedNode;

/** A node other than a text, by the letter of its kind. `items` are references, which TypeScript can't express here. */
export type PackedNode =
  /** Sequence; a text is all its characters. */
  | readonly ["s", ...items: unknown[]]
  /** Characters, or all but them: the two ends of each range, and -1 before them for whitespace. */
  | readonly ["c" | "n", ...ends: number[]]
  | readonly ["|", ...items: unknown[]]
  /** Repeat: the item, the minimum, the maximum or -1 for no limit, and 0 if it's lazy. */
  | readonly ["*", item: PackedReference, minimum: number, maximum: number, greedy?: 0]
  /** An item or nothing, greedily. */
  | readonly ["?", item: PackedReference]
  | readonly ["g", name: string, item: PackedReference]
  | readonly ["r" | "h", name: string]
  | readonly ["^" | "m" | "$"];

/** The fields that most rules have; a rule is written without those that are the same. */
export const USUAL_FIELDS = {
  confidence: 0.9,
  commit: "first_item",
  begins: "anywhere",
  followedBy: "anything",
  inCode: "never",
  references: [],
  nameEscapes: "none",
  isQualified: false,
  needsDeclaredKeys: false,
} as const;

/** The same for a body of each kind. */
export const USUAL_BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  envelope: {
    isKeyed: false,
    name: ["name"],
    arguments: ["arguments", "parameters"],
    inline: [],
    nested: [],
    ignore: ["id", "type", "tool_call_id"],
    namePrefixes: [],
  },
  tagged: { escapes: "none", isNested: false, unwrap: [], containers: [], extraKeys: [] },
  opaque: { shows: "all", sendsAs: "content", isPrefilled: false, unclosed: "region" },
};

/** A rule of which every node is a reference. */
export interface PackedRule extends Readonly<Record<string, unknown>> {
  readonly name: string;
  /** The weight that orders rules, if it isn't the confidence. */
  readonly weight?: number;
  /** How the rule's dialect is spoken; absent if it isn't, or if that is elsewhere. */
  readonly speech?: unknown;
}

export interface CompiledRules {
  readonly v: number;
  /** The program that wrote them, with its version. */
  readonly by: string;
  readonly nodes: readonly PackedNode[];
  readonly rules: readonly PackedRule[];
}

/** A compiled rule before it has a place among others. */
export interface WeightedRule extends Omit<CompiledRule, "rank" | "priority"> {
  /** Of two rules that match at the same position, the one with the higher weight wins. */
  readonly weight: number;
  readonly speech?: unknown;
}

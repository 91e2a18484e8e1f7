/**
 * A compiled rule, as the matcher runs it. This file has only types; it knows patterns, body kinds and gates, but no YAML
 * and no dialect.
 *
 * @module
 */
import type { Node } from "../pattern/node.ts";
import type { MarkdownKind } from "./markdown.ts";

/** The point from which the client can receive a call. */
export type Commit = "open" | "first_item" | "close";

/** The body kind: how the text in a rule's hole is read. */
export type Body =
  | { readonly kind: "yaml" | "none" }
  | {
    readonly kind: "text";
    /** The group that the hole is, by which the mapping also names its text. */
    readonly group?: string;
    /** What the text must match; absent: any text. */
    readonly value?: Node;
  }
  | {
    readonly kind: "json";
    /** A mark, besides quotes, that can enclose strings. */
    readonly stringMark: string | undefined;
  }
  | {
    readonly kind: "call_list";
    /** The text between one call and the next. */
    readonly between: Node | undefined;
  }
  | {
    readonly kind: "envelope";
    /** Whether the single key of an envelope is the name. */
    readonly isKeyed: boolean;
    /** The text between two envelopes outside a list. */
    readonly between: Node | undefined;
    readonly stringMark: string | undefined;
    /** Keys of the name, of the arguments, and of a name that has its arguments as sibling keys. */
    readonly name: readonly string[];
    readonly arguments: readonly string[];
    readonly inline: readonly string[];
    /** Keys whose object holds the name and the arguments. */
    readonly nested: readonly string[];
    /** Keys that are irrelevant to the call. */
    readonly ignore: readonly string[];
    /** Prefixes that aren't part of the name. */
    readonly namePrefixes: readonly string[];
  }
  | {
    readonly kind: "tagged";
    /** The opener of an item; a group whose name begins with `FORM` identifies the item's form. */
    readonly itemOpener: Node;
    readonly itemClosers: readonly Node[];
    readonly escapes: Escapes;
    /** Whether values can contain items. */
    readonly isNested: boolean;
    /** Keys whose value is an object of parameters, unless the tool declares them. */
    readonly unwrap: readonly string[];
    /** Elements that can enclose the items. */
    readonly containers: readonly string[];
    /** Keys that count as items besides the declared ones. */
    readonly extraKeys: readonly string[];
  }
  | {
    readonly kind: "opaque";
    readonly region: "fence" | "quote" | "reasoning" | "answer" | "residue" | "opener" | "leak" | "result";
    /** The part of the region that the client receives. */
    readonly shows: "all" | "text" | "nothing";
    /** Whether that part is sent as content or as reasoning. */
    readonly sendsAs: "content" | "reasoning";
    /** Whether it is the region that a template opens before the answer. */
    readonly isPrefilled: boolean;
    /** The meaning of an opener without a closer: the region reaches to the end, or the opener is text. */
    readonly unclosed: "region" | "text";
    /** The Markdown structure of the region, which then has no opener. */
    readonly markdown: MarkdownKind | undefined;
  }
  | { readonly kind: "group"; readonly meta: readonly string[] };

/** The notation of special characters: unchanged, as XML entities, or after a backslash. */
export type Escapes = "none" | "entities" | "backslash";

/** The group of an opener for text that introduces the call and isn't part of it. */
export const BEFORE = "before";

/** The group of an opener for a remainder before the call, which leaves with it if it is a line or a sentence of its own. */
export const RESIDUE = "residue";

/** The prefix of the groups that identify an item's form. */
export const FORM = " form ";

/** Where a rule takes the arguments from. */
export interface Mapping {
  /** Parameter → the capture or the argument with its value. */
  readonly from: Readonly<Record<string, string>>;
  /** Parameter → its fixed value. */
  readonly constants: Readonly<Record<string, unknown>>;
}

/** A rule that is ready to run. */
export interface CompiledRule {
  readonly name: string;
  /** The rule's index in the program. Among matches with equal start, confidence and length, the lowest rank wins. */
  readonly rank: number;
  /** The priority, which rules of equal confidence share; the lowest number wins. */
  readonly priority: number;
  readonly confidence: number;
  readonly commit: Commit;
  readonly begins: "anywhere" | "line" | "paragraph" | "answer" | "after_call" | "after_reasoning";
  readonly followedBy: "anything" | "calls" | "nothing";
  readonly inCode: "never" | "opening_fence" | "allowed";
  readonly opener: Node;
  readonly closer: Node;
  readonly wrapperCloser?: Node;
  /** The opener's groups to which the closer refers. */
  readonly references: readonly string[];
  readonly body: Body;
  /** The notation of special characters in keys and in the tool's name before the hole. */
  readonly nameEscapes: Escapes;
  /** Whether a name's qualifier, the part before its last dot, can be dropped. */
  readonly isQualified: boolean;
  /** Whether only declared parameters count (for tags that look like HTML). */
  readonly needsDeclaredKeys: boolean;
  /** The target tools, of which the first offered one wins; without them, the text names the tool. */
  readonly tools?: readonly string[];
  /** Name in the text → the tool that it means. */
  readonly toolNames?: Readonly<Record<string, string>>;
  readonly mapping?: Mapping;
  readonly commands?: readonly string[];
  readonly allowedTools?: readonly string[];
}

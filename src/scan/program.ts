/**
 * The compiled rules: what the matcher runs. Types only; it knows patterns, body kinds and gates, but no YAML
 * and no dialect.
 *
 * @module
 */
import type { Node } from "../pattern/node.ts";
import type { Automata } from "./automata.ts";
import type { MarkdownKind } from "./markdown.ts";

/** When the client hears of a call. */
export type Commit = "open" | "first_item" | "close";

/** How the text in a rule's hole is read. */
export type Body =
  | { readonly kind: "text" | "yaml" | "none" }
  | {
    readonly kind: "json";
    /** The mark that strings may stand between, besides quotes. */
    readonly stringMark: string | undefined;
  }
  | {
    readonly kind: "call_list";
    /** What stands between two calls. */
    readonly between: Node | undefined;
  }
  | {
    readonly kind: "envelope";
    /** Whether the one key of an envelope is the name. */
    readonly isKeyed: boolean;
    /** What stands between two envelopes that are not in a list. */
    readonly between: Node | undefined;
    readonly stringMark: string | undefined;
    /** Keys of the name, of the arguments, and the name keys beside which arguments may stand. */
    readonly name: readonly string[];
    readonly arguments: readonly string[];
    readonly inline: readonly string[];
    /** Keys whose object holds the name and the arguments. */
    readonly nested: readonly string[];
    /** Keys that say nothing of the call. */
    readonly ignore: readonly string[];
    /** What may stand before the name and does not belong to it. */
    readonly namePrefixes: readonly string[];
  }
  | {
    readonly kind: "tagged";
    /** What opens an item; a group whose name begins with `FORM` tells which way of writing it is. */
    readonly itemOpener: Node;
    /** What closes an item, for each way of writing it. */
    readonly itemClosers: readonly Node[];
    /** How special characters are written in values. */
    readonly escapes: Escapes;
    /** Whether values may hold items of their own. */
    readonly isNested: boolean;
    /** Keys whose value is an object of parameters, unless the tool declares them. */
    readonly unwrap: readonly string[];
    /** Elements that may stand around the items. */
    readonly containers: readonly string[];
    /** Keys that count as items beside the declared ones. */
    readonly extraKeys: readonly string[];
  }
  | {
    readonly kind: "opaque";
    readonly region: "fence" | "quote" | "reasoning" | "answer";
    /** What the client gets of the region. */
    readonly shows: "all" | "text" | "nothing";
    /** Whether what it shows is text, or reasoning that the client gets apart from the text. */
    readonly sendsAs: "content" | "reasoning";
    /** Whether it is the one that a template opens before the answer. */
    readonly isPrefilled: boolean;
    /** What an opener without a closer is: the region reaches to the end, or it is text. */
    readonly unclosed: "region" | "text";
    /** The structure of Markdown that it is; then it has no opener. */
    readonly markdown: MarkdownKind | undefined;
  }
  | { readonly kind: "group"; readonly meta: readonly string[] };

/** How special characters are written: as they are, as XML entities, after a backslash. */
export type Escapes = "none" | "entities" | "backslash";

/** The group of an opener for text that introduces the call and doesn't belong to it. */
export const BEFORE = "before";

/** What the names of the groups begin with that tell one way of writing an item from another. */
export const FORM = " form ";

/** Where the arguments come from, if the rule says so. */
export interface Mapping {
  /** Parameter → the capture or the argument that it takes its value from. */
  readonly from: Readonly<Record<string, string>>;
  /** Parameter → its fixed value. */
  readonly constants: Readonly<Record<string, string>>;
}

/** One rule, ready to run. */
export interface CompiledRule {
  readonly name: string;
  /** Its place in the program; at the same start and with equal confidence and length the lower rank wins. */
  readonly rank: number;
  /** Rules of equal confidence share a priority; the lower number wins. */
  readonly priority: number;
  readonly confidence: number;
  readonly commit: Commit;
  readonly at: "anywhere" | "line" | "start";
  readonly where: "anywhere" | "ending" | "last";
  readonly inside: "none" | "fence" | "any";
  readonly opener: Node;
  readonly closer: Node;
  readonly wrapperCloser?: Node;
  /** The opener's groups that the closer refers back to. */
  readonly references: readonly string[];
  readonly body: Body;
  /** How special characters are written in the tool's name before the hole and in keys. */
  readonly nameEscapes: Escapes;
  /** Whether a name's qualifier may be dropped: the part before its last dot. */
  readonly isQualified: boolean;
  /** Whether only declared parameters count (for tags that look like HTML). */
  readonly needsDeclaredKeys: boolean;
  /** The target tools, the first offered one wins; without it the text names the tool. */
  readonly tools?: readonly string[];
  readonly mapping?: Mapping;
  readonly commands?: readonly string[];
  readonly allowedTools?: readonly string[];
}

/** All rules of a run, immutable, shared by all answers. */
export interface Program {
  /** In the order of their rank. */
  readonly rules: readonly CompiledRule[];
  /** What is looked for in which state. */
  readonly automata: Automata;
  /** The structures of Markdown in which calls are shown. */
  readonly markdown: ReadonlySet<MarkdownKind>;
}

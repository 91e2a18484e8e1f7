/**
 * The blocks of Markdown that are open at a position: containers, outermost first, and the leaf in them.
 *
 * @module
 */

/** A block that contains other blocks. An item contains the lines that are indented at least as far as its text. */
export type Container = { readonly kind: "quote" } | { readonly kind: "item"; readonly indent: number };

/** The number of cells that bars make of a line, or "any" if it isn't known. */
export type Cells = number | "any";

export type Leaf =
  /** The text is still blank, no leaf continues, or the innermost item has no text so far. */
  | { readonly kind: "start" | "none" | "empty_item" | "table" }
  /** `hasText`: whether it contains anything besides calls. */
  | { readonly kind: "indented_code"; readonly hasText: boolean }
  /** `cells`: the number of cells in its last line, which can be the head of a table. */
  | { readonly kind: "paragraph"; readonly cells: Cells }
  | {
    readonly kind: "fence";
    readonly mark: string;
    readonly length: number;
    readonly hasText: boolean;
    /** Whether it is the first thing in the text. */
    readonly isFirst: boolean;
  };

export interface Blocks {
  readonly containers: readonly Container[];
  readonly leaf: Leaf;
}

export const NO_BLOCKS: Blocks = { containers: [], leaf: { kind: "start" } };

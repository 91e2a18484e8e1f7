/** A JSON value as a sequence of parts, so that it can be passed on while it is still arriving. @module */

/** Takes the parts of one JSON value in order. */
export interface JsonHandler {
  /** Whether the handler refuses the rest of the value; the reader stops immediately. */
  readonly isRefused?: boolean;
  /** The number of pieces that it has passed on, if it counts them. */
  readonly sent?: number | undefined;
  /** An object or an array opens. */
  begin(kind: "object" | "array"): void;
  /** The innermost object or array closes. */
  end(): void;
  /** A member's key, decoded. */
  key(key: string): void;
  /** A string begins; its pieces follow. */
  stringBegin(): void;
  /** A piece of the string, already escaped for JSON; the pieces concatenate. */
  stringPiece(escaped: string): void;
  /** The string ends. */
  stringEnd(): void;
  /** A number, `true`, `false` or `null`, in JSON notation. */
  scalar(json: string): void;
}

/** Decides what can follow a JSON value. */
export interface ValueFollower {
  /**
   * Whether the text at a position can follow the value, or undefined if more text decides.
   *
   * @param isWhole whether all brackets of the value are closed before the position
   */
  mayFollow(text: string, at: number, isWhole: boolean): boolean | undefined;
  /** Whether a key is a parameter that is still missing, so that a comma before it can be, too. */
  isMissing?(key: string): boolean;
}

/** A kind of repair. No repair invents a key or a value. */
export type JsonRepair =
  | "trailing comma"
  | "missing comma"
  | "raw control character"
  | "single quotes"
  | "comment"
  | "bare key"
  | "bare string"
  | "Python literal"
  | "escape"
  | "unescaped quote"
  | "triple quotes"
  | "missing brace"
  | "extra brace";

/**
 * JSON as a row of parts, so that a value can be passed on while it is still coming.
 *
 * @module
 */

/** Takes the parts of one JSON value in order. */
export interface JsonHandler {
  /** Set once the value is of no use: the reader stops right there. */
  readonly isRefused?: boolean;
  /** An object or an array opens. */
  begin(kind: "object" | "array"): void;
  /** The innermost object or array closes. */
  end(): void;
  /** A member's key, decoded. */
  key(key: string): void;
  /** A string value begins; its pieces follow. */
  stringBegin(): void;
  /** A piece of the string, already escaped as JSON asks; pieces concatenate. */
  stringPiece(escaped: string): void;
  /** The string is over. */
  stringEnd(): void;
  /** A number, `true`, `false` or `null`, as JSON writes it. */
  scalar(json: string): void;
}

/** What was mended while reading; each is named, none invents a key or a value. */
export type JsonRepair =
  | "trailing comma"
  | "raw control character"
  | "single quotes"
  | "comment"
  | "bare key"
  | "Python literal"
  | "escape"
  | "unescaped quote"
  | "triple quotes"
  | "missing brace"
  | "extra brace";

/** A file that was read. @module */

/** A file's text with the name that diagnostics show. */
export interface TextFile {
  /** The path as shown: relative to the working directory if it is inside. */
  readonly file: string;
  /** The text, without byte order mark. */
  readonly text: string;
}

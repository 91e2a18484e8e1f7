/**
 * Colors YAML as rule files use it, line by line. Blocks of text are one color: they hold answers of models, not YAML.
 *
 * @module
 */
import type { StreamParser } from "@codemirror/language";

interface YamlState {
  /** The column of the last key, or of the last dash. */
  column: number;
  /** The column of the key whose block of text goes on; -1 outside of one. */
  block: number;
}

export const yamlMode: StreamParser<YamlState> = {
  startState: () => ({ column: 0, block: -1 }),
  token(stream, state) {
    if (stream.sol() && state.block >= 0) {
      if (stream.match(/^\s*$/) || stream.indentation() > state.block) {
        stream.skipToEnd();
        return "string";
      }
      state.block = -1;
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^-(?=\s|$)/)) {
      state.column = stream.column();
      return "meta";
    }
    if (stream.match(/^[\w.-]+(?=:(?:\s|$))/)) {
      state.column = stream.column();
      return "atom";
    }
    if (stream.match(/^[|>][-+\d]*(?=\s*$)/)) {
      state.block = state.column;
      return "meta";
    }
    if (stream.match(/^'(?:[^']|'')*'?/) || stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^(?:true|false|null)(?=[\s,}\]]|$)/)) return "keyword";
    if (stream.match(/^-?\d+(?:\.\d+)?(?=[\s,}\]]|$)/)) return "number";
    if (!stream.match(/^[\w.$/-]+/)) stream.next();
    return null;
  },
};

/**
 * Reads the error of a server whose parser failed at what the model wrote. Some servers put the model's text into it:
 *
 *     Failed to parse input at pos 22: <tool_call>…
 *     error parsing tool call: raw='{"path": …', err=unexpected end of JSON input
 *     Tool error: Failed to parse generated text: EOF while parsing … "{\"function\":…"
 *
 * @module
 */
import type { LostText, ServerProfile } from "../upstream/profiles/profiles.ts";

interface ParserError {
  /** The model's text, or its rest after what was streamed; undefined if it is lost. */
  readonly text: string | undefined;
  /** Whether the text is only what follows what was streamed. */
  readonly isRest: boolean;
}

/** The parser's error in an error's message; undefined if the error is about something else. */
export function parserErrorOf(
  { parser_errors: signs = [] }: ServerProfile,
  message: string,
): ParserError | undefined {
  const sign = signs.find(({ contains }) => message.includes(contains));
  if (sign === undefined) return undefined;
  const text = sign.text && lostText(message, { sign: sign.contains, lost: sign.text });
  return { text, isRest: sign.text?.is === "rest" };
}

function lostText(
  message: string,
  { sign, lost }: { readonly sign: string; readonly lost: LostText },
): string | undefined {
  const at = message.indexOf(sign);
  if (lost.form === "rust_string") return rustString(message.slice(at + sign.length));
  const after = lost.after === undefined ? at + sign.length : endOf(message, { text: lost.after, from: at });
  const until = lost.until === undefined ? message.length : message.lastIndexOf(lost.until);
  return after === undefined || until < after ? undefined : message.slice(after, until);
}

function endOf(message: string, { text, from }: { readonly text: string; readonly from: number }) {
  const at = message.indexOf(text, from);
  return at < 0 ? undefined : at + text.length;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** The last string of a message, as Rust's `{:?}` writes it. */
function rustString(message: string): string | undefined {
  const from = message.indexOf('"');
  const to = message.lastIndexOf('"');
  if (from < 0 || to <= from) return undefined;
  return message.slice(from + 1, to).replaceAll(
    /\\(?:u\{([\da-f]{1,6})\}|(.))/gi,
    (_, code: string | undefined, letter: string | undefined) =>
      code === undefined
        ? ESCAPES[letter ?? ""] ?? letter ?? ""
        : String.fromCodePoint(Math.min(parseInt(code, 16), 0x10FFFF)),
  );
}

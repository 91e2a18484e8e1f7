/**
 * Cuts the value of a parameter out of a text, whatever the dialect: a second opinion about what a rule reads.
 *
 *     path := src/a.ts        <k>path</k><t>string</t><v>src/a.ts</v>
 *             ^ the value                                ^
 *
 * @module
 */

import { CLOSING, OPENING } from "./brackets.ts";

export const TYPE_WORD =
  "(?:string|str|text|integer|int|number|float|double|boolean|bool|array|list|object|dict|null)";

const OPEN = `[${OPENING}]`;
const CLOSE = `[${CLOSING}]`;
const NAME = `[^{}${OPENING}${CLOSING}\\n]{1,64}`;
const CLOSER = `${OPEN}+/${NAME}${CLOSE}+`;
const OPENER = `${OPEN}+(?!/)${NAME}${CLOSE}+`;

/** The rest of the key's own tag, or tags, perhaps with a type between them. */
const TAGS = new RegExp(
  `^["']?(?:<\\|[^|>\\n]{1,24}\\|>|${
    NAME.replace("{1,64}", "{0,64}")
  }(?<![-=~])${CLOSE}+)?(?:\\s*${CLOSER})?(?:\\s*${OPENER}${TYPE_WORD}${CLOSER})?` +
    `(?:(?<=/${NAME}${CLOSE}+)\\s*${OPENER})?`,
  "i",
);

const ENDS_TAG = new RegExp(`${CLOSE}$`, "u");

/** A sign, or nothing but whitespace. */
const SIGN = /^["']?[^\S\n]*(?:<[-=]|[:=~→⇒⟶|-]{1,3}[>=:~→⇒⟶|]?)?[^\S\n]*/u;

/** The start of the value that follows a parameter's name. */
export function valueStart(text: string, keyEnd: number): number {
  const rest = text.slice(keyEnd, keyEnd + 256);
  const sign = SIGN.exec(rest)![0];
  if (/[:=~→⇒⟶|>]/u.test(sign)) return keyEnd + sign.length;
  const tags = TAGS.exec(rest)![0];
  if (!ENDS_TAG.test(tags)) return keyEnd + sign.length;
  return keyEnd + tags.length +
    /^(?:[^\S\n]*(?:[:=]|[-=~]>)[^\S\n])?/.exec(rest.slice(tags.length))![0].length;
}

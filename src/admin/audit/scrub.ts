/** Replaces secrets in text and in the JSON of arguments with `[redacted]`, without regular expressions on model text. @module */
import { parseJson } from "../../engine/object/parse.ts";

export const REDACTED = "[redacted]";

/** Parts of names of secret values; compared without `_`, `-` and case. */
const SECRET_NAMES = [
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "apikey",
  "credential",
  "authorization",
  "privatekey",
  "accesskey",
  "sshkey",
  "cookie",
  "bearer",
  "signature",
  "connectionstring",
  "pincode",
];

export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll("_", "").replaceAll("-", "");
  // Every request has `max_tokens`, which is not secret.
  if (plain.startsWith("max")) return false;
  return SECRET_NAMES.some((part) => plain.includes(part)) ||
    (plain.endsWith("pass") && !PLAIN_PASSES.includes(plain));
}

/** Words that only end like `DB_PASS`. */
const PLAIN_PASSES = ["bypass", "compass", "encompass", "surpass", "trespass"];

/** Removes known secrets from a text. Secrets under four characters stay, because they would match everywhere. */
export function withoutKnown(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  return known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
}

const NAME_MAX = 200;

/** A name from a request or a model, which may be anything, without known secrets. */
export function nameWithout(name: string, secrets: readonly string[]): string {
  return withoutKnown(name, secrets).slice(0, NAME_MAX);
}

/**
 * Removes secrets from a text.
 *
 * @example
 * ```ts
 * import { scrubText } from "./scrub.ts";
 * console.assert(scrubText('{"password": "a b"}', []) === '{"password": "[redacted]"}');
 * ```
 */
export function scrubText(text: string, secrets: readonly string[]): string {
  const known = withoutKnown(text, secrets);
  let out = "";
  let at = 0;
  while (at < known.length) {
    if (known.startsWith("-----BEGIN", at)) {
      const end = known.indexOf("-----END", at);
      out += REDACTED;
      at = end < 0 ? known.length : end;
      continue;
    }
    const end = wordEnd(known, at);
    if (end === at) {
      out += known[at++];
      continue;
    }
    const word = known.slice(at, end);
    const secret = secretInFlag(known, { start: at, end }) ?? secretInUrl(known, end);
    if (secret !== undefined) {
      out += known.slice(at, secret.start) + REDACTED;
      at = secret.end;
      continue;
    }
    out += isKnownKey(word) ? REDACTED : word;
    at = end;
    if (!isSecretName(word)) continue;
    const value = valueAfter(known, at);
    if (value === undefined) continue;
    const replacement = value.isStructure === true ? `"${REDACTED}"` : REDACTED;
    out += known.slice(at, value.start) + (value.end > value.start ? replacement : "");
    at = value.end;
  }
  return out;
}

/** Removes secrets from the JSON of arguments; scrubs anything else as text. */
export function scrubArguments(json: string, secrets: readonly string[]): string {
  const value = parseJson(json);
  return value === undefined ? scrubText(json, secrets) : JSON.stringify(scrubValue(value, secrets));
}

/** The values of secret names in a text. */
export function secretsIn(json: string): string[] {
  const found: string[] = [];
  const collect = (value: unknown, isSecret: boolean): void => {
    if (typeof value === "string" && isSecret) found.push(value, JSON.stringify(value).slice(1, -1));
    if (typeof value === "number" && isSecret) found.push(String(value));
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) collect(inner, isSecret || isSecretName(name));
  };
  collect(parseJson(json), false);
  return found;
}

function scrubValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "string") return scrubText(value, secrets);
  if (Array.isArray(value)) return value.map((inner) => scrubValue(inner, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      withoutKnown(name, secrets),
      isSecretName(name) ? REDACTED : scrubValue(inner, secrets),
    ]),
  );
}

/** The end of the word that starts here; the same offset if there is none. */
function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordCharacter(text.charCodeAt(at))) at++;
  return at;
}

/** Letters, digits and `_`, `-`, `.`. */
function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ||
    code === 95 || code === 45 || code === 46;
}

/** The most characters between a name and its value. */
const BETWEEN_MAX = 24;

interface Value extends Stretch {
  /** Whether it is an object or a list. */
  readonly isStructure?: boolean;
}

/** The value after a name: `": "x"`, `": {…}`, `>x</`, `=x`, `: x`. A name in prose has none, but `Bearer x` and a flag do. */
function valueAfter(text: string, from: number): Value | undefined {
  let at = from;
  let quote = "";
  let hasMark = false;
  let isTag = false;
  while (at < text.length && at - from < BETWEEN_MAX) {
    const character = text.charAt(at);
    if (character === '"' || character === "'" || character === "`") {
      quote = hasMark ? character : "";
      at++;
      if (quote !== "") break;
      continue;
    }
    // `2 tokens > 1 maximum` compares; a tag ends next to its name.
    if (text.startsWith(" > ", at - 1)) return undefined;
    if (character === ">") isTag = true;
    else if (character === ":" || character === "=") hasMark = true;
    else if (
      character !== " " && character !== "\t" && character !== "\n" && character !== "\r" &&
      character !== "\\"
    ) break;
    if (character === ">") hasMark = true;
    at++;
  }
  if (at === from || at >= text.length) return undefined;
  if (quote !== "") return { start: at, end: quoteEnd(text, { at, quote }) };
  if (isTag) {
    const end = text.indexOf("<", at);
    return { start: at, end: end < 0 ? text.length : end };
  }
  if (hasMark && "\"'\\".includes(text.charAt(from)) && "{[".includes(text.charAt(at))) {
    return { start: at, end: structureEnd(text, at), isStructure: true };
  }
  const isSpoken = !hasMark;
  if (isSpoken && !isSpokenSecret(text, from)) return undefined;
  return { start: at, end: plainEnd(text, at) };
}

/** `Bearer xyz`, `--password xyz`: the value follows after a blank. */
function isSpokenSecret(text: string, end: number): boolean {
  let start = end;
  while (start > 0 && isWordCharacter(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, end);
  return word.toLowerCase() === "bearer" || word.startsWith("--");
}

/** The end of an object or a list; a bracket in a string doesn't count. */
function structureEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = quoteEnd(text, { at: at + 1, quote: '"' });
    else if (character === "\\") at++;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return text.length;
}

function quoteEnd(text: string, { at, quote }: { at: number; quote: string }): number {
  let end = at;
  while (end < text.length && text.charAt(end) !== quote) end += text.charAt(end) === "\\" ? 2 : 1;
  return Math.min(end, text.length);
}

function plainEnd(text: string, at: number): number {
  const end = blankAfter(text, at);
  // `Authorization: Bearer xyz`: the first word only names the kind of key.
  const isScheme = ["bearer", "basic", "token"].includes(text.slice(at, end).toLowerCase());
  return isScheme && text.charAt(end) === " " ? blankAfter(text, end + 1) : end;
}

/**
 * The fixed beginnings in the default rules of gitleaks (config/gitleaks.toml, commit 009e025ad410), except for those that
 * ordinary words or numbers share: `API-`, `ico-`, `key-`, `live_`, `test_`, `pat.`, `sat.`, `s.`, `sl.`, `t1.`, `pk.`,
 * `b_`, `sc_`, `ext_`, `SK`, `YC`, `su`, `00`, `4b1d`. Its rules that look for the name of a service next to the key, or for
 * a pattern in its middle, have no counterpart here. The last line has beginnings that gitleaks lacks.
 */
const KEY_BEGINNINGS = `
  A3- ops_eyJ p8e- AGE-SECRET-KEY- LTAI sk- AKCp cmVmd ATATT3 A3T AKIA ASIA ABIA ACCA v1.0- CLOJARS_ clojars_ dapi dnkey-
  doo_v1_ dop_v1_ dor_v1_ dp.pt. duffel_ dt0c01. EZAK EZTK EAAM EAAC EAAA FLWSECK_TEST- FLWPUBK_TEST- fo1_ fm1a_ fm1r_
  fm2_ fio-u- AIza ghu_ ghs_ github_pat_ gho_ ghp_ ghr_ glcbt- gldt- glffct- glft- glimt- glagent- gloas- glpat- glptt-
  GR1348941 glrt- glsoat- eyJ ZXlK glc_ glsa_ HRKU-AA hf_ api_org_ s-s4t2 lin_api_ pubkey- NRJS- NRII- NRAK- ntn_ npm_
  pplx- access-sandbox- access-development- access-production- pscale_ PMAK- pnu_ pul- pypi- rdme_ rubygems_ tk-us- SG.
  xkeysib- sntrys_ sntryu_ sm_aat_ sm_pat_ sm_sat_ shippo_ shpat_ shpca_ shppa_ shpss_ xapp- xoxa- xoxb- xoxe xoxo- xoxp-
  xoxr- xoxs- sgp_ sq0atp- sk_ rk_ tfp_ hvb. hvs. AQVN
  pk- ya29. dckr_pat_ whsec_ gsk_ nvapi-
`.trim().split(/\s+/);

/** The shortest word that counts as a key if it starts like one. */
const KEY_LENGTH_MIN = 12;

/** Whether a word starts like a key of a well-known service and is long enough to be one. */
export function isKnownKey(word: string): boolean {
  return word.length >= KEY_LENGTH_MIN && KEY_BEGINNINGS.some((beginning) => word.startsWith(beginning));
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** The longest part of a line in which a command may stand before its flag. */
const COMMAND_MAX = 200;

/** Commands whose `-p` takes a password without a blank. */
const PASSWORD_COMMANDS = ["mysql", "mariadb", "sshpass"];

/** `-u user:password` and `--user user:password`: what follows the colon. `mysql -psecret`: what follows the `-p`. */
export function secretInFlag(text: string, { start, end }: Stretch): Stretch | undefined {
  const word = text.slice(start, end);
  if (word === "-u" || word === "--user" || word === "--proxy-user") {
    let from = end;
    while (from < end + 3 && " ='\"".includes(text.charAt(from))) from++;
    const until = blankAfter(text, from);
    const colon = text.indexOf(":", from);
    return from > end && colon > from && colon + 1 < until ? { start: colon + 1, end: until } : undefined;
  }
  if (!word.startsWith("-p") || word.length < 4) return undefined;
  const line = text.slice(Math.max(0, start - COMMAND_MAX), start);
  const command = line.slice(line.lastIndexOf("\n") + 1);
  if (!PASSWORD_COMMANDS.some((name) => command.includes(name))) return undefined;
  return { start: start + 2, end: blankAfter(text, end) };
}

/** `scheme://user:password@host`, after the scheme: the password. */
export function secretInUrl(text: string, schemeEnd: number): Stretch | undefined {
  if (!text.startsWith("://", schemeEnd)) return undefined;
  const start = schemeEnd + 3;
  let end = start;
  while (end < text.length && !" \t\r\n/?#<>\"'`".includes(text.charAt(end))) end++;
  const at = text.lastIndexOf("@", end);
  const colon = text.indexOf(":", start);
  return colon >= start && colon + 1 < at && at < end ? { start: colon + 1, end: at } : undefined;
}

/** The first blank, quotation mark or separator at or after an offset. */
function blankAfter(text: string, at: number): number {
  let end = at;
  while (end < text.length && !" \t\r\n,;&<>\"'`".includes(text.charAt(end))) end++;
  return end;
}

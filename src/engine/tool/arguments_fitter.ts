/**
 * Fits the arguments of an upstream's own call to the tool's schema while they stream. Only what the schema doesn't
 * allow is changed, only if the text shows what is meant, and only without loss:
 *
 *     {"todos": "[{\"title\": \"a\"}]"}         a list in a string, where the schema wants a list
 *     {"arguments": {"path": "a.txt"}}          an object around the arguments, also with the tool's own name
 *     {"parameter name=\"path\"": "a.txt"}      markup in a key
 *     {"days": "3"}                             a number in a string, where the schema wants a number
 *     {"path": "a</path><content>b"}            a required parameter in the string before it
 *     {"limit": null}                           null for an optional parameter that can't be null
 *     {"files": "a.txt"}                        one string, where the schema wants a list of strings
 *     {"file_path": "a.txt"}                    the one required parameter that is missing, in another spelling
 *
 * @module
 */
import type { JsonHandler } from "../json/handler.ts";
import { JsonReader, readWhole } from "../json/reader.ts";
import { escapeJson, objectJson, unescapeJson } from "../json/writer.ts";
import { parseJson } from "../object/parse.ts";
import { isRecord } from "../object/record.ts";
import { areAkin } from "./akin_names.ts";
import { parameterJson, withoutMarkup } from "./element_arguments.ts";
import type { JsonSchema } from "./offered.ts";
import {
  allowedTypes,
  declares,
  itemSchema,
  itemTypes,
  namesParameters,
  parameterSchema,
  parameterTypes,
  requiredParameters,
  type ValueType,
} from "./schema.ts";
import { readSwallowed, SwallowedWatch } from "./swallowed.ts";
import { isExact, readValue, wantsText } from "./value.ts";

/** Keys that models put around the arguments. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "arguments",
  "parameters",
  "params",
  "args",
  "input",
  "tool_input",
  "kwargs",
]);

/** Keys that models put before such an object, with the tool's name. */
const NAMES: ReadonlySet<string> = new Set(["name", "tool", "tool_name", "function", "function_name"]);

/** The longest text, in characters, that waits until it can be converted; a longer one stays a string. */
const HELD_MAXIMUM = 1024 * 1024;

const NO_TYPES: ReadonlySet<ValueType> = new Set();

/** An open object or array. */
interface Level {
  readonly kind: "object" | "array";
  readonly schema: JsonSchema | undefined;
  /** Whether it is an object around the arguments, which isn't written. */
  readonly isWrapper: boolean;
  key: string | undefined;
}

interface Waiting {
  /** The text with the parameter, from the closer of the value before it on, escaped. */
  readonly escaped: string;
  /** The parameter in whose value it is. */
  readonly key: string;
  readonly out: JsonHandler;
  readonly parts: (() => void)[];
  length: number;
}

/** The arguments from an undeclared key on that can be the missing parameter in another spelling. */
interface Alias {
  readonly from: string;
  readonly to: string;
  readonly out: JsonHandler;
  readonly parts: (() => void)[];
  /** Whether its value is of the parameter's type. */
  fits: boolean;
  length: number;
}

function recorder(out: JsonHandler, parts: (() => void)[]): JsonHandler {
  return {
    begin: (kind) => void parts.push(() => out.begin(kind)),
    end: () => void parts.push(() => out.end()),
    key: (key) => void parts.push(() => out.key(key)),
    stringBegin: () => void parts.push(() => out.stringBegin()),
    stringPiece: (escaped) => void parts.push(() => out.stringPiece(escaped)),
    stringEnd: () => void parts.push(() => out.stringEnd()),
    scalar: (json) => void parts.push(() => out.scalar(json)),
  };
}

/** A handler that changes the parts of the arguments before another handler gets them. */
export class ArgumentsFitter implements JsonHandler {
  /** What was changed; undefined if nothing was. */
  change: string | undefined;
  /** Why the arguments can't be meant; undefined if they can. */
  refusal: string | undefined;
  #out: JsonHandler;
  readonly #receiver: JsonHandler;
  readonly #schemaOf: () => JsonSchema | undefined;
  readonly #isOwnName: (name: string) => boolean;
  readonly #levels: Level[] = [];
  readonly #keys = new Set<string>();
  /** A key that can be a wrapper, until its value begins. */
  #wrapper: string | undefined;
  /** A key that can be the tool's name, until its value ends. */
  #nameKey: string | undefined;
  /** The tool's name as a member, until the next key: its key and its text, escaped. */
  #named: { readonly key: string; readonly escaped: string } | undefined;
  /** The text of a string that can be another value, until it ends. */
  #text: string | undefined;
  /** Watches the string that is read for parameters in it. */
  #watch: SwallowedWatch | undefined;
  /** The parts from a swallowed parameter on, until the arguments end. */
  #waiting: Waiting | undefined;
  #alias: Alias | undefined;
  /** The key of an optional parameter that can't be null, until its value begins. */
  #optional: string | undefined;

  /**
   * A fitter that has read nothing.
   *
   * @param out receives the fitted parts
   * @param schemaOf the schema of the tool, asked when the arguments begin
   * @param isOwnName whether a text is the tool's name
   */
  constructor(
    out: JsonHandler,
    schemaOf: () => JsonSchema | undefined,
    isOwnName: (name: string) => boolean = () => false,
  ) {
    this.#out = this.#receiver = out;
    this.#schemaOf = schemaOf;
    this.#isOwnName = isOwnName;
  }

  get sent(): number | undefined {
    return this.#receiver.sent;
  }

  /** Whether the last part is kept until more of it is read. */
  get isHolding(): boolean {
    return this.#wrapper !== undefined || this.#nameKey !== undefined || this.#named !== undefined ||
      this.#text !== undefined || this.#waiting !== undefined ||
      this.#alias !== undefined || this.#optional !== undefined ||
      this.#watch?.isHolding === true;
  }

  get isCutShort(): boolean {
    const isInValue = this.#levels.slice(1).some(({ isWrapper }) => !isWrapper);
    return isInValue || requiredParameters(this.#levels[0]?.schema).some((name) => !this.#keys.has(name));
  }

  get isRefused(): boolean {
    return this.refusal !== undefined || (this.#out.isRefused ?? false);
  }

  begin(kind: "object" | "array"): void {
    this.#keepOptional();
    this.#seeType(kind);
    const outer = this.#levels[0];
    if (this.#wrapper !== undefined && kind === "object" && outer) {
      this.#wrapper = this.#named = undefined;
      this.change = "an object around the arguments";
      this.#levels.push({ kind, schema: outer.schema, isWrapper: true, key: undefined });
      return;
    }
    this.#keepKeys();
    const schema = outer ? this.#schema : this.#schemaOf();
    this.#levels.push({ kind, schema, isWrapper: false, key: undefined });
    this.#out.begin(kind);
  }

  end(): void {
    this.#keepKeys();
    const level = this.#levels.pop();
    if (this.#levels.length === 0) {
      this.#endAlias(level?.schema);
      this.#endWaiting(level?.schema);
    }
    if (!level?.isWrapper) this.#out.end();
  }

  key(key: string): void {
    const level = this.#levels.at(-1)!;
    level.key = key;
    if (!this.#isOutermost(level)) return this.#out.key(key);
    const { schema } = level;
    const isKnown = schema === undefined || declares(schema, key) || !namesParameters(schema);
    if (!isKnown && this.#keys.size === 0 && !level.isWrapper) {
      if (WRAPPERS.has(key)) {
        this.#wrapper = key;
        return;
      }
      if (NAMES.has(key) && this.#named === undefined) {
        this.#nameKey = key;
        return;
      }
    }
    this.#keepKeys();
    const bare = isKnown ? key : withoutMarkup(key);
    if (bare !== key && declares(schema, bare) && !this.#keys.has(bare)) {
      level.key = bare;
      this.change = "markup in a key";
    }
    if (!isKnown && bare === key) this.#beginAlias(key, schema);
    this.#keys.add(level.key);
    if (isKnown && this.#isNeverNull(level.key, schema)) this.#optional = level.key;
    else this.#out.key(level.key);
  }

  /** Whether a parameter is optional, and its schema doesn't allow null. */
  #isNeverNull(key: string, schema: JsonSchema | undefined): boolean {
    const types = parameterTypes(schema, key);
    return types.size > 0 && !types.has("null") && !requiredParameters(schema).includes(key);
  }

  /** Writes the key of an optional parameter, whose value isn't null. */
  #keepOptional(): void {
    if (this.#optional !== undefined) this.#out.key(this.#optional);
    this.#optional = undefined;
  }

  /** Keeps the parts from an undeclared key on if it can be the only required parameter that is missing so far. */
  #beginAlias(key: string, schema: JsonSchema | undefined): void {
    if (this.#alias || this.#waiting) return;
    const akin = requiredParameters(schema).filter((name) => !this.#keys.has(name) && areAkin(name, key));
    const [to] = akin;
    if (to === undefined || akin.length > 1 || parameterSchema(schema, to) === undefined) return;
    const parts: (() => void)[] = [];
    this.#alias = { from: key, to, out: this.#out, parts, fits: false, length: 0 };
    this.#out = recorder(this.#out, parts);
  }

  /** Takes the key for the required parameter if only that is missing; else it stays. */
  #endAlias(schema: JsonSchema | undefined): void {
    const alias = this.#alias;
    if (alias === undefined) return;
    const { from, to, out, parts, fits } = alias;
    this.#alias = undefined;
    this.#out = out;
    const missing = requiredParameters(schema).filter((name) => !this.#keys.has(name));
    const unknown = [...this.#keys].filter((name) => !declares(schema, name));
    const isMeant = fits && missing.length === 1 && missing[0] === to && unknown.length === 1;
    if (isMeant) {
      this.#keys.add(to);
      this.change = `${from} for ${to}`;
    }
    const [key, ...rest] = parts;
    if (isMeant) out.key(to);
    else key?.();
    for (const part of rest) part();
  }

  #seeType(type: ValueType): void {
    const level = this.#levels.at(-1);
    if (!this.#alias || !level || !this.#isOutermost(level) || level.key !== this.#alias.from) return;
    const root = this.#levels[0]?.schema;
    const types = parameterTypes(root, this.#alias.to);
    this.#alias.fits = types.size === 0 || types.has(type) || (type === "number" && types.has("integer"));
  }

  stringBegin(): void {
    this.#keepOptional();
    this.#seeType("string");
    const types = this.#types;
    const isKey = this.#wrapper !== undefined || this.#nameKey !== undefined;
    if (isKey || (types.size > 0 && !types.has("string"))) this.#text = "";
    else {
      this.#out.stringBegin();
      this.#watch = this.#createWatch();
    }
  }

  /** Watches the string of a declared parameter if the tool requires others, too. */
  #createWatch(): SwallowedWatch | undefined {
    const level = this.#levels.at(-1);
    if (level?.key === undefined || this.#waiting || !this.#isOutermost(level)) return undefined;
    const { key, schema } = level;
    const isLast = requiredParameters(schema).every((name) => name === key || this.#keys.has(name));
    if (schema === undefined || isLast || parameterSchema(schema, key) === undefined) return undefined;
    return new SwallowedWatch(key, (name) => parameterSchema(schema, name) !== undefined);
  }

  stringPiece(escaped: string): void {
    if (this.#text === undefined) return this.#pieceOf(this.#watch, escaped);
    this.#text += escaped;
    if (this.#text.length <= HELD_MAXIMUM) return;
    this.#keepKeys();
    this.#out.stringBegin();
    this.#out.stringPiece(this.#text);
    this.#text = undefined;
  }

  #pieceOf(watch: SwallowedWatch | undefined, escaped: string): void {
    if (this.#alias && (this.#alias.length += escaped.length) > HELD_MAXIMUM) this.#refuse(this.#alias.to);
    const piece = watch ? watch.push(escaped) : escaped;
    if (piece !== "") this.#out.stringPiece(piece);
    if ((watch?.held?.length ?? 0) + (this.#waiting?.length ?? 0) > HELD_MAXIMUM) this.#refuse();
    else if (this.#waiting) this.#waiting.length += piece.length;
  }

  #refuse(name = "a parameter"): void {
    this.refusal ??= `${name} is in the value before it`;
  }

  stringEnd(): void {
    const escaped = this.#text;
    if (escaped === undefined) return this.#endWatched();
    this.#text = undefined;
    const text = unescapeJson(escaped);
    if (this.#wrapper !== undefined && isObject(text)) return this.#read(text);
    const key = this.#nameKey;
    if (key !== undefined && this.#isOwnName(text)) {
      this.#nameKey = undefined;
      this.#named = { key, escaped };
      return;
    }
    this.#keepKeys();
    const { json, isKeptAsText } = readValue(text, this.#types, this.#itemTypes);
    if (!isKeptAsText && !json.startsWith('"')) {
      this.change = "a value of another type";
      return json.startsWith("{") || json.startsWith("[") ? this.#read(json) : this.#out.scalar(json);
    }
    const isElement = isKeptAsText && this.#types.has("array") && this.#itemTypes.has("string") &&
      isWord(text);
    if (isElement) {
      this.change = "one string for a list";
      this.#out.begin("array");
    }
    this.#out.stringBegin();
    this.#out.stringPiece(escaped);
    this.#out.stringEnd();
    if (isElement) this.#out.end();
  }

  scalar(json: string): void {
    this.#keepKeys();
    if (json === "null" && this.#optional !== undefined) {
      this.#keys.delete(this.#optional);
      this.change = `null for ${this.#optional}`;
      this.#optional = undefined;
      return;
    }
    this.#keepOptional();
    this.#seeType(json === "null" ? "null" : json === "true" || json === "false" ? "boolean" : "number");
    if (!wantsText(this.#types) || !isExact(json)) return this.#out.scalar(json);
    this.change = "a value of another type";
    this.#out.stringBegin();
    this.#out.stringPiece(escapeJson(json));
    this.#out.stringEnd();
  }

  #endWatched(): void {
    const watch = this.#watch;
    this.#watch = undefined;
    const rest = watch?.end() ?? "";
    if (rest !== "") this.#out.stringPiece(rest);
    if (watch?.held === undefined) return this.#out.stringEnd();
    const out = this.#out;
    const parts: (() => void)[] = [];
    this.#waiting = { escaped: watch.held, key: this.#levels.at(-1)!.key!, out, parts, length: 0 };
    this.#out = recorder(out, parts);
  }

  /** At the end, swallowed parameters are parameters if the tool requires one that is missing; else the string is what it is. */
  #endWaiting(schema: JsonSchema | undefined): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const { escaped, key, out, parts } = waiting;
    this.#waiting = undefined;
    this.#out = out;
    const text = unescapeJson(escaped);
    const isMissing = (name: string) => !this.#keys.has(name) && parameterSchema(schema, name) !== undefined;
    const missing = requiredParameters(schema).filter(isMissing);
    const found = missing.length === 0 ? [] : readSwallowed(text, key, isMissing) ?? [];
    const values = found.map(({ name, text }) => parameterJson(text, name, schema));
    const isRepaired = missing.every((name) => found.some((one) => one.name === name));
    if (missing.length > 0 && isRepaired && !values.includes(undefined)) {
      this.change = `${found.map(({ name }) => name).join(", ")} in the value of ${key}`;
      out.stringEnd();
      for (const part of parts) part();
      for (const [index, { name }] of found.entries()) {
        out.key(name);
        new JsonReader(out).read(`${values[index]} `, 0);
      }
      return;
    }
    if (missing.length > 0) return this.#refuse(missing[0]);
    out.stringPiece(escaped);
    out.stringEnd();
    for (const part of parts) part();
  }

  /** Reads JSON that was in a string as if it had been there itself. */
  #read(json: string): void {
    new JsonReader(this).read(json, 0);
  }

  /** Writes the keys that turned out to belong to members. */
  #keepKeys(): void {
    const named = this.#named;
    const key = this.#wrapper ?? this.#nameKey;
    this.#named = this.#wrapper = this.#nameKey = undefined;
    if (named !== undefined) {
      this.#keys.add(named.key);
      this.#out.key(named.key);
      this.#out.stringBegin();
      this.#out.stringPiece(named.escaped);
      this.#out.stringEnd();
    }
    if (key === undefined) return;
    this.#keys.add(key);
    this.#out.key(key);
  }

  #isOutermost(level: Level): boolean {
    return level === this.#levels[0] || level.isWrapper;
  }

  get #schema(): JsonSchema | undefined {
    const level = this.#levels.at(-1);
    if (level?.schema === undefined) return undefined;
    const root = this.#levels[0]?.schema;
    if (level.kind === "array") return itemSchema(level.schema, root);
    return level.key === undefined ? undefined : parameterSchema(level.schema, level.key, root);
  }

  get #types(): ReadonlySet<ValueType> {
    const schema = this.#schema;
    return schema === undefined ? NO_TYPES : allowedTypes(schema, this.#levels[0]?.schema);
  }

  get #itemTypes(): ReadonlySet<ValueType> {
    return itemTypes(this.#schema, this.#levels[0]?.schema);
  }
}

/**
 * Arguments that are one string or list in JSON, for a tool that requires one parameter of that type.
 *
 * @example
 * ```ts
 * import { loneValueAsJson } from "./arguments_fitter.ts";
 * const schema = { properties: { command: { type: "string" } }, required: ["command"] };
 * console.assert(loneValueAsJson('"ls"', schema) === '{"command":"ls"}');
 * ```
 */
export function loneValueAsJson(text: string, schema: JsonSchema | undefined): string | undefined {
  const [name, ...others] = requiredParameters(schema);
  if (name === undefined || others.length > 0) return undefined;
  const json = text.trim();
  const value = parseJson(json);
  const types = parameterTypes(schema, name);
  const items = itemSchema(parameterSchema(schema, name), schema);
  const isElement = (element: unknown) =>
    isRecord(element) &&
    Object.keys(element).every((key) => parameterSchema(items, key, schema) !== undefined);
  const isMeant = typeof value === "string"
    ? isWord(value) && types.has("string")
    : Array.isArray(value) && types.has("array") && value.every(isElement);
  return isMeant ? objectJson([[name, json]]) : undefined;
}

/** Whether a text is not empty and not JSON, which can be damaged. */
function isWord(text: string): boolean {
  const trimmed = text.trim();
  return trimmed !== "" && !"{[\"'<".includes(trimmed[0]!);
}

function isObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("{") && readWhole(trimmed) !== undefined;
}

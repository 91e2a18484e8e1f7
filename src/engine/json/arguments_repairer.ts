/**
 * Turns the arguments of one call into valid JSON while they stream. Fragments pass unchanged as long as they are JSON.
 * From the first flaw on, the rest waits for the end of the call: then JSON with the same content is sent, or, if no reading
 * is certain, the rest as it is, so that arguments arrive repaired or raw and whole. It never invents a key or a value.
 *
 *     {"path": "a.ts", "line": 12,}
 *     ^^^^^^^^^^^^^^^^ sent unchanged
 *                     ^^^^^^^^^^^^ owed: the key, the number and the comma can still turn out to be flaws
 *
 * @module
 */
import type { JsonHandler } from "./handler.ts";
import { JsonReader } from "./reader.ts";
import { JsonWriter } from "./writer.ts";
import { parseJson } from "../object/parse.ts";
import { continuation, readGlued } from "./glued.ts";

/** A kind of repair; each is a reason code. */
type ArgumentsRepair =
  | "arguments_missing"
  | "arguments_decoded"
  | "arguments_fitted"
  | "json_repaired";

/** Fits the parts of the arguments to the tool's schema before they are written. */
interface Fitter extends JsonHandler {
  readonly isHolding: boolean;
  /** What was changed; undefined if nothing was. */
  readonly change: string | undefined;
  /** Why the arguments can't be meant; undefined if they can. */
  readonly refusal: string | undefined;
  /** Whether more is missing at this place than last brackets: the end of a value, or a parameter that the tool requires. */
  readonly isCutShort: boolean;
}

interface Fitting {
  fit(out: JsonHandler): Fitter;
  needsParameters(): boolean;
  /** Reads arguments that aren't JSON; undefined if they are nothing else either. */
  readText(text: string): string | undefined;
  /** Whether an object, in JSON, can be the arguments: then it is looked for in text that can't be read otherwise. */
  readonly accepts?: ((json: string) => boolean) | undefined;
}

/** The longest arguments, in characters, that are collected before they are read. */
const COLLECTED_MAXIMUM = 8 * 1024 * 1024;
/** The longest arguments, in characters, in which objects are looked for. */
const REREAD_MAXIMUM = 1024 * 1024;
/** The longest object, in characters, that is compared with a repetition after it. */
const REPEATED_MAXIMUM = 64 * 1024;
/** The longest empty object in whose place other arguments can be. */
const EMPTY_MAXIMUM = 64;
/** What models write for no arguments. */
const NOTHING: readonly string[] = ["null", "None", "[]"];
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export class ArgumentsRepairer {
  /** The repairs so far, each with a phrase that describes it. */
  readonly repairs = new Map<ArgumentsRepair, string>();
  /** The JSON of further arguments, of calls of the same tool, which were glued to these. */
  others: readonly string[] = [];
  #reader!: JsonReader;
  #written = "";
  /** The whole text, and the length of its part that was sent. */
  #text = "";
  #sentLength = 0;
  #repaired = "";
  /** The text since the last point at which everything was certain. */
  #owed = "";
  #tail = "";
  #isRewritten = false;
  #isFailed = false;
  /** Arguments that don't begin with a brace. They are read once they are complete. */
  #collected: CollectedText | undefined;
  #isBegun = false;
  readonly #fitting: Fitting | undefined;
  #fitter: Fitter | undefined;
  /** The text of the object, to compare with what follows it; undefined if it is too long. */
  #object: string | undefined = "";
  /** The length of the part of the object that was repeated after it. */
  #repeated = 0;
  /** Whether a backslash outside strings waits for its letter. */
  #isEscape = false;
  #isDoubled = false;
  #hasBrace = false;
  #isPlaceholder = false;
  /** Whether the first brace of the object that is read was sent with the empty one before it. */
  #isBraceSent = false;
  /** The text after the object, apart from whitespace, which is left out unless it can't be. */
  #leftOut = "";
  readonly #trailing = new TrailingScan();

  /**
   * A repairer that has read nothing.
   *
   * @param fitting how the arguments are fitted to their tool
   */
  constructor(fitting?: Fitting) {
    this.#fitting = fitting;
    this.#begin();
  }

  #begin(): void {
    const writer = new JsonWriter((json) => this.#written += json);
    this.#fitter = this.#fitting?.fit(writer);
    this.#reader = new JsonReader(this.#fitter ?? writer);
    this.#object =
      this.#owed =
      this.#tail =
      this.#written =
        "";
  }

  /** Whether any text other than whitespace arrived. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  get isObject(): boolean {
    return this.#reader.state === "done" && !this.#isFailed;
  }

  /** Whether the arguments are complete, either as an object or as a string that contains one. */
  get isComplete(): boolean {
    return this.#collected === undefined ? this.isObject : this.#collected.decoded !== undefined;
  }

  /** Whether the arguments are an empty object so far, in the place of which servers send the arguments after it. */
  get isPlaceholder(): boolean {
    return this.#isPlaceholder;
  }

  /** Whether a text is the same object again. */
  isRepetition(text: string): boolean {
    return this.isObject && this.#object?.trim() === text.trim();
  }

  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** Why they can't be meant or are ambiguous, if that has a name. */
  get refusal(): string | undefined {
    return this.#fitter?.refusal ?? this.#reader.refusal;
  }

  /** Whether the output differs, or can still differ, from the input. */
  get isRepaired(): boolean {
    return this.#isRewritten || this.#isFailed || this.#collected !== undefined;
  }

  /** The text that is read but not sent yet. It is sent unchanged if what follows is valid. */
  get owed(): string {
    return this.#isRewritten || this.#isFailed || this.#collected !== undefined ? "" : this.#owed;
  }

  /** Takes the next fragment and returns what can be sent now. */
  push(fragment: string): string {
    if (!this.#isBegun) {
      const begin = fragment.trimStart();
      if (begin !== "") {
        this.#isBegun = true;
        if (!begin.startsWith("{") && !begin.startsWith("\\")) this.#collected = new CollectedText();
      }
    }
    if (this.#text.length > COLLECTED_MAXIMUM) return this.#takeRaw(fragment);
    this.#text += fragment;
    if (this.#text.length > COLLECTED_MAXIMUM && this.isRepaired) {
      this.#isFailed = true;
      return this.#takeRaw();
    }
    if (this.#collected !== undefined) {
      this.#collected.push(fragment);
      return "";
    }
    const sent = this.#read(fragment);
    this.#sentLength += sent.length;
    return sent;
  }

  /** The text that wasn't sent, to send it unchanged. */
  #takeRaw(more = ""): string {
    const rest = this.#text.slice(this.#sentLength);
    this.#sentLength = this.#text.length;
    return rest + more;
  }

  /** Ends the call: the rest to send, and whether the arguments are complete. `isCut`: it was cut off, so nothing is repaired. */
  end(options: { readonly isCut: boolean }): { readonly json: string; readonly isWhole: boolean } {
    if (this.#isFailed && !options.isCut) return this.#readAgain();
    if (this.#collected !== undefined && !this.#isFailed) return this.#endCollected(this.#collected, options);
    if (this.isObject) return { json: this.#endPlaceholder() + this.#repaired, isWhole: true };
    if (options.isCut) return { json: this.#takeRaw(), isWhole: false };
    if (!this.#isBegun) {
      this.repairs.set("arguments_missing", "the text was empty");
      return { json: "{}", isWhole: true };
    }
    return this.#close();
  }

  #read(fragment: string): string {
    let sent = "";
    for (let at = 0; at < fragment.length;) {
      if (this.#isFailed) return sent;
      if (this.#reader.state === "done") return sent + this.#afterObject(fragment.slice(at));
      const end = this.#reader.isInString ? runEnd(fragment, at) : at + 1;
      sent += this.#step(fragment.slice(at, end));
      at = end;
    }
    return sent;
  }

  #step(piece: string): string {
    const reader = this.#reader;
    const isOutside = !reader.isInString;
    this.#owed += piece;
    if (this.#object !== undefined && (this.#object += piece).length > REPEATED_MAXIMUM) {
      this.#object = undefined;
    }
    if (isOutside) {
      const readable = this.#readable(piece);
      if (readable === undefined) return this.#fail();
      if (readable === "") return "";
      piece = readable;
      this.#hasBrace ||= piece === "{";
      if (!this.#hasBrace && piece.trim() !== "") return this.#fail();
    }
    this.#tail += piece;
    this.#tail = this.#tail.slice(reader.read(this.#tail, 0));
    if (reader.state === "failed" || reader.state === "brace") return this.#fail();
    if (reader.repairs.size > 0 || (isOutside && isOddSpace(piece.charCodeAt(0)))) this.#isRewritten = true;
    const change = this.#fitter?.change;
    if (change !== undefined) {
      this.#isRewritten = true;
      this.repairs.set("arguments_fitted", change);
    }
    if (this.#isRewritten) {
      if (change === undefined || reader.repairs.size > 0) {
        this.repairs.set("json_repaired", [...reader.repairs].join(", ") || "whitespace");
      }
      this.#repaired += this.#takeWritten();
      return "";
    }
    this.#isPlaceholder = reader.state === "done" && isEmptyObject(this.#object) &&
      this.#fitting?.needsParameters() === true;
    if (this.#tail !== "" || !reader.isSettled || this.#fitter?.isHolding || this.#isPlaceholder) return "";
    const sent = this.#owed;
    this.#owed = this.#written = "";
    return sent;
  }

  /** What a character outside strings means: a doubled brace nothing, `\n` whitespace; undefined for other escapes. */
  #readable(piece: string): string | undefined {
    if (this.#isEscape) {
      this.#isEscape = false;
      return "nrt".includes(piece) ? " " : undefined;
    }
    const isDoubled = piece === "{" && this.#reader.isBegun && !this.#isDoubled;
    if (piece !== "\\" && !isDoubled) return piece;
    this.#isDoubled ||= isDoubled;
    this.#isEscape = !isDoubled;
    this.#isRewritten = true;
    return "";
  }

  /** After the object, only whitespace, extra closing brackets, its repetition, and closing tags and tokens are allowed. */
  #afterObject(rest: string): string {
    if (this.#isPlaceholder) return this.#afterPlaceholder(rest);
    if (rest.trim() === "" && this.#leftOut === "") return this.#isRewritten ? "" : rest;
    this.#object = this.#object?.trim();
    this.#leftOut += rest;
    for (const unit of rest.split("")) {
      if (this.#repeats(unit)) this.repairs.set("json_repaired", "repeated object");
      else if (this.#repeated === 0 && this.#trailing.step(unit)) {
        this.repairs.set("json_repaired", this.#trailing.hasTags ? "tags after the object" : "extra brace");
      } else {
        this.#isFailed = true;
        return "";
      }
    }
    this.#isRewritten = true;
    return "";
  }

  /** Another object after an empty one takes its place. */
  #afterPlaceholder(rest: string): string {
    const begin = rest.trimStart();
    if (begin === "") {
      this.#owed += rest;
      return "";
    }
    if (!begin.startsWith("{")) return this.#endPlaceholder() + this.#afterObject(rest);
    this.#isPlaceholder = false;
    this.#isBraceSent = !this.#owed.includes("{");
    this.#begin();
    this.#isRewritten = true;
    this.repairs.set("json_repaired", "empty object before the arguments");
    return this.#read(begin);
  }

  #endPlaceholder(): string {
    const owed = this.#isPlaceholder ? this.#owed : "";
    if (owed !== "") this.#owed = this.#written = "";
    this.#isPlaceholder = false;
    return owed;
  }

  #repeats(unit: string): boolean {
    const object = this.#object ?? "";
    if (object === "" || this.#trailing.isBegun) return false;
    if (this.#repeated % object.length === 0 && unit.trim() === "") return this.#repeated > 0;
    if (object[this.#repeated % object.length] !== unit) return false;
    this.#repeated = this.#repeated % object.length + 1;
    return true;
  }

  /** Adds a missing last brace, certain if all values before it are whole and no required parameter is missing. */
  #close(): { json: string; isWhole: boolean } {
    if (this.#tail !== "" || !this.#reader.finish() || this.#fitter?.isCutShort) return this.#readAgain();
    this.#reader.close();
    this.repairs.set("json_repaired", [...this.#reader.repairs].join(", "));
    return { json: this.#repaired + this.#takeWritten(), isWhole: true };
  }

  #fail(): string {
    this.#isFailed = true;
    return "";
  }

  /** Looks for the arguments in a text that can't be read as one object; without them, the rest is sent unchanged. */
  #readAgain(): { json: string; isWhole: boolean } {
    const [first, ...others] = this.#objects();
    const rest = first === undefined ? undefined : continuation(this.#text.slice(0, this.#sentLength), first);
    this.#isFailed = rest === undefined;
    if (rest === undefined) return { json: this.#takeRaw(), isWhole: false };
    this.#sentLength = this.#text.length;
    this.others = others;
    this.repairs.set("json_repaired", others.length > 0 ? "glued objects" : "text around the object");
    return { json: rest, isWhole: true };
  }

  /** The objects in the text that can be the arguments. */
  #objects(): readonly string[] {
    const { accepts } = this.#fitting ?? {};
    if (accepts === undefined || this.#text.length > REREAD_MAXIMUM) return [];
    const fitting = { ...this.#fitting!, accepts: undefined };
    return readGlued(this.#text, (object) => {
      const { json, isWhole } = repairArguments(object, fitting);
      return isWhole && accepts(json) ? json : undefined;
    });
  }

  #takeWritten(): string {
    const written = this.#isBraceSent ? this.#written.slice(1) : this.#written;
    if (this.#written !== "") this.#isBraceSent = false;
    this.#written = this.#owed = "";
    return written;
  }

  #endCollected(collected: CollectedText, { isCut }: { isCut: boolean }): { json: string; isWhole: boolean } {
    const text = collected.text.trim();
    if (NOTHING.includes(text)) {
      this.repairs.set("arguments_missing", `the text was ${text}`);
      return { json: "{}", isWhole: true };
    }
    const read = isCut ? undefined : this.#fitting?.readText(text);
    if (read !== undefined) {
      this.repairs.set("arguments_fitted", "elements");
      return { json: read, isWhole: true };
    }
    const decoded = isCut ? collected.decoded : collected.decoded ?? unwrapped(text);
    const inner = decoded === undefined ? undefined : repairArguments(decoded, this.#fitting);
    if (inner === undefined || !inner.isWhole) {
      return isCut ? { json: this.#takeRaw(), isWhole: false } : this.#readAgain();
    }
    this.repairs.set(
      "arguments_decoded",
      collected.decoded === undefined ? "JSON in a list, a fence, or a tag" : "JSON in a string",
    );
    for (const [reason, detail] of inner.repairs) this.repairs.set(reason, detail);
    this.others = inner.others;
    return { json: inner.json, isWhole: true };
  }
}

interface RepairedArguments {
  readonly json: string;
  readonly isWhole: boolean;
  readonly repairs: ReadonlyMap<ArgumentsRepair, string>;
  readonly others: readonly string[];
}

/**
 * Repairs complete arguments.
 *
 * @param text the whole arguments
 * @param fitting how they are fitted to their tool
 *
 * @example
 * ```ts
 * import { repairArguments } from "./arguments_repairer.ts";
 * console.assert(repairArguments('{"a": True,}').json === '{"a": true}');
 * ```
 */
export function repairArguments(text: string, fitting?: Fitting): RepairedArguments {
  const repairer = new ArgumentsRepairer(fitting);
  const json = repairer.push(text);
  const { json: rest, isWhole } = repairer.end({ isCut: false });
  return { json: json + rest, isWhole, repairs: repairer.repairs, others: repairer.others };
}

/** The longest tag or token after an object. */
const TAG_MAXIMUM = 64;

/** Scans the text after an object for anything but whitespace, closing brackets, closing tags, and tokens. */
class TrailingScan {
  hasTags = false;
  #hasOthers = false;
  /** The length of the open tag or token; 0 if none is open. */
  #length = 0;

  /** Whether there was anything but whitespace. */
  get isBegun(): boolean {
    return this.hasTags || this.#hasOthers;
  }

  /** Takes the next character. Returns whether it belongs to them. */
  step(character: string): boolean {
    if (this.#length === 0) {
      if (character === "<") this.#length = 1;
      this.hasTags ||= character === "<";
      this.#hasOthers ||= character.trim() !== "";
      return character === "<" || character === "}" || character === "]" || character === "`" ||
        character.trim() === "";
    }
    if (this.#length === 1 && !"/|｜".includes(character)) return false;
    this.#length = character === ">" ? 0 : this.#length + 1;
    return this.#length <= TAG_MAXIMUM && !'<{"\n'.includes(character);
  }
}

function isEmptyObject(text: string | undefined): boolean {
  return text !== undefined && text.length <= EMPTY_MAXIMUM && text.replaceAll(" ", "").trim() === "{}";
}

/** The object in a list, a fence or a tag, or after the fence's language, if there is nothing else. */
function unwrapped(text: string): string | undefined {
  const begin = text.indexOf("{");
  const opener = begin < 0 ? "" : text.slice(0, begin).trim();
  if (opener === "" || opener.length > TAG_MAXIMUM) return undefined;
  if (opener === "json") return text.slice(begin);
  if (opener === "[") return text.endsWith("]") ? text.slice(begin, -1) : undefined;
  if (opener.startsWith("```")) return text.endsWith("```") ? text.slice(begin, -3) : undefined;
  const isTag = opener.startsWith("<") && text.endsWith(`</${opener.slice(1)}`);
  return isTag ? text.slice(begin) : undefined;
}

/** The end of a run of a string's plain characters, at least one character further. */
function runEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isPlain(text.charCodeAt(end))) end++;
  return Math.max(end, at + 1);
}

function isPlain(unit: number): boolean {
  return unit !== QUOTE && unit !== BACKSLASH && unit >= 0x20 && unit !== 0x27;
}

/** Whether a character is treated as whitespace although JSON doesn't define it as such. */
function isOddSpace(unit: number): boolean {
  return unit > 0x7e || unit === 0x0b || unit === 0x0c;
}

/** Collects a text that should be one JSON string, and knows at each piece whether it is whole, in linear time. */
export class CollectedText {
  text = "";
  /** Where the text is: before the string, in it, after it, or certainly not one string. */
  #state: "before" | "inside" | "after" | "other" = "before";
  #isEscaped = false;
  #decoded: string | undefined;

  push(piece: string): void {
    this.text += piece;
    for (let at = 0; at < piece.length && this.#state !== "other"; at++) this.#step(piece[at]!);
  }

  /** The value of the string; undefined if the text isn't a whole one. */
  get decoded(): string | undefined {
    if (this.#state !== "after") return undefined;
    if (this.#decoded === undefined) {
      const value = parseJson(this.text.trim());
      if (typeof value === "string") this.#decoded = value;
      else this.#state = "other";
    }
    return this.#decoded;
  }

  #step(character: string): void {
    if (this.#state === "inside") {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === "\\") this.#isEscaped = true;
      else if (character === '"') this.#state = "after";
    } else if (character.trim() !== "") {
      this.#state = this.#state === "before" && character === '"' ? "inside" : "other";
    }
  }
}

/**
 * Turns the arguments of one call into valid JSON while they stream. Fragments pass unchanged as long as they are JSON.
 * From the first flaw on, the repairer writes JSON with the same content. Arguments that it can't repair never leave as
 * valid JSON. It never invents a key or a value.
 *
 *     {"path": "a.ts", "line": 12,}
 *     ^^^^^^^^^^^^^^^^ sent unchanged
 *                     ^^^^^^^^^^^^ owed: the key, the number and the comma can still turn out to be flaws
 *
 * @module
 */
import { JsonReader } from "./reader.ts";
import { JsonWriter } from "./writer.ts";
import { parseJson } from "../object/parse.ts";

/** A kind of repair; each is a reason code. */
export type ArgumentsRepair = "arguments_missing" | "arguments_decoded" | "json_repaired";

/** The longest arguments, in characters, that are collected before they are read. */
const COLLECTED_MAXIMUM = 8 * 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The arguments of one call. */
export class ArgumentsRepairer {
  /** The repairs so far, each with a phrase that describes it. */
  readonly repairs = new Map<ArgumentsRepair, string>();
  readonly #reader: JsonReader;
  #written = "";
  /** The text since the last point at which everything was certain. */
  #owed = "";
  #tail = "";
  #isRewritten = false;
  #isFailed = false;
  /** Arguments that don't begin with a brace. They are read once they are complete. */
  #collected: string | undefined;
  #isBegun = false;

  /** A repairer that has read nothing. */
  constructor() {
    this.#reader = new JsonReader(new JsonWriter((json) => this.#written += json));
  }

  /** Whether any text other than white space arrived. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Whether the arguments are a complete object. */
  get isObject(): boolean {
    return this.#reader.state === "done" && !this.#isFailed;
  }

  /** Whether the arguments are complete, either as an object or as a string that contains one. */
  get isComplete(): boolean {
    return this.#collected === undefined ? this.isObject : parsedText(this.#collected) !== undefined;
  }

  /** Whether the arguments can't be repaired. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** Whether the output differs, or can still differ, from the input. */
  get isRepaired(): boolean {
    return this.#isRewritten || this.#collected !== undefined;
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
        if (!begin.startsWith("{")) this.#collected = "";
      }
    }
    return this.#collected === undefined ? this.#read(fragment) : this.#collect(fragment);
  }

  /**
   * Ends the call.
   *
   * @param options `isCut`: the call was cut off, so nothing is repaired
   * @returns the rest to send, and whether the arguments are complete
   */
  end(options: { readonly isCut: boolean }): { readonly json: string; readonly isWhole: boolean } {
    if (this.#isFailed) return { json: "", isWhole: false };
    if (this.#collected !== undefined) return this.#endCollected(this.#collected, options);
    if (this.isObject) return { json: "", isWhole: true };
    if (options.isCut) return { json: this.#giveUp(), isWhole: false };
    if (!this.#isBegun) {
      this.repairs.set("arguments_missing", "the text was empty");
      return { json: "{}", isWhole: true };
    }
    return this.#close();
  }

  #read(fragment: string): string {
    let sent = "";
    for (let at = 0; at < fragment.length;) {
      if (this.#isFailed) return this.#isRewritten ? sent : sent + fragment.slice(at);
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
    this.#tail += piece;
    this.#tail = this.#tail.slice(reader.read(this.#tail, 0));
    if (reader.state === "failed" || reader.state === "brace") return this.#fail();
    if (reader.repairs.size > 0 || (isOutside && isOddSpace(piece.charCodeAt(0)))) this.#isRewritten = true;
    if (this.#isRewritten) {
      this.repairs.set("json_repaired", [...reader.repairs].join(", ") || "white space");
      return this.#takeWritten();
    }
    if (this.#tail !== "" || !reader.isSettled) return "";
    const sent = this.#owed;
    this.#owed = this.#written = "";
    return sent;
  }

  /** After the object, only white space and extra closing braces are allowed. */
  #afterObject(rest: string): string {
    const other = rest.trimStart();
    if (other === "") return this.#isRewritten ? "" : rest;
    if (other.replaceAll("}", "").trim() === "") {
      this.#isRewritten = true;
      this.repairs.set("json_repaired", "extra brace");
      return "";
    }
    this.#isFailed = true;
    return rest;
  }

  /** Adds a missing last brace, whose position is certain if the rest is complete. */
  #close(): { json: string; isWhole: boolean } {
    const owed = this.#giveUp();
    if (this.#reader.isInString || this.#tail !== "") return this.#unfinished(owed);
    this.#reader.read(" \u0001", 0);
    if (this.#reader.state !== "brace") return this.#unfinished(owed);
    this.#reader.close();
    this.repairs.set("json_repaired", [...this.#reader.repairs].join(", "));
    return { json: this.#takeWritten(), isWhole: true };
  }

  #unfinished(owed: string): { json: string; isWhole: boolean } {
    this.#isFailed = true;
    return { json: owed, isWhole: false };
  }

  /**
   * Returns the owed text unchanged. After a repair it returns nothing, because the two together could be valid JSON.
   */
  #giveUp(): string {
    const owed = this.#isRewritten ? "" : this.#owed;
    this.#owed = "";
    return owed;
  }

  #fail(): string {
    this.#isFailed = true;
    return this.#giveUp();
  }

  #takeWritten(): string {
    const written = this.#written;
    this.#written = this.#owed = "";
    return written;
  }

  #collect(fragment: string): string {
    if (this.#isFailed) return fragment;
    this.#collected += fragment;
    const collected = this.#collected ?? "";
    if (collected.length <= COLLECTED_MAXIMUM) return "";
    this.#isFailed = true;
    return collected;
  }

  #endCollected(
    collected: string,
    { isCut }: { isCut: boolean },
  ): { json: string; isWhole: boolean } {
    const text = collected.trim();
    if (text === "null" || text === "None") {
      this.repairs.set("arguments_missing", "the text was null");
      return { json: "{}", isWhole: true };
    }
    const decoded = parsedText(collected);
    const inner = decoded === undefined ? undefined : repairArguments(decoded);
    if (inner === undefined || !inner.isWhole) {
      if (!isCut) this.#isFailed = true;
      return { json: collected, isWhole: false };
    }
    this.repairs.set("arguments_decoded", "JSON in a string");
    for (const [reason, detail] of inner.repairs) this.repairs.set(reason, detail);
    return { json: inner.json, isWhole: true };
  }
}

/** Arguments that were repaired in one step. */
export interface RepairedArguments {
  /** The text to send. */
  readonly json: string;
  /** Whether the text is one JSON object. */
  readonly isWhole: boolean;
  /** The repairs, each with a phrase that describes it. */
  readonly repairs: ReadonlyMap<ArgumentsRepair, string>;
}

/**
 * Repairs complete arguments.
 *
 * @param text the whole arguments
 *
 * @example
 * ```ts
 * import { repairArguments } from "./arguments_repairer.ts";
 * console.assert(repairArguments('{"a": True,}').json === '{"a": true}');
 * ```
 */
export function repairArguments(text: string): RepairedArguments {
  const repairer = new ArgumentsRepairer();
  const json = repairer.push(text);
  const { json: rest, isWhole } = repairer.end({ isCut: false });
  return { json: json + rest, isWhole, repairs: repairer.repairs };
}

/** The decoded text of a JSON string, or undefined if the text isn't one. */
function parsedText(json: string): string | undefined {
  const text = json.trim();
  if (!text.startsWith('"') || !text.endsWith('"')) return undefined;
  const value = parseJson(text);
  return typeof value === "string" ? value : undefined;
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

/** Whether a character is treated as white space although JSON doesn't define it as such. */
function isOddSpace(unit: number): boolean {
  return unit > 0x7e || unit === 0x0b || unit === 0x0c;
}

/**
 * The arguments of one call, on their way to valid JSON while they come. In: the fragments of the
 * text. Out: the same fragments as long as they are JSON; from the first flaw on, JSON that says the same. What
 * cannot be mended leaves so that nobody can take it for JSON. It never invents a key or a value.
 *
 *     {"path": "a.ts", "line": 12,}
 *     ^^^^^^^^^^^^^^^^ leaves as it came
 *                     ^^^^^^^^^^^^ owed: a key, a number and a comma may still turn out to be flaws
 *
 * @module
 */
import { JsonReader } from "./reader.ts";
import { JsonWriter } from "./writer.ts";

/** What was done to arguments; each is a reason code. */
export type ArgumentsRepair = "arguments_missing" | "arguments_decoded" | "json_repaired";

/** Longer arguments that have to be collected before they can be read are given up. */
const COLLECTED_MAXIMUM = 8 * 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The arguments of one call. */
export class ArgumentsRepairer {
  /** What was mended, and a phrase for a person. */
  readonly repairs = new Map<ArgumentsRepair, string>();
  readonly #reader: JsonReader;
  #written = "";
  /** What was read since all before it was certain. */
  #owed = "";
  #tail = "";
  #isMended = false;
  #isFailed = false;
  /** Arguments that begin as no object does: they are read when they are whole. */
  #collected: string | undefined;
  #isBegun = false;

  /** The state before the first fragment. */
  constructor() {
    this.#reader = new JsonReader(new JsonWriter((json) => this.#written += json));
  }

  /** Whether anything but white space has come. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** Whether the arguments are an object, and whole. */
  get isObject(): boolean {
    return this.#reader.state === "done" && !this.#isFailed;
  }

  /** Whether the arguments are whole, as an object or as text that holds one. */
  get isComplete(): boolean {
    return this.#collected === undefined ? this.isObject : parsedText(this.#collected) !== undefined;
  }

  /** Whether the arguments cannot be mended. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** Whether what leaves is not, or may never be, what came. */
  get isRepaired(): boolean {
    return this.#isMended || this.#collected !== undefined;
  }

  /** What came and has not left: as it came if all that follows is right. */
  get owed(): string {
    return this.#isMended || this.#isFailed || this.#collected !== undefined ? "" : this.#owed;
  }

  /** Takes the next fragment and gives what can be sent now. */
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
   * The call is over.
   *
   * @param options `isCut`: by force; nothing is mended then
   * @returns what is still to be sent, and whether the arguments are whole
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
      if (this.#isFailed) return this.#isMended ? sent : sent + fragment.slice(at);
      if (this.#reader.state === "done") return sent + this.#behind(fragment.slice(at));
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
    if (reader.repairs.size > 0 || (isOutside && isOddSpace(piece.charCodeAt(0)))) this.#isMended = true;
    if (this.#isMended) {
      this.repairs.set("json_repaired", [...reader.repairs].join(", ") || "white space");
      return this.#takeWritten();
    }
    if (this.#tail !== "" || !reader.isSettled) return "";
    const sent = this.#owed;
    this.#owed = this.#written = "";
    return sent;
  }

  /** Behind the object only white space and closing braces too many are of no account. */
  #behind(rest: string): string {
    const other = rest.trimStart();
    if (other === "") return this.#isMended ? "" : rest;
    if (other.replaceAll("}", "").trim() === "") {
      this.#isMended = true;
      this.repairs.set("json_repaired", "extra brace");
      return "";
    }
    this.#isFailed = true;
    return rest;
  }

  /** The last brace may be missing: its place is certain where everything else is whole. */
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

  /** What is owed leaves as it came; behind a repair nothing can, since together it might read as JSON. */
  #giveUp(): string {
    const owed = this.#isMended ? "" : this.#owed;
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

/** Arguments that were mended at once. */
export interface RepairedArguments {
  /** What to send. */
  readonly json: string;
  /** Whether it is one JSON object. */
  readonly isWhole: boolean;
  /** What was mended, and a phrase for a person. */
  readonly repairs: ReadonlyMap<ArgumentsRepair, string>;
}

/**
 * Mends whole arguments.
 *
 * @param text all of them
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

/** The text of a JSON string; undefined where it is none. */
function parsedText(json: string): string | undefined {
  const text = json.trim();
  if (!text.startsWith('"') || !text.endsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where a run of plain characters of a string ends; at least one character on. */
function runEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isPlain(text.charCodeAt(end))) end++;
  return Math.max(end, at + 1);
}

function isPlain(unit: number): boolean {
  return unit !== QUOTE && unit !== BACKSLASH && unit >= 0x20 && unit !== 0x27;
}

/** White space, or what passes for it, that JSON does not know. */
function isOddSpace(unit: number): boolean {
  return unit > 0x7e || unit === 0x0b || unit === 0x0c;
}

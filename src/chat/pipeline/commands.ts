/**
 * Decodes the HTML entities of shell commands in the calls of a text, where no shell can mean them: `npm test 2&gt;&1`. Only the
 * end of a command shows what its quotes hold, so it waits from its first `&` on. If entities are decoded, the rest of the
 * arguments waits, too: a call that breaks off has them as the model wrote them.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import type { CallStartEvent } from "../../engine/event/event.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { decodeCommand } from "../render/command_entities.ts";

/** What tools call the parameter that a shell runs. */
const KEYS: ReadonlySet<string> = new Set(["command", "cmd"]);

/** The longest JSON that waits; if it is longer, the arguments stay as they are. */
const LENGTH_MAXIMUM = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A call whose arguments arrive, and where in their JSON it is. */
interface Place {
  readonly start: CallStartEvent;
  depth: number;
  /** The last key of the outermost object, and whether its value follows. */
  key: string;
  isValue: boolean;
  isInString: boolean;
  isEscaped: boolean;
  /** The JSON of the open string so far, if it is such a key or a command. */
  text: string | undefined;
  /** From where on that string waits. */
  heldFrom: number | undefined;
  /** The arguments from the first entity on that is decoded, and the keys of such commands. */
  waiting: { raw: string; decoded: string; readonly keys: string[] } | undefined;
}

const BEGIN: Omit<Place, "start"> = {
  depth: 0,
  key: "",
  isValue: false,
  isInString: false,
  isEscaped: false,
  text: undefined,
  heldFrom: undefined,
  waiting: undefined,
};

export class Commands implements Stage {
  #place: Place | undefined;

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "call_start") this.#place = { start: event, ...BEGIN };
    const place = this.#place;
    if (place === undefined || !("call" in event) || event.call !== place.start.call) return out.push(event);
    if (event.kind === "arguments") {
      const json = read(place, event.json);
      if (json === event.json) out.push(event);
      else send(place, json, out);
      return;
    }
    if (event.kind === "call_end") finish(place, out);
    else if (event.kind === "call_abort") send(place, (place.waiting?.raw ?? "") + heldOf(place), out);
    out.push(event);
  }
}

/** Reads the next piece of a call's arguments; returns what is sent now. */
function read(place: Place, json: string): string {
  let sent = "";
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    if (!place.isInString) {
      step(place, json[at]!);
      continue;
    }
    if (place.text === undefined && !place.isEscaped) at = signAt(json, at);
    if (at === json.length) break;
    const character = json[at]!;
    if (place.text !== undefined) place.text += character;
    if (character === "&" && place.isValue && place.text !== undefined && place.heldFrom === undefined) {
      place.heldFrom = place.text.length - 1;
      sent += pass(place, json.slice(from, at));
    }
    const isEnd = character === '"' && !place.isEscaped;
    place.isEscaped = character === "\\" && !place.isEscaped;
    if (!isEnd && (place.text?.length ?? 0) <= LENGTH_MAXIMUM) continue;
    if (place.heldFrom !== undefined) {
      sent += pass(place, heldOf(place), isEnd ? decoded(place) : undefined);
      from = at + 1;
    }
    if (isEnd && place.depth === 1 && !place.isValue) place.key = String(parseJson(place.text ?? ""));
    place.isInString = !isEnd;
    place.text = place.heldFrom = undefined;
  }
  return place.heldFrom === undefined ? sent + pass(place, json.slice(from)) : sent;
}

/** The next quotation mark or backslash from an index on, or the end: most strings aren't commands. */
function signAt(json: string, from: number): number {
  let at = from;
  while (at < json.length && json.charCodeAt(at) !== QUOTE && json.charCodeAt(at) !== BACKSLASH) at++;
  return at;
}

/** Takes a character outside strings. */
function step(place: Place, character: string): void {
  if (character === '"') {
    place.isInString = true;
    if (place.depth === 1 && (!place.isValue || KEYS.has(place.key))) place.text = character;
  } else if (character === "{" || character === "[") place.depth++;
  else if (character === "}" || character === "]") place.depth--;
  else if (place.depth === 1 && (character === ":" || character === ",")) place.isValue = character === ":";
}

/** Passes a piece on, or adds it to the arguments that wait. */
function pass(place: Place, raw: string, decoded = raw): string {
  if (raw !== decoded) (place.waiting ??= { raw: "", decoded: "", keys: [] }).keys.push(place.key);
  const { waiting } = place;
  if (waiting === undefined) return raw;
  waiting.raw += raw;
  waiting.decoded += decoded;
  if (waiting.raw.length <= LENGTH_MAXIMUM) return "";
  place.waiting = undefined;
  return waiting.raw;
}

/** The end of a whole command, decoded; what was sent of it has no entity. */
function decoded({ text = "", heldFrom }: Place): string {
  const command = parseJson(text);
  const isSame = typeof command === "string" && JSON.stringify(command) === text;
  return (isSame ? JSON.stringify(decodeCommand(command)) : text).slice(heldFrom);
}

function heldOf({ text = "", heldFrom }: Place): string {
  return heldFrom === undefined ? "" : text.slice(heldFrom);
}

/** The call is whole: its decoded arguments are sent. */
function finish(place: Place, out: Sink): void {
  const { start: { call, tool, rule }, waiting } = place;
  for (const key of waiting?.keys ?? []) {
    const detail = `parameter ${key}`;
    out.push({ kind: "note", reason: "entities_decoded", rule, tool, call, detail, start: 0, end: 0 });
  }
  send(place, waiting?.decoded ?? "", out);
}

function send({ start: { call } }: Place, json: string, out: Sink): void {
  if (json !== "") out.push({ kind: "arguments", call, json });
}

/**
 * Decodes the HTML entities of shell commands in the calls of a text, where no shell can mean them: `npm test 2&gt;&1`. Only the
 * end of a command shows what its quotes hold, so the arguments wait from the first `&` after the command's key on.
 *
 * @module
 */
import type { AnswerEvent } from "../event/event.ts";
import type { Sink, Stage } from "../event/stage.ts";
import type { CallStartEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { decodeCommand } from "../render/command_entities.ts";

/** What tools call the parameter that a shell runs. */
const KEYS = ["command", "cmd"];
const QUOTED_KEYS = KEYS.map((key) => JSON.stringify(key));
const KEY_LENGTH = Math.max(...QUOTED_KEYS.map(({ length }) => length));

/** The longest arguments that wait; longer ones stay as they are. */
const LENGTH_MAXIMUM = 64 * 1024;

interface Waiting {
  readonly start: CallStartEvent;
  json: string;
  /** Whether the arguments have the key of a command, and up to where it was looked for. */
  hasKey: boolean;
  searched: number;
  /** How much of the arguments was passed on. */
  sent: number;
}

export class Commands implements Stage {
  #call: Waiting | undefined;

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "call_start") {
      this.#call = { start: event, json: "", hasKey: false, searched: 0, sent: 0 };
    }
    const call = this.#call;
    if (call === undefined || !("call" in event) || event.call !== call.start.call) return out.push(event);
    if (event.kind === "arguments") return this.#add(call, event, out);
    if (event.kind === "call_end") this.#finish(call, out);
    else if (event.kind === "call_abort") send(call, call.json.slice(call.sent), out);
    out.push(event);
  }

  #add(call: Waiting, event: AnswerEvent & { kind: "arguments" }, out: Sink): void {
    const isWaiting = call.sent < call.json.length;
    call.json += event.json;
    if (call.json.length > LENGTH_MAXIMUM) {
      this.#call = undefined;
      return isWaiting ? send(call, call.json.slice(call.sent), out) : out.push(event);
    }
    if (isWaiting) return;
    const at = event.json.indexOf("&");
    if (at >= 0 && hasKey(call)) return send(call, event.json.slice(0, at), out);
    call.sent = call.json.length;
    out.push(event);
  }

  #finish(call: Waiting, out: Sink): void {
    this.#call = undefined;
    if (call.sent === call.json.length) return;
    const given = parseJson(call.json);
    let json = call.json;
    for (const key of KEYS) {
      const command = isRecord(given) ? given[key] : undefined;
      if (typeof command !== "string") continue;
      const written = JSON.stringify(command);
      const meant = JSON.stringify(decodeCommand(command));
      const at = valueAt(json, key, written);
      // What was passed on can't change.
      if (meant === written || at + written.indexOf("&") < call.sent) continue;
      json = json.slice(0, at) + meant + json.slice(at + written.length);
      const { call: number, tool, rule } = call.start;
      const detail = `parameter ${key}`;
      out.push({
        kind: "note",
        reason: "entities_decoded",
        rule,
        tool,
        call: number,
        detail,
        start: 0,
        end: 0,
      });
    }
    send(call, json.slice(call.sent), out);
  }
}

/** Whether the arguments so far have the key of a command; each part of them is searched once. */
function hasKey(call: Waiting): boolean {
  const { json, searched } = call;
  call.hasKey ||= QUOTED_KEYS.some((key) => json.indexOf(key, searched) >= 0);
  call.searched = Math.max(0, json.length - KEY_LENGTH);
  return call.hasKey;
}

/** Where a key has this value; another parameter can have the same one. */
function valueAt(json: string, key: string, value: string): number {
  const name = JSON.stringify(key);
  for (let at = json.indexOf(name); at >= 0; at = json.indexOf(name, at + 1)) {
    const rest = json.slice(at + name.length).trimStart();
    const from = json.length - rest.slice(1).trimStart().length;
    if (rest.startsWith(":") && json.startsWith(value, from)) return from;
  }
  return -Infinity;
}

/** Passes on arguments that waited. */
function send(call: Waiting, json: string, out: Sink): void {
  call.sent += json.length;
  if (json !== "") out.push({ kind: "arguments", call: call.start.call, json });
}

/**
 * Decodes the HTML entities of shell commands in the calls of a text, where no shell can mean them: `npm test 2&gt;&1`. Only the
 * end of a command shows what its quotes hold, so its arguments wait from the first entity on.
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

/** The longest arguments that wait; longer ones stay as they are. */
const LENGTH_MAXIMUM = 64 * 1024;

interface Waiting {
  readonly start: CallStartEvent;
  json: string;
  /** How much of the arguments was passed on. */
  sent: number;
}

export class Commands implements Stage {
  #call: Waiting | undefined;

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "call_start") {
      this.#call = { start: event, json: "", sent: 0 };
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
    if (at >= 0 && QUOTED_KEYS.some((key) => call.json.includes(key))) {
      return send(call, event.json.slice(0, at), out);
    }
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
      const decoded = json.replace(JSON.stringify(command), () => JSON.stringify(decodeCommand(command)));
      if (decoded === json) continue;
      json = decoded;
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

/** Passes on arguments that waited. */
function send(call: Waiting, json: string, out: Sink): void {
  call.sent += json.length;
  if (json !== "") out.push({ kind: "arguments", call: call.start.call, json });
}

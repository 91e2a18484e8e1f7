/**
 * The log of a running server on the terminal: a line for each request, and messages. As text for a person, or with
 * `--log-format json` one JSON object per line for a program.
 *
 * @module
 */
import type { AuditLine } from "../../desk/audit/line.ts";
import { type RequestSummary, summarize, summarizeUnwatched } from "../../desk/audit/summary.ts";
import { visibleJson } from "../../engine/diagnostic/visible.ts";
import type { UnwatchedRequest } from "../../proxy/exchange/watch.ts";
import { RequestLines } from "./request_line.ts";
import type { World } from "./world.ts";

export interface LogOptions {
  /** `text` for a person, `json` for a program. */
  readonly format: "text" | "json";
  /** Whether nothing about requests is printed. */
  readonly isQuiet: boolean;
}

export interface Log {
  /** The world whose output is the log: with JSON, each text that is printed becomes an object. */
  readonly world: World;
  /** The world for what is printed about single requests; a quiet log drops it. */
  readonly requestWorld: World;
  add(lines: readonly AuditLine[]): void;
  addUnwatched(request: UnwatchedRequest): void;
}

export function openLog(world: World, { format, isQuiet }: LogOptions): Log {
  const printed = format === "json" ? jsonWorld(world) : world;
  const lines = new RequestLines({ isAligned: world.isTty, hasColors: world.isTerminal });
  const write = (summary: RequestSummary) =>
    world.stdout(format === "json" ? objectLine("request", summary) : lines.format(summary));
  return {
    world: printed,
    requestWorld: isQuiet ? { ...printed, stdout: () => {} } : printed,
    add(lines) {
      const summary = isQuiet ? undefined : summarize(lines);
      if (summary !== undefined) write(summary);
    },
    addUnwatched(request) {
      if (!isQuiet) write(summarizeUnwatched(request));
    },
  };
}

interface Message {
  readonly beganAt: number;
  readonly text: string;
}

/** A world whose output is one JSON object for each text. */
function jsonWorld(world: World): World {
  const message = (kind: "message" | "error", text: string) =>
    text.trim() === "" ? "" : objectLine(kind, { beganAt: Date.now(), text: text.trim() });
  return {
    ...world,
    isTerminal: false,
    isTty: false,
    stdout: (text) => world.stdout(message("message", text)),
    stderr: (text) => world.stderr(message("error", text)),
  };
}

function objectLine(kind: string, { beganAt, ...fields }: RequestSummary | Message): string {
  return `${visibleJson({ time: new Date(beganAt).toISOString(), kind, ...fields })}\n`;
}

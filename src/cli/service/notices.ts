/**
 * Prints what a person should know of the requests of a running server, without a line for each request:
 *
 *     09:05:07  healed_messages: requests for local are changed for llama.cpp: system_first: system messages after the first …
 *               to send them unchanged, set heal: false for the upstream
 *     09:05:07  server_tool: the model isn't offered web_search, which runs on the servers of the agent's API
 *               to refuse such requests or to pass the tool on, set tools.server_tools
 *     09:05:07  plugin_failed: careful: onCall threw TypeError at careful.ts:12: value.foo is not a function
 *
 * @module
 */
import { withoutKnown } from "../../admin/audit/scrub.ts";
import { clock } from "../../engine/diagnostic/figures.ts";
import { visible } from "../../engine/diagnostic/visible.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import type { RequestFacts, WatchRequest } from "../../proxy/exchange/watch.ts";

type Print = (text: string) => void;

/** How long a text isn't printed again, in milliseconds. */
const PAUSE_MS = 60_000;

/** The most texts that are remembered; requests choose a part of them. */
const TEXTS_MAX = 1000;

/** The longest text of a plugin's failure. */
const FAILURE_LENGTH_MAX = 400;

/** Knows which texts are due: a text that repeats is, once a minute. */
export class Repeats {
  readonly #printed = new Map<string, number>();

  isDue(text: string, now: number): boolean {
    if (now - (this.#printed.get(text) ?? -Infinity) < PAUSE_MS) return false;
    if (this.#printed.size >= TEXTS_MAX) this.#printed.clear();
    this.#printed.set(text, now);
    return true;
  }
}

/** The most kinds of changes that are remembered; agents choose a part of them. */
const KINDS_MAX = 200;

const DETAIL_LENGTH_MAX = 200;

/** Prints what servers made necessary or did, each thing once. */
export function printNotices(print: Print): WatchRequest {
  const known = new Set<string>();
  return notesOf((note, facts) => {
    const { about, what, help } = noticeOf(note, facts) ?? {};
    if (about === undefined || what === undefined || help === undefined) return;
    const key = JSON.stringify([note.reason, ...about]);
    if (known.has(key) || known.size >= KINDS_MAX) return;
    known.add(key);
    print(notice(note.reason, what, help));
  });
}

interface Notice {
  /** What is printed only once. */
  readonly about: readonly string[];
  readonly what: string;
  readonly help: string;
}

function noticeOf(
  { reason, rule: by, tool = "", detail = "" }: NoteEvent,
  { upstream, model = "" }: RequestFacts,
): Notice | undefined {
  const name = visible(upstream);
  const cut = visible(detail, { lengthMax: DETAIL_LENGTH_MAX });
  switch (reason) {
    case "server_tool":
      return {
        about: [tool],
        what: `the model isn't offered ${visible(tool)}, which runs on the servers of the agent's API`,
        help: "to refuse such requests or to pass the tool on, set tools.server_tools",
      };
    case "only_model":
      return {
        about: [upstream, detail],
        what: `${name} has only one model, so requests use that model: ${visible(detail)}`,
        help: "to send the name unchanged, set one_model: false for the upstream",
      };
    case "prompt_cut":
      return {
        about: [upstream, model],
        what: `${name} truncates the prompts for ${visible(model || "its model")} without an error: ${cut}`,
        help: "the model might not see the beginning of the conversation, its task, or its tools",
      };
    case "strict_withdrawn":
      return {
        about: [upstream, by, detail],
        what:
          `requests for ${name} are sent without a grammar for a model's calls, because the server rejected ` +
          `the grammar: ${visible(detail)}`,
        help: "to stop trying, set tools.strict: pass",
      };
    default: {
      if (!reason.startsWith("healed_")) return undefined;
      const why = by === "refused" ? "after its server refused a request" : `for ${by}`;
      const what = `requests for ${name} are changed ${why}${detail === "" ? "" : `: ${cut}`}`;
      return {
        about: [upstream, by, detail],
        what,
        help: "to send them unchanged, set heal: false for the upstream",
      };
    }
  }
}

/** Prints each failure of a plugin: its name, the hook, the file and line, and the message. */
export function printPluginFailures(print: Print, now: () => number = Date.now): WatchRequest {
  const repeats = new Repeats();
  return notesOf(({ reason, rule, detail = "" }, { secrets }) => {
    if (reason !== "plugin_failed") return;
    const text = withoutKnown(`${rule}: ${detail}`, secrets);
    const time = now();
    if (!repeats.isDue(text, time)) return;
    print(`${clock(time)}  ${reason}: ${visible(text, { lengthMax: FAILURE_LENGTH_MAX })}\n`);
  });
}

/** Two lines: what happens, and what to do. */
export function notice(reason: string, what: string, help: string): string {
  return `${clock(Date.now())}  ${reason}: ${what}\n          ${help}\n`;
}

function notesOf(take: (note: NoteEvent, facts: RequestFacts) => void): WatchRequest {
  return (facts) => ({
    observe(event) {
      if (event.kind === "note") take(event, facts);
    },
    end() {},
  });
}

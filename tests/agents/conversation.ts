/**
 * A model that plays several turns with an agent. It decides each turn by what the request holds, as a model does:
 *
 *     1    reads a file that is absent, and looks at a picture      printed as text
 *     2-4  after the error: writes two files in each turn           printed as text, each turn in another dialect
 *     5    writes two more files                                    the upstream's own calls, interleaved
 *     6    "ok"
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { parallelCalls } from "../support/native_answers.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { BEFORE, FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";
import { type Call, type OfferedTool, readCall, viewCall, writeCall } from "./offered.ts";
import { DIALECTS, isPerson, makeParents, type ModelRequest, readRequest } from "./scenario.ts";
import type { Player } from "./stage.ts";

/** A picture of 32 by 32 pixels, as base64. */
export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAP0lEQVR42u3UQQ0AQAgDQUQgAk2nDqdwAloBJJvsu/NrZLVsTFlPNqYAADgA" +
  "+CEH6yEHAwBcALgKAACuAgDgt6zKuj2LnIGMAAAAAElFTkSuQmCC";

/** What writes the files of a turn: a dialect, or the upstream itself. */
const WRITERS = [...Object.keys(DIALECTS), "native"];

/** A turn that writes two files: path below the working directory and contents. */
const PAIRS = WRITERS.map((name) => [
  { path: join(name, FILE_PATH), content: FILE_CONTENT },
  { path: join(name, "second.md"), content: `if (a < b) { say("\\"${name}\\"") }\n` },
]);

/** What every file holds in the end, to the last byte. */
export const FILES = PAIRS.flat();

/** The turns in which the model calls tools. */
export const TURNS = 1 + PAIRS.length;

/** How agents describe a file that is absent, in the wording of a chat. */
export const ERROR = /error|not found|not exist|no such file|ENOENT|exited with code 1/i;

/** A model that plays the conversation once. */
export interface Conversation extends Player {
  /** The last request of each turn, after as many turns with calls. */
  readonly requests: readonly ModelRequest[];
}

/** Makes the model, and puts the picture and the files' folders into the working directory. */
export function playConversation(folder: string): Conversation {
  const picture = join(folder, "picture.png");
  Deno.writeFileSync(picture, Buffer.from(PICTURE, "base64"));
  makeParents(FILES.map(({ path }) => join(folder, path)));
  const read = (tools: readonly OfferedTool[]) => [
    readCall(tools, join(folder, "absent.md")),
    viewCall(tools, picture),
  ];
  const write = (tools: readonly OfferedTool[], turn: number) =>
    PAIRS[turn - 1]?.map(({ path, content }) => writeCall(tools, { path: join(folder, path), content }));
  const requests: ModelRequest[] = [];
  return {
    requests,
    script({ body }) {
      const request = readRequest(body);
      const { messages = [], tools = [] } = request;
      if (tools.length === 0 || !messages.some(isPerson)) return { text: "ok" };
      const turn = messages.filter(({ tool_calls: calls }) => calls !== undefined).length;
      requests[turn] = request;
      if (turn === 1 && !resultsOf(request).some((result) => ERROR.test(result))) return { text: "No error" };
      const calls = turn === 0 ? read(tools) : write(tools, turn);
      return calls === undefined
        ? { text: "ok" }
        : scriptOf(WRITERS[Math.max(0, turn - 1)]!, calls.filter((call) => call !== undefined));
    },
  };
}

export function resultsOf({ messages = [] }: ModelRequest): string[] {
  return messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
}

export function imagesOf({ messages = [] }: ModelRequest): string[] {
  const parts = messages.flatMap(({ content }) => Array.isArray(content) ? content : []);
  return parts.flatMap(({ image_url: image }) => typeof image?.url === "string" ? [image.url] : []);
}

function scriptOf(writer: string, calls: readonly Call[]): Script {
  const print = DIALECTS[writer];
  return print ? { text: BEFORE + calls.map(print).join("\n") } : { raw: parallelCalls(calls, BEFORE) };
}

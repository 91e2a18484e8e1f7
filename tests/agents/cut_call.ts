/**
 * A model whose first answer breaks off inside a call. Whoever asks again gets the whole call.
 *
 * @module
 */
import { join } from "node:path";
import { fragment, head, inPieces, parallelCalls, streamOf } from "../support/native_answers.ts";
import type { Script } from "../support/scripted_upstream.ts";
import { BEFORE } from "../support/written_file.ts";
import { type Call, writeCall } from "./offered.ts";
import { DIALECTS, isPerson, readRequest } from "./scenario.ts";
import type { Player } from "./stage.ts";

/** The only file that may be there in the end, and what it then holds. */
export const CUT_FILE = { path: "cut & file.md", content: 'if (a < b) {\n\tsay("it\'s \\"done\\"");\n}\n' };

/** How an answer ends early: at the token limit, or because the connection to the model server breaks. */
export const ENDS = ["length", "break"] as const;

export interface Cut {
  readonly end: typeof ENDS[number];
  /** How many characters of the call arrive; a fraction is a part of the call. */
  readonly at: number;
}

/** A model that plays a cut once. */
export interface CutPlayer extends Player {
  /** How many characters the call has; 0 until the agent asks. */
  readonly length: number;
}

/** Makes the model; it prints its call in a dialect, or makes it `native`. */
export function playCut(folder: string, { end, at }: Cut, dialect: string): CutPlayer {
  const { path, content } = CUT_FILE;
  let length = 0;
  const print = (call: Call, limit: number): Script => {
    const isFirst = length === 0;
    // pi compacts the conversation without a word if an answer ends below its limit.
    const usage = { prompt_tokens: 11, completion_tokens: limit, total_tokens: 11 + limit };
    const printer = DIALECTS[dialect];
    if (printer === undefined) {
      length = JSON.stringify(call.arguments).length;
      return native(call, isFirst ? { end, length: Math.floor(at * length), usage } : undefined);
    }
    const printed = printer(call);
    length = printed.length;
    if (!isFirst) return { text: BEFORE + printed };
    const text = BEFORE + printed.slice(0, Number.isInteger(at) ? at : Math.floor(at * length));
    return end === "length" ? { text, finish: "length", usage } : { text, fate: "break", fateAt: Infinity };
  };
  return {
    get length() {
      return length;
    },
    script({ body }) {
      const { messages = [], tools = [], max_tokens, max_completion_tokens } = readRequest(body);
      const call = writeCall(tools, { path: join(folder, path), content });
      const isAnswered = messages.some(({ role }) => role === "tool");
      if (call === undefined || isAnswered || !messages.some(isPerson)) return { text: "ok" };
      return print(call, max_tokens ?? max_completion_tokens ?? 7);
    },
  };
}

/** The upstream's own call, whole or with this many characters of its arguments. */
function native(
  call: Call,
  cut?: { readonly end: Cut["end"]; readonly length: number; readonly usage: object },
): Script {
  if (cut === undefined) return { raw: parallelCalls([call], BEFORE) };
  const json = JSON.stringify(call.arguments).slice(0, cut.length);
  const deltas = [
    { role: "assistant", content: BEFORE },
    head({}, { name: call.name }),
    ...inPieces(json).map((piece) => fragment(piece)),
  ];
  return cut.end === "length"
    ? { raw: { stream: streamOf(deltas, { finish: "length", usage: cut.usage }), body: "" } }
    : { raw: { stream: streamOf(deltas, { finish: null, after: "" }), body: "" }, fate: "break" };
}

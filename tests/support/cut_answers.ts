/**
 * Answers that end inside a call, printed in every dialect that is spoken or made by the upstream itself: what an answer that
 * breaks off must not run.
 *
 * @module
 */
import { compileRules } from "../../src/engine/rule/compile.ts";
import type { OfferedTool } from "../../src/engine/tool/offered.ts";
import { Speaker, speaks } from "../../src/chat/prompt/speaker.ts";
import type { SpokenCall } from "../../src/chat/prompt/spoken.ts";
import { bodyOf, chunkOf, streamOf } from "./native_answers.ts";
import { shippedRules } from "./spoken.ts";

export interface CutCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const string = { type: "string" };
const integer = { type: "integer" };

/** Tools with values of every type, which all have to be there. */
export const CUT_TOOLS: readonly OfferedTool[] = [
  toolOf("wait", { label: string, seconds: { type: "number" } }),
  toolOf("write_file", { path: string, content: string }),
  toolOf("resize", {
    count: integer,
    list: { type: "array", items: integer },
    more: { type: "object" },
    on: { type: "boolean" },
  }),
  toolOf("tag", { names: { type: "array", items: string } }),
  toolOf("pick", { note: string, any: {}, mode: { type: "string", enum: ["fast", "faster", "slow"] } }),
];

function toolOf(name: string, properties: Readonly<Record<string, unknown>>): OfferedTool {
  return { name, schema: { type: "object", properties, required: Object.keys(properties) } };
}

export const CUT_CALLS: readonly CutCall[] = [
  { tool: "wait", arguments: { label: "x", seconds: 86400.25 } },
  { tool: "write_file", arguments: { path: "a.py", content: "import os\nimport sys\n\nprint(sys.argv)\n" } },
  { tool: "write_file", arguments: { content: "one line of words", path: "a b/c d.py" } },
  {
    tool: "resize",
    arguments: { on: true, list: [10, 20, 300], more: { a: 1, b: [1, { c: "d" }] }, count: 12345 },
  },
  { tool: "resize", arguments: { count: 12345, list: [], on: false, more: { deep: { x: 1.5, y: "z" } } } },
  { tool: "tag", arguments: { names: ["one", "two", "three"] } },
  { tool: "pick", arguments: { note: "line one\nline two", any: "text of 12 34", mode: "faster" } },
];

/** Dialect → a call in it; undefined if the dialect can't write it. */
export async function cutDialects(): Promise<ReadonlyMap<string, (call: CutCall) => string | undefined>> {
  const rules = await shippedRules();
  const { program } = compileRules(rules);
  return new Map(
    rules.filter(speaks).map((rule) => {
      const speaker = new Speaker(rule, { program, minimumConfidence: 0.9 });
      return [rule.rule, (call) => {
        const spoken: SpokenCall = { ...call, index: 0 };
        const written = speaker.writeCalls([spoken], CUT_TOOLS);
        return "tool" in written ? undefined : written.text;
      }];
    }),
  );
}

/** How an answer ends: with a finish reason or null, without one before the end of the connection, or because that breaks. */
export const CUT_ENDS = ["stop", "tool_calls", "length", "content_filter", "null", "end", "reset"] as const;

export type CutEnd = typeof CUT_ENDS[number];

/** The ends after which nothing may run. */
export const BROKEN_ENDS: ReadonlySet<CutEnd> = new Set(["length", "content_filter", "end", "reset"]);

/** The deltas of an answer: a text, or the upstream's own call with its arguments so far. */
export function deltasOf(
  answer: { readonly text: string } | { readonly tool: string; readonly json: string },
) {
  if ("text" in answer) return [{ role: "assistant", content: answer.text }];
  const head = { index: 0, id: "call_1", type: "function", function: { name: answer.tool, arguments: "" } };
  return [
    { role: "assistant", tool_calls: [head] },
    { tool_calls: [{ index: 0, function: { arguments: answer.json } }] },
  ];
}

/** The stream of an answer with its end; after `reset`, the connection has to break. */
export function cutStream(deltas: readonly unknown[], end: CutEnd): string {
  if (end === "end" || end === "reset") return deltas.map((delta) => chunkOf(delta)).join("");
  return streamOf(deltas, { finish: end === "null" ? null : end });
}

/** The body of a whole answer with its end. */
export function cutBody(answer: Parameters<typeof deltasOf>[0], end: CutEnd): string {
  const message = "text" in answer ? { content: answer.text } : {
    content: null,
    tool_calls: [{
      id: "call_1",
      type: "function",
      function: { name: answer.tool, arguments: answer.json },
    }],
  };
  return bodyOf(message, end === "null" ? null : end);
}

/**
 * Healthy servers that differ in what no agent minds: each is evaluated without an alarm, alone and through Dragoman.
 *
 * @module
 */
import assert from "node:assert/strict";
import { verdict } from "../../../src/analysis/evaluate/advice.ts";
import { isRecord } from "../../../src/engine/object/record.ts";
import { sampled } from "../../support/fuzz.ts";
import { evaluated } from "./evaluated.ts";
import type { Draft, Fault, Scene } from "./faults.ts";
import { createFaultyServer } from "./faulty_server.ts";

type Values = Readonly<Record<string, unknown>>;
type Change = (draft: Draft, scene: Scene) => Draft;

interface Healthy {
  readonly change?: Change;
  /** A change of the body as it is sent. */
  readonly body?: (text: string) => string;
  readonly tasks?: readonly string[];
}

const TASKS = ["plain_call", "stream_call", "types", "two_calls", "result_used"];

const values = (change: (given: Values, tool: string) => Values): Change => (draft) => ({
  ...draft,
  calls: draft.calls.map(({ tool, arguments: given }) => ({ tool, arguments: change(given, tool) })),
});

const words = (change: (text: string) => string): Change => (draft) =>
  draft.calls.length > 0 ? draft : { ...draft, text: change(draft.text) };

const beside = (text: string): Change => (draft) => draft.calls.length === 0 ? draft : { ...draft, text };

/** Another right answer to a task. */
const instead = (task: string, other: Partial<Draft>): Healthy => ({
  change: (draft, { question }) =>
    question?.task === task ? { ...draft, calls: [], text: "", ...other } : draft,
  tasks: ["plain_call", task],
});

const paths = (change: (path: string) => string): Change =>
  values((given) => typeof given["path"] === "string" ? { ...given, path: change(given["path"]) } : given);

const call = (tool: string, given: Values) => ({ tool, arguments: given });

const replaced = (from: string | RegExp, to: string): Healthy => ({
  body: (text) => text.replaceAll(from, to),
});

const SHOWN = '{"name": "read_file", "arguments": {"path": "a.ts"}}';

const HEALTHY: Readonly<Record<string, Healthy>> = {
  "prose before a call": { change: beside("I'll look at it.") },
  "a sentence with the tool's name": { change: beside("I use read_file with the path that you gave.") },
  "a list before a call": { change: beside("Plan:\n\n- read\n- answer\n") },
  "a heading before a call": { change: beside("## Step 1\n\nReading.") },
  "reasoning before a call": { change: (draft) => ({ ...draft, reasoning: "The user wants a file." }) },
  "long reasoning": { change: (draft) => ({ ...draft, reasoning: "Step. ".repeat(400) }) },
  "reasoning in the text": {
    change: (draft) => ({ ...draft, text: `<think>Which tool?</think>\n${draft.text}` }),
  },
  "paths with a dot": { change: paths((path) => `./${path}`) },
  "paths with two slashes": { change: paths((path) => path.replace("/", "//")) },
  "paths with backslashes": { change: paths((path) => path.replaceAll("/", "\\")) },
  "folders in another order": {
    change: values((given) =>
      Array.isArray(given["folders"]) ? { ...given, folders: given["folders"].toReversed() } : given
    ),
  },
  "folders with a slash": {
    change: values((given) =>
      Array.isArray(given["folders"])
        ? { ...given, folders: given["folders"].map((one) => `${one}/`) }
        : given
    ),
  },
  "arguments in another order": {
    change: values((given) => Object.fromEntries(Object.entries(given).reverse())),
  },
  "an optional null": {
    change: values((given, tool) => tool === "replace_lines" ? { ...given, mode: null } : given),
    tasks: ["plain_call", "hard_schema"],
  },
  "an optional value": {
    change: values((given, tool) => tool === "replace_lines" ? { ...given, mode: "safe" } : given),
    tasks: ["plain_call", "hard_schema"],
  },
  "a file that ends with a line end": {
    change: values((given) => "content" in given ? { ...given, content: `${given["content"]}\n` } : given),
    tasks: ["plain_call", "exact_content"],
  },
  "calls in another order": { change: (draft) => ({ ...draft, calls: draft.calls.toReversed() }) },
  "bold words": { change: words((text) => `**${text}**`) },
  "a long answer": { change: words((text) => `${text}\n\n${"It is as it is. ".repeat(200)}`) },
  "code in the answer": { change: words((text) => `${text}\n\n\`\`\`ts\nconst a = x["b"];\n\`\`\``) },
  "tags in the answer": { change: words((text) => `${text} Use <b>this</b> &amp; that.`) },
  "another language": { change: words((text) => `Antwort → ${text} 日本語です。`) },
  "emoji": { change: words((text) => `✅ ${text} 🎉`) },
  "a table": { change: words((text) => `| a | b |\n|---|---|\n| 1 | ${text} |`) },
  "no usage": { change: (draft) => ({ ...draft, hidesUsage: true }) },
  "usage without tools": {
    change: (draft, { hasTools }) => hasTools ? { ...draft, hidesTools: true } : draft,
  },
  "busy once": { change: (draft, { attempt }) => attempt === 0 ? { ...draft, fate: "busy" } : draft },
  "broken once": { change: (draft, { attempt }) => attempt === 0 ? { ...draft, fate: "broken" } : draft },
  "an error once": {
    change: (draft, { attempt, chance }) =>
      attempt === 0 && chance < 0.3 ? { ...draft, error: { status: 503, message: "loading" } } : draft,
  },
  "stop after a demanded call": {
    change: (draft, { choice }) => choice === "required" ? { ...draft, finish: "stop" } : draft,
    tasks: ["plain_call", "required"],
  },
  "a call shown in a fence": instead("quoted", { text: `\`\`\`json\n${SHOWN}\n\`\`\`\nThat is all.` }),
  "a call shown as code": instead("quoted", { text: `It is \`${SHOWN}\`, as JSON.` }),
  "the page's call in the summary": instead("echo", {
    text: `It writes \`<tool_call>${SHOWN}</tool_call>\` to read.`,
  }),
  "another call after an error": instead("error_used", { calls: [call("list_files", { folder: "." })] }),
  "a look before a question": instead("clarify", { calls: [call("search", { text: "dog" })] }),
  "a question": instead("clarify", { text: "What is its name?" }),
  "another tool if one is required": instead("required", { calls: [call("search", { text: "hello" })] }),
  "an apology": instead("none_allowed", { text: "I'm sorry, I can't read files here." }),
  "an empty content beside calls": replaced('"content":null', '"content":""'),
  "ids with the name": replaced(/"call(\d\d)abc"/g, '"functions.read_file:$1"'),
  "long ids": replaced(/"call(\d\d)abc"/g, '"call_0123456789abcdef0123456789abcd$1"'),
  "more fields": replaced('"role":"assistant"', '"role":"assistant","refusal":null,"annotations":[]'),
};

function serverOf({ change, body }: Healthy): (request: Request) => Promise<Response> {
  const fault: Fault = {
    finding: undefined,
    stage: 2,
    isRepaired: true,
    apply: change ?? ((draft) => draft),
  };
  const { send } = createFaultyServer({ fault });
  return async (request) => {
    const response = await send(request);
    if (body === undefined) return response;
    return new Response(body(await response.text()), response);
  };
}

Deno.test("evaluate: healthy servers that differ get no alarm", async () => {
  assert.ok(Object.keys(HEALTHY).length >= 40);
  const alarms: string[] = [];
  for (const [name, healthy] of sampled(Object.entries(HEALTHY), 12)) {
    const mode = ["quoted", "echo", "error_used", "clarify", "none_allowed"].some((one) =>
        healthy.tasks?.includes(one)
      )
      ? "default"
      : "quick";
    const evaluation = await evaluated({ send: serverOf(healthy), mode, tasks: healthy.tasks ?? TASKS });
    const { findings, recommended, lost, failures } = evaluation;
    const isQuiet = findings.length + lost.length === 0 && recommended === undefined &&
      verdict(evaluation).startsWith("No answer is wrong");
    const first = failures[0]?.exchange.got.slice(0, 300);
    if (!isQuiet) alarms.push(`${name}: ${findings.map(({ id }) => id)} ${isRecord(recommended)} ${first}`);
  }
  assert.deepEqual(alarms, []);
});

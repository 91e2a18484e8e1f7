/** The tasks of an evaluation (`battery.json`), filled with what varies by repeat, so that no cache answers twice. @module */
import type { ChatRequest, RequestMessage, RequestTool } from "../../chat/message/request.ts";
import { isRecord } from "../../engine/object/record.ts";
import battery from "./battery.json" with { type: "json" };

/** A call that a task expects, or doesn't want. */
export interface ExpectedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Expected {
  /** The calls, in any order; `some`: at least one; `none`: text and no call; `any`: both are right. Absent for a chain. */
  readonly calls?: readonly ExpectedCall[] | "some" | "none" | "any";
  readonly tool?: string;
  /** Whether the answer can show a call as text. */
  readonly shows?: boolean;
  /** A text that the answer contains. */
  readonly text?: string;
  /** A tool that a right answer doesn't call. */
  readonly never?: string;
  /** Whether the calls alone count, with exactly these arguments, as in a recorded suite. */
  readonly isExact?: boolean;
  /** A call that repeats an earlier one in vain. */
  readonly not?: ExpectedCall;
  /** The files at the end of a chain. */
  readonly files?: Readonly<Record<string, string>>;
}

/** One task, before its texts are filled in. */
interface Task {
  readonly name: string;
  /** What a right answer shows, for people. */
  readonly why: string;
  readonly quick: boolean;
  readonly stream: "always" | "mostly" | "alternate" | "never";
  /** The names of its tools; `*` means all decoys. */
  readonly tools: readonly string[];
  readonly messages: readonly RequestMessage[];
  readonly expect: Expected;
  readonly tool_choice?: unknown;
  /** The virtual folder of a chain, and how often the model may answer in it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly turns?: number;
  /** How many answers the shortest right solution of a chain has. */
  readonly steps?: number;
  /** The most tokens of an answer, so that a model that never ends is cut. */
  readonly max_tokens?: number;
}

export interface Question {
  readonly task: string;
  /** Which repeat of the task this is, from 0; also the seed. */
  readonly repeat: number;
  readonly request: ChatRequest;
  readonly expect: Expected;
  readonly files?: Readonly<Record<string, string>>;
  readonly turns?: number;
  readonly steps?: number;
}

export type Mode = "quick" | "default" | "thorough";

export const REPEATS: Readonly<Record<Mode, number>> = { quick: 3, default: 5, thorough: 20 };

/** The version of the battery: a changed task is a new one. */
export const VERSION = battery.version;

const TASKS = battery.tasks as unknown as readonly Task[];
const TOOLS = battery.tools as unknown as Readonly<Record<string, RequestTool>>;

/** Task → what a right answer shows, in the order of the battery. */
export const PURPOSES: ReadonlyMap<string, string> = new Map(TASKS.map(({ name, why }) => [name, why]));

interface AskingOptions {
  readonly model: string;
  readonly mode: Mode;
  /** The temperature; the server's own if absent, as agents leave it. */
  readonly temperature?: number | undefined;
}

export function questionsOf({ model, mode, temperature }: AskingOptions): Question[] {
  const tasks = TASKS.filter(({ quick }) => quick || mode !== "quick");
  return Array.from({ length: REPEATS[mode] }, (_, repeat) =>
    tasks.map((task): Question => {
      const fill = filler(repeat);
      const { name, expect, files, turns, steps, tool_choice, max_tokens = battery.max_tokens } = task;
      return {
        task: name,
        repeat,
        expect: fill(expect) as Expected,
        ...files === undefined ? {} : { files: fill(files) as Readonly<Record<string, string>> },
        ...turns === undefined ? {} : { turns },
        ...steps === undefined ? {} : { steps },
        request: {
          model,
          messages: fill(task.messages) as RequestMessage[],
          tools: toolsOf(task.tools),
          ...tool_choice === undefined ? {} : { tool_choice },
          ...isStreamed(task, { mode, repeat })
            ? { stream: true, stream_options: { include_usage: true } }
            : {},
          ...temperature === undefined ? {} : { temperature },
          max_tokens,
          seed: repeat,
        },
      };
    })).flat();
}

/** The two requests that show whether tools reach the prompt: the first one has them. */
export function visibleRequests(model: string): readonly [ChatRequest, ChatRequest] {
  const { messages, fields, tools } = battery.visible;
  return [{ model, messages, ...fields, tools: toolsOf(tools) }, { model, messages, ...fields }];
}

/** A request without tools that is asked in the middle of an evaluation, to see whether the server still answers. */
export function plainRequest(model: string, seed: number): ChatRequest {
  return { model, messages: battery.visible.messages, ...battery.visible.fields, seed };
}

/** How many requests the questions are, with the two that show whether the tools reach the prompt. */
export function countRequests(questions: readonly Question[]): number {
  return questions.reduce<number>((sum, { steps = 1 }) => sum + steps, visibleRequests("").length);
}

/** About how many tokens all questions and their answers have, before anything is known of the model. */
export function estimateTokens(
  questions: readonly Question[],
): { readonly read: number; readonly written: number } {
  const turns = ({ steps = 1 }: Question) => steps;
  const read = questions.reduce(
    (sum, question) => sum + turns(question) * JSON.stringify(question.request).length / CHARACTERS_OF_TOKEN,
    0,
  );
  const written = questions.reduce(
    (sum, question) =>
      sum + turns(question) * (ANSWER_TOKENS + JSON.stringify(question.expect).length / CHARACTERS_OF_TOKEN),
    0,
  );
  return { read: Math.round(read), written: Math.round(written) };
}

const CHARACTERS_OF_TOKEN = 4;

/** What an answer has besides what is expected, such as reasoning. */
const ANSWER_TOKENS = 120;

function isStreamed(
  { stream }: Task,
  { mode, repeat }: { readonly mode: Mode; readonly repeat: number },
): boolean {
  // A quick run has too few answers for both forms.
  if (stream === "always" || stream === "mostly" && mode === "quick") return true;
  return mode !== "quick" &&
    (stream === "mostly" ? repeat % 3 !== 2 : stream === "alternate" && repeat % 2 === 1);
}

function toolsOf(names: readonly string[]): RequestTool[] {
  return names.flatMap((name): RequestTool[] => name === "*" ? decoys() : [TOOLS[name] ?? {}]);
}

function decoys(): RequestTool[] {
  const parameters = {
    type: "object",
    properties: { target: { type: "string", description: "The subject" } },
    required: ["target"],
  };
  return Object.entries(battery.decoys).map(([name, description]) => ({
    type: "function",
    function: { name, description, parameters },
  }));
}

/** Fills in the texts of a repeat: keys and values. `{limit:number}` becomes a number. */
function filler(repeat: number): (value: unknown) => unknown {
  const words = Object.fromEntries(
    Object.entries(battery.words).map(([name, list]) => [name, list[repeat % list.length] ?? ""]),
  );
  const { folder = "", base = "", second = "", extension = "" } = words;
  const nonce = nonceOf(repeat);
  const known: Record<string, () => string> = {
    file: () => `${folder}/${base}.${extension}`,
    other: () => `${folder}/${second}_${base}.${extension}`,
    nonce: () => nonce,
    number: () => String(100 + repeat * 37),
    system: () => battery.system,
    long: () => longPrompt(),
    bulk: () => bulkText(nonce),
    rows: () => Array.from({ length: 300 }, (_, row) => `row ${row + 1} of ${nonce}`).join("\n"),
    ...Object.fromEntries(Object.entries(words).map(([name, word]) => [name, () => word])),
  };
  const fillText = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name]?.() ?? whole);
  const fill = (value: unknown): unknown => {
    if (typeof value === "string") {
      const number = /^\{(\w+):number\}$/.exec(value)?.[1];
      return number === undefined ? fillText(value) : Number(known[number]?.());
    }
    if (Array.isArray(value)) return value.map(fill);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [fillText(key), fill(inner)]));
  };
  return fill;
}

/** Eight letters that no text contains by chance. */
function nonceOf(repeat: number): string {
  let state = 0x2026 + repeat * 7919;
  return Array.from({ length: 8 }, () => {
    state = (state * 1103515245 + 12345) % 0x80000000;
    return String.fromCharCode(97 + Math.floor(state / 65536) % 26);
  }).join("");
}

/** Half of a long file: lines of code that differ. */
function bulkText(nonce: string): string {
  let text = "";
  for (let line = 1; text.length < battery.bulk_characters; line++) {
    text += `export function ${nonce}_${line}(value: number): number { return value + ${line}; }\n`;
  }
  return text;
}

/** As long as an agent's own prompt. */
function longPrompt(): string {
  let text = battery.system;
  for (let count = 1; text.length < battery.guidelines_characters; count++) {
    text += `\n${count}. ${battery.guidelines[count % battery.guidelines.length]}`;
  }
  return text;
}

/** Questions from requests of one's own agent: there is no right answer, but a call has to fit its tool. */
export function capturedQuestions(
  requests: readonly ChatRequest[],
  { model, mode, temperature }: AskingOptions,
): Question[] {
  return Array.from({ length: REPEATS[mode] }, (_, repeat) =>
    requests.map((request, at): Question => ({
      task: `capture_${at + 1}`,
      repeat,
      expect: { calls: "any" },
      request: {
        ...request,
        model,
        ...temperature === undefined ? {} : { temperature },
        seed: repeat,
      },
    }))).flat();
}

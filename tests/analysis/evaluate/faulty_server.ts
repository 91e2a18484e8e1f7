/**
 * A model server in this process: its model knows the right answer to every task, and faults change what it sends.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type Question, questionsOf } from "../../../src/analysis/evaluate/battery.ts";
import { isRecord } from "../../../src/engine/object/record.ts";
import { type Draft, type Fault, printed, type Scene } from "./faults.ts";

/** The name of the scripted model; no rule is made for it. */
export const MODEL = "scripted";

interface Message {
  readonly role: string;
  readonly content: unknown;
}

interface ScriptedRequest {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
  readonly stream?: boolean;
  readonly seed?: number;
}

/** A server, and what its faults did. */
export interface FaultyServer {
  readonly send: (request: Request) => Promise<Response>;
  /** For each question: which faults changed its answer, whether it had tools, and whether the parser was off. */
  readonly acted: readonly {
    readonly isRaw: boolean;
    readonly hasTools: boolean;
    readonly faults: readonly string[];
  }[];
}

/** Makes a server with faults. `salt` changes the chances. */
export function createFaultyServer(faults: Readonly<Record<string, Fault>>, salt = 1): FaultyServer {
  const acted: { isRaw: boolean; hasTools: boolean; faults: string[] }[] = [];
  const attempts = new Map<string, number>();
  const ordered = Object.entries(faults).sort(([, a], [, b]) => a.stage - b.stage);
  return {
    acted,
    async send(request) {
      const body = await request.text();
      const asked = JSON.parse(body) as ScriptedRequest;
      const attempt = attempts.get(body) ?? 0;
      attempts.set(body, attempt + 1);
      const question = questionFor(asked);
      const hasTools = (asked.tools ?? []).length > 0;
      const isRaw = hasTools && asked.tool_choice === "none" && question?.request.tool_choice !== "none";
      const scene: Scene = {
        question,
        isStreamed: asked.stream === true,
        hasTools,
        isRaw,
        choice: question?.request.tool_choice,
        isLong: body.length > 40_000,
        toolCount: asked.tools?.length ?? 0,
        attempt,
        chance: chanceOf(body, salt),
      };
      let draft = perfect(asked, question);
      const names: string[] = [];
      for (const [name, fault] of ordered) {
        const isOver = draft.error !== undefined;
        const next = isOver ? draft : fault.apply(draft, scene);
        // Tools that are hidden from a model that needs none change nothing.
        const isSame = next === draft ||
          next.calls.length === draft.calls.length && next.hidesTools !== draft.hidesTools;
        if (!isSame) names.push(name);
        draft = next;
      }
      if (question !== undefined) acted.push({ isRaw, hasTools, faults: names });
      // Without a parser, or without tools, a call is text.
      if ((!hasTools || isRaw) && draft.error === undefined && draft.calls.length > 0) {
        draft = { ...draft, text: draft.text + printed(draft), calls: [] };
      }
      return respond(draft, asked);
    },
  };
}

function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => isRecord(part) ? part.text : "").join("") : "";
}

const QUESTIONS = [
  ...questionsOf({ model: MODEL, mode: "thorough" }),
  ...questionsOf({ model: MODEL, mode: "quick" }),
];

function questionFor(asked: ScriptedRequest): Question | undefined {
  const all = asked.messages.map(textOf).join("\n");
  const found = QUESTIONS.filter(({ repeat, request }) =>
    repeat === asked.seed &&
    all.includes(textOf(request.messages!.findLast(({ role }) => role === "user") as Message))
  );
  const isLong = all.length > 40_000;
  return found.find(({ task }) => task.startsWith("long_") === isLong) ?? found[0];
}

/** The right answer. */
function perfect({ messages }: ScriptedRequest, question: Question | undefined): Draft {
  if (question === undefined) return { text: "Hello!", calls: [] };
  const { expect, files = {}, request: { tool_choice: choice } } = question;
  if (expect.files !== undefined) return chainStep(messages, { files, wanted: expect.files });
  if (Array.isArray(expect.calls)) return { text: "", calls: expect.calls };
  if (expect.calls === "some") {
    const tool = expect.tool ?? "read_file";
    const given = tool === "search" ? { text: "word" } : { path: "README.md" };
    return { text: "", calls: [{ tool, arguments: given }] };
  }
  return {
    text: choice === "none" ? "I can't read files now." : `It is this: ${expect.text ?? "nothing"}.`,
    calls: [],
  };
}

function chainStep(
  messages: readonly Message[],
  { files, wanted }: { files: Readonly<Record<string, string>>; wanted: Readonly<Record<string, string>> },
): Draft {
  const path = Object.keys(wanted).find((one) => wanted[one] !== files[one]) ?? "";
  const results =
    messages.filter((message) =>
      message.role === "tool" || message.role === "user" && textOf(message).includes("<tool_response>")
    ).length;
  const limit = (text = "") => /limit = \d+/.exec(text)?.[0] ?? "";
  const steps = [
    { tool: "list_files", arguments: { folder: path.split("/")[0] } },
    { tool: "read_file", arguments: { path } },
    { tool: "edit_file", arguments: { path, old_text: limit(files[path]), new_text: limit(wanted[path]) } },
  ];
  const step = steps[results];
  return step === undefined ? { text: "The limit is changed.", calls: [] } : { text: "", calls: [step] };
}

/** From 0 to 1, the same for the same text. */
function chanceOf(text: string, salt: number): number {
  return createHash("sha256").update(`${salt} ${text}`).digest().readUInt32BE() / 2 ** 32;
}

function respond(draft: Draft, { messages, tools = [], stream = false }: ScriptedRequest): Response {
  const { error, fate } = draft;
  if (fate === "busy") {
    return Response.json({ error: { message: "busy" } }, { status: 429, headers: { "retry-after": "0" } });
  }
  if (error !== undefined) {
    return Response.json({ error: { message: error.message } }, { status: error.status });
  }
  const length = JSON.stringify(messages).length +
    (draft.hidesTools === true ? 0 : JSON.stringify(tools).length);
  const tokens = Math.min(draft.context ?? Infinity, Math.ceil(length / 4));
  const usage = draft.hidesUsage === true ? {} : {
    usage: {
      prompt_tokens: tokens,
      completion_tokens: 9,
      total_tokens: tokens + 9,
    },
  };
  const finish = draft.finish ?? (draft.calls.length > 0 ? "tool_calls" : "stop");
  const calls = draft.calls.map(({ tool, arguments: given }, at) => {
    const json = JSON.stringify(given);
    return {
      index: draft.isIndexSame ? 0 : at,
      id: draft.areIdsEmpty ? "" : `call${messages.length % 10}${at}abc`,
      type: "function",
      function: { name: tool, arguments: draft.isEncodedTwice ? JSON.stringify(json) : json },
    };
  });
  if (!stream) {
    const plain = calls.map(({ index: _, ...call }) => call);
    const message = {
      role: "assistant",
      content: draft.text === "" ? null : draft.text,
      ...draft.reasoning === undefined ? {} : { reasoning_content: draft.reasoning },
      ...plain.length === 0 ? {} : { tool_calls: plain },
    };
    if (fate === "broken") return broken("application/json", '{"id": "x", ');
    return Response.json({
      id: "x",
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: finish }],
      ...usage,
    });
  }
  if (fate === "swallowed") {
    return events([{ model: "", system_fingerprint: "fp", choices: [] }], { isDone: false });
  }
  if (fate === "error_event") {
    return events([{ error: { message: "something went wrong" } }], { isDone: true });
  }
  const deltas: unknown[] = [
    { role: "assistant", content: "" },
    ...draft.reasoning === undefined
      ? []
      : pieces(draft.reasoning).map((reasoning_content) => ({ reasoning_content })),
    ...pieces(draft.text).map((content) => ({ content })),
    ...calls.flatMap(({ function: { name, arguments: json }, ...call }) => [
      { tool_calls: [{ ...call, function: { name, arguments: "" } }] },
      ...withoutPiece(pieces(json), draft).map((piece) => ({
        tool_calls: [{ index: call.index, function: { arguments: piece } }],
      })),
    ]),
  ];
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
  if (fate === "cut") return events(chunks.length > 2 ? chunks.slice(0, -1) : chunks, { isDone: false });
  if (fate === "broken") return broken("text/event-stream", `data: ${JSON.stringify(chunks[0])}\n\n`);
  const last = { choices: [{ index: 0, delta: {}, finish_reason: finish }] };
  return events([...chunks, last, { choices: [], ...usage }], { isDone: true });
}

function withoutPiece(all: readonly string[], { lacks }: Draft): readonly string[] {
  const shown = all.map((piece, at) => lacks === "end" && at === all.length - 1 ? piece.slice(0, -1) : piece);
  return lacks === "start" ? shown.slice(1) : shown;
}

function pieces(text: string): string[] {
  const size = Math.max(7, Math.ceil(text.length / 20));
  return Array.from(
    { length: Math.ceil(text.length / size) },
    (_, at) => text.slice(at * size, (at + 1) * size),
  );
}

function events(messages: readonly object[], { isDone }: { isDone: boolean }): Response {
  const identity = { id: "x", object: "chat.completion.chunk", model: MODEL };
  const text = messages.map((message) => `data: ${JSON.stringify({ ...identity, ...message })}\n\n`).join("");
  return new Response(text + (isDone ? "data: [DONE]\n\n" : ""), {
    headers: { "content-type": "text/event-stream" },
  });
}

function broken(type: string, start: string): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(start));
      controller.error(new TypeError("connection reset"));
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}

/**
 * A middleware for models of the AI SDK, versions 3 and 4 of its provider interface: `dragoman-engine/ai-sdk`. It has no type
 * of the SDK, so it needs none of its packages.
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { createReader } from "../reader.ts";
import type { ConnectionOptions, Reader, ReaderOptions, Tool } from "../types.ts";
import { Blocks, type Part } from "./ai_sdk_blocks.ts";
import { quotableTexts } from "./ai_sdk_parts.ts";
import { type Connection, connectionOf, newCallId } from "./options.ts";

/** A middleware for `wrapLanguageModel`. */
export interface DragomanMiddleware {
  /** The version of the interface. Version 4 takes it, too. */
  readonly specificationVersion: "v3";
  /** Tells the model about its tools in the prompt, with `prompt`. */
  transformParams<Params extends object>(
    options: { readonly params: Params; readonly model?: { readonly modelId: string } },
  ): Promise<Params>;
  /** Reads a whole answer. */
  wrapGenerate<Result>(options: GenerateCall<Result>): Promise<Result>;
  /** Reads an answer while it arrives. */
  wrapStream<Result>(options: StreamCall<Result>): Promise<Result>;
}

/** What the SDK gives `wrapGenerate`. */
export interface GenerateCall<Result> {
  /** Asks the model. */
  doGenerate(): PromiseLike<Result>;
  /** The request. */
  readonly params: object;
}

/** What the SDK gives `wrapStream`. */
export interface StreamCall<Result> {
  /** Asks the model. */
  doStream(): PromiseLike<Result>;
  /** The request. */
  readonly params: object;
}

/**
 * Makes calls of the text of a model's answers.
 *
 * @throws TypeError if the rules aren't rules
 */
export function dragomanMiddleware(options: ConnectionOptions = {}): DragomanMiddleware {
  const connection = connectionOf(options);
  /** Request that the model gets → the request with its tools. */
  const asked = new WeakMap<object, object>();
  const readerFor = (params: object, more: { readonly wholeCalls: boolean }) =>
    createAnswerReader(asked.get(params) ?? params, { connection, ...more });
  return {
    specificationVersion: "v3",
    async transformParams({ params, model }) {
      const { prompt } = connection;
      if (prompt === undefined || prompt === false) return params;
      const { promptedParams } = await import("./ai_sdk_prompt.ts");
      const changed = await promptedParams(params, { connection, model: model?.modelId ?? "" });
      asked.set(changed, params);
      return changed;
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const create = readerFor(params, { wholeCalls: true });
      return create === undefined || !isRecord(result) ? result : { ...result, ...readWhole(result, create) };
    },
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const create = readerFor(params, { wholeCalls: false });
      const stream = isRecord(result) ? result["stream"] : undefined;
      if (create === undefined || !(stream instanceof ReadableStream)) return result;
      return { ...result, stream: stream.pipeThrough(readParts(create)) };
    },
  };
}

/** A function that creates the reader of an answer; undefined if the request offers no tool. */
function createAnswerReader(
  params: object,
  { connection, wholeCalls }: { readonly connection: Connection; readonly wholeCalls: boolean },
): ((again: boolean) => Reader) | undefined {
  const request = params as Readonly<Record<string, unknown>>;
  const tools = offeredTools(request);
  if (tools.length === 0) return undefined;
  const { beginsInReasoning } = connection;
  const options: ReaderOptions = {
    ...connection,
    tools,
    wholeCalls,
    quotable: quotableTexts(request["prompt"]),
  };
  return (again) => createReader({ ...options, beginsInReasoning: beginsInReasoning && !again });
}

/** The tools that the answer can call. */
function offeredTools({ tools, toolChoice }: Readonly<Record<string, unknown>>): Tool[] {
  const choice = isRecord(toolChoice) ? toolChoice : {};
  if (choice["type"] === "none") return [];
  const chosen = choice["type"] === "tool" ? choice["toolName"] : undefined;
  return (Array.isArray(tools) ? tools : []).filter(isRecord).flatMap((tool): Tool[] => {
    const { type, name, inputSchema } = tool;
    if (type !== "function" || typeof name !== "string" || (chosen !== undefined && name !== chosen)) {
      return [];
    }
    return [{ name, parameters: isRecord(inputSchema) ? inputSchema : undefined }];
  });
}

/** The content and the finish reason of a whole answer. */
function readWhole(
  result: Readonly<Record<string, unknown>>,
  create: (again: boolean) => Reader,
): { readonly content: readonly Part[]; readonly finishReason: unknown } {
  const given: readonly Part[] = Array.isArray(result["content"]) ? result["content"] : [];
  const content: Part[] = [];
  const blocks = new Blocks({ create, push: () => {} });
  const lastText = given.findLastIndex(({ type }) => type === "text");
  for (const [index, part] of given.entries()) {
    if (part.type === "reasoning") blocks.reasoning(String(part["text"]));
    if (part.type === "tool-call") blocks.ownCall();
    if (part.type !== "text") {
      content.push(part);
      continue;
    }
    const events = blocks.read(String(part["text"]), {
      isLast: index === lastText,
      finish: result["finishReason"],
    });
    content.push(...wholeParts(part, events));
  }
  if (lastText < 0) {
    content.push(
      ...wholeParts(
        { type: "text", text: "" },
        blocks.read("", { isLast: true, finish: result["finishReason"] }),
      ),
    );
  }
  return { content, finishReason: blocks.finishReason(result["finishReason"]) };
}

/** A text part as text and calls; the same part if it has no call. */
function wholeParts(part: Part, events: ReturnType<Reader["end"]>): Part[] {
  const parts: Part[] = [];
  const calls = new Map<number, { readonly tool: string; json: string }>();
  for (const event of events) {
    const last = parts.at(-1);
    if (event.kind === "text") {
      if (last?.type === "text") {
        parts[parts.length - 1] = { ...last, text: String(last["text"]) + event.text };
      } else parts.push({ type: "text", text: event.text });
    } else if (event.kind === "call_start") calls.set(event.call, { tool: event.tool, json: "" });
    else if (event.kind === "arguments") calls.get(event.call)!.json += event.json;
    else if (event.kind === "call_end") {
      const { tool, json } = calls.get(event.call)!;
      parts.push({ type: "tool-call", toolCallId: newCallId(), toolName: tool, input: json });
    } else if (event.kind === "reasoning") parts.push({ type: "reasoning", text: event.text });
  }
  const isUnchanged = parts.length === 1 && parts[0]!.type === "text" && parts[0]!["text"] === part["text"];
  return isUnchanged ? [part] : parts;
}

/** Reads the parts of a streamed answer. */
function readParts(create: (again: boolean) => Reader): TransformStream<Part, Part> {
  let blocks: Blocks;
  return new TransformStream<Part, Part>({
    start(out) {
      blocks = new Blocks({ create, push: (part) => out.enqueue(part) });
    },
    transform: (part) => blocks.take(part),
    flush: () => blocks.end(),
  });
}

/**
 * A middleware for models of the AI SDK, versions 3 and 4 of its provider interface: `dragoman-engine/ai-sdk`. It has no type
 * of the SDK, so it needs none of its packages. What reads an answer is loaded while the model works on the first one.
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { createReader } from "../reader.ts";
import type { ConnectionOptions, Reader, ReaderOptions, Tool } from "../types.ts";
import { quotableTexts } from "./ai_sdk_parts.ts";
import { type Connection, connectionOf } from "./options.ts";

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
      const create = readerFor(params, { wholeCalls: true });
      if (create === undefined) return await doGenerate();
      const [result, { readWhole }] = await Promise.all([doGenerate(), import("./ai_sdk_answers.ts")]);
      return isRecord(result) ? { ...result, ...readWhole(result, create) } : result;
    },
    async wrapStream({ doStream, params }) {
      const create = readerFor(params, { wholeCalls: false });
      if (create === undefined) return await doStream();
      const [result, { readParts }] = await Promise.all([doStream(), import("./ai_sdk_answers.ts")]);
      const stream = isRecord(result) ? result["stream"] : undefined;
      if (!(stream instanceof ReadableStream)) return result;
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

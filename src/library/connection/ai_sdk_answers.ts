/** The answers of the AI SDK's models, whole or streamed, with calls in the place of their text. @module */
import { isRecord } from "../../engine/object/record.ts";
import { openReader } from "../reader.ts";
import type { Reader, ReaderOptions, Tool } from "../types.ts";
import { Blocks, type Part } from "./ai_sdk_blocks.ts";
import { quotableTexts } from "./ai_sdk_parts.ts";
import { newCallId } from "./ids.ts";
import type { Connection } from "./options.ts";

/** A whole answer with its calls; the same if the request offers no tool. */
export function readWhole<Result>(result: Result, asked: AskedModel): Result {
  const create = readerOf(asked, { isWhole: true });
  return create !== undefined && isRecord(result) ? { ...result, ...contentOf(result, create) } : result;
}

/** A streamed answer with its calls; the same if the request offers no tool. */
export function readStream<Result>(result: Result, asked: AskedModel): Result {
  const create = readerOf(asked, { isWhole: false });
  const stream = isRecord(result) ? result["stream"] : undefined;
  if (create === undefined || !(stream instanceof ReadableStream)) return result;
  return { ...result, stream: stream.pipeThrough(readParts(create)) };
}

/** The content and the finish reason of a whole answer. */
function contentOf(
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
    } else if (event.kind === "reasoning") {
      const before = last?.type === "reasoning" ? String(parts.pop()!["text"]) : "";
      parts.push({ type: "reasoning", text: before + event.text });
    }
  }
  const isUnchanged = parts.length === 1 && parts[0]!.type === "text" && parts[0]!["text"] === part["text"];
  return isUnchanged ? [part] : parts;
}

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

/** What a model was asked, and how its answer is read. */
interface AskedModel {
  /** The request, with its tools. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly connection: Connection;
}

/** A function that creates the reader of an answer; undefined if the request offers no tool. */
function readerOf(
  { request, connection }: AskedModel,
  { isWhole }: { readonly isWhole: boolean },
): ((again: boolean) => Reader) | undefined {
  const tools = offeredTools(request);
  if (tools.length === 0) return undefined;
  const { beginsInReasoning } = connection;
  const options: ReaderOptions = {
    ...connection,
    tools,
    wholeCalls: isWhole,
    quotable: quotableTexts(request["prompt"]),
  };
  return (again) => openReader({ ...options, beginsInReasoning: beginsInReasoning && !again }, { isWhole });
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

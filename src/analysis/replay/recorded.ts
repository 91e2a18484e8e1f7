/** Sends a recorded answer on the path of a live one, and reads back what the client would get. @module */
import type { ToolCallDelta } from "../../chat/message/chunk.ts";
import { contentText, readChunk, readCompletion, reasoningText } from "../../chat/message/read.ts";
import type { ContentEvent } from "../../engine/event/event.ts";
import type { Translator } from "../../proxy/exchange/service.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import type { Verdict } from "../../proxy/plugin/mod.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { translateWhole } from "../../chat/pipeline/whole.ts";
import { SseDecoder } from "../../chat/sse/decode.ts";
import { DONE, encodeMessage } from "../../chat/sse/encode.ts";

interface ReceivedCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as JSON text; unfinished if the answer broke off in them. */
  readonly arguments: string;
}

export interface ReceivedAnswer {
  readonly content: string | null;
  /** Empty if the answer has none. */
  readonly reasoning: string;
  readonly calls: readonly ReceivedCall[];
  readonly finishReason: string | null;
}

interface Recipient {
  /** The finish reason that the upstream sends. Default: `stop`. */
  readonly finishReason?: string;
  /** The client; undefined if it is unknown, which leaves the answer unchanged. */
  readonly translator: Translator | undefined;
  readonly observe?: (event: ContentEvent) => void;
  /** Whether it is read as an answer that arrives whole, not as a stream. */
  readonly isWhole?: boolean;
  /** A plugin stopped the answer: the client gets an error, or the model is asked again. */
  readonly stopped?: (verdict: Verdict) => void;
}

export function receiveWhole(text: string, recipient: Recipient): ReceivedAnswer {
  const options = answerOptions(recipient);
  const choice = {
    index: 0,
    message: { role: "assistant", content: text },
    finish_reason: finishReasonOf(recipient),
  };
  const body = JSON.stringify({ ...IDENTITY, object: "chat.completion", choices: [choice] });
  const translated = options && translateWhole(body, options);
  options?.end();
  const { message, finish_reason: reason } = readCompletion(translated ?? body)?.choices[0] ?? {};
  const calls = (message?.tool_calls ?? []).map(({ id = "", function: called }) => ({
    id,
    name: called?.name ?? "",
    arguments: called?.arguments ?? "",
  }));
  return {
    content: contentText(message?.content) || null,
    reasoning: reasoningText(message) ?? "",
    calls,
    finishReason: reason ?? null,
  };
}

/** Sends the answer as a stream, one chunk per piece, and returns the stream that the client gets. */
export function receiveStream(pieces: readonly string[], recipient: Recipient): string {
  const chunks = [
    chunk({ delta: { role: "assistant", content: "" } }),
    ...pieces.map((content) => chunk({ delta: { content } })),
    chunk({ delta: {}, finish_reason: finishReasonOf(recipient) }),
    DONE,
  ];
  const options = answerOptions(recipient);
  if (options === undefined) return chunks.join("");
  const pipeline = new StreamedAnswer(options);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let received = "";
  for (const text of chunks) {
    // After its call the client takes no more; a live upstream would be canceled here.
    if (pipeline.isOver) break;
    received += decoder.decode(pipeline.push(encoder.encode(text)));
  }
  received += decoder.decode(pipeline.end());
  options.end();
  return received;
}

export function readStream(stream: string): ReceivedAnswer {
  let [content, reasoning] = ["", ""];
  let finishReason: string | null = null;
  const calls: ReceivedCall[] = [];
  for (const { data } of new SseDecoder().push(new TextEncoder().encode(stream))) {
    const choice = data === undefined ? undefined : readChunk(data)?.choices[0];
    content += contentText(choice?.delta?.content) ?? "";
    reasoning += reasoningText(choice?.delta) ?? "";
    for (const delta of choice?.delta?.tool_calls ?? []) addFragment(calls, delta);
    finishReason = choice?.finish_reason ?? finishReason;
  }
  return { content: content || null, reasoning, calls, finishReason };
}

/** What a client got, as a message of OpenAI's shape with its finish reason. */
export function messageOf({ content, reasoning, calls, finishReason }: ReceivedAnswer): unknown {
  const toolCalls = calls.map(({ id, ...called }) => ({ id, type: "function", function: called }));
  return {
    content,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    finish_reason: finishReason,
  };
}

function finishReasonOf({ finishReason = "stop" }: Recipient): string {
  return finishReason;
}

const IDENTITY = { id: "chatcmpl-recorded", created: 0, model: "recorded" };

function chunk({ delta, finish_reason = null }: { delta: unknown; finish_reason?: string | null }): string {
  const choice = { index: 0, delta, finish_reason };
  return encodeMessage(JSON.stringify({ ...IDENTITY, object: "chat.completion.chunk", choices: [choice] }));
}

function addFragment(calls: ReceivedCall[], { index = 0, id, function: called }: ToolCallDelta): void {
  const before = calls[index] ?? { id: "", name: "", arguments: "" };
  calls[index] = {
    id: before.id || (id ?? ""),
    name: before.name || (called?.name ?? ""),
    arguments: before.arguments + (called?.arguments ?? ""),
  };
}

/** How an answer is read, and what to do when it is over. */
type RecordedOptions = AnswerOptions & { end(): void };

function answerOptions(
  { translator, observe, stopped, isWhole = false }: Recipient,
): RecordedOptions | undefined {
  let count = 0;
  const newId = () => `call_${++count}`;
  const plugins = translator?.createPlugins?.(newId);
  return translator && {
    createPlugins: plugins && (() => plugins.createStage()),
    isStopped: plugins && (() => plugins.verdict !== undefined),
    end() {
      if (plugins?.verdict !== undefined) stopped?.(plugins.verdict);
    },
    createMatcher: (transcript) =>
      translator.createMatcher({ isForClient: true, isStreamed: !isWhole }, transcript),
    createRenderer: () => translator.createRenderer(newId),
    native: translator.native,
    listener: observe && { event: observe },
  };
}

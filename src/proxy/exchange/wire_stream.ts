/**
 * A wire's streamed answer: the messages of the chat become events, and the wire writes them. While the client waits for
 * the model, or for the upstream to answer at all, it gets bytes that keep the connection alive.
 *
 *     upstream   ..................status 200  "I'll"   <tool_call>…………………………</tool_call>
 *     client     begin  ping  ping             "I'll"            ping      ping      the call
 *
 * @module
 */
import { ChatEvents, failureEvent } from "../../wires/chat_events.ts";
import type { WireEvent } from "../../wires/event.ts";
import type { AnswerIdentity, WireChat, WireFailure } from "../../wires/wire.ts";
import { jsonAsEvents } from "./json_as_events.ts";
import { openSource, type Source } from "../transport/source.ts";
import { tooLargeAnswer } from "../upstream/upstream.ts";

/** The stream of a chat, or why there is none. */
export type ChatStream = ReadableStream<Uint8Array> | WireFailure;

/** What writes an answer. */
export interface WireStreamOptions {
  readonly chat: WireChat;
  readonly identity: AnswerIdentity;
  /** The longest answer that is read whole. */
  readonly bytesMax: number;
  /** How long a client waits for a byte before it gets one that keeps the connection alive, in milliseconds. */
  readonly keepAliveMs: number;
  /** Saves what a later request may refer to, before the client has all or after it has left. */
  readonly save?: (() => Promise<void> | undefined) | undefined;
}

/**
 * The client's stream: each pull reads until there is something to send.
 *
 * @param chatStream the chat's stream, as soon as the upstream answers
 */
export function streamWire(
  chatStream: ChatStream | Promise<ChatStream>,
  { chat, identity, bytesMax, keepAliveMs, save }: WireStreamOptions,
): ReadableStream<Uint8Array> {
  /** Undefined if the proxy itself failed. */
  const opening = Promise.resolve(chatStream).catch(() => undefined);
  const events = new ChatEvents();
  const writer = chat.createWriter(identity);
  const encoder = new TextEncoder();
  let source: Source | undefined;
  let text = writer.begin();
  let isOver = false;
  let hasLeft = false;
  /** Whether the client waits for the model: one that reads slowly needs nothing else to read. */
  let isWaiting = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  const write = (given: readonly WireEvent[]) => {
    for (const event of given) {
      text += writer.push(event);
      isOver ||= event.kind === "finish" || event.kind === "error" || writer.mustBreak;
    }
  };
  const open = async (): Promise<Source | undefined> => {
    const opened = await opening;
    if (opened instanceof ReadableStream) {
      if (hasLeft) return undefined;
      // An upstream may answer a stream's request with a whole answer.
      return jsonAsEvents(openSource(opened), { bytesMax, tooLarge: tooLargeAnswer(undefined, bytesMax) });
    }
    write(opened === undefined ? events.end({ isBroken: true }) : [failureEvent(opened)]);
    return undefined;
  };
  const read = async () => {
    source ??= await open();
    if (source === undefined) return void (isOver = true);
    const bytes = await source.read().catch(() => null);
    write(bytes ? events.push(bytes) : events.end({ isBroken: bytes === null }));
    isOver ||= !bytes;
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        if (isWaiting) controller.enqueue(encoder.encode(writer.keepAlive));
      }, keepAliveMs);
    },
    async pull(controller) {
      isWaiting = true;
      while (text === "" && !isOver && !hasLeft) await read();
      isWaiting = false;
      if (isOver) await save?.();
      if (hasLeft) return;
      if (text !== "") {
        controller.enqueue(encoder.encode(text));
        text = "";
        return;
      }
      clearInterval(timer);
      if (writer.mustBreak) {
        await source?.cancel().catch(() => {});
        return controller.error(new Error("The answer broke off"));
      }
      controller.close();
      await readToEnd(source);
    },
    async cancel() {
      hasLeft = true;
      isWaiting = false;
      clearInterval(timer);
      void save?.();
      if (source === undefined) void dropStream(opening);
      else await source.cancel();
    },
  }, { highWaterMark: 0 });
}

/** Reads what follows the last event, so that the chat's stream ends and isn't left. */
async function readToEnd(source: Source | undefined): Promise<void> {
  try {
    while (await source?.read());
  } catch {
    // The client has its whole answer.
  }
}

/** Cancels a stream that no one reads, once it is there. */
async function dropStream(opening: Promise<ChatStream | undefined>): Promise<void> {
  const opened = await opening;
  if (opened instanceof ReadableStream) await opened.cancel().catch(() => {});
}

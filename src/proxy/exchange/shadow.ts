/** Reads an answer that passes byte for byte, in a dry run or outside the canary, for the watches alone. @module */
import { type BodyReader, decoded, openReading } from "./body_reader.ts";
import type { BodyKind } from "../transport/body_kind.ts";
import { isEvents, returnedHeaders } from "../transport/headers.ts";
import { limitBody } from "../transport/limited.ts";
import { endWith, readLimits, type Watched } from "./pass_on.ts";
import { passStream } from "../transport/pass_stream.ts";
import { brokenUpstream, type UpstreamAnswer } from "../upstream/upstream.ts";
import { answerOptions, type AskedChat, turnsOf } from "./asked_chat.ts";

/** The same bytes, read along. */
function passAndRead(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { reading, ended }: { readonly reading: BodyReader; readonly ended: (error?: string) => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  // Steps run one after the other, until one fails.
  let last = Promise.resolve<unknown>(undefined);
  let isReading = true;
  const readAlong = (step: () => void | Promise<void>): Promise<unknown> => {
    const next = () => isReading ? step() : undefined;
    return last = last.then(next).catch(() => isReading = false);
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value } = await reader.read();
        if (value === undefined) {
          controller.close();
          await readAlong(() => reading.end());
          return ended();
        }
        // The stream takes ownership of the buffer.
        const bytes = value.slice();
        controller.enqueue(value);
        await readAlong(() => reading.push(bytes));
      } catch (cause) {
        controller.error(cause);
        await readAlong(() => reading.end());
        ended("upstream_broke_off");
      }
    },
    async cancel(reason) {
      await readAlong(() => reading.end());
      ended("client_left");
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

interface PromisedChat extends AskedChat {
  readonly promised: BodyKind | "unsure";
  readonly codings: readonly string[];
}

/** The client gets the upstream's own bytes; their translation is only observed. */
export function readAlong({ response, deadline }: UpstreamAnswer, asked: PromisedChat): Response {
  const { exchange, codings, upstream } = asked;
  const { status, statusText, body } = response;
  const areEvents = isEvents(response.headers);
  const plain = readingOf(response, asked);
  const stream = body && passAndRead(limitBody(body, deadline), {
    reading: codings.length === 0 ? plain : decoded(plain, codings),
    ended: (error) => {
      const end = endWith(error && (deadline.error?.code ?? error), plain.upstreamError);
      exchange.end({ status, ...end, usage: () => plain.usage });
    },
  });
  const passed = stream && passStream(stream, {
    deadline,
    limits: readLimits(asked),
    broken: brokenUpstream(upstream),
    areEvents: areEvents && codings.length === 0,
  });
  const headers = returnedHeaders(response.headers, { isRewritten: false });
  return new Response(passed, { status, statusText, headers });
}

/** The same for another wire: the answer is converted, and no calls are read. The request ends when both are done. */
export function watchAlong(
  { response, deadline }: UpstreamAnswer,
  asked: PromisedChat,
): [UpstreamAnswer, AskedChat] {
  const { exchange, codings } = asked;
  const { status, statusText, headers, body } = response;
  const plain = readingOf(response, asked);
  const read = Promise.withResolvers<void>();
  const outcome = Promise.withResolvers<Parameters<Watched["end"]>[0]>();
  void Promise.all([outcome.promise, read.promise]).then(([given]) => exchange.end(given));
  const watched = body && passAndRead(limitBody(body, deadline), {
    reading: codings.length === 0 ? plain : decoded(plain, codings),
    ended: () => read.resolve(),
  });
  const silent: Watched = {
    facts: exchange.facts,
    listener: () => undefined,
    begin() {},
    worked() {},
    end: (given) => outcome.resolve(given),
  };
  return [
    { response: new Response(watched, { status, statusText, headers }), deadline },
    { ...asked, exchange: silent, translator: undefined, plugins: undefined },
  ];
}

function readingOf({ headers }: Response, asked: PromisedChat): BodyReader {
  const { exchange, promised, service } = asked;
  const turns = turnsOf(exchange);
  return openReading({
    kind: promised !== "unsure" ? promised : isEvents(headers) ? "stream" : "json",
    answer: answerOptions(asked, { turns }),
    turns,
    bytesMax: service.config.limits.answer_bytes_max,
  });
}

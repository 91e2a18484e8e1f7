/**
 * The two other processes of the proxy bench: `upstream PORT` streams chat chunks, each with the moment when it was
 * written; `passthrough PORT URL` hands the upstream's body on untouched, which is the least that a proxy in Deno costs.
 *
 * @module
 */

/** The time that all processes of a machine share, in milliseconds. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}

/** How one stream is written. */
interface Pace {
  readonly events: number;
  readonly intervalMs: number;
}

function chunks({ events, intervalMs }: Pace): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let count = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        if (count++ >= events) {
          clearInterval(timer);
          controller.enqueue(encoder.encode("data: [DONE]\n\n"));
          controller.close();
          return;
        }
        const delta = { content: count % 10 === 0 ? " if (a < b)\n" : " word" };
        const chunk = {
          id: "chatcmpl-1",
          object: "chat.completion.chunk",
          created: 1,
          model: "bench",
          written: sharedNow(),
          choices: [{ index: 0, delta, finish_reason: null }],
        };
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`));
      }, intervalMs);
    },
    cancel() {
      clearInterval(timer);
    },
  });
}

if (import.meta.main) {
  const [role, port, url] = Deno.args;
  const options = { hostname: "127.0.0.1", port: Number(port), onListen: () => console.log("ready") };
  if (role === "upstream") {
    Deno.serve(options, async (request) => {
      const pace = (await request.json()).pace as Pace;
      return new Response(chunks(pace), { headers: { "content-type": "text/event-stream" } });
    });
  } else {
    Deno.serve(options, async (request) => {
      const response = await fetch(new URL(new URL(request.url).pathname, url), {
        method: request.method,
        headers: { "content-type": "application/json" },
        body: request.body,
        signal: request.signal,
      });
      return new Response(response.body, { status: response.status, headers: response.headers });
    });
  }
}

/** Pages asked in a worker and answered in the main thread; bodies travel piece by piece. @module */
import { readWhole } from "../../proxy/transport/body.ts";

type AnswerPage = (request: Request, remote: string | undefined) => Promise<Response>;

/** A request for a page, as it travels. */
interface AskedPage {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly remote: string | undefined;
}

interface PageHead {
  /** Under which its body is read. */
  readonly id: number;
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

/** What the main thread does for a page; a call each. */
export interface PageCalls {
  openPage(asked: AskedPage): Promise<PageHead>;
  /** The next piece of a body; undefined at its end. */
  readPage(id: number): Promise<Uint8Array | undefined>;
  leavePage(id: number): void;
}

interface ServedPages extends PageCalls {
  /** The worker is gone: no one reads the bodies any more. */
  close(): void;
}

/** The longest body of a request for a page, in bytes: a rule of the playground. */
const BODY_MAX = 4 * 1024 * 1024;

/** Answers pages in the main thread. */
export function servePages(answer: AnswerPage): ServedPages {
  const bodies = new Map<number, ReadableStreamDefaultReader<Uint8Array>>();
  let last = 0;
  const leavePage = (id: number) => {
    bodies.get(id)?.cancel().catch(() => {});
    bodies.delete(id);
  };
  return {
    async openPage({ method, url, headers, body, remote }) {
      const request = new Request(url, {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
        body: body ?? null,
      });
      const response = await answer(request, remote);
      const id = ++last;
      if (response.body !== null) bodies.set(id, response.body.getReader());
      return { id, status: response.status, headers: [...response.headers] };
    },
    async readPage(id) {
      let value: Uint8Array | undefined;
      try {
        ({ value } = await bodies.get(id)?.read() ?? {});
      } finally {
        if (value === undefined) bodies.delete(id);
      }
      return value;
    },
    leavePage,
    close: () => [...bodies.keys()].forEach(leavePage),
  };
}

export function forwardPages(calls: PageCalls): AnswerPage {
  return async (request, remote) => {
    const { method, url } = request;
    const body = await readWhole(request.body, { bytesMax: BODY_MAX });
    if (body === undefined) return new Response(null, { status: 413 });
    const { id, status, headers } = await calls.openPage({
      method,
      url,
      headers: [...request.headers],
      body: request.body === null ? undefined : body,
      remote,
    });
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const piece = await calls.readPage(id);
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
      cancel: () => calls.leavePage(id),
    }, { highWaterMark: 0 });
    const isEmpty = [204, 205, 304].includes(status) || method === "HEAD";
    if (isEmpty) calls.leavePage(id);
    return new Response(isEmpty ? null : stream, {
      status,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    });
  };
}

/** What an SDK sends with `fetch`: which API it is, and the text of the body. @module */

export type FetchArguments = [input: string | URL | Request, init?: RequestInit | undefined];

/** A request that can be answered with calls. */
export interface Sent {
  /** The arguments, which send it unchanged. */
  readonly args: FetchArguments;
  /** The first argument if it is a whole request. */
  readonly request: Request | undefined;
  readonly url: URL;
  readonly route: "chat" | "wire";
  readonly headers: Headers;
  readonly body: string;
}

const CHAT = /\/chat\/completions\/?$/;

/** The paths of other APIs; what comes before them is the server's. */
const WIRE = /\/(?:responses\/?|messages|messages\/count_tokens)$/;

/** A request to an API that is known, with a text as its body; undefined for any other, of which nothing was read. */
export async function sentOf(...[input, init]: FetchArguments): Promise<Sent | undefined> {
  const request = isRequest(input) ? input : undefined;
  const method = init?.method ?? request?.method ?? "GET";
  const url = new URL(request?.url ?? String(input), "http://localhost");
  const isChat = CHAT.test(url.pathname);
  if (method.toUpperCase() !== "POST" || !(isChat || WIRE.test(url.pathname))) return undefined;
  const headers = new Headers(init?.headers ?? request?.headers);
  const body = init?.body == null ? await request?.clone().text() : textOf(init.body);
  return body === undefined
    ? undefined
    : { args: [input, init], request, url, route: isChat ? "chat" : "wire", headers, body };
}

function isRequest(input: unknown): input is Request {
  return typeof input === "object" && input !== null && "clone" in input && "url" in input;
}

/** The text of a body; undefined if reading it would take it from the one who sends it. */
function textOf(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  return undefined;
}

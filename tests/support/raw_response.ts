/**
 * Reads HTTP/1.1 responses from the bytes of a connection, as a client does that believes what their heads state.
 *
 * @module
 */

export interface RawResponse {
  readonly status: number;
  /** Name in lower case → its values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

/** The whole responses at the beginning of a text of Latin-1 bytes, and what follows them. */
export function readResponses(
  text: string,
  { methods }: { readonly methods: readonly string[] },
): { readonly responses: readonly RawResponse[]; readonly rest: string } {
  const responses: RawResponse[] = [];
  let rest = text;
  for (const method of methods) {
    const found = readResponse(rest, method);
    if (found === undefined) break;
    responses.push(found.response);
    ({ rest } = found);
  }
  return { responses, rest };
}

function readResponse(
  text: string,
  method: string,
): { readonly response: RawResponse; readonly rest: string } | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (Number.isNaN(status)) throw new Error(`Not the beginning of a response: ${JSON.stringify(text)}`);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...headers.get(name) ?? [], line.slice(colon + 1).trim()]);
  }
  const found = readBody(text.slice(end + 4), {
    length: headers.get("content-length"),
    coding: headers.get("transfer-encoding"),
    isEmpty: method === "HEAD" || status === 204 || status === 304,
  });
  return found && { response: { status, headers, body: found.body }, rest: found.rest };
}

interface Framing {
  readonly length: readonly string[] | undefined;
  readonly coding: readonly string[] | undefined;
  /** Whether there is no body, whatever the head states. */
  readonly isEmpty: boolean;
}

function readBody(
  text: string,
  { length, coding, isEmpty }: Framing,
): { readonly body: string; readonly rest: string } | undefined {
  if (isEmpty) return { body: "", rest: text };
  if (length !== undefined) {
    const count = Number(length[0]);
    return text.length < count ? undefined : { body: text.slice(0, count), rest: text.slice(count) };
  }
  if (coding === undefined) throw new Error("The head has neither a length nor a transfer coding");
  let body = "";
  for (let rest = text;;) {
    const size = /^([0-9a-f]+)\r\n/i.exec(rest);
    if (size === null) return undefined;
    const start = size[0].length;
    const count = parseInt(size[1] ?? "", 16);
    if (rest.length < start + count + 2) return undefined;
    body += rest.slice(start, start + count);
    rest = rest.slice(start + count + 2);
    if (count === 0) return { body, rest };
  }
}

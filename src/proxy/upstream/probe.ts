/** Asks a model server for its list of models, which is free, to learn whether it answers. @module */
import type { UpstreamConfig } from "../config/schema.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { stopAfter } from "../transport/wait.ts";
import { readWhole } from "../transport/body.ts";
import type { ServerAnswer } from "./recognize_server.ts";

export type ProbeResult =
  /** The server answers; `models` is how many it lists, undefined if it lists none. */
  | { readonly kind: "answers"; readonly models: number | undefined }
  /** The server refuses the key of the configuration. */
  | { readonly kind: "refuses_key"; readonly status: number }
  /** A web page answers, so the URL isn't that of a model server. */
  | { readonly kind: "web_page"; readonly status: number }
  /** A gateway answers for its server, or the model still loads. */
  | { readonly kind: "unavailable"; readonly status: number }
  /** Nothing answers; `isLate`: within the time, so that something may be there. */
  | { readonly kind: "silent"; readonly cause: string; readonly isLate?: boolean };

interface ProbeOptions {
  /** The upstream's key; without it, the clients send theirs. */
  readonly key: string | undefined;
  readonly send: (request: Request) => Promise<Response>;
  readonly timeoutMs: number;
  /** Gets the list of models, which can show what server it is. */
  readonly answered?: ((answer: ServerAnswer) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const BYTES_MAX = 4 * 1024 * 1024;

/** Whether a status comes from a gateway whose server doesn't answer, or from a model that still loads. */
export function isGatewayError(status: number): boolean {
  return [502, 503, 504].includes(status);
}

/** Probes an upstream. Never rejects. */
export async function probeUpstream(
  upstream: UpstreamConfig,
  { key, send, timeoutMs, answered, signal }: ProbeOptions,
): Promise<ProbeResult> {
  const stop = stopAfter(timeoutMs, signal);
  try {
    const headers = new Headers({ accept: "application/json" });
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    const url = `${upstream.url.replace(/\/+$/, "")}/models`;
    const response = await send(new Request(url, { headers, signal: stop, redirect: "manual" }));
    return await read(response, { hasKey: key !== undefined, answered });
  } catch (cause) {
    if (stop.aborted) {
      return { kind: "silent", cause: `no answer within ${timeoutMs} ms`, isLate: true };
    }
    return { kind: "silent", cause: reasonOf(cause) };
  }
}

async function read(
  response: Response,
  { hasKey, answered }: Pick<ProbeOptions, "answered"> & { readonly hasKey: boolean },
): Promise<ProbeResult> {
  const { status, ok, headers, body } = response;
  const isPage = headers.get("content-type")?.toLowerCase().includes("text/html") === true;
  const isWanted = ok && !isPage;
  if (!isWanted) await body?.cancel();
  if (isGatewayError(status)) return { kind: "unavailable", status };
  if (hasKey && (status === 401 || status === 403)) return { kind: "refuses_key", status };
  if (isPage) return { kind: "web_page", status };
  // Not every server lists its models, and without our key, a server can ask for the client's.
  if (!isWanted) return { kind: "answers", models: undefined };
  const bytes = await readWhole(body, { bytesMax: BYTES_MAX });
  const text = new TextDecoder().decode(bytes);
  answered?.({ headers, body: text });
  return { kind: "answers", models: modelsIn(text)?.length };
}

/** The models in the body of an answer; undefined if it isn't a list of models. */
export async function readModels(
  body: ReadableStream<Uint8Array> | null,
): Promise<readonly unknown[] | undefined> {
  const bytes = await readWhole(body, { bytesMax: BYTES_MAX });
  return bytes && modelsIn(new TextDecoder().decode(bytes));
}

function modelsIn(text: string): readonly unknown[] | undefined {
  const value = parseJson(text);
  const list = isRecord(value) ? value["data"] : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** The innermost cause, without the sentence about the URL that `fetch` adds. */
function reasonOf(cause: unknown): string {
  let inner = cause;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const message = inner instanceof Error ? inner.message : String(inner);
  return message.replace(/^error sending request for url \([^)]*\): /, "");
}

/** Chooses the model server of a request, sends the request, and returns the response or the error for the client. @module */
import type { ChatCompletion } from "../../chat/message/chunk.ts";
import { UPSTREAM_DEFAULTS } from "../config/resolve.ts";
import type { Config, UpstreamConfig } from "../config/schema.ts";
import { matchesGlob } from "../../engine/pattern/glob.ts";
import { Deadline } from "../exchange/deadline.ts";
import { SERVER_STOPPED } from "../transport/listen.ts";
import type { HttpError } from "../transport/respond.ts";

/** The upstream of requests if the configuration has none. */
export const SAMPLE_UPSTREAM: UpstreamConfig = {
  ...UPSTREAM_DEFAULTS,
  name: "sample",
  url: "http://sample.invalid/v1",
};

export interface UpstreamRequest {
  readonly upstream: UpstreamConfig;
  /** What is appended to the base URL. */
  readonly rest: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: BodyInit | null;
  readonly signal: AbortSignal;
  /** Whether another upstream is asked if this one gives no answer. */
  readonly hasNext?: boolean | undefined;
}

export interface Reach {
  readonly limits: Config["limits"];
  /** Sends a request: `fetch`, or the sample model. */
  readonly send: (request: Request) => Promise<Response>;
  /** Opens a connection and closes it again; absent if that proves nothing, because an HTTP proxy is in between. */
  readonly connect?: ((url: URL, signal: AbortSignal) => Promise<void>) | undefined;
}

/** An upstream's answer. Its deadline is running, and the caller has to stop it. */
export interface UpstreamAnswer {
  readonly response: Response;
  readonly deadline: Deadline;
  /** Whether its body was decoded, so that the client can't get the upstream's bytes. */
  readonly wasDecoded?: boolean;
  /** What its whole body is, if it was read before. */
  readonly completion?: ChatCompletion | undefined;
  /** Its thoughts, if they were ended; nothing else of it is there. */
  readonly ended?: EndedThoughts | undefined;
}

export interface EndedThoughts {
  readonly thoughts: string;
  readonly usage: unknown;
  /** Why they were ended. */
  readonly why: string;
}

/** The upstream of a request, or an error that lists what there is. */
export function chooseUpstream(
  config: Config,
  wanted: { readonly name?: string | undefined; readonly model?: string | undefined },
): UpstreamConfig | HttpError {
  const upstreams = config.upstreams.length === 0 ? [SAMPLE_UPSTREAM] : config.upstreams;
  const names = upstreams.map((upstream) => upstream.name).join(", ");
  if (wanted.name !== undefined) {
    return upstreams.find((upstream) => upstream.name === wanted.name) ?? {
      status: 404,
      type: "invalid_request_error",
      code: "upstream_not_found",
      message: `No upstream is named "${wanted.name}". Expected one of: ${names}`,
    };
  }
  const { model } = wanted;
  const service = model === undefined ? upstreams[0] : upstreams.find((upstream) => serves(upstream, model));
  return service ?? {
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    param: "model",
    message: `No upstream serves the model "${model}". Upstreams: ${names}. ` +
      "Add the name to an upstream's `models`, or leave `models` out of one so that it serves every model",
  };
}

/** Sends a request and waits for the head of the response, whose deadline then runs, or gives the client's error. */
export async function callUpstream(
  outgoing: UpstreamRequest,
  reach: Reach,
): Promise<UpstreamAnswer | HttpError> {
  const deadline = new Deadline();
  const { upstream, rest, method, headers, body, hasNext } = outgoing;
  const url = new URL(upstream.url.replace(/\/+$/, "") + rest);
  const stopConnecting = watchConnecting(url, { ...reach, deadline, upstream });
  deadline.begin(reach.limits.first_byte_timeout_ms, slowUpstream(upstream, reach.limits));
  // The exchange has one signal; whatever ends it first is the reason. `AbortSignal.any` would do the same, but leaks 5
  // kB a request.
  const abort = () => deadline.fail(outgoing.signal.reason === SERVER_STOPPED ? STOPPED : CLIENT_LEFT);
  outgoing.signal.addEventListener("abort", abort, { once: true });
  if (outgoing.signal.aborted) abort();
  const { signal } = deadline;
  try {
    const response = await reach.send(
      new Request(url, {
        method,
        headers,
        body: hasNext ? sentOnce(body) : body,
        signal,
        redirect: "manual",
      }),
    );
    deadline.pause();
    const { status, statusText } = response;
    if (status >= 200 && status <= 599 && !EMPTY_STATUSES.includes(status)) return { response, deadline };
    // Deno can return these with a body, but accepts none for them.
    await response.body?.cancel();
    if (EMPTY_STATUSES.includes(status)) {
      return {
        response: new Response(null, { status, statusText, headers: headersOfNothing(response) }),
        deadline,
      };
    }
    deadline.stop();
    return unusableStatus(upstream, status);
  } catch (cause) {
    deadline.stop();
    return deadline.error ?? unreachable(upstream, { url, cause });
  } finally {
    stopConnecting();
  }
}

/**
 * The same body, sent once. Deno 2.9.6 sends one of bytes or text again if a kept connection ends before the answer, although
 * the upstream may have read it; a blob has a length, too, but is read only once.
 */
function sentOnce(body: BodyInit | null): BodyInit | null {
  return typeof body === "string" || body instanceof Uint8Array ? new Blob([body as BlobPart]) : body;
}

/** Never read, because the client has left. */
const CLIENT_LEFT: HttpError = {
  status: 499,
  type: "client_error",
  code: "client_left",
  message: "The client left before the upstream answered",
};

/** The error for an answer that ends because the server stops. */
const STOPPED: HttpError = {
  status: 503,
  type: "server_error",
  code: "server_stopped",
  message: "Dragoman stopped before the answer was over. Send the request again when Dragoman is running",
};

/** The error for the client when an answer does not begin in time. */
export function slowUpstream(upstream: UpstreamConfig, limits: Config["limits"]): HttpError {
  return {
    status: 504,
    type: "timeout",
    code: "first_byte_timeout",
    message: `The upstream "${upstream.name}" at ${upstream.url} did not begin its answer within ` +
      `${limits.first_byte_timeout_ms} ms. If the model needs longer, raise \`limits.first_byte_timeout_ms\``,
  };
}

/** The error for the client when an answer pauses too long. */
export function silentUpstream(upstream: UpstreamConfig, limits: Config["limits"]): HttpError {
  return {
    status: 504,
    type: "timeout",
    code: "silence_timeout",
    message: `The upstream "${upstream.name}" at ${upstream.url} sent nothing for ` +
      `${limits.silence_timeout_ms} ms in the middle of its answer. If the model needs longer, raise ` +
      "`limits.silence_timeout_ms`",
  };
}

/** The error for the client when the connection breaks in the middle of an answer. */
export function brokenUpstream(upstream: UpstreamConfig): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "upstream_broke_off",
    message:
      `The upstream "${upstream.name}" at ${upstream.url} closed the connection in the middle of its ` +
      "answer. Look into the model server's log",
  };
}

/** The error if the upstream answers a chat with a web page. */
export function webPage(upstream: UpstreamConfig): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "upstream_unreadable",
    message:
      `The upstream "${upstream.name}" at ${upstream.url} answered with a web page instead of a chat answer. ` +
      "Check `url`: it is the base URL of a model server, which ends in /v1",
  };
}

/** The error if a compressed answer is neither events nor JSON. */
export function unreadableAnswer(upstream: UpstreamConfig): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "unreadable_answer",
    message:
      `The answer of the upstream "${upstream.name}" is compressed, and is neither JSON nor a stream of events. ` +
      "Check that `url` in the configuration is the base URL of a model server",
  };
}

/** The error if an answer is longer than the limit. */
export function tooLargeAnswer(upstream: UpstreamConfig | undefined, bytesMax: number): HttpError {
  const whose = upstream === undefined ? "the upstream" : `the upstream "${upstream.name}"`;
  return {
    status: 502,
    type: "upstream_error",
    code: "answer_too_large",
    message: `The answer from ${whose} is longer than ${bytesMax} bytes. ` +
      "If you need such answers, raise `limits.answer_bytes_max`",
  };
}

const EMPTY_STATUSES = [204, 205, 304];

/** The headers of an answer without a body. Only 304 states a length, that of another answer. */
function headersOfNothing({ status, headers }: Response): Headers {
  const kept = new Headers(headers);
  if (status !== 304) kept.delete("content-length");
  return kept;
}

/** The error for a status that no answer has: a change of protocol, or one that HTTP doesn't know. */
function unusableStatus(upstream: UpstreamConfig, status: number): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "upstream_status",
    message:
      `The upstream "${upstream.name}" at ${upstream.url} answered with status ${status}, which isn't one of ` +
      "an HTTP answer. Check that `url` in the configuration is the base URL of a model server",
  };
}

function unreachable(
  upstream: UpstreamConfig,
  failed: { readonly url: URL; readonly cause: unknown },
): HttpError {
  const cause = failed.cause instanceof Error ? failed.cause.message : String(failed.cause);
  return {
    status: 502,
    type: "upstream_error",
    code: "upstream_unreachable",
    message: `Cannot reach the upstream "${upstream.name}" at ${failed.url.href}: ${cause}. ` +
      "Check that the model server is running, and that `url` in the configuration has the right host, port and path",
  };
}

const CONNECTED = "The connection is no longer needed";

/**
 * `fetch` doesn't show whether it is still connecting. So after half of the time for connecting, another connection is
 * tried: a slow server accepts it, an absent one doesn't.
 */
function watchConnecting(
  url: URL,
  options: Pick<Reach, "limits" | "connect"> & { deadline: Deadline; upstream: UpstreamConfig },
): () => void {
  const { connect, limits, deadline, upstream } = options;
  if (connect === undefined) return () => {};
  const half = limits.connect_timeout_ms / 2;
  const attempt = new AbortController();
  let timer = setTimeout(() => {
    timer = setTimeout(() => {
      deadline.fail({
        status: 504,
        type: "timeout",
        code: "connect_timeout",
        message: `The upstream "${upstream.name}" at ${upstream.url} did not accept a connection within ` +
          `${limits.connect_timeout_ms} ms. Check the host, the port and any firewall in between`,
      });
    }, half);
    const stop = () => clearTimeout(timer);
    connect(url, attempt.signal).then(stop, stop);
  }, half);
  return () => {
    clearTimeout(timer);
    // A reason, because Deno makes an error with its stack otherwise.
    attempt.abort(CONNECTED);
  };
}

export function serves(upstream: UpstreamConfig, model: string): boolean {
  if (upstream.models.length === 0 || Object.hasOwn(upstream.model_names, model)) return true;
  return upstream.models.some((pattern) => matchesGlob(pattern, model));
}

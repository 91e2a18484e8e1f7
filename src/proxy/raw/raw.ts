/**
 * Sends a request with the server's call parser off. The prompt stays the same, and the model's raw text arrives.
 *
 *     {"tools": […]}  ─▶  {"tools": […], "tool_choice": "none"}  ─▶  "<tool_call>…" as text ─▶ read as always
 *
 * @module
 */
import type { CompletionProfile } from "../upstream/completions.ts";
import { fieldsOf, type RequestBody } from "../upstream/request_body.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { gather, GATHERED_FIELDS } from "./gathered.ts";
import { fromTokens } from "./token_text.ts";
import type { RawSwitch } from "../upstream/profiles/profiles.ts";
import type { PromptAsking } from "../upstream/prompt_route.ts";
import { sendRendered } from "./rendered.ts";
import type { UpstreamAnswer } from "../upstream/upstream.ts";

interface RawSending extends PromptAsking {
  readonly raw: RawSwitch;
  readonly profile: CompletionProfile;
  /** Whether the tools are in the prompt, so that the request has none. */
  readonly isPrompted: boolean;
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
}

/** The body that switches the server's parser off; one without tools stays. */
export function rawBody(body: RequestBody, { fields }: RawSwitch): RequestBody {
  const request = withTools(body);
  return request === undefined || fields === undefined ? body : JSON.stringify({ ...request, ...fields });
}

/** Sends a body, or its rendered prompt, so that the model's raw text arrives. */
export async function sendRaw(
  body: RequestBody,
  { raw, isPrompted, send, ...sending }: RawSending,
): Promise<UpstreamAnswer | HttpError> {
  const request = isPrompted ? fieldsOf(body) : withTools(body);
  if (request === undefined) return await send(body);
  if (raw.from_tokens === true) return await sendForTokens(request, { raw, send, ...sending });
  for (const route of raw.renders ?? []) {
    const rendered = await sendRendered(request, { route, ...sending });
    if (rendered !== undefined) return rendered;
  }
  // Without a rendered prompt and a switch, for example with images, the server's own parser reads the answer.
  const isGathered = !isPrompted && raw.streamed_only === true && request.stream !== true;
  if (!isGathered) return await send(body);
  const answered = await send(JSON.stringify({ ...request, ...GATHERED_FIELDS }));
  return isError(answered) ? answered : gather(answered, sending);
}

/** Asks for a whole answer with its tokens, of which the text is made. */
async function sendForTokens(
  { stream, stream_options: _, ...request }: Record<string, unknown>,
  { raw, send, limits, bytesMax }: Pick<RawSending, "raw" | "send" | "limits" | "bytesMax">,
): Promise<UpstreamAnswer | HttpError> {
  const answered = await send(JSON.stringify({ ...request, ...raw.fields }));
  if (isError(answered)) return answered;
  const { stop } = request;
  const stops = [stop].flat().filter((text) => typeof text === "string" && text !== "") as string[];
  return fromTokens(answered, { isStreamed: stream === true, stops, limits, bytesMax });
}

/** The request with tools; undefined if it has none. */
function withTools(body: RequestBody): Record<string, unknown> | undefined {
  const request = fieldsOf(body);
  return Array.isArray(request?.tools) && request.tools.length > 0 ? request : undefined;
}

export function withoutStream(body: RequestBody): string | undefined {
  const request = fieldsOf(body);
  if (request === undefined) return undefined;
  const { stream: _, stream_options: __, ...rest } = request;
  return JSON.stringify(rest);
}

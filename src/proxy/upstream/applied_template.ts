/**
 * Gets prompts from a server that renders its own chat template. It gets a chat request and answers with the prompt,
 * without running the model:
 *
 *     {"messages": […], "tools": […]}  ─▶  POST /apply-template  ─▶  {"prompt": "<|im_start|>user…"}
 *
 * @module
 */
import type { UpstreamConfig } from "../config/schema.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { readWhole } from "../transport/body.ts";
import type { Fields, WrittenPrompt } from "./completions.ts";
import { drop } from "./error_text.ts";
import { type ReadLimits, timedReads } from "../exchange/deadline.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { brokenUpstream, tooLargeAnswer, type UpstreamAnswer } from "./upstream.ts";

export interface TemplateServer {
  readonly send: (body: string) => Promise<UpstreamAnswer | HttpError>;
  readonly upstream: UpstreamConfig;
  /** The fields that keep the server from making a grammar of the tools without changing the prompt; undefined if unknown. */
  readonly unparsed: () => Fields | undefined;
  readonly limits: ReadLimits;
  readonly bytesMax: number;
}

/** Whether a `chat_template` is the address of a server, not a file. */
export function isTemplateServer(template: string | undefined): template is string {
  return template !== undefined && /^https?:\/\//i.test(template);
}

/** The prompt for a chat request; the server's own error reaches the client. */
export async function applyTemplate(
  chat: Fields,
  { send, upstream, unparsed, limits, bytesMax }: TemplateServer,
): Promise<WrittenPrompt> {
  // A format and a grammar concern only the completion. Some servers refuse them here, together with tools.
  const { stream: _, stream_options: __, response_format: ___, grammar: ____, ...asked } = chat;
  const fields = unparsed();
  let answered = await send(JSON.stringify({ ...asked, ...fields }));
  // A refusal can show which server this is.
  if (!isError(answered) && !answered.response.ok && fields === undefined && unparsed() !== undefined) {
    await drop(answered);
    answered = await send(JSON.stringify({ ...asked, ...unparsed() }));
  }
  if (isError(answered) || !answered.response.ok) return answered;
  const { response: { headers, body }, deadline } = answered;
  const codings = codingsOf(headers);
  try {
    const bytes = await readWhole(body && canDecode(codings) ? decode(body, codings) : body, {
      bytesMax,
      ...timedReads(deadline, limits),
    });
    if (bytes === undefined) return tooLargeAnswer(upstream, bytesMax);
    const value = parseJson(new TextDecoder().decode(bytes));
    return isRecord(value) && typeof value.prompt === "string" ? value.prompt : withoutPrompt(upstream);
  } catch {
    return deadline.error ?? brokenUpstream(upstream);
  } finally {
    deadline.stop();
  }
}

function withoutPrompt({ name, chat_template: address }: UpstreamConfig): HttpError {
  return {
    status: 502,
    type: "upstream_error",
    code: "template_failed",
    message:
      `The answer from ${address}, which must return the prompts for the upstream "${name}" (\`chat_template\`), ` +
      'is not JSON with a `prompt`. Check that it is the address of an endpoint such as "/apply-template"',
  };
}

/** The body for an upstream that gets tools in the prompt, or the error if the dialect can't express the request. @module */
import { bodyText, fieldsOf, type RequestBody } from "./request_body.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import { concernsTools, hasCalls, speakRequest } from "../../chat/prompt/request.ts";
import type { Speaker } from "../../chat/prompt/speaker.ts";
import type { Unspeakable } from "../../chat/prompt/spoken.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { CHAT_REQUEST } from "../../wires/chat_request_schema.ts";
import { refuseMismatch } from "../../wires/shape_check.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { drop } from "./error_text.ts";
import { checkRefusal } from "./refused_tools.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { gather, GATHERED_FIELDS } from "../raw/gathered.ts";
import type { Prompting } from "./speakers.ts";
import { Turns } from "../exchange/turns.ts";
import type { UpstreamAnswer } from "./upstream.ts";

interface PromptedSending {
  readonly prompting: Prompting;
  readonly speaker: Speaker;
  readonly chat: ChatRequest;
  /** Whether the request offers tools; if not, it only has earlier calls. */
  readonly offersTools: boolean;
  readonly limits: ReadLimits;
  readonly bytesMax: number;
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
  readonly note: (note: NoteEvent) => void;
}

/** Sends a body, with the tools in the prompt if configured or refused; an unknown refusal stays if that form is refused, too. */
export async function sendPrompted(
  body: RequestBody,
  sending: PromptedSending,
): Promise<UpstreamAnswer | HttpError> {
  const { prompting, chat, offersTools, limits, send } = sending;
  if (prompting.isOn) return await sendSpoken(body, sending);
  const answered = await send(body);
  if (isError(answered)) return answered;
  const request = { hasCalls: hasCalls(chat) };
  if (answered.response.ok) {
    if (offersTools) prompting.accepted(request);
    return answered;
  }
  const { refuses, message, same } = await checkRefusal(answered, { limits, chat });
  if (refuses === "tools") {
    await drop(same);
    prompting.refused(request);
    return await sendSpoken(body, sending);
  }
  const { lastForm } = prompting;
  if (refuses === "form" && lastForm?.stays(message) === false) {
    const second = await sendSpoken(body, sending);
    if (isError(second)) return same;
    if (!second.response.ok) {
      await drop(second);
      lastForm.stayed(message);
      return same;
    }
    await drop(same);
    lastForm.answered(message);
    prompting.refused(request);
    return second;
  }
  return same;
}

/** Sends a body with its tools in the prompt. */
async function sendSpoken(
  body: RequestBody,
  { prompting, speaker, limits, bytesMax, send, note }: PromptedSending,
): Promise<UpstreamAnswer | HttpError> {
  if (body === null) return await send(body);
  const prepared = await promptBody(body, speaker);
  if (isError(prepared)) return prepared;
  if (prepared.isOtherwise) {
    note({ kind: "note", reason: "spoken_otherwise", rule: speaker.rule, start: 0, end: 0 });
  }
  return await sendSwitched(prepared.body, { prompting, send, limits, bytesMax });
}

/** Sends a request whose calls the server's own parser must not read. */
async function sendSwitched(
  body: string | Uint8Array<ArrayBuffer>,
  { prompting: { prompted }, send, limits, bytesMax }: Omit<
    PromptedSending,
    "speaker" | "offersTools" | "note" | "chat"
  >,
): Promise<UpstreamAnswer | HttpError> {
  const request = prompted && fieldsOf(body);
  if (prompted === undefined || request === undefined) return await send(body);
  const isGathered = prompted.streamed_only === true && request.stream !== true;
  const stream = isGathered ? GATHERED_FIELDS : {};
  const answered = await send(JSON.stringify({ ...request, ...prompted.fields, ...stream }));
  return isGathered && !isError(answered) ? gather(answered, { limits, bytesMax }) : answered;
}

/** Writes a body with its tools in the prompt, in turns; one without tools stays. */
export async function promptBody(
  body: string | Uint8Array<ArrayBuffer>,
  speaker: Speaker,
): Promise<{ readonly body: string | Uint8Array<ArrayBuffer>; readonly isOtherwise: boolean } | HttpError> {
  const text = bodyText(body);
  const value = parseJson(text);
  const wrong = isRecord(value) && concernsTools(value) ? refuseMismatch(value, CHAT_REQUEST) : undefined;
  if (wrong !== undefined) return wrong.refusal;
  const turns = new Turns();
  const spoken = await turns.take(speakRequest(text, { speaker, isPauseDue: () => turns.isPauseDue }));
  if (spoken === undefined) return { body, isOtherwise: false };
  return "tool" in spoken ? unspeakable(spoken) : spoken;
}

function unspeakable({ rule, tool, parameter }: Unspeakable): HttpError {
  const what = parameter === undefined
    ? `the call to "${tool}"`
    : `the parameter "${parameter}" of the tool "${tool}"`;
  return {
    status: 400,
    type: "invalid_request_error",
    code: "unspeakable_call",
    param: "messages",
    message: `The dialect of rule "${rule}" can't express ${what} exactly, so the model would get ` +
      "something different. Choose another `dialect` for the upstream or the model, such as one that writes arguments as JSON",
  };
}

/**
 * The body for an upstream that gets tools in the prompt, or the error for a client whose request the dialect can't carry.
 *
 * @module
 */
import { speakRequest } from "../speak/request.ts";
import type { Speaker, Unspeakable } from "../speak/speaker.ts";
import type { HttpError } from "./respond.ts";
import { Turns } from "./turns.ts";

/** A body, and whether another dialect had to write some of the earlier calls. */
export interface PromptedBody {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly isOtherwise: boolean;
}

/** Writes a body without tools, in turns; one that has nothing to do with tools stays. */
export async function promptBody(
  body: string | Uint8Array<ArrayBuffer>,
  speaker: Speaker,
): Promise<PromptedBody | HttpError> {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const turns = new Turns();
  const spoken = await turns.take(speakRequest(text, { speaker, isPauseDue: () => turns.isPauseDue }));
  if (spoken === undefined) return { body, isOtherwise: false };
  return "tool" in spoken ? unspeakable(spoken) : spoken;
}

function unspeakable({ rule, tool, parameter }: Unspeakable): HttpError {
  const what = parameter === undefined ? "the call" : `the parameter "${parameter}"`;
  return {
    status: 400,
    type: "invalid_request_error",
    code: "unspeakable_call",
    param: "messages",
    message:
      `The dialect of rule "${rule}" can't carry ${what} of the tool "${tool}" exactly, so the model would get ` +
      "something else. Choose another `dialect` for the upstream or the model, such as one that writes arguments as JSON",
  };
}

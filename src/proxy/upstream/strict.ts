/**
 * Makes a server constrain a model's calls by a grammar (`tools.strict: add`), if its profile states how:
 *
 *     native            every function gets `strict: true`
 *     prompted, raw     `response_format` gets a structural tag in the dialect of the model
 *
 * A failing grammar costs the whole answer. So after the first error about one, the request is sent again without it, and
 * so are all later ones for the model.
 *
 * @module
 */
import { putLast } from "../../engine/object/drop_oldest.ts";
import { fieldsOf, type RequestBody } from "./request_body.ts";
import { termsOf } from "../../chat/prompt/request.ts";
import type { ChatRequest } from "../../chat/message/request.ts";
import type { StructuralTag } from "../../chat/prompt/structural_tag.ts";
import type { NoteEvent } from "../../engine/event/event.ts";
import { isRecord } from "../../engine/object/record.ts";
import type { RequestWatch } from "../exchange/watch.ts";
import type { ReadLimits } from "../exchange/deadline.ts";
import { type HttpError, isError } from "../transport/respond.ts";
import { drop, readError } from "./error_text.ts";
import type { StrictProfile } from "./profiles/profiles.ts";
import type { UpstreamAnswer } from "./upstream.ts";

export interface Strictness {
  /** What the server's profile states; undefined if the server constrains nothing. */
  readonly profile: StrictProfile | undefined;
  readonly key: string;
  readonly withdrawn: WithdrawnStrictness;
  /** The tag for a request whose calls are text; undefined if they aren't, or have no tag. */
  readonly tag: () => StructuralTag | undefined;
}

interface StrictSending {
  readonly strictness: Strictness;
  readonly send: (body: RequestBody) => Promise<UpstreamAnswer | HttpError>;
  readonly limits: ReadLimits;
  readonly note: (note: NoteEvent) => void;
}

/** Returns what sends the bodies of one request, with constrained calls as long as that works. */
export function createStrictSending(
  { strictness, send, limits, note }: StrictSending,
): (body: RequestBody) => Promise<UpstreamAnswer | HttpError> {
  const { withdrawn, key } = strictness;
  const noteWithdrawn = (detail: string) =>
    note({ kind: "note", reason: "strict_withdrawn", rule: "strict", start: 0, end: 0, detail });
  return async (body) => {
    const { profile } = strictness;
    const strict = profile && strictBody(body, { ...strictness, profile });
    if (profile === undefined || strict === undefined) return await send(body);
    const known = withdrawn.errorOf(key);
    if (known !== undefined) {
      noteWithdrawn(known);
      return await send(body);
    }
    const answered = await send(strict);
    if (isError(answered) || answered.response.ok) return answered;
    const { message, same } = await readError(answered, limits);
    const error = grammarError(profile, message);
    if (error === undefined) return same;
    await drop(same);
    withdrawn.withdraw(key, error);
    noteWithdrawn(error);
    return await send(body);
  };
}

/** Learns from a grammar that fails in the middle of an answer. */
export function watchStrictness({ profile, key, withdrawn }: Strictness): RequestWatch {
  return {
    observe() {},
    end({ message = "" }) {
      const error = profile && grammarError(profile, message);
      if (error !== undefined) withdrawn.withdraw(key, error);
    },
  };
}

/** The text that shows that an error is about a grammar. */
function grammarError({ errors }: StrictProfile, message: string): string | undefined {
  return errors.find((text) => message.includes(text));
}

/** The body with constrained calls; undefined if nothing can be constrained in it. */
function strictBody(
  body: RequestBody,
  { profile, tag }: Pick<Strictness, "tag"> & { readonly profile: StrictProfile },
): string | undefined {
  const request = fieldsOf(body);
  if (request === undefined) return undefined;
  const { tools } = request;
  const isNative = Array.isArray(tools) && tools.length > 0 &&
    termsOf(request as ChatRequest).choice !== "none";
  if (isNative) return profile.functions === true ? withStrict(request, tools) : undefined;
  const isFree = request["response_format"] == null && request["structured_outputs"] == null;
  const format = profile.tags === true && isFree ? tag() : undefined;
  return format && JSON.stringify({ ...request, response_format: format });
}

/** The request with `strict` in every function that doesn't state it; undefined if all do. */
function withStrict(
  request: Readonly<Record<string, unknown>>,
  tools: readonly unknown[],
): string | undefined {
  let isChanged = false;
  const strict = tools.map((tool) => {
    const made = isRecord(tool) ? tool["function"] : undefined;
    if (!isRecord(tool) || !isRecord(made) || made["strict"] != null) return tool;
    isChanged = true;
    return { ...tool, function: { ...made, strict: true } };
  });
  return isChanged ? JSON.stringify({ ...request, tools: strict }) : undefined;
}

/** The most models that are remembered; the one that was added first is forgotten first. */
const MODELS_MAX = 1000;

/** Models whose calls are no longer constrained. Kept over hot reloads. */
export class WithdrawnStrictness {
  readonly #errors = new Map<string, string>();

  /** Why a model's calls aren't constrained; undefined if they are. */
  errorOf(model: string): string | undefined {
    return this.#errors.get(model);
  }

  withdraw(model: string, error: string): void {
    putLast(this.#errors, model, error, MODELS_MAX);
  }
}

/** Changes the body of a chat request only where necessary; everything else keeps its value to the last digit. @module */
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import { type PathField, withField } from "./field_path.ts";
import { type ReadPrintedCalls, repairHistory } from "./history.ts";
import type { ChatRequest } from "./request.ts";
import { parseExact } from "./number_spelling.ts";
import { type PrefixSettings, stablePrefix } from "./stable_prefix.ts";

/** The changes that an upstream needs in a request. */
export interface RequestChanges {
  /** The client's name for a model → the upstream's name. */
  readonly modelNames: Readonly<Record<string, string>>;
  /** Fields to add if the client doesn't set them. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Fields to add by their paths, after the defaults. */
  readonly fields?: readonly PathField[] | undefined;
  /** What keeps the beginnings of requests the same; by default, they stay as they are. */
  readonly prefix?: PrefixSettings | undefined;
  /** Whether to repair earlier calls that a strict server would refuse. */
  readonly repairsHistory?: boolean;
  /** Reads the calls that the model printed in earlier answers, to repair them, too; by default, they stay. */
  readonly readPrinted?: ReadPrintedCalls | undefined;
}

/** A request, and the text that it was read from. */
export interface RequestText {
  /** The text that the client sent. */
  readonly body: string;
  /** The result of `readRequest` for this text. */
  readonly request: ChatRequest | undefined;
}

/**
 * Makes the changes in a body. Returns undefined if nothing changes, so that the client's bytes can be sent unchanged.
 * Only a body that changes is parsed again, because keeping the spelling of its numbers is slow.
 *
 * @param source the text that the client sent, and the request in it
 * @param changes model names, default fields, and whether to repair the conversation
 *
 * @example
 * ```ts
 * import { readRequest } from "./request.ts";
 * import { rewriteRequest } from "./request_changes.ts";
 * const body = '{"model":"small"}';
 * const changes = { modelNames: { small: "qwen3" }, defaults: { max_tokens: 100 } };
 * const rewritten = rewriteRequest({ body, request: readRequest(body) }, changes);
 * console.assert(rewritten === '{"model":"qwen3","max_tokens":100}');
 * ```
 */
export function rewriteRequest({ body, request }: RequestText, changes: RequestChanges): string | undefined {
  const mayChange = request !== undefined && changeRequest(request, changes) !== undefined;
  const value = mayChange ? parseExact(body) : undefined;
  const changed = isRecord(value) ? changeRequest(value, changes) : undefined;
  return changed && JSON.stringify(changed);
}

/** Makes the changes in a request; undefined if nothing changes. */
export function changeRequest(request: ChatRequest, changes: RequestChanges): ChatRequest | undefined {
  const { model } = request;
  const name = typeof model === "string" && Object.hasOwn(changes.modelNames, model)
    ? changes.modelNames[model]
    : undefined;
  const added = Object.entries(changes.defaults).filter(([field]) => !Object.hasOwn(request, field));
  const isRenamed = name !== undefined && name !== model;
  const stable = changes.prefix === undefined ? {} : stablePrefix(request, changes.prefix);
  const given = { ...request, ...stable };
  const messages = changes.repairsHistory ? repairHistory(given.messages, changes.readPrinted) : undefined;
  const isStable = Object.keys(stable).length === 0;
  const whole = { ...given, ...Object.fromEntries(added) };
  const limited = (changes.fields ?? []).reduce(withField, whole);
  const hasAdded = added.length > 0 || limited !== whole;
  if (isStable && !isRenamed && !hasAdded && messages === undefined) return undefined;
  return { ...limited, ...present({ messages, model: name }) } as ChatRequest;
}

/** Puts new deltas into the upstream's own chunks and answers, whose other fields are all kept. @module */
import { present } from "../../engine/object/present.ts";
import type {
  ChatChunk,
  ChatCompletion,
  ChatMessage,
  ChoiceDelta,
  ChunkChoice,
  Content,
  Delta,
  ToolCall,
  ToolCallDelta,
} from "./chunk.ts";
import { isTextPart, reasoningText } from "./read.ts";

/** The new content of one choice of a chunk or an answer. */
export interface ChoiceOutcome {
  readonly deltas: readonly Delta[];
  /** The finish reason of this chunk; null if the choice continues. */
  readonly finishReason: string | null;
  /** The role to add to the first delta, because the upstream hasn't sent it. */
  readonly role?: string;
  /** True: the choice ended before its upstream ended it, and nothing of it is sent from now on. */
  readonly isEndedEarly?: boolean;
}

/** Fields that identify the answer and are in every chunk. All others are sent once. */
const IDENTITY: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created",
  "model",
  "system_fingerprint",
  "service_tier",
  "provider",
]);

export function isIdentity(field: string): boolean {
  return IDENTITY.has(field);
}

/** The chunks that replace one: one for each delta, then one for the finish reason. An undefined outcome: its choice stays. */
export function rewriteChunk(
  chunk: ChatChunk,
  outcomes: readonly (ChoiceOutcome | undefined)[],
): ChatChunk[] {
  const parts = chunk.choices.map((choice, position): readonly ChunkChoice[] => {
    const outcome = outcomes[position];
    return outcome === undefined ? [choice] : choiceParts(choice, outcome);
  });
  const count = Math.max(0, ...parts.map((part) => part.length));
  if (count === 0) {
    const hasMore = Object.entries(chunk).some(([field, value]) =>
      field !== "choices" && !IDENTITY.has(field) && value !== null
    );
    return hasMore ? [{ ...chunk, choices: [] }] : [];
  }
  return Array.from({ length: count }, (_, round): ChatChunk => ({
    ...(round === count - 1 ? chunk : identityOf(chunk)),
    choices: parts.flatMap((part) => part.slice(round, round + 1)),
  }));
}

/** The chunks for what is left of a choice after its upstream's last chunk; `example` identifies the answer. */
export function continueChunk(
  example: ChatChunk,
  options: { readonly index: number; readonly outcome: ChoiceOutcome },
): ChatChunk[] {
  const choice: ChunkChoice = { index: options.index, delta: {}, finish_reason: null };
  return rewriteChunk({ ...identityOf(example), choices: [choice] }, [options.outcome]);
}

/** The fields of a chunk that identify its answer, without choices. */
export function identityOf(chunk: ChatChunk): ChatChunk {
  const named = Object.entries(chunk).filter(([field]) => IDENTITY.has(field));
  return { ...Object.fromEntries(named), choices: [] };
}

/** The whole answer with new messages; `content: null` for one without text. An undefined outcome: its choice stays. */
export function rewriteCompletion(
  completion: ChatCompletion,
  outcomes: readonly (ChoiceOutcome | undefined)[],
): ChatCompletion {
  const choices = completion.choices.map((choice, position) => {
    const outcome = outcomes[position];
    if (outcome === undefined) return choice;
    const message = rewriteMessage(choice.message ?? {}, outcome.deltas);
    return { ...choice, message, finish_reason: outcome.finishReason };
  });
  return { ...completion, choices };
}

function choiceParts(choice: ChunkChoice, outcome: ChoiceOutcome): ChunkChoice[] {
  if (outcome.isEndedEarly) return [];
  const { index, delta, finish_reason: _reason, ...extras } = choice;
  const deltas = mergeFirst(delta ?? {}, outcome);
  const parts: ChunkChoice[] = deltas.map((part) => ({
    index: index ?? 0,
    delta: part,
    finish_reason: null,
  }));
  if (outcome.finishReason !== null) {
    const isAlone = outcome.deltas.length === 0 && deltas.length === 1;
    const last = isAlone ? parts.pop()?.delta : undefined;
    parts.push({ index: index ?? 0, delta: last ?? {}, finish_reason: outcome.finishReason });
  }
  const hasExtras = Object.values(extras).some((value) => value !== null);
  if (parts.length === 0 && hasExtras) parts.push({ index: index ?? 0, delta: {}, finish_reason: null });
  const last = parts.at(-1);
  if (last !== undefined) parts[parts.length - 1] = { ...last, ...extras };
  return parts;
}

/** The new deltas. The first one has the other fields of the upstream's delta, such as role and reasoning. */
function mergeFirst(original: ChoiceDelta, outcome: ChoiceOutcome): ChoiceDelta[] {
  const { content, tool_calls: _calls, function_call: _call, ...others } = original;
  const [first, ...rest] = afterReasoning(others, outcome.deltas);
  const { content: text, ...calls } = first ?? {};
  const role = outcome.role !== undefined && first !== undefined ? { role: outcome.role } : {};
  const kept = withText(content, text);
  const own: ChoiceDelta = {
    ...role,
    ...others,
    ...role,
    ...present({ content: kept }),
    ...calls,
  };
  if (first === undefined && !Object.values(own).some((value) => value !== null)) return [];
  return [own, ...rest];
}

/** The new deltas, after an empty one if the upstream's own reasoning must be sent before the text's. */
function afterReasoning(upstreams: Omit<ChoiceDelta, "content">, deltas: readonly Delta[]): readonly Delta[] {
  const [first] = deltas;
  return reasoningText(upstreams) && first && ownReasoning(first) !== undefined ? [{}, ...deltas] : deltas;
}

/** The reasoning of a delta that Dragoman writes. */
export function ownReasoning({ reasoning_content: text, reasoning = text }: Delta): string | undefined {
  return reasoning;
}

/** A content with its text replaced; parts of other kinds stay. */
function withText(content: Content | undefined, text: string | undefined): Content | undefined {
  if (!Array.isArray(content)) return text ?? (content === null ? null : undefined);
  const position = content.findIndex(isTextPart);
  const parts = content.flatMap((part, index) => {
    if (!isTextPart(part)) return [part];
    return index === position && text !== undefined ? [{ ...part, text }] : [];
  });
  if (position < 0 && text !== undefined) parts.push({ type: "text", text });
  return parts.length === 0 ? undefined : parts;
}

function rewriteMessage(message: ChatMessage, deltas: readonly Delta[]): ChatMessage {
  const { tool_calls: _calls, function_call: _call, ...others } = message;
  const text = textOf(deltas);
  const calls = wholeCalls(deltas);
  const legacy = wholeFunctionCall(deltas);
  const thoughts = deltas.filter((delta) => ownReasoning(delta) !== undefined);
  const field = thoughts[0]?.reasoning === undefined ? "reasoning_content" : "reasoning";
  const reasoning = thoughts.map(ownReasoning).join("");
  const content = withText(message.content, text === "" ? undefined : text) ?? null;
  return {
    ...others,
    ...present({
      [field]: reasoning === "" ? undefined : [message[field], reasoning].join(""),
    }),
    content,
    ...present({ tool_calls: calls.length === 0 ? undefined : calls, function_call: legacy }),
  };
}

function wholeFunctionCall(deltas: readonly Delta[]): { name: string; arguments: string } | undefined {
  const pieces = deltas.flatMap((delta) => delta.function_call === undefined ? [] : [delta.function_call]);
  if (pieces.length === 0) return undefined;
  return {
    name: pieces.find((piece) => piece.name !== undefined)?.name ?? "",
    arguments: pieces.map((piece) => piece.arguments ?? "").join(""),
  };
}

function wholeCalls(deltas: readonly Delta[]): ToolCall[] {
  const calls = new Map<number, { head: ToolCallDelta; arguments: string }>();
  for (const piece of deltas.flatMap((each) => each.tool_calls ?? [])) {
    const index = piece.index ?? 0;
    const call = calls.get(index) ?? { head: piece, arguments: "" };
    call.arguments += piece.function?.arguments ?? "";
    calls.set(index, call);
  }
  return [...calls.values()].map(({ head: { index: _index, ...head }, arguments: json }) => ({
    ...head,
    function: { name: head.function?.name ?? "", arguments: json },
  }));
}

function textOf(deltas: readonly Delta[]): string {
  return deltas.map((delta) => delta.content ?? "").join("");
}

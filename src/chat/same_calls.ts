/**
 * Whether calls that we would send are those that the upstream sent, in the shape that every client reads. In: a
 * delta or a message as it came, and ours. Out: yes or no; a yes lets the message leave byte for byte.
 *
 * @module
 */
import type { Delta } from "./chunk.ts";

/** The index of a call → a part of its arguments. */
export type ArgumentParts = ReadonlyMap<number, string>;

/** What is compared. */
export interface Comparison {
  /** The `tool_calls` as they came. */
  readonly toolCalls: unknown;
  /** The `function_call` as it came. */
  readonly functionCall?: unknown;
  /** What we would send. */
  readonly said: readonly Delta[];
  /** Arguments that had come before and had not been sent. */
  readonly owedBefore?: ArgumentParts | undefined;
  /** Arguments that have come and are not sent. */
  readonly owedAfter?: ArgumentParts | undefined;
}

/** The legacy `function_call` is compared as a call under an index that no other has. */
const LEGACY_INDEX = -1;

interface Piece {
  readonly head: string | undefined;
  readonly json: string;
}

/** Whether both sides say the same of the same calls. */
export function isSameCalls({ toolCalls, functionCall, said, owedBefore, owedAfter }: Comparison): boolean {
  const isSilent = toolCalls == null && functionCall == null && owedBefore === undefined &&
    owedAfter === undefined;
  if (isSilent) {
    return said.every((delta) => delta.tool_calls === undefined && delta.function_call === undefined);
  }
  const own = ownPieces(toolCalls, functionCall);
  if (own === undefined) return false;
  const ours = new Map<number, Piece>();
  for (const delta of said) {
    for (const call of delta.tool_calls ?? []) add(ours, call.index ?? 0, call);
    if (delta.function_call !== undefined) add(ours, LEGACY_INDEX, { function: delta.function_call });
  }
  const indexes = new Set(
    [own, ours, owedBefore ?? [], owedAfter ?? []].flatMap((each) => [...each].map(first)),
  );
  return [...indexes].every((index) => {
    const came = (owedBefore?.get(index) ?? "") + (own.get(index)?.json ?? "");
    const sent = (ours.get(index)?.json ?? "") + (owedAfter?.get(index) ?? "");
    return own.get(index)?.head === ours.get(index)?.head && came === sent;
  });
}

function first([index]: readonly [number, unknown]): number {
  return index;
}

/** What came, or undefined where its shape is not the one that every client reads. */
function ownPieces(toolCalls: unknown, functionCall: unknown): Map<number, Piece> | undefined {
  const pieces = new Map<number, Piece>();
  if (functionCall != null && !addOwn(pieces, { index: LEGACY_INDEX, function: functionCall })) {
    return undefined;
  }
  if (toolCalls == null) return pieces;
  if (!Array.isArray(toolCalls) || toolCalls.length === 0) return undefined;
  return toolCalls.every((call) => addOwn(pieces, call)) ? pieces : undefined;
}

function addOwn(pieces: Map<number, Piece>, call: unknown): boolean {
  if (!isRecord(call) || typeof call.index !== "number") return false;
  if (!isTextOrNull(call.id) || !isTextOrNull(call.type)) return false;
  const called = call.function ?? {};
  if (!isRecord(called) || !isTextOrNull(called.name) || !isTextOrNull(called.arguments)) return false;
  const json = called.arguments ?? "";
  if (call.id === "" || called.name === "" || !json.isWellFormed()) return false;
  const piece = {
    id: call.id ?? undefined,
    type: call.type ?? undefined,
    function: { name: called.name ?? undefined, arguments: json },
  };
  add(pieces, call.index, piece);
  return true;
}

interface CallPiece {
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  readonly function?: { readonly name?: string | undefined; readonly arguments?: string | undefined };
}

/** The head is what must be said once: id, name, kind. */
function add(pieces: Map<number, Piece>, index: number, call: CallPiece): void {
  const { id, type, function: called = {} } = call;
  const isHead = id !== undefined || called.name !== undefined;
  const before = pieces.get(index);
  const head = isHead ? JSON.stringify([before?.head ?? null, id, called.name, type]) : before?.head;
  pieces.set(index, { head, json: (before?.json ?? "") + (called.arguments ?? "") });
}

function isTextOrNull(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

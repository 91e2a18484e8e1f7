/**
 * Orders calls that the model put in one wrapper, or in a row, so that each comes after those that it depends on
 * (`toolId`, `dependsOn`). If the client takes fewer calls in one message, the rest waits and is served when the results
 * come back, without asking the model.
 *
 * @module
 */
import type {
  CallGroup,
  ChatRequest,
  NewCall,
  Plugin,
  PluginContext,
  RequestMessage,
} from "../src/proxy/plugin/mod.ts";

/** How the calls of a wrapper may relate. */
const MODES: readonly string[] = ["parallel", "sequential", "single"];

/** A call of a group, seen as a node. */
export interface ChainNode {
  /** Unique in the group. */
  readonly id: string;
  /** Positions of the calls that come before it. */
  readonly after: readonly number[];
}

export interface Chain {
  /** One node for each call, as the model ordered them. */
  readonly nodes: readonly ChainNode[];
  /** Every position once, each after those that it depends on; else as the model ordered them. */
  readonly order: readonly number[];
  /** The same in waves: what is in one wave does not depend on each other. */
  readonly waves: readonly (readonly number[])[];
  /** What was repaired. */
  readonly notes: readonly string[];
}

export interface ChainInput {
  /** `sequential`: a call that names nothing depends on the one before it. */
  readonly mode: string | null;
  /** What the wrapper states about each call. */
  readonly calls: readonly { readonly meta: Readonly<Record<string, string>> }[];
  readonly newId: () => string;
}

/** Builds the graph and orders it. Edges are added as they are written; one that would close a cycle is left out. */
export function buildChain(input: ChainInput): Chain {
  const notes: string[] = [];
  if (input.mode !== null && !MODES.includes(input.mode)) {
    notes.push("the wrapper's mode is not known, so its calls count as parallel");
  }
  const ids = uniqueIds(input, notes);
  const positions = new Map(ids.map((id, index) => [id, index]));
  const after: number[][] = ids.map(() => []);
  const hasDependents = new Set<number>();
  const add = (from: number, to: number): boolean => {
    if (hasDependents.has(from) && reaches(after, { from: to, to: from })) return false;
    after[from]?.push(to);
    hasDependents.add(to);
    return true;
  };
  for (const [index, { meta }] of input.calls.entries()) {
    for (const name of wordsOf(meta["dependsOn"])) {
      const target = positions.get(name);
      if (target === undefined) notes.push(`call ${index + 1} depends on an unknown id, which was ignored`);
      else if (target === index) notes.push(`call ${index + 1} depends on itself, which was ignored`);
      else if (after[index]?.includes(target)) continue;
      else if (!add(index, target)) {
        notes.push(`a cycle was broken: call ${index + 1} no longer depends on call ${target + 1}`);
      }
    }
    const isLoose = after[index]?.length === 0 && index > 0;
    // The model didn't ask for this dependency: if it would close a cycle, it is left out.
    if (input.mode === "sequential" && isLoose) add(index, index - 1);
  }
  const nodes = ids.map((id, index) => ({ id, after: after[index] ?? [] }));
  return { nodes, notes, ...ordered(after) };
}

function uniqueIds({ calls, newId }: ChainInput, notes: string[]): string[] {
  const taken = new Set<string>();
  const written = new Set(calls.map(({ meta }) => meta["toolId"]?.trim()));
  return calls.map(({ meta }, index) => {
    let id = meta["toolId"]?.trim() ?? "";
    if (taken.has(id)) {
      notes.push(`the id of call ${index + 1} was already in use, so the call got a new one`);
    }
    for (let attempt = 0; id === "" || taken.has(id); attempt++) {
      const fresh = attempt < 16 ? newId() : `${index}-${attempt}`;
      id = written.has(fresh) ? "" : fresh;
    }
    taken.add(id);
    return id;
  });
}

function wordsOf(text: string | undefined): string[] {
  return (text ?? "").split(/[\s,]+/).filter((word) => word !== "");
}

function reaches(after: readonly (readonly number[])[], way: { from: number; to: number }): boolean {
  const open = [way.from];
  const seen = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === way.to) return true;
    for (const next of after[at] ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return false;
}

function ordered(after: readonly (readonly number[])[]): Pick<Chain, "order" | "waves"> {
  const left = after.map((targets) => targets.length);
  const dependents: number[][] = after.map(() => []);
  for (const [index, targets] of after.entries()) for (const to of targets) dependents[to]?.push(index);
  const ready = left.flatMap((count, index) => count === 0 ? [index] : []);
  const levels = after.map(() => 0);
  const order: number[] = [];
  for (let at = ready.shift(); at !== undefined; at = ready.shift()) {
    order.push(at);
    for (const next of dependents[at] ?? []) {
      levels[next] = Math.max(levels[next] ?? 0, (levels[at] ?? 0) + 1);
      left[next] = (left[next] ?? 0) - 1;
      if (left[next] !== 0) continue;
      // The ready ones stay in the model's order.
      const place = ready.findIndex((other) => other > next);
      ready.splice(place < 0 ? ready.length : place, 0, next);
    }
  }
  const waves: number[][] = [];
  for (const index of order) (waves[levels[index] ?? 0] ??= []).push(index);
  return { order, waves };
}

interface Options {
  readonly waves: boolean;
  readonly queue_timeout_ms: number;
  readonly failures: readonly string[];
}

/** What waits for the results of the last calls. */
interface Queue {
  /** The calls whose results have to come. */
  readonly served: readonly NewCall[];
  /** What comes next, wave by wave. */
  readonly waves: readonly (readonly NewCall[])[];
  /** The conversation as it was when they were served, message by message. */
  readonly before: readonly string[];
}

/** How much of a result is searched for a failure: what is further down is contents. */
const RESULT_HEAD = 400;

const plugin: Plugin<Options> = {
  name: "dependency_chain",
  description:
    "Orders a wrapper's calls by their dependencies, and sends them one at a time to clients that run one call per message",
  options: {
    waves: {
      type: "boolean",
      default: true,
      description:
        "Send only independent calls in one answer, even to clients that accept more; without it, agents that run calls in parallel break the order",
    },
    queue_timeout_ms: {
      type: "number",
      default: 600_000,
      minimum: 1,
      description: "How long calls wait for the results of earlier calls",
    },
    failures: {
      type: "texts",
      default: [
        "user denied",
        "user rejected",
        "user declined",
        "denied this operation",
        "permission denied",
        '"status":"denied"',
        "<feedback>",
        "<error>",
        "[error]",
        "error:",
        "tool execution failed",
        "failed to ",
        "operation cancel",
        "interrupted",
        "not executed",
      ],
      description: "Words at the beginning of a result that cancel the waiting calls; the model then decides",
    },
  },

  // The name that a model trained on it calls for several calls at once.
  onCall(call, { offered }) {
    const uses = call.arguments["tool_uses"];
    if (!/(?:^|\.)multi_tool_use[._]parallel$/.test(call.tool) || !Array.isArray(uses)) return undefined;
    const calls = uses.flatMap((use): NewCall[] => {
      const name = String(use?.recipient_name).replace(/^functions\./, "");
      const tool = offered.resolve(name)?.name;
      return tool === undefined ? [] : [{ tool, arguments: { ...use.parameters } }];
    });
    return calls.length === uses.length && calls.length > 0 ? { replace: calls } : undefined;
  },

  onGroup(group, context) {
    const chain = buildChain({ mode: group.mode, calls: group.calls, newId: context.newId });
    for (const note of chain.notes) context.note(note);
    const waves = wavesFor(chain, context);
    const [first = [], ...rest] = waves;
    const callsOf = (wave: readonly number[]) => wave.flatMap((index) => callAt(group, index));
    if (rest.length > 0) {
      keep(context, { request: context.request, served: callsOf(first), waves: rest.map(callsOf) });
    }
    return { order: first };
  },

  onRequest(request, context) {
    const queue = context.store.take(context.conversation) as Queue | undefined;
    const [next, ...rest] = queue?.waves ?? [];
    if (queue === undefined || next === undefined) return undefined;
    const objection = objectionTo(request, { queue, failures: context.options.failures });
    if (objection !== undefined) {
      context.note(`${queue.waves.flat().length} waiting calls were dropped: ${objection}`);
      return undefined;
    }
    context.note(`sent from the queue; ${rest.flat().length} calls are still waiting`);
    if (rest.length > 0) keep(context, { request, served: next, waves: rest });
    return { calls: next };
  },
};

export default plugin;

/** How the calls are spread over answers. */
function wavesFor(
  chain: Chain,
  { options, callsPerMessage, request }: PluginContext<Options>,
): readonly number[][] {
  const most = request["parallel_tool_calls"] === false ? 1 : callsPerMessage ?? Infinity;
  if (most === 1) return chain.order.map((index) => [index]);
  const waves = options.waves ? chain.waves : [chain.order];
  return waves.flatMap((wave) => {
    const parts: number[][] = [];
    for (let at = 0; at < wave.length; at += most) parts.push(wave.slice(at, at + most));
    return parts;
  });
}

function callAt({ calls }: CallGroup, index: number): NewCall[] {
  const call = calls[index];
  return call === undefined ? [] : [{ tool: call.tool, arguments: call.arguments }];
}

function keep(
  { store, conversation, options }: PluginContext<Options>,
  { request, ...queue }: Omit<Queue, "before"> & { readonly request: ChatRequest },
): void {
  const before = messagesOf(request).map(fingerprint);
  store.put(conversation, { ...queue, before } satisfies Queue, { ttlMs: options.queue_timeout_ms });
}

/** Why a request does not carry the results that the queue waits for; undefined: it does. */
function objectionTo(
  request: ChatRequest,
  { queue, failures }: { readonly queue: Queue; readonly failures: readonly string[] },
): string | undefined {
  const messages = messagesOf(request);
  const { before, served } = queue;
  const isSame = messages.length > before.length &&
    before.every((message, index) => fingerprint(messages[index] ?? {}) === message);
  if (!isSame) return "the conversation was edited";
  const added = messages.slice(before.length);
  const said = added.filter(({ role }) => role === "assistant");
  const results = added.filter(({ role }) => role !== "assistant");
  const isNative = results.some(({ role }) => role === "tool" || role === "function");
  const mismatch = isNative
    ? nativeMismatch(said, { results, served })
    : textMismatch(said, { results, served });
  if (mismatch !== undefined) return mismatch;
  return results.some((result) => isFailure(textOf(result), failures))
    ? "a result failed or was denied"
    : undefined;
}

interface Exchanged {
  readonly results: readonly RequestMessage[];
  readonly served: readonly NewCall[];
}

function nativeMismatch(said: readonly RequestMessage[], { results, served }: Exchanged): string | undefined {
  const isOnlyResults = results.every(({ role }) => role === "tool" || role === "function");
  if (!isOnlyResults || results.length !== served.length) {
    return "the results aren't the expected ones";
  }
  const made = said.flatMap(({ tool_calls }) => Array.isArray(tool_calls) ? tool_calls : []);
  const isSame = made.length === served.length && served.every((call, index) => {
    const { name, arguments: json } = made[index]?.function ?? {};
    return name === call.tool && isJsonOf(json, call.arguments);
  });
  return isSame ? undefined : "the calls aren't those that were sent";
}

/** A client that reads calls in the text sends the results as a user: `[tool for 'x'] Result:`. */
function textMismatch(said: readonly RequestMessage[], { results, served }: Exchanged): string | undefined {
  const [result] = results;
  if (said.length === 0 || results.length !== 1 || result?.role !== "user") {
    return "the results aren't the expected ones";
  }
  const tool = /^\s*\[([A-Za-z_][\w-]*)[^]*?\] Result:/.exec(textOf(result))?.[1];
  return tool === served.at(-1)?.tool ? undefined : "the result is from another tool";
}

function isFailure(text: string, failures: readonly string[]): boolean {
  const label = text.indexOf("] Result:");
  const body = text.slice(label < 0 ? 0 : label, (label < 0 ? 0 : label) + RESULT_HEAD).toLowerCase();
  return failures.some((words) => body.includes(words.toLowerCase())) ||
    /exit code:?\s*-?[1-9]/.test(text.slice(0, 4 * RESULT_HEAD).toLowerCase());
}

function isJsonOf(json: unknown, value: unknown): boolean {
  try {
    return typeof json === "string" && JSON.stringify(JSON.parse(json)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function messagesOf({ messages }: ChatRequest): readonly RequestMessage[] {
  return Array.isArray(messages) ? messages : [];
}

/** A message in a few digits; marks that clients move about (`cache_control`) do not count. */
function fingerprint(message: RequestMessage): string {
  const text = `${message.role}\n${textOf(message)}`;
  // Two multiplicative hashes of 32 bits: enough to notice an edit, and nothing of the contents is kept.
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  return `${text.length}-${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`;
}

function textOf({ content }: RequestMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => typeof part?.text === "string" ? part.text : "").join("\n");
}

/** The page's requests to the server. All addresses are relative, so the page also works below another path. @module */
/// <reference lib="dom" />

export class ServerError extends Error {
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Reads JSON; undefined if the server has nothing new. */
export async function read<Value>(path: string): Promise<Value> {
  return await ask(path, { method: "GET" });
}

export async function change<Value>(path: string, body?: string, type?: string): Promise<Value> {
  const headers: HeadersInit = type === undefined ? {} : { "content-type": type };
  return await ask(path, { method: "POST", headers, ...(body === undefined ? {} : { body }) });
}

export async function remove(path: string): Promise<void> {
  await ask(path, { method: "DELETE" });
}

async function ask<Value>(path: string, options: RequestInit): Promise<Value> {
  const response = await fetch(path, {
    ...options,
    headers: { ...options.headers, accept: "application/json" },
  })
    .catch(() => undefined);
  if (response === undefined) throw new ServerError("The server doesn't answer. Is it still running?", 0);
  if (response.status === 204) return undefined as Value;
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const message = answer?.error?.message ?? `The server answers with status ${response.status}`;
  throw new ServerError(message, response.status);
}
